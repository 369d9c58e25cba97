#include "axode/dynamics/any_scalar/inverse_dynamics.hpp"

#include "axode/lie/dual.hpp"

namespace axode {

template struct InverseDynamics<Rep::body, double>;
template struct InverseDynamics<Rep::spatial, double>;
template struct InverseDynamics<Rep::hybrid, double>;
template struct InverseDynamics<Rep::mixed, double>;
template void inverse_dynamics(const Tree&, const Poses<double>&, In<double>, In<double>,
                               InverseDynamics<Rep::body, double>&, Out<double>,
                               In<Wrench<Rep::body, double>>, const Effects&) noexcept;
template void inverse_dynamics(const Tree&, const Poses<double>&, In<double>, In<double>,
                               InverseDynamics<Rep::spatial, double>&, Out<double>,
                               In<Wrench<Rep::body, double>>, const Effects&) noexcept;
template void inverse_dynamics(const Tree&, const Poses<double>&, In<double>, In<double>,
                               InverseDynamics<Rep::hybrid, double>&, Out<double>,
                               In<Wrench<Rep::body, double>>, const Effects&) noexcept;
template void inverse_dynamics(const Tree&, const Poses<double>&, In<double>, In<double>,
                               InverseDynamics<Rep::mixed, double>&, Out<double>,
                               In<Wrench<Rep::body, double>>, const Effects&) noexcept;

template struct InverseDynamics<Rep::body, Dual<double>>;
template struct InverseDynamics<Rep::spatial, Dual<double>>;
template struct InverseDynamics<Rep::hybrid, Dual<double>>;
template struct InverseDynamics<Rep::mixed, Dual<double>>;
template void inverse_dynamics(const Tree&, const Poses<Dual<double>>&, In<Dual<double>>,
                               In<Dual<double>>, InverseDynamics<Rep::body, Dual<double>>&,
                               Out<Dual<double>>, In<Wrench<Rep::body, Dual<double>>>,
                               const Effects&) noexcept;
template void inverse_dynamics(const Tree&, const Poses<Dual<double>>&, In<Dual<double>>,
                               In<Dual<double>>, InverseDynamics<Rep::spatial, Dual<double>>&,
                               Out<Dual<double>>, In<Wrench<Rep::body, Dual<double>>>,
                               const Effects&) noexcept;
template void inverse_dynamics(const Tree&, const Poses<Dual<double>>&, In<Dual<double>>,
                               In<Dual<double>>, InverseDynamics<Rep::hybrid, Dual<double>>&,
                               Out<Dual<double>>, In<Wrench<Rep::body, Dual<double>>>,
                               const Effects&) noexcept;
template void inverse_dynamics(const Tree&, const Poses<Dual<double>>&, In<Dual<double>>,
                               In<Dual<double>>, InverseDynamics<Rep::mixed, Dual<double>>&,
                               Out<Dual<double>>, In<Wrench<Rep::body, Dual<double>>>,
                               const Effects&) noexcept;

}  // namespace axode
