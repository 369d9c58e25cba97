#include "axode/model/joint_map.inl"

#include "axode/lie/dual.hpp"

namespace axode {

template SE3<double> detail::several_displacement(const Tree&, int, const double*) noexcept;
template void detail::several_screws(const Tree&, int, const double*, const SE3<double>&,
                                     Vec6<double>*) noexcept;
template void joint_screw_derivatives(const Tree&, int, const double*,
                                      std::span<const double* const>, int, Vec6<double>*);

using D = Dual<double>;
template SE3<D> detail::several_displacement(const Tree&, int, const D*) noexcept;
template void detail::several_screws(const Tree&, int, const D*, const SE3<D>&, Vec6<D>*) noexcept;
template void joint_screw_derivatives(const Tree&, int, const D*, std::span<const D* const>, int,
                                      Vec6<D>*);

}  // namespace axode
