#include "axode/mechanism/arclength.hpp"

#include <algorithm>
#include <cmath>

#include "axode/mechanism/position.hpp"
#include "axode/mechanism/rank.hpp"

namespace axode {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

struct Curve {
  MechanismSystem& system;
  LeastNorm solver{};

  struct Point {
    std::vector<double> q;
    double s = 0;
    std::vector<double> tangent;  ///< of (q, s), unit length
  };
  /// [Phi_q Phi_s] at a point.
  SparseRows jacobian(const Point& p) {
    SparseRows J;
    system.jacobian(p.s, p.q, J);
    std::vector<double> rate(at(J.rows));
    system.time_rate(p.s, p.q, rate);
    return bordered(J, {}, rate);
  }
  bool close(Point& p) {
    const std::size_t n = p.tangent.size() - 1;
    std::vector<double> phi(at(system.constraints())), d(n + 1), weight(phi.size());
    for (int k = 0; k < 12; ++k) {
      system.position(p.s, p.q, phi);
      const SparseRows J = jacobian(p);
      double left = 0;
      SparseRows plain;
      system.jacobian(p.s, p.q, plain);
      equation_scales(system, plain, weight);
      for (std::size_t i = 0; i < phi.size(); ++i)
        left = std::max(left, std::abs(phi[i]) / weight[i]);
      if (left < 1e-13) return true;
      for (double& x : phi) x = -x;
      solver.factor(J);
      solver.solve(phi, d);
      plus(system.configuration(), p.q, {d.data(), n}, p.q);
      p.s += d[n];
      if (!std::isfinite(p.s)) return false;
      if (k == 11) return left < 1e-9;
    }
    return false;
  }
  bool find_tangent(Point& p, std::span<const double> before) {
    const SparseRows J = bordered(jacobian(p), before, {});
    std::vector<double> right(at(J.rows), 0.0), x(at(J.columns));
    right.back() = 1;
    solver.factor(J);
    solver.solve(right, x);
    double square = 0;
    for (const double c : x) square += c * c;
    if (!(square > 0) || !std::isfinite(square)) return false;
    for (double& c : x) c /= std::sqrt(square);
    p.tangent = x;
    return true;
  }
  /// The point a length further, negative: back.
  bool go(const Point& from, double length, Point& to) {
    const std::size_t n = from.tangent.size() - 1;
    std::vector<double> d(from.tangent);
    for (double& x : d) x *= length;
    to.q = from.q;
    to.tangent = from.tangent;
    plus(system.configuration(), from.q, {d.data(), n}, to.q);
    to.s = from.s + d[n];
    return close(to) && find_tangent(to, from.tangent);
  }
};

}  // namespace

ArclengthResult arclength_past(MechanismSystem& system, double s, std::span<const double> q,
                               std::span<const double> v, double direction) {
  Curve curve{.system = system};
  Curve::Point p{{q.begin(), q.end()}, s, {v.begin(), v.end()}}, next;
  p.tangent.push_back(1);
  double square = 0;
  for (const double x : p.tangent) square += x * x;
  for (double& x : p.tangent) x *= direction / std::sqrt(square);
  ArclengthResult result{.s = s, .q = p.q};
  const double start = s;
  double length = 1e-3 * std::max(model_size(system.mechanism()), 1.0);
  for (int k = 0; k < 60; ++k) {
    if (!curve.go(p, length, next)) {
      length /= 2;
      continue;
    }
    if (next.tangent.back() * direction <= 0) {
      // Between p and next: the tangent's part along s is zero; regula falsi, with halves.
      double low = 0, high = length;
      double at_low = p.tangent.back() * direction, at_high = next.tangent.back() * direction;
      Curve::Point middle = next;
      for (int n = 0; n < 60 && high - low > 1e-10 * length; ++n) {
        const double share = std::clamp(at_low / (at_low - at_high), 0.05, 0.95);
        const double where = n % 3 == 2 ? (low + high) / 2 : low + share * (high - low);
        if (!curve.go(p, where, middle)) break;
        const double slope = middle.tangent.back() * direction;
        (slope > 0 ? low : high) = where;
        (slope > 0 ? at_low : at_high) = slope;
        if (std::abs(slope) < 1e-9) break;
      }
      result = {ArclengthResult::Kind::turned, middle.s, middle.q};
      return result;
    }
    p = next;
    result.s = p.s;
    result.q = p.q;
    length *= 1.5;
    if (std::abs(p.tangent.back()) > 1e-2 && direction * (p.s - start) > 1e-4) {
      result.kind = ArclengthResult::Kind::passed;
      return result;
    }
  }
  return result;
}

}  // namespace axode
