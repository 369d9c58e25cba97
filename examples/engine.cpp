// The engine on a PUMA 560: joint forces, accelerations and derivatives, state after state.
#include "axode/engine/engine.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/io/model_file.hpp"

using namespace axode;

namespace {

void print(const char* name, const std::vector<double>& x) {
  std::printf("%-22s", name);
  for (const double value : x) std::printf("%9.4f", std::abs(value) < 5e-5 ? 0 : value);
  std::printf("\n");
}

}  // namespace

int main() {
  const Tree tree = load_tree("models/puma560.json");
  std::vector q{0.1, -0.8, 0.4, 0.3, 0.6, -0.2}, v{0.5, -0.3, 0.8, 1.0, -0.6, 0.4},
      a{1.0, 0.2, -0.5, 0.3, 0.1, 2.0};
  std::vector<double> tau(6), again(6);

  Engine engine(tree);  // once per tree and thread
  inverse_dynamics(engine, q, v, a, tau);
  print("joint forces", tau);
  const std::vector<double> expected = reference::inverse_dynamics(tree, q, v, a);
  double difference = 0;
  for (std::size_t k = 0; k < tau.size(); ++k)
    difference = std::max(difference, std::abs(tau[k] - expected[k]));
  std::printf("as by dynamics/: %s\n", difference < 1e-12 ? "yes" : "no");

  if (const ForwardOutcome found = forward_dynamics(engine, q, v, tau, again); !found.ok())
    std::printf("body %d has a degree of freedom without inertia\n", found.singular_body);
  print("accelerations again", again);

  // 2 N along the hand's own z axis; wrenches are one for each body, in its frame.
  std::vector<Wrench<Rep::body>> wrenches(tree.bodies.size());
  wrenches.back() = {{0, 0, 0}, {0, 0, 2}};
  inverse_dynamics(engine, q, v, a, tau, {.external = wrenches});
  print("pushed by 2 N", tau);

  // Poses in the frames of the model, whatever frames the engine works in.
  std::vector<SE3<>> T_WB(tree.bodies.size());
  poses(engine, q, T_WB);
  const Vec3<> p = T_WB.back().p;
  print("hand at", {p.x, p.y, p.z});

  PathMatrix<> M(tree);
  mass_matrix(engine, q, M);
  print("elbow's row of M", {M.row(2), M.row(2) + M.row_length(2)});  // elbow, shoulder, waist
  ForwardDynamicsDerivatives<double> d(tree);
  if (!forward_dynamics_derivatives(engine, q, v, tau, d).ok()) return 1;
  print("elbow, by its own q, v", {d.by_q(2, 2), d.by_v(2, 2)});

  // A tenth of a second without drives and friction. Nothing in this loop allocates.
  const double h = 1e-3;
  const std::vector<double> none(6);
  std::vector<double> step(6);
  for (int k = 0; k < 100; ++k) {
    if (!forward_dynamics(engine, q, v, none, a, {.effects = {.friction = false}}).ok()) return 1;
    for (std::size_t i = 0; i < v.size(); ++i) step[i] = h * (v[i] += h * a[i]);
    plus(tree, q, step, q);
  }
  print("fallen to", q);
}
