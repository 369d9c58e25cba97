// Derivatives of inverse dynamics: analytic, against dual numbers, and what a robot's designer asks:
// how the torque of the elbow depends on the state.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "axode/dynamics/derivatives/second_derivatives.hpp"
#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/engine/calls.hpp"
#include "axode/io/model_file.hpp"
#include "axode/lie/dual.hpp"

using namespace axode;

namespace {

/// d tau / dq_k by carrying a dual number through the recursion: any scalar goes through.
std::vector<double> column_by_dual_numbers(const Tree& tree, const std::vector<double>& q,
                                           const std::vector<double>& v,
                                           const std::vector<double>& a, std::size_t k) {
  using D = Dual<double>;
  std::vector<D> q_D(q.begin(), q.end()), v_D(v.begin(), v.end()), a_D(a.begin(), a.end());
  std::vector<D> tau(v.size());
  q_D[k].dual = 1;
  Poses<D> p(tree);
  InverseDynamics<Rep::body, D> work(tree);
  poses<D>(tree, q_D, p);
  inverse_dynamics<Rep::body, D>(tree, p, v_D, a_D, work, tau);
  std::vector<double> column(tau.size());
  for (std::size_t j = 0; j < tau.size(); ++j) column[j] = tau[j].dual;
  return column;
}

}  // namespace

int main() {
  const Tree tree = load_tree("models/puma560.json");
  const std::vector q{0.1, -0.8, 0.4, 0.3, 0.6, -0.2}, v{0.5, -0.3, 0.8, 1.0, -0.6, 0.4},
      a{1.0, 0.2, -0.5, 0.3, 0.1, 2.0};
  const int elbow = 2;

  const auto d = inverse_dynamics_derivatives(tree, q, v, a);
  std::printf("elbow torque %.3f N m; per rad and per rad/s of each joint:\n", d.tau[elbow]);
  const auto tidy = [](double x) { return std::abs(x) < 5e-5 ? 0 : x; };  // no "-0.0000"
  for (int k = 0; k < tree.nv; ++k)
    std::printf("%-12s%9.4f%9.4f\n", tree.bodies[k].joint_name.c_str(), tidy(d.by_q(elbow, k)),
                tidy(d.by_v(elbow, k)));

  double difference = 0;
  for (int k = 0; k < tree.nv; ++k) {
    const auto column = column_by_dual_numbers(tree, q, v, a, k);
    for (int j = 0; j < tree.nv; ++j)
      difference = std::max(difference, std::abs(d.by_q(j, k) - column[j]));
  }
  std::printf("dual numbers agree: %s\n", difference < 1e-12 ? "yes" : "no");

  // The forces found above cause the accelerations we began with; so do their derivatives.
  const auto f = forward_dynamics_derivatives(tree, q, v, d.tau);
  std::printf("elbow acceleration %.4f, by its own torque %.4f per N m\n", f.a[elbow],
              f.by_tau(elbow, elbow));

  const auto second = inverse_dynamics_second_derivatives(tree, q, v, a);
  std::printf("elbow torque, second derivative by its own angle %.4f\n",
              second.by_qq(elbow, elbow, elbow));
}
