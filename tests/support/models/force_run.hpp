/// A tree under forces, integrated by the classical Runge-Kutta method with fixed steps: a reference
/// that shares nothing with the integrators of the library.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "axode/engine/engine.hpp"
#include "axode/kinematics/motion.hpp"
#include "axode/simulate/forces/forces.hpp"

namespace axode::test {

struct ForceRun {
  ForceRun(const Tree& of, const Forces& forces_)
      : tree(of), forces(forces_), work(of, forces_), engine(of), poses_(of), motion(of) {}
  const Tree& tree;
  const Forces& forces;
  ForceWork work;
  Engine engine;
  Poses<double> poses_;
  Motion<Rep::body> motion;

  BodyMotion bodies(const std::vector<double>& q, const std::vector<double>& v) {
    poses<double>(tree, q, poses_);
    twists<Rep::body, double>(tree, poses_, v, motion);
    return {poses_.T_WB, motion.twists};
  }
  struct Sum {
    std::vector<double> tau;
    std::vector<Wrench<Rep::body>> wrenches;
  };
  Sum sum(double t, const std::vector<double>& q, const std::vector<double>& v) {
    Sum s{std::vector<double>(v.size()), std::vector<Wrench<Rep::body>>(tree.links.size())};
    add_forces(tree, forces, t, q, v, bodies(q, v), work, s.tau, s.wrenches);
    return s;
  }
  std::vector<double> acceleration(double t, const std::vector<double>& q,
                                   const std::vector<double>& v) {
    Sum s = sum(t, q, v);
    const EngineOptions options{.effects = {.friction = false}, .external = s.wrenches};
    EXPECT_TRUE(forward_dynamics(engine, q, v, s.tau, s.tau, options).ok());
    return s.tau;
  }
  /// n steps from t to `end`; coordinates must be numbers. `watch` sees each step.
  void run(State<double>& x, double t, double end, int n,
           const std::function<void(double)>& watch = {}) {
    const double h = (end - t) / n;
    const auto moved = [](std::vector<double> a, const std::vector<double>& b, double s) {
      for (std::size_t i = 0; i < a.size(); ++i) a[i] += s * b[i];
      return a;
    };
    const double last = std::nextafter(end, t);  // what switches at the end is not seen
    for (int i = 0; i < n; ++i) {
      const double now = t + i * h;
      const auto v1 = x.v, a1 = acceleration(now, x.q, x.v);
      const auto v2 = moved(x.v, a1, h / 2),
                 a2 = acceleration(now + h / 2, moved(x.q, v1, h / 2), v2);
      const auto v3 = moved(x.v, a2, h / 2),
                 a3 = acceleration(now + h / 2, moved(x.q, v2, h / 2), v3);
      const auto v4 = moved(x.v, a3, h),
                 a4 = acceleration(std::min(now + h, last), moved(x.q, v3, h), v4);
      for (std::size_t k = 0; k < x.v.size(); ++k) {
        x.q[k] += h / 6 * (v1[k] + 2 * v2[k] + 2 * v3[k] + v4[k]);
        x.v[k] += h / 6 * (a1[k] + 2 * a2[k] + 2 * a3[k] + a4[k]);
      }
      if (watch) watch(now + h);
    }
  }
};

}  // namespace axode::test
