#include "axode/dynamics/forward_dynamics.inl"
#include "axode/lie/pack.hpp"

namespace axode {

using P = Pack<double, AXODE_LANES>;
template struct ForwardDynamics<Rep::body, P>;
template struct ForwardDynamics<Rep::spatial, P>;
template struct ForwardDynamics<Rep::hybrid, P>;
template void forward_dynamics(const Tree&, const Poses<P>&, In<P>, In<P>,
                               ForwardDynamics<Rep::body, P>&, Out<P>, In<Wrench<Rep::body, P>>,
                               const Effects&) noexcept;
template void forward_dynamics(const Tree&, const Poses<P>&, In<P>, In<P>,
                               ForwardDynamics<Rep::spatial, P>&, Out<P>, In<Wrench<Rep::body, P>>,
                               const Effects&) noexcept;
template void forward_dynamics(const Tree&, const Poses<P>&, In<P>, In<P>,
                               ForwardDynamics<Rep::hybrid, P>&, Out<P>, In<Wrench<Rep::body, P>>,
                               const Effects&) noexcept;

}  // namespace axode
