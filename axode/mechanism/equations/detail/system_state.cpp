#include <cmath>
#include <numbers>
#include <numeric>

#include "axode/core/error.hpp"
#include "axode/lie/rotation.hpp"
#include "axode/mechanism/equations/detail/terms.hpp"

namespace axode {

namespace {

double value_at(const Scalar& s, std::span<const double> q) {
  double value = s.constant;
  for (const Scalar::Part& part : s.parts) value += part.factor * q[part.x];
  return value;
}
/// The scalar of an equation that says only that an angle is kept, -1: another equation.
int kept_angle(const Equation& e) {
  const bool one =
      e.origin == Equation::Origin::joint && e.forms.size() == 1 && e.forms[0].terms.size() == 1;
  return one && e.forms[0].terms[0].kind == Term::Kind::scalar ? e.forms[0].terms[0].scalar : -1;
}

/// Angles of poses are known but for whole turns; equations that are linear in them want the right
/// ones: bodies on prismatic joints turn with each other. Sets of such bodies are turned as one.
void unwind(const MechanismEquations& eq, std::span<double> q) {
  constexpr double turn = 2 * std::numbers::pi;
  std::vector<int> set(q.size());  // by coordinate; -1: with the world
  std::iota(set.begin(), set.end(), 0);
  const auto set_of = [&](int x) -> int& { return set[x]; };
  for (const Equation& e : eq.equations) {
    const int kept = kept_angle(e);
    if (kept < 0) continue;
    const Scalar& s = eq.scalars[kept];
    if (s.parts.empty() || s.parts.size() > 2) continue;
    const Scalar::Part &a = s.parts.front(), &b = s.parts.back();
    const bool turns_a = set_of(a.x) >= 0;
    const int moved = set_of(turns_a ? a.x : b.x);
    const int other = s.parts.size() == 1 ? -1 : set_of(turns_a ? b.x : a.x);
    if (moved == other) continue;
    const double factor = e.forms[0].terms[0].factor * (turns_a ? a.factor : b.factor);
    const double residual = e.forms[0].terms[0].factor * value_at(s, q) + e.forms[0].constant;
    const double by = -turn * std::round(residual / turn) / factor;
    for (std::size_t x = 0; x < q.size(); ++x)
      if (set[x] == moved) q[x] += by, set[x] = other;
  }
}

/// Added angles that are sums of others have the turns of these.
void meet_definitions(const MechanismEquations& eq, std::span<double> q) {
  for (const Equation& e : eq.equations) {
    if (e.origin != Equation::Origin::coordinate || !eq.mechanism.coordinates[e.index].is_angle)
      continue;
    const Equation::Form& form = e.forms[0];
    if (e.forms.size() != 1 || form.terms.size() != 2) continue;
    const Term &own = form.terms[0], &other = form.terms[1];
    if (own.kind != Term::Kind::scalar || other.kind != Term::Kind::scalar ||
        own.scalar != eq.mixed[e.index])
      continue;
    const double sum = other.factor * value_at(eq.scalars[other.scalar], q) + form.constant;
    q[eq.scalars[own.scalar].parts[0].x] = -sum / own.factor;
  }
}

}  // namespace

void MechanismSystem::poses(std::span<const double> q, std::span<SE3<double>> T_WB) {
  place_all(t_, q);
  for (std::size_t b = 0; b < eq_.mechanism.bodies.size(); ++b)
    T_WB[b] = {bodies_[b].R, bodies_[b].p - bodies_[b].R * eq_.bodies[b].reference};
}

void MechanismSystem::check_poses(std::span<const SE3<double>> T_WB) const {
  for (std::size_t b = 0; b < T_WB.size(); ++b) {
    const Mat3<double>& R = T_WB[b].R.matrix;
    if (is_finite(T_WB[b].p) && is_finite(R.x) && is_finite(R.y) && is_finite(R.z)) continue;
    throw SingularError("it has no pose at these coordinates",
                        "body '" + eq_.mechanism.bodies[b].name + "'",
                        "give those of an assembled configuration: its points must not coincide");
  }
}

namespace {
[[noreturn]] void fail_infinite(const std::string& body) {
  throw SingularError("its motion is not finite", "body '" + body + "'",
                      "give smaller velocities and accelerations");
}
}  // namespace

void MechanismSystem::motion(std::span<const double> q, std::span<const double> v,
                             std::span<SE3<double>> T_WB, std::span<Twist<Rep::hybrid>> twists) {
  poses(q, T_WB);
  check_poses(T_WB);
  move(v);
  for (std::size_t b = 0; b < eq_.mechanism.bodies.size(); ++b) {
    const BodyNow& now = bodies_[b];
    twists[b] = {now.omega, now.linear + cross(now.omega, T_WB[b].p - now.p)};
    if (!is_finite(twists[b].six())) fail_infinite(eq_.mechanism.bodies[b].name);
  }
}

void MechanismSystem::accelerations(std::span<const double> q, std::span<const double> v,
                                    std::span<const double> a, std::span<Vec6<double>> rates) {
  place_all(t_, q);
  move(v);
  for (std::size_t b = 0; b < eq_.mechanism.bodies.size(); ++b) {
    const BodyNow& now = bodies_[b];
    Vec3<double> alpha = now.alpha, linear = now.bias;
    for (int c = now.first; c < now.first + now.count; ++c) {
      const Column& column = columns_[c];
      alpha += column.omega * a[column.v];
      linear += column.linear * a[column.v];
    }
    const Vec3<double> s = now.R * -eq_.bodies[b].reference;
    rates[b] = {alpha, linear + cross(alpha, s) + cross(now.omega, cross(now.omega, s))};
    if (is_finite(rates[b])) continue;
    std::vector<SE3<double>> T_WB(eq_.mechanism.bodies.size());
    poses(q, T_WB);
    check_poses(T_WB);
    fail_infinite(eq_.mechanism.bodies[b].name);
  }
}

std::vector<double> MechanismSystem::from_poses(std::span<const SE3<double>> T_WB) {
  std::vector<double> q(eq_.group.nx, 0.);
  const auto put = [&](int x, const Vec3<double>& value, int size) {
    for (int k = 0; k < size; ++k) q[x + k] = value[k];
  };
  if (eq_.tree) {
    const std::vector<double> tree = tree_from_poses(T_WB);
    std::copy(tree.begin(), tree.end(), q.begin());
  }
  for (std::size_t b = 0; b < eq_.bodies.size(); ++b) {
    const BodyCoordinates& body = eq_.bodies[b];
    if (body.x < 0) continue;
    const SE3<double>& T = T_WB[b];
    put(body.x, T * body.reference, body.kind == BodyCoordinates::Kind::planar ? 2 : 3);
    if (body.kind == BodyCoordinates::Kind::planar) {
      q[body.x + 2] = nearest_turn(std::atan2(T.R.matrix.x.y, T.R.matrix.x.x), body.start_angle);
    } else if (body.kind == BodyCoordinates::Kind::euler_angles) {
      put(body.x + 3, to_euler_angles(T.R * body.seat, {2, 0, 2}).angles, 3);
    } else {
      const Quaternion<double> e = to_quaternion(T.R);
      q[body.x + 3] = e.w;
      put(body.x + 4, e.v, 3);
    }
  }
  if (eq_.how.family == CoordinateFamily::reference_point && eq_.mechanism.is_planar)
    unwind(eq_, q);
  for (const Node& node : eq_.nodes)
    if (node.kind == Node::Kind::coordinates) {
      const SE3<double>& T = T_WB[node.body];
      put(node.x, node.is_point ? T * node.local : T.R * node.local, node.size);
    }
  for (std::size_t c = 0; c < eq_.mixed.size(); ++c)
    if (eq_.mixed[c] >= 0) {
      const Scalar::Part& part = eq_.scalars[eq_.mixed[c]].parts[0];
      q[part.x] = measure_with_turns(eq_.mechanism, static_cast<int>(c), T_WB);
    }
  meet_definitions(eq_, q);
  place(t_, q);
  if (choose_forms(1)) ++choices_;  // regular ones, whatever was in use before
  return q;
}

std::vector<double> MechanismSystem::from_twists(std::span<const double> q,
                                                 std::span<const Twist<Rep::hybrid>> twists) {
  std::vector<double> v(eq_.group.nv, 0.);
  const auto put = [&](int k, double value) { v[k] = value; };
  place_all(t_, q);
  if (eq_.tree) tree_from_twists(q, twists, v);
  place_all(t_, q);
  for (std::size_t b = 0; b < eq_.bodies.size(); ++b) {
    const BodyCoordinates& body = eq_.bodies[b];
    if (body.x < 0) continue;
    const BodyNow& now = bodies_[b];
    const Vec3<double> omega = twists[b].angular;
    const Vec3<double> linear = twists[b].linear + cross(omega, now.R * body.reference);
    const Column* turning = &columns_[now.first];
    const bool planar = body.kind == BodyCoordinates::Kind::planar;
    for (int k = 0; k < (planar ? 2 : 3); ++k) put(body.v + k, linear[k]);
    turning += planar ? 2 : 3;
    if (planar) {
      put(body.v + 2, omega.z);
    } else if (body.kind == BodyCoordinates::Kind::euler_angles) {
      const Vec3<double> a = turning[0].omega, n = turning[1].omega, c = turning[2].omega;
      const double volume = dot(a, cross(n, c));  // the sine of the nutation
      put(body.v + 3, dot(omega, cross(n, c)) / volume);
      put(body.v + 4, dot(omega, n));
      put(body.v + 5, dot(omega, cross(a, n)) / volume);
    } else {
      // The columns of Euler parameters are 2/length times orthonormal rows of G: half of them back.
      const bool quasi = body.kind == BodyCoordinates::Kind::quasi_velocities;
      const double f = quasi ? 1 : now.length * now.length / 4;
      for (int k = 0; k < (quasi ? 3 : 4); ++k)
        put(body.v + 3 + k, f * dot(turning[k].omega, omega));
    }
  }
  for (const Node& node : eq_.nodes)
    if (node.kind == Node::Kind::coordinates) {
      const Twist<Rep::hybrid>& twist = twists[node.body];
      const BodyNow& now = bodies_[node.body];
      const Vec3<double> s = now.R * node.local;
      const Vec3<double> rate_of =
          (node.is_point ? twist.linear : Vec3<double>{}) + cross(twist.angular, s);
      for (int k = 0; k < node.size; ++k) put(node.v + k, rate_of[k]);
    }
  // Mixed coordinates: by their definitions, in the form in use.
  for (const Equation& e : eq_.equations) {
    if (e.origin != Equation::Origin::coordinate) continue;
    const Scalar& s = eq_.scalars[eq_.mixed[e.index]];
    const int own = s.parts[0].v;
    double by_own = 0, others = 0;
    row_gradient(e, [&](int k, double x) {
      if (k == own)
        by_own += x;
      else
        others += x * v[k];
    });
    if (by_own != 0) put(own, -others / by_own);
  }
  return v;
}

}  // namespace axode
