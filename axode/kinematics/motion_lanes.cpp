#include "axode/kinematics/motion.inl"
#include "axode/lie/pack.hpp"

namespace axode {

using P = Pack<double, AXODE_LANES>;
template struct Motion<Rep::body, P>;
template struct Motion<Rep::spatial, P>;
template struct Motion<Rep::hybrid, P>;
template struct Motion<Rep::mixed, P>;
template void twists(const Tree&, const Poses<P>&, In<P>, Motion<Rep::body, P>&) noexcept;
template void twists(const Tree&, const Poses<P>&, In<P>, Motion<Rep::spatial, P>&) noexcept;
template void twists(const Tree&, const Poses<P>&, In<P>, Motion<Rep::hybrid, P>&) noexcept;
template void twists(const Tree&, const Poses<P>&, In<P>, Motion<Rep::mixed, P>&) noexcept;
template void accelerations(const Tree&, const Poses<P>&, In<P>, In<P>,
                            Motion<Rep::body, P>&) noexcept;
template void accelerations(const Tree&, const Poses<P>&, In<P>, In<P>,
                            Motion<Rep::spatial, P>&) noexcept;
template void accelerations(const Tree&, const Poses<P>&, In<P>, In<P>,
                            Motion<Rep::hybrid, P>&) noexcept;
template void accelerations(const Tree&, const Poses<P>&, In<P>, In<P>,
                            Motion<Rep::mixed, P>&) noexcept;

}  // namespace axode
