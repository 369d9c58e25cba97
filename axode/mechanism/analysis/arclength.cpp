#include "axode/mechanism/analysis/arclength.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "axode/linalg/rank.hpp"
#include "axode/mechanism/analysis/follow.hpp"
#include "axode/mechanism/analysis/motion_analysis.hpp"
#include "axode/mechanism/analysis/position.hpp"

namespace axode {
namespace {

struct Curve {
  MechanismSystem& system;
  LeastNorm solver{};

  struct Point {
    std::vector<double> q;
    double s = 0;
    std::vector<double> tangent;  ///< of (q, s), unit length
  };
  /// [Phi_q Phi_s] at a point, and rows without idle spins.
  SparseRows jacobian(const Point& p) {
    SparseRows J;
    system.motion_jacobian(p.s, p.q, J);
    std::vector<double> rate(J.rows, 0.0);
    system.time_rate(p.s, p.q, rate);
    return bordered(J, {}, rate);
  }
  /// Takes other forms of equations where those in use become singular.
  void refresh(Point& p) {
    const std::size_t n = p.tangent.size() - 1;
    if (!system.refresh(p.q, {p.tangent.data(), n})) return;
    double square = 0;
    for (const double x : p.tangent) square += x * x;
    for (double& x : p.tangent) x /= std::sqrt(square);
  }
  bool close(Point& p) {
    const std::size_t n = p.tangent.size() - 1;
    const std::vector<double> by_velocity = velocity_scales(system);
    std::vector<double> phi(system.constraints()), d(n + 1), weight(phi.size());
    for (int k = 0; k < 12; ++k) {
      system.position(p.s, p.q, phi);
      const SparseRows J = jacobian(p);
      double left = 0;
      SparseRows plain;
      system.jacobian(p.s, p.q, plain);
      equation_scales(by_velocity, plain, weight);
      for (std::size_t i = 0; i < phi.size(); ++i)
        left = std::max(left, std::abs(phi[i]) / weight[i]);
      if (left < 1e-13) return true;
      std::vector<double> right(J.rows, 0.0);
      std::ranges::transform(phi, right.begin(), std::negate<>{});
      solver.factor(J);
      solver.solve(right, d);
      plus(system.configuration(), p.q, {d.data(), n}, p.q);
      p.s += d[n];
      if (!std::isfinite(p.s)) return false;
      if (k == 11) return left < 1e-9;
    }
    return false;
  }
  bool find_tangent(Point& p, std::span<const double> before) {
    const SparseRows J = bordered(jacobian(p), before, {});
    std::vector<double> right(J.rows, 0.0), x(J.columns);
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

namespace {

/// One walk along a curve, in one sense.
struct CurveWalk {
  Curve curve;
  double start, period, unit;
  CurveResult& result;
  const CurveCrossing first;

  double level(double s) const {
    return period > 0 ? std::floor((s - start) / period) : s > start ? 1 : 0;
  }
  /// Whether poses are those of the start, passed in the same sense.
  bool is_first(const CurveCrossing& c) const {
    for (std::size_t k = 0; k < c.poses.size(); ++k)
      if (max_abs(c.poses[k].p - first.poses[k].p) > 1e-6 * unit ||
          max_abs(c.poses[k].R.matrix - first.poses[k].R.matrix) > 1e-6)
        return false;
    return c.slope * first.slope > 0;
  }
  /// Between p and next, where s has the value of the start, by regula falsi with halves.
  bool locate(const Curve::Point& p, const Curve::Point& next, double length) {
    const double k = period > 0 ? std::max(level(p.s), level(next.s)) : 0;
    const double target = start + k * period;
    double low = 0, high = length, at_low = p.s - target, at_high = next.s - target;
    Curve::Point there = next;
    for (int n = 0; n < 60 && std::abs(there.s - target) > 1e-14 * (1 + std::abs(target)); ++n) {
      const double share = std::clamp(at_low / (at_low - at_high), 0.02, 0.98);
      const double where = n % 4 == 3 ? (low + high) / 2 : low + share * (high - low);
      if (!curve.go(p, where, there)) return false;
      const double off = there.s - target;
      const bool is_low = off * at_low > 0;
      (is_low ? low : high) = where;
      (is_low ? at_low : at_high) = off;
    }
    CurveCrossing crossing{.s = there.s, .slope = there.tangent.back(), .poses = first.poses};
    curve.system.poses(there.q, crossing.poses);
    crossing.q = there.q;
    crossing.seats = curve.system.seats();
    result.crossings.push_back(std::move(crossing));
    return true;
  }
  /// Until it closes, or cannot go on.
  void walk(Curve::Point p, int max_steps, const std::function<bool()>& should_stop) {
    double length = 0.01 * unit;
    Curve::Point next;
    double before = 0;  // level, known after the first step
    for (int k = 0; result.steps < max_steps && length > 1e-9 * unit;) {
      if (should_stop && should_stop()) return;
      double bend = 0;
      const bool reached = curve.go(p, length, next);
      if (reached)
        for (std::size_t i = 0; i < p.tangent.size(); ++i) bend += p.tangent[i] * next.tangent[i];
      const bool turned = reached && p.tangent.back() * next.tangent.back() < 0;
      if (!reached || bend < 0.98 || (turned && length > 1e-4 * unit)) {
        length /= turned ? 4 : 2;
        continue;
      }
      ++result.steps;
      result.turns += turned ? 1 : 0;
      if (k++ > 0 && level(next.s) != before && locate(p, next, length) &&
          is_first(result.crossings.back())) {
        result.crossings.pop_back();
        result.closed = true;
        return;
      }
      before = level(next.s);
      p = next;
      curve.refresh(p);
      length = std::min(1.5 * length, 0.05 * unit);
    }
  }
};

}  // namespace

CurveResult arclength_curve(MechanismSystem& system, double s, std::span<const double> q,
                            double period, int max_steps,
                            const std::function<bool()>& should_stop) {
  CurveResult result;
  Curve curve{.system = system};
  Curve::Point p{{q.begin(), q.end()}, s, {}};
  p.tangent.assign(system.equations().velocities(), 0.0);
  p.tangent.push_back(1);
  if (!curve.close(p) || !curve.find_tangent(p, p.tangent)) return result;
  CurveCrossing first{.s = p.s, .slope = p.tangent.back(), .poses = {}};
  first.q = p.q;
  first.seats = system.seats();
  first.poses.resize(system.mechanism().bodies.size());
  system.poses(p.q, first.poses);
  result.crossings.push_back(first);
  const double unit = std::max(model_size(system.mechanism()), 1.0);
  for (const double sense : {1.0, -1.0}) {
    // The other way is another walk, of a system that begins with the forms of equations at q.
    MechanismSystem walked(system.equations());
    Curve::Point begin = p;
    for (double& x : begin.tangent) x *= sense;
    CurveCrossing passed = first;
    passed.slope *= sense;
    CurveWalk{{.system = walked}, p.s, period, unit, result, passed}.walk(begin, max_steps,
                                                                          should_stop);
    if (result.closed) break;
  }
  return result;
}

ArclengthResult arclength_past(const MechanismSystem& system, int driver, double t,
                               std::span<const double> q, double direction) {
  MechanismSystem path(driver_as_time(system.equations(), driver, t));
  const double s = system.mechanism().drivers[driver].motion(t).value;
  std::vector<double> v(path.equations().velocities(), 0.0);
  (void)solve_velocity(path, s, q, v);  // singular: the nearest, from which the curve is found, too
  return arclength_past(path, s, q, v, direction);
}

CurveResult arclength_curve(const MechanismSystem& system, int driver, double t,
                            std::span<const double> q, int max_steps,
                            const std::function<bool()>& should_stop) {
  MechanismSystem path(driver_as_time(system.equations(), driver, t));
  const double s = system.mechanism().drivers[driver].motion(t).value;
  return arclength_curve(path, s, q, driver_period(system.mechanism(), driver), max_steps,
                         should_stop);
}

double driver_period(const Mechanism& mechanism, int driver) {
  const bool is_angle = mechanism.coordinates[mechanism.drivers[driver].coordinate].is_angle;
  return is_angle && mechanism.couplings.empty() ? 2 * pi<double> : 0;
}

}  // namespace axode
