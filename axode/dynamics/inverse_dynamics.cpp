#include "axode/dynamics/inverse_dynamics.inl"

#include "axode/lie/dual.hpp"

namespace axode {

using D = Dual<double>;

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

template struct InverseDynamics<Rep::body, D>;
template struct InverseDynamics<Rep::spatial, D>;
template struct InverseDynamics<Rep::hybrid, D>;
template struct InverseDynamics<Rep::mixed, D>;
template void inverse_dynamics(const Tree&, const Poses<D>&, In<D>, In<D>,
                               InverseDynamics<Rep::body, D>&, Out<D>, In<Wrench<Rep::body, D>>,
                               const Effects&) noexcept;
template void inverse_dynamics(const Tree&, const Poses<D>&, In<D>, In<D>,
                               InverseDynamics<Rep::spatial, D>&, Out<D>, In<Wrench<Rep::body, D>>,
                               const Effects&) noexcept;
template void inverse_dynamics(const Tree&, const Poses<D>&, In<D>, In<D>,
                               InverseDynamics<Rep::hybrid, D>&, Out<D>, In<Wrench<Rep::body, D>>,
                               const Effects&) noexcept;
template void inverse_dynamics(const Tree&, const Poses<D>&, In<D>, In<D>,
                               InverseDynamics<Rep::mixed, D>&, Out<D>, In<Wrench<Rep::body, D>>,
                               const Effects&) noexcept;

}  // namespace axode
