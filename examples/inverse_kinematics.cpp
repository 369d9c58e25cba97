/// Joint coordinates for a pose of the tool, for two tasks at once, and what is said when there are
/// none.
#include "axode/kinematics/inverse/inverse_kinematics.hpp"

#include <cmath>
#include <cstdio>
#include <vector>

#include "axode/engine/kinematics_calls.hpp"
#include "axode/kinematics/manipulability.hpp"
#include "axode/model/builder.hpp"

using namespace axode;

Tree six_joint_arm() {
  const Vec3<> y{0, 1, 0}, z{0, 0, 1};  // vertical at q = 0, axes in the world
  TreeBuilder arm("arm");
  arm.body("turret").joint("waist", revolute({.axis = z})).limits(-2.9, 2.9);
  arm.body("upper").on("turret").joint("shoulder", revolute({.axis = y, .point = {0, 0, .4}}));
  arm.limits(-1.8, 1.8);
  arm.body("fore").on("upper").joint("elbow", revolute({.axis = y, .point = {0, 0, .9}}));
  arm.limits(.1, 2.5);
  arm.body("roll").on("fore").joint("roll", revolute({.axis = z})).limits(-3, 3);
  arm.body("wrist").on("roll").joint("wrist", revolute({.axis = y, .point = {0, 0, 1.3}}));
  arm.limits(-2, 2);
  arm.body("hand").on("wrist").joint("hand", revolute({.axis = z})).limits(-3, 3);
  arm.frame("tool", {.on = "hand", .at = translation(Vec3<>{0, 0, 1.4})});
  return arm.build();
}

int main() {
  const Tree tree = six_joint_arm();
  const std::vector<double> q{0, .3, .8, 0, .5, 0};  // from here

  const SE3<> T{exp(Vec3<>{0, 2.6, 0}), {.5, .2, .3}};
  const InverseKinematicsResult reached = inverse_kinematics(tree, q, pose_target("tool", T));
  std::printf("pose: %.*s; q =", static_cast<int>(name(reached.reason).size()),
              name(reached.reason).data());
  for (const double x : reached.q) std::printf(" %.4f", x);
  std::printf("\n");

  // Drilling: the place of the tool and the direction of its z axis; it may turn about it.
  const std::vector<Target> drill{position_target("tool", {.45, -.3, .35}),
                                  direction_target("tool", {0, 0, 1}, {0, 0, -1})};
  const InverseKinematicsResult drilled =
      inverse_kinematics(tree, q, drill, {.hold = {.joints = {"hand"}}});
  std::printf("drill: %s, hand held at %.1f\n", drilled.success ? "reached" : "failed",
              drilled.q[5]);

  // Nobody gets there; the result says how near it came and why no nearer.
  for (const Vec3<>& p : {Vec3<>{1.3, 0, .4}, Vec3<>{1.3, 0, .9}}) {
    const InverseKinematicsResult missed = inverse_kinematics(tree, q, position_target("tool", p));
    std::printf("(%.2f %.2f %.2f): %.*s, %.3f m off\n", p.x, p.y, p.z,
                static_cast<int>(name(missed.reason).size()), name(missed.reason).data(),
                missed.residuals[0].translation);
    for (const LimitReached& limit : missed.at_limits)
      std::printf("  %s limit of degree of freedom %d\n", limit.upper ? "upper" : "lower",
                  limit.velocity);
  }

  const Manipulability m = manipulability(tree, reached.q, "tool", {.rows = translation_rows});
  std::printf(
      "translations at the pose: index %.4f, condition %.2f; %zu joint motions leave the "
      "tool in place\n",
      m.index, m.condition, m.null_space.size());
}
