#include "axode/model/any_scalar/joint_map.hpp"

#include "axode/lie/dual.hpp"

namespace axode {

template SE3<double> detail::several_displacement(const Tree&, int, const double*) noexcept;
template void detail::several_screws(const Tree&, int, const double*, const SE3<double>&,
                                     Vec6<double>*) noexcept;
template void joint_screw_derivatives(const Tree&, int, const double*,
                                      std::span<const double* const>, int, Vec6<double>*);

template SE3<Dual<double>> detail::several_displacement(const Tree&, int,
                                                        const Dual<double>*) noexcept;
template void detail::several_screws(const Tree&, int, const Dual<double>*,
                                     const SE3<Dual<double>>&, Vec6<Dual<double>>*) noexcept;
template void joint_screw_derivatives(const Tree&, int, const Dual<double>*,
                                      std::span<const Dual<double>* const>, int,
                                      Vec6<Dual<double>>*);

}  // namespace axode
