/// A constraint that moves: a bead of mass 2 on a straight wire through the origin, which turns with
/// the speed w. Its distance is r(t) = r0 cosh w(t - t0) + r0'/w sinh w(t - t0).
#pragma once
#include <cmath>
#include <span>
#include <vector>

#include "axode/integrate/constrained.hpp"

namespace axode::test {

struct RotatingWire {
  LieGroup group = LieGroup{}.real(2);
  double w = 1.7, mass = 2;

  const LieGroup& configuration() const { return group; }
  int constraints() const { return 1; }
  bool residual(const ConstrainedPoint& p, const ConstrainedResidual& r) const {
    const double s = std::sin(w * p.t), c = std::cos(w * p.t);
    r.position[0] = c * p.q[1] - s * p.q[0];
    r.velocity[0] = c * p.v[1] - s * p.v[0] - w * (s * p.q[1] + c * p.q[0]);
    r.force[0] = mass * p.a[0] - s * p.lambda[0];
    r.force[1] = mass * p.a[1] + c * p.lambda[0];
    return true;
  }
  void constraint_rate(const ConstrainedPoint& p, std::span<double> result) const {
    const double s = std::sin(w * p.t), c = std::cos(w * p.t);
    result[0] = -2 * w * (s * p.v[1] + c * p.v[0]) - w * w * (c * p.q[1] - s * p.q[0]);
  }
  void tangent(const ConstrainedPoint& p, const TangentScale& scale, SparseAssembly& m) const {
    const double row[2] = {-std::sin(w * p.t), std::cos(w * p.t)};
    for (int k = 0; k < 2; ++k) {
      m.add(k, k, scale.identity + scale.mass * mass);
      m.add(k, 2, row[k]);
      m.add(2, k, row[k] - scale.rate * w * row[1 - k] * (k == 0 ? 1 : -1));
    }
  }
  /// (q, v) with the distance r and its rate.
  std::vector<double> state(double t, double r, double rate) const {
    const double s = std::sin(w * t), c = std::cos(w * t);
    return {r * c, r * s, rate * c - w * r * s, rate * s + w * r * c};
  }
  std::vector<double> exact(double t0, double r0, double rate0, double t) const {
    const double e = w * (t - t0);
    return state(t, r0 * std::cosh(e) + rate0 / w * std::sinh(e),
                 r0 * w * std::sinh(e) + rate0 * std::cosh(e));
  }
};

}  // namespace axode::test
