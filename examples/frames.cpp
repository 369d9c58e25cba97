/// Questions about frames: where is one, how does it move relative to another, seen from a third?
#include <cstdio>
#include <vector>

#include "axode/engine/kinematics_calls.hpp"
#include "axode/kinematics/frames/frame_kinematics.hpp"
#include "axode/model/builder.hpp"
using namespace axode;

namespace {
void show(const char* what, const Vec6<>& a) {
  std::printf("%-28s (%6.3f %6.3f %6.3f) (%6.3f %6.3f %6.3f)\n", what, a.angular.x, a.angular.y,
              a.angular.z, a.linear.x, a.linear.y, a.linear.z);
}
}  // namespace

int main() {
  // A floating base with an arm of two joints and a camera. Joints in the world at q = 0.
  const Tree tree = TreeBuilder("robot")
                        .body("base", {.mass = 10})
                        .joint("float", free_joint({.velocity = Rep::hybrid}))
                        .body("arm", {.mass = 2, .com = {.2, 0, 0}})
                        .on("base")
                        .joint("shoulder", revolute({.axis = {1, 2, 2}, .point = {0, 0, .5}}))
                        .body("hand", {.mass = 1, .com = {.5, 0, 0}})
                        .on("arm")
                        .joint("slide", prismatic({.axis = {1, 0, 0}}))
                        .frame("tool", {.on = "hand", .at = translation(Vec3<>{.6, 0, .5})})
                        .frame("camera", {.on = "base", .at = translation(Vec3<>{0, .2, .8})})
                        .build();
  const std::vector<double> q{.8, 0, .6, 0, 0, 0, 0, .5, .1};  // quaternion, position, joints
  const std::vector<double> v{0, .1, .3, .1, 0, 0, .8, -.2};   // omega, p', joints
  const std::vector<double> a{0, 0, 0, 0, 0, 0, 1, 0};

  const SE3<> T = transform(tree, q, {.of = "tool", .relative_to = "camera"});
  std::printf("the camera sees the tool at  (%.3f %.3f %.3f)\n", T.p.x, T.p.y, T.p.z);

  // Default: expressed in origin_of("tool").axes_of("world"), tool[world] for short
  show("tool, world axes", twist(tree, q, v, {.of = "tool"}));
  show("as the camera sees it",
       twist(tree, q, v, {.of = "tool", .relative_to = "camera", .expressed_in = "camera"}));
  // d/dt of the first of these: its linear part is the acceleration of the tool's origin
  show("acceleration of the tool", acceleration(tree, q, v, a, {.of = "tool"}));

  const Columns J =
      jacobian(tree, q, {.of = "tool", .relative_to = "camera", .expressed_in = "camera"});
  show("column of the shoulder", J[6]);
  show("columns of the base: none", J[0]);
  // the same velocities of the joints, but the twist of the base in its own frame
  const Columns J_body =
      jacobian(tree, q, {.of = "tool", .expressed_in = "tool", .base_velocity_in = "base"});
  show("base turns about its y", J_body[1]);
}
