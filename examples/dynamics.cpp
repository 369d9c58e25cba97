// Inverse and forward dynamics of a PUMA 560 that carries a tool pushed from the side.
#include <cmath>
#include <cstdio>
#include <vector>

#include "axode/dynamics/forward/forward_dynamics.hpp"
#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/dynamics/matrices/mass_matrix.hpp"
#include "axode/engine/calls.hpp"
#include "axode/io/model_file.hpp"

using namespace axode;

namespace {

void print(const char* name, const std::vector<double>& x) {
  std::printf("%-26s", name);
  for (const double value : x) std::printf("%9.4f", std::abs(value) < 5e-5 ? 0 : value);
  std::printf("\n");
}

}  // namespace

int main() {
  const Tree tree = load_tree("models/puma560.json");
  const std::vector q{0.1, -0.8, 0.4, 0.3, 0.6, -0.2}, v{0.5, -0.3, 0.8, 1.0, -0.6, 0.4},
      a{1.0, 0.2, -0.5, 0.3, 0.1, 2.0};

  // In one call, checked: gravity, armature and friction are in.
  print("joint forces", inverse_dynamics(tree, q, v, a));
  print("gravity alone", inverse_dynamics(tree, q, {{0, 0, 0, 0, 0, 0}}, {{0, 0, 0, 0, 0, 0}}));

  // 10 N along the world's x axis at the origin of the last body, and what the joints bear.
  const char* hand = tree.bodies.back().name.c_str();
  const JointForces pushed =
      joint_forces(tree, q, v, a, Rep::body,
                   {.external = {{.on = hand,
                                  .wrench = {{0, 0, 0}, {10, 0, 0}},
                                  .expressed_in = origin_of(hand).axes_of("world")}}});
  print("pushed by 10 N", pushed.tau);
  const Wrench<Rep::body> base = pushed.joint_wrenches.front();
  print("first joint transmits", {base.angular.x, base.angular.y, base.angular.z, base.linear.x,
                                  base.linear.y, base.linear.z});

  // For loops: objects made once, nothing allocates, the representation is in the type.
  Poses<> p(tree);
  InverseDynamics<Rep::hybrid> inverse_work(tree);
  ForwardDynamics<Rep::body> forward_work(tree);
  std::vector<double> tau(v.size()), again(v.size());
  poses<double>(tree, q, p);
  inverse_dynamics<Rep::hybrid, double>(tree, p, v, a, inverse_work, tau);
  if (!forward_dynamics<Rep::body, double>(tree, p, v, tau, forward_work, again).ok()) return 1;
  print("accelerations again", again);

  const DenseMatrix<double> M = mass_matrix(tree, q);
  print("diagonal of M", {M(0, 0), M(1, 1), M(2, 2), M(3, 3), M(4, 4), M(5, 5)});
}
