/// A constrained system small enough to see through: two points in the plane, x = (x1, y1, x2, y2),
/// on rods of length 1 and 1.5 from the origin and from each other; gravity, masses 1 and 2.
#pragma once
#include <cmath>
#include <span>
#include <vector>

#include "axode/integrate/constrained.hpp"

namespace axode::test {

struct TwoPoints {
  LieGroup group = LieGroup{}.real(4);
  double gravity = 9.81;
  bool fails = false;

  const LieGroup& configuration() const { return group; }
  int constraints() const { return 2; }
  bool residual(const ConstrainedPoint& p, const ConstrainedResidual& r) {
    const double x = p.q[2] - p.q[0], y = p.q[3] - p.q[1];
    const double u = p.v[2] - p.v[0], w = p.v[3] - p.v[1];
    r.position[0] = (p.q[0] * p.q[0] + p.q[1] * p.q[1] - 1) / 2;
    r.position[1] = (x * x + y * y - 2.25) / 2;
    r.velocity[0] = p.q[0] * p.v[0] + p.q[1] * p.v[1];
    r.velocity[1] = x * u + y * w;
    r.force[0] = p.a[0] + p.q[0] * p.lambda[0] - x * p.lambda[1];
    r.force[1] = p.a[1] + gravity + p.q[1] * p.lambda[0] - y * p.lambda[1];
    r.force[2] = 2 * p.a[2] + x * p.lambda[1];
    r.force[3] = 2 * (p.a[3] + gravity) + y * p.lambda[1];
    return !fails;
  }
  void constraint_rate(const ConstrainedPoint& p, std::span<double> result) {
    const double u = p.v[2] - p.v[0], w = p.v[3] - p.v[1];
    result[0] = p.v[0] * p.v[0] + p.v[1] * p.v[1];
    result[1] = u * u + w * w;
  }
  void tangent(const ConstrainedPoint& p, const TangentScale& s, SparseAssembly& m) {
    const double mass[4] = {1, 1, 2, 2};
    const double at[2][4] = {{p.q[0], p.q[1], 0, 0},
                             {p.q[0] - p.q[2], p.q[1] - p.q[3], p.q[2] - p.q[0], p.q[3] - p.q[1]}};
    const double rate[2][4] = {
        {p.v[0], p.v[1], 0, 0},
        {p.v[0] - p.v[2], p.v[1] - p.v[3], p.v[2] - p.v[0], p.v[3] - p.v[1]}};
    for (int k = 0; k < 4; ++k) {
      const double own = k < 2 ? p.lambda[0] + p.lambda[1] : p.lambda[1];
      m.add(k, k, s.identity + s.mass * mass[k] + s.stiffness * own);
      m.add(k, (k + 2) % 4, -s.stiffness * p.lambda[1]);
      for (int c = 0; c < 2; ++c) {
        m.add(k, 4 + c, at[c][k]);
        m.add(4 + c, k, at[c][k] + s.rate * rate[c][k]);
      }
    }
  }
};

/// Angles of the rods from the downward vertical and their rates, as (q, v) of the points.
inline std::vector<double> two_points(double a, double b, double da, double db) {
  const double s = std::sin(a), c = std::cos(a), t = 1.5 * std::sin(b), d = 1.5 * std::cos(b);
  return {s, -c, s + t, -c - d, c * da, s * da, c * da + d * db, s * da + t * db};
}
inline double two_points_energy(std::span<const double> x) {
  return (x[4] * x[4] + x[5] * x[5]) / 2 + x[6] * x[6] + x[7] * x[7] + 9.81 * (x[1] + 2 * x[3]);
}

}  // namespace axode::test
