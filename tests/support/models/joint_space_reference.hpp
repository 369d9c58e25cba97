/// Trajectories of trees in joint coordinates by the classic Runge-Kutta method, with small steps:
/// a reference for methods in other coordinates.
#pragma once
#include <functional>
#include <vector>

#include "axode/dynamics/forward/forward_dynamics.hpp"
#include "axode/model/state.hpp"

namespace axode::test {

using JointForces = std::function<std::vector<double>(const State<double>&)>;

inline State<double> joint_space_motion(const Tree& tree, State<double> s, double duration,
                                        int steps, const JointForces& forces = {}) {
  const double h = duration / steps;
  const auto rate = [&](const State<double>& at) {
    const std::vector<double> tau = forces ? forces(at) : std::vector<double>(at.v.size(), 0.0);
    State<double> r{std::vector<double>(at.q.size()), {}};
    coordinate_rate<double>(tree, at.q, at.v, r.q);
    r.v = reference::forward_dynamics(tree, at.q, at.v, tau, Rep::body,
                                      {.effects = {.friction = false}});
    return r;
  };
  const auto moved = [](State<double> x, const State<double>& r, double d) {
    for (std::size_t k = 0; k < x.q.size(); ++k) x.q[k] += d * r.q[k];
    for (std::size_t k = 0; k < x.v.size(); ++k) x.v[k] += d * r.v[k];
    return x;
  };
  const std::vector<double> nothing(s.v.size(), 0.0);
  for (int n = 0; n < steps; ++n) {
    const State<double> k1 = rate(s), k2 = rate(moved(s, k1, h / 2));
    const State<double> k3 = rate(moved(s, k2, h / 2)), k4 = rate(moved(s, k3, h));
    s = moved(moved(moved(moved(s, k1, h / 6), k2, h / 3), k3, h / 3), k4, h / 6);
    plus<double>(tree, s.q, nothing, s.q);  // unit quaternions
  }
  return s;
}

}  // namespace axode::test
