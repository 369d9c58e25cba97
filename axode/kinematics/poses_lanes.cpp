#include "axode/kinematics/poses.inl"
#include "axode/lie/pack.hpp"

namespace axode {

using P = Pack<double, AXODE_LANES>;
template struct Poses<P>;
template void poses(const Tree&, In<P>, Poses<P>&) noexcept;

}  // namespace axode
