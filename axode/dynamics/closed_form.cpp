#include "axode/dynamics/closed_form.inl"

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

using D = Dual<double>;
template struct ClosedForm<D>;
template void inverse_dynamics_by_projection(const SystemJacobian<Rep::body, D>&, In<D>, In<D>,
                                             ClosedForm<D>&, Out<D>, In<Wrench<Rep::body, D>>,
                                             const Effects&) noexcept;
template void multiply_mass_matrix(const SystemJacobian<Rep::body, D>&, In<D>, ClosedForm<D>&,
                                   Out<D>, const Effects&) noexcept;
template void multiply_coriolis_matrix(const SystemJacobian<Rep::body, D>&, In<D>, In<D>,
                                       ClosedForm<D>&, Out<D>, CoriolisForm) noexcept;

}  // namespace axode
