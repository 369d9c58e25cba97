#include "axode/dynamics/matrices/detail/closed_form.inl"

#include "axode/lie/dual.hpp"

namespace axode {

template struct ClosedForm<double>;
template void inverse_dynamics_by_projection(const SystemJacobian<Rep::body, double>&, In<double>,
                                             In<double>, ClosedForm<double>&, Out<double>,
                                             In<Wrench<Rep::body, double>>,
                                             const Effects&) noexcept;
template void multiply_mass_matrix(const SystemJacobian<Rep::body, double>&, In<double>,
                                   ClosedForm<double>&, Out<double>, const Effects&) noexcept;
template void multiply_coriolis_matrix(const SystemJacobian<Rep::body, double>&, In<double>,
                                       In<double>, ClosedForm<double>&, Out<double>,
                                       CoriolisForm) noexcept;

template struct ClosedForm<Dual<double>>;
template void inverse_dynamics_by_projection(const SystemJacobian<Rep::body, Dual<double>>&,
                                             In<Dual<double>>, In<Dual<double>>,
                                             ClosedForm<Dual<double>>&, Out<Dual<double>>,
                                             In<Wrench<Rep::body, Dual<double>>>,
                                             const Effects&) noexcept;
template void multiply_mass_matrix(const SystemJacobian<Rep::body, Dual<double>>&, In<Dual<double>>,
                                   ClosedForm<Dual<double>>&, Out<Dual<double>>,
                                   const Effects&) noexcept;
template void multiply_coriolis_matrix(const SystemJacobian<Rep::body, Dual<double>>&,
                                       In<Dual<double>>, In<Dual<double>>,
                                       ClosedForm<Dual<double>>&, Out<Dual<double>>,
                                       CoriolisForm) noexcept;

}  // namespace axode
