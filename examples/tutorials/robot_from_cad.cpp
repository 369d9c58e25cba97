// A robot as a CAD program tells it: axes, centres of mass and inertias in the world at q = 0.
#include <algorithm>
#include <cstdio>

#include "axode/engine/calls.hpp"
#include "axode/engine/kinematics_calls.hpp"
#include "axode/io/model_file.hpp"
#include "axode/kinematics/frames/frame_kinematics.hpp"
#include "axode/model/builder.hpp"
using namespace axode;

namespace {

Inertia<> measured(double mass, Vec3<> com, Vec3<> moments) {
  return {mass, com, Sym3<>::diagonal(moments)};
}

Tree robot() {
  return TreeBuilder("robot")
      .body("base", measured(9, {0, 0, .05}, {.04, .04, .06}))
      .joint("floor", fixed())
      .body("column", measured(6, {.02, 0, .28}, {.05, .05, .03}))
      .on("base")
      .joint("turn", revolute({.axis = {0, 0, 1}}))
      .damping(.5)
      .body("upper arm", measured(5, {.05, 0, .55}, {.1, .095, .012}))
      .on("column")
      .joint("shoulder", revolute({.axis = {0, 1, 0}, .point = {.05, 0, .35}}))
      .damping(.5)
      .body("forearm", measured(3.5, {.12, 0, .79}, {.01, .022, .02}))
      .on("upper arm")
      .joint("elbow", revolute({.axis = {0, 1, 0}, .point = {.05, 0, .75}}))
      .damping(.3)
      .body("wrist", measured(1.8, {.32, 0, .8}, {.003, .012, .012}))
      .on("forearm")
      .joint("roll", revolute({.axis = {1, 0, 0}, .point = {0, 0, .8}}))
      .damping(.1)
      .body("hand", measured(.9, {.44, 0, .8}, {.0012, .0012, .001}))
      .on("wrist")
      .joint("bend", revolute({.axis = {0, 1, 0}, .point = {.42, 0, .8}}))
      .damping(.1)
      .body("gripper", measured(.3, {.51, 0, .8}, {.0003, .0002, .0002}))
      .on("hand")
      .joint("screw", revolute({.axis = {1, 0, 0}, .point = {0, 0, .8}}))
      .damping(.05)
      .frame("tool", {.on = "gripper", .at = translation(Vec3<>{.56, 0, .8})})
      .build();
}

}  // namespace

int main() {
  const Tree ours = robot(), file = load_tree("examples/tutorials/robot.json");
  const std::vector q{.5, .7, .2, .4, .9, .5}, v(6, .5), a(6, -1.);
  for (const Tree* tree : {&ours, &file}) {
    const SE3<> T = transform(*tree, q, {.of = "tool"});
    std::printf("tool at (%.4f %.4f %.4f) m; torques", T.p.x, T.p.y, T.p.z);
    for (const double torque : inverse_dynamics(*tree, q, v, a)) std::printf(" %.3f", torque);
    std::printf(" N m\n");
  }
}
