#include "axode/lie/pack.hpp"
#include "axode/model/any_scalar/joint_map.hpp"

namespace axode {

using P = Pack<double, AXODE_LANES>;
template SE3<P> detail::several_displacement(const Tree&, int, const P*) noexcept;
template void detail::several_screws(const Tree&, int, const P*, const SE3<P>&, Vec6<P>*) noexcept;
template void joint_screw_derivatives(const Tree&, int, const P*, std::span<const P* const>, int,
                                      Vec6<P>*);

}  // namespace axode
