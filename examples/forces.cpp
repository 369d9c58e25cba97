#include "axode/simulate/forces/forces.hpp"

#include <cstdio>

#include "axode/kinematics/motion.hpp"
#include "axode/model/builder.hpp"

using namespace axode;

int main() {
  const Tree tree = TreeBuilder("arm")
                        .body("upper", {.mass = 2, .com = {0, 0, -.2}})
                        .joint("shoulder", revolute({.axis = {0, 1, 0}}))
                        .friction(.5)
                        .body("lower", {.mass = 1, .com = {0, 0, -.2}})
                        .on("upper")
                        .joint("elbow", revolute({.axis = {0, 1, 0}, .point = {0, 0, -.4}}))
                        .limits(-2, 2)
                        .build();

  Forces forces;  // friction and limits of the joints are in it
  forces.springs.push_back({dof_index(tree, "elbow"), 5, 0, .1});
  forces.joint_forces.push_back(
      {dof_index(tree, "shoulder"), compile_expression(tree, "20*sin(2*pi*t)*step(t - 1)")});
  forces.points.push_back({.body_a = -1,
                           .body_b = body_index(tree, "lower"),
                           .point_a = {1, 0, 0},
                           .stiffness = 100,
                           .free_length = .5});
  Controller hold_still = pd_controller(tree, 40, 4, {.3, .6});
  hold_still.from = 2;  // [s]
  forces.controllers.push_back(hold_still);

  ForceWork work(tree, forces);  // once; evaluation then does not allocate
  const std::vector<double> q{.1, .2}, v{1, 0};
  Poses<double> poses_now = poses(tree, q);
  Motion<Rep::body> motion(tree);
  twists<Rep::body, double>(tree, poses_now, v, motion);
  const BodyMotion bodies{poses_now.T_WB, motion.twists};
  for (const double t : {.25, 1.25, 2.25}) {
    std::vector<double> tau(2, 0);
    std::vector<Wrench<Rep::body>> wrenches(2);
    add_forces(tree, forces, t, q, v, bodies, work, tau, wrenches);
    std::printf("t = %.2f s: tau = %6.2f %6.2f N m, force on lower %6.2f %5.2f %5.2f N\n", t,
                tau[0], tau[1], wrenches[1].linear.x, wrenches[1].linear.y, wrenches[1].linear.z);
  }
  std::printf("stored: %.3f J\n", stored_energy(tree, forces, 0, q, bodies, work));
  std::printf("switches at %g s and %g s\n", next_discontinuity(forces, 0),
              next_discontinuity(forces, 1));
}
