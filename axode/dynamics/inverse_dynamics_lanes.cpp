#include "axode/dynamics/inverse_dynamics.inl"
#include "axode/lie/pack.hpp"

namespace axode {

using P = Pack<double, AXODE_LANES>;

template struct InverseDynamics<Rep::body, P>;
template struct InverseDynamics<Rep::spatial, P>;
template struct InverseDynamics<Rep::hybrid, P>;
template struct InverseDynamics<Rep::mixed, P>;
template void inverse_dynamics(const Tree&, const Poses<P>&, In<P>, In<P>,
                               InverseDynamics<Rep::body, P>&, Out<P>, In<Wrench<Rep::body, P>>,
                               const Effects&) noexcept;
template void inverse_dynamics(const Tree&, const Poses<P>&, In<P>, In<P>,
                               InverseDynamics<Rep::spatial, P>&, Out<P>, In<Wrench<Rep::body, P>>,
                               const Effects&) noexcept;
template void inverse_dynamics(const Tree&, const Poses<P>&, In<P>, In<P>,
                               InverseDynamics<Rep::hybrid, P>&, Out<P>, In<Wrench<Rep::body, P>>,
                               const Effects&) noexcept;
template void inverse_dynamics(const Tree&, const Poses<P>&, In<P>, In<P>,
                               InverseDynamics<Rep::mixed, P>&, Out<P>, In<Wrench<Rep::body, P>>,
                               const Effects&) noexcept;

}  // namespace axode
