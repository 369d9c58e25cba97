#include "axode/kinematics/any_scalar/poses.hpp"

#include "axode/lie/dual.hpp"

namespace axode {

Poses<double> poses(const Tree& tree, In<double> q) {
  check_configuration(tree, q);
  Poses<double> result(tree);
  poses(tree, q, result);
  return result;
}

template struct Poses<double>;
template void poses(const Tree&, In<double>, Poses<double>&) noexcept;
template SE3<double> pose_by_body_screws<double>(const Tree&, In<double>, int) noexcept;
template SE3<double> pose_by_zero_reference<double>(const Tree&, std::span<const ZeroReference>,
                                                    In<double>, int) noexcept;
template struct Poses<Dual<double>>;
template void poses(const Tree&, In<Dual<double>>, Poses<Dual<double>>&) noexcept;
template SE3<Dual<double>> pose_by_body_screws<Dual<double>>(const Tree&, In<Dual<double>>,
                                                             int) noexcept;
template SE3<Dual<double>> pose_by_zero_reference<Dual<double>>(const Tree&,
                                                                std::span<const ZeroReference>,
                                                                In<Dual<double>>, int) noexcept;

}  // namespace axode
