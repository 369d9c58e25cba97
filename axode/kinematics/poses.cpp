#include "axode/kinematics/poses.inl"

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
using D = Dual<double>;
template struct Poses<D>;
template void poses(const Tree&, In<D>, Poses<D>&) noexcept;
template SE3<D> pose_by_body_screws<D>(const Tree&, In<D>, int) noexcept;
template SE3<D> pose_by_zero_reference<D>(const Tree&, std::span<const ZeroReference>, In<D>,
                                          int) noexcept;

}  // namespace axode
