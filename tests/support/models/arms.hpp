/// Robot arms for tests: their geometry is simple enough for closed forms.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "axode/model/tree.hpp"

namespace axode::test {

/// "l" and 2 make "l2".
std::string numbered(std::string prefix, std::size_t i);

/// Revolute joints "j1".. about z, links "l1".. along x, frame "tool" at the end.
Tree planar_arm(const std::vector<double>& lengths);

/// Vertical at q = 0: base about z, shoulder about y at height h, elbow about y after a, wrist z-y-z
/// after b more, "tool" t beyond the wrist.
struct WristPartitioned {
  double h = .4, a = .5, b = .45, t = .1;
};
Tree wrist_partitioned_arm(const WristPartitioned& size = {});
/// All eight solutions for a pose of the tool, angles in (-2 pi, 2 pi); fewer where they do not exist.
std::vector<std::array<double, 6>> wrist_partitioned_solutions(const WristPartitioned& size,
                                                               const SE3<double>& T_WF);

/// Six axes with offsets at shoulder and elbow; seven axes. With limits, or all turns.
Tree six_axis_arm(bool limits);
Tree seven_axis_arm(bool limits);

/// Two parallel vertical axes, a lift and a wrist, "tool" at its end: lengths .4 and .3.
Tree scara();

/// A free base with two arms and two legs of five joints with limits: "left_hand", "right_foot", ...
Tree four_limbs();

/// Largest difference of the angles, whole turns apart.
double angle_distance(const double* a, const double* b, int n);

}  // namespace axode::test
