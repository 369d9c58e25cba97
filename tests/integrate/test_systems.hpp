/// Systems with a few lines of their own dynamics, and references for them of another kind.
#pragma once
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "axode/integrate/steppers/momentum_preserving.hpp"
#include "axode/lie/adjoint.hpp"
#include "axode/lie/quaternion.hpp"

namespace axode::test {

using Reals = std::vector<double>;
using In1 = std::span<const double>;
using Out1 = std::span<double>;

inline Vec3<double> vec_at(In1 a, std::size_t i = 0) { return {a[i], a[i + 1], a[i + 2]}; }
inline void put_vec(Out1 a, std::size_t i, const Vec3<double>& b) {
  a[i] = b.x, a[i + 1] = b.y, a[i + 2] = b.z;
}
inline Vec3<double> times(const Vec3<double>& a, const Vec3<double>& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}
inline Vec3<double> over(const Vec3<double>& a, const Vec3<double>& b) {
  return {a.x / b.x, a.y / b.y, a.z / b.z};
}
inline SO3<double> turn_at(In1 q) {
  return {rotation_matrix(Quaternion<double>{q[0], vec_at(q, 1)})};
}
/// Carried momenta: the numbers, then what rounding took from them.
inline void add_impulse(In1 carried, In1 impulse, Out1 next) {
  const std::size_t n = impulse.size();
  for (std::size_t i = 0; i < n; ++i) {
    next[i] = carried[i];
    next[n + i] = carried[n + i];
    compensated_add(next[i], next[n + i], impulse[i]);
  }
}

/// x' = -rate x.
struct Decay {
  double speed = 1;
  LieGroup line = LieGroup().real(1);
  const LieGroup& group() const { return line; }
  bool rate(double, In1 x, Out1 r) {
    r[0] = -speed * x[0];
    return true;
  }
};

/// A body that turns about a fixed point: SO(3), angular velocity in the body. The extra number is
/// the work of gravity.
struct HeavyTop {
  Vec3<double> J, com, gravity;  ///< J: about the fixed point; gravity: m g
  LieGroup turn = LieGroup().so3(), all = LieGroup().so3().real(4);

  static HeavyTop of_terze() {
    return {{15.234375, 0.46875, 15.234375}, {0, 1, 0}, {0, 0, -15 * 9.81}};
  }
  static HeavyTop free() { return {{1.0, 2.0, 3.2}, {0, 0, 0}, {0, 0, 0}}; }
  static Reals start_of_terze() { return {1, 0, 0, 0, 0, 150, -4.61538, 0}; }
  static Reals turned(const Vec3<double>& xi) {
    const Quaternion<double> q = quaternion_exp(xi);
    return {q.w, q.v.x, q.v.y, q.v.z};
  }

  const LieGroup& group() const { return all; }
  const LieGroup& configuration() const { return turn; }
  Vec3<double> torque(In1 q) const { return cross(com, inverse_times(turn_at(q), gravity)); }
  bool acceleration(double, In1 q, In1 v, Out1 a) {
    const Vec3<double> w = vec_at(v);
    put_vec(a, 0, over(torque(q) + cross(times(J, w), w), J));
    return true;
  }
  bool rate(double t, In1 x, Out1 r) {
    std::copy_n(x.begin() + 4, 3, r.begin());
    r[6] = dot(torque(x), vec_at(x, 4));
    return acceleration(t, x.first(4), x.subspan(4, 3), r.subspan(3, 3));
  }
  bool momentum(In1, In1 v, Out1 p) {
    put_vec(p, 0, times(J, vec_at(v)));
    return true;
  }
  bool lagrangian_rate(double, In1 q, In1, Out1 g) {
    put_vec(g, 0, torque(q));
    return true;
  }
  bool solve_mass(In1, Out1 r) {
    put_vec(r, 0, over(vec_at(r), J));
    return true;
  }
  int carried_size() const { return 6; }
  bool start_balance(double, In1 q, In1 v, Out1 carried) {
    std::fill(carried.begin(), carried.end(), 0.0);
    put_vec(carried, 0, turn_at(q) * times(J, vec_at(v)));
    return true;
  }
  bool momentum_balance(double, double h, In1, In1, In1 q_mid, In1, In1 q1, In1 v1, In1 carried,
                        Out1 residual, Out1 next) {
    const SO3<double> R = turn_at(q_mid);
    const Vec3<double> impulse = h * (R * torque(q_mid));
    add_impulse(carried, std::array{impulse.x, impulse.y, impulse.z}, next);
    const Vec3<double> wanted = turn_at(q1) * times(J, vec_at(v1));
    put_vec(residual, 0, inverse_times(R, (wanted - vec_at(next)) - vec_at(next, 3)));
    return true;
  }
  double energy(In1 x) const {
    const Vec3<double> w = vec_at(x, 4);
    return 0.5 * dot(w, times(J, w)) - dot(gravity, turn_at(x) * com);
  }
};

/// A free rigid body whose frame is not at its centre of mass, in three forms of its velocity.
struct RigidBody {
  enum class Form { body, spatial, product };  ///< SE(3) from the right, the left, SO(3) x R^3
  Form form = Form::body;
  double m = 2;
  Vec3<double> J{1.0, 2.0, 2.5}, com{0.3, -0.2, 0.5};  ///< J: about the centre of mass
  LieGroup place = form == Form::body      ? LieGroup().se3()
                   : form == Form::spatial ? LieGroup().se3_left()
                                           : LieGroup().so3().real(3);
  LieGroup all = LieGroup().times(place).real(6);

  const LieGroup& group() const { return all; }
  const LieGroup& configuration() const { return place; }
  static SE3<double> pose(In1 q) { return {turn_at(q), vec_at(q, 4)}; }
  static Vec6<double> twist(In1 v) { return {vec_at(v), vec_at(v, 3)}; }
  static void put_six(Out1 a, const Vec6<double>& b) {
    put_vec(a, 0, b.angular);
    put_vec(a, 3, b.linear);
  }
  Vec6<double> inertia(const Vec6<double>& V) const {
    const Vec3<double> p = m * (V.linear + cross(V.angular, com));
    return {times(J, V.angular) + cross(com, p), p};
  }
  Vec6<double> inertia_inverse(const Vec6<double>& P) const {
    const Vec3<double> w = over(P.angular - cross(com, P.linear), J);
    return {w, P.linear / m - cross(w, com)};
  }
  /// The body twist of a velocity in any form, and back.
  Vec6<double> to_body(In1 q, In1 v) const {
    if (form == Form::body) return twist(v);
    if (form == Form::spatial) return Ad_inverse(pose(q), twist(v));
    return {vec_at(v), inverse_times(turn_at(q), vec_at(v, 3))};
  }
  Vec6<double> body_rate(const Vec6<double>& V) const {
    return inertia_inverse(ad_transpose(V, inertia(V)));
  }
  bool acceleration(double, In1 q, In1 v, Out1 a) {
    const Vec6<double> V = to_body(q, v), A = body_rate(V);
    if (form == Form::body)
      put_six(a, A);
    else if (form == Form::spatial)
      put_six(a, Ad(pose(q), A));
    else
      put_six(a, {A.angular, turn_at(q) * (A.linear + cross(V.angular, V.linear))});
    return true;
  }
  bool rate(double t, In1 x, Out1 r) {
    std::copy_n(x.begin() + 7, 6, r.begin());
    return acceleration(t, x.first(7), x.subspan(7, 6), r.subspan(6, 6));
  }
  bool momentum(In1 q, In1 v, Out1 p) {
    const Vec6<double> P = inertia(to_body(q, v));
    put_six(p, form == Form::body ? P : Ad_inverse_transpose(pose(q), P));
    return true;
  }
  bool lagrangian_rate(double, In1 q, In1 v, Out1 g) {
    std::fill(g.begin(), g.end(), 0.0);
    if (form == Form::spatial) {
      momentum(q, v, g);
      put_six(g, ad_transpose(twist(v), twist(g)));
    }
    return true;
  }
  bool solve_mass(In1 q, Out1 r) {
    if (form == Form::body)
      put_six(r, inertia_inverse(twist(r)));
    else
      put_six(r, Ad(pose(q), inertia_inverse(Ad_transpose(pose(q), twist(r)))));
    return true;
  }
  Vec6<double> spatial_momentum(In1 x) const {
    return Ad_inverse_transpose(pose(x), inertia(to_body(x, x.subspan(7, 6))));
  }
  int carried_size() const { return 12; }
  bool start_balance(double, In1 q, In1 v, Out1 carried) {
    std::fill(carried.begin(), carried.end(), 0.0);
    put_six(carried, Ad_inverse_transpose(pose(q), inertia(to_body(q, v))));
    return true;
  }
  bool momentum_balance(double, double, In1, In1, In1 q_mid, In1, In1 q1, In1 v1, In1 carried,
                        Out1 residual, Out1 next) {
    add_impulse(carried, std::array<double, 6>{}, next);
    const Vec6<double> P = Ad_inverse_transpose(pose(q1), inertia(to_body(q1, v1)));
    const Vec6<double> rest = (P - twist(next)) - twist(next.subspan(6));
    put_six(residual, form == Form::body ? Ad_transpose(pose(q_mid), rest) : rest);
    return true;
  }
  /// A start with the body twist V at the identity turned and shifted a little.
  Reals start(const Vec6<double>& V) const {
    Reals x(13);
    const Quaternion<double> q = quaternion_exp(Vec3<double>{0.2, -0.4, 0.1});
    x[0] = q.w;
    put_vec(x, 1, q.v);
    put_vec(x, 4, {0.5, 1, -0.3});
    put_six(Out1(x).subspan(7), V);
    if (form == Form::spatial) put_six(Out1(x).subspan(7), Ad(pose(x), V));
    if (form == Form::product) put_vec(x, 10, turn_at(x) * V.linear);
    return x;
  }
};

/// Rotation q and angular velocity w of a body about a point, by the classical Runge-Kutta method
/// on quaternions in 64-bit mantissa with n steps: no group method, no code of the library.
struct LongTop {
  using Real = long double;
  std::array<Real, 3> J, com, gravity;
  std::array<Real, 7> x;

  LongTop(const Vec3<double>& J0, const Vec3<double>& c, const Vec3<double>& f, In1 start)
      : J{J0.x, J0.y, J0.z}, com{c.x, c.y, c.z}, gravity{f.x, f.y, f.z}, x{} {
    for (std::size_t i = 0; i < 7; ++i) x[i] = start[i];
  }
  std::array<Real, 7> rate(const std::array<Real, 7>& y) const {
    const Real w = y[0], a = y[1], b = y[2], c = y[3], p = y[4], q = y[5], r = y[6];
    // gravity in the body: conjugate(q) f q
    const Real fx = gravity[0], fy = gravity[1], fz = gravity[2];
    const Real gx =
        (1 - 2 * (b * b + c * c)) * fx + 2 * (a * b + w * c) * fy + 2 * (a * c - w * b) * fz;
    const Real gy =
        2 * (a * b - w * c) * fx + (1 - 2 * (a * a + c * c)) * fy + 2 * (b * c + w * a) * fz;
    const Real gz =
        2 * (a * c + w * b) * fx + 2 * (b * c - w * a) * fy + (1 - 2 * (a * a + b * b)) * fz;
    return {-(a * p + b * q + c * r) / 2,
            (w * p + b * r - c * q) / 2,
            (w * q + c * p - a * r) / 2,
            (w * r + a * q - b * p) / 2,
            (com[1] * gz - com[2] * gy + (J[1] - J[2]) * q * r) / J[0],
            (com[2] * gx - com[0] * gz + (J[2] - J[0]) * r * p) / J[1],
            (com[0] * gy - com[1] * gx + (J[0] - J[1]) * p * q) / J[2]};
  }
  void run(Real duration, int n) {
    const Real h = duration / n;
    const auto moved = [&](const std::array<Real, 7>& k, Real f) {
      std::array<Real, 7> y = x;
      for (std::size_t i = 0; i < 7; ++i) y[i] += f * k[i];
      return y;
    };
    for (int step = 0; step < n; ++step) {
      const auto k1 = rate(x), k2 = rate(moved(k1, h / 2)), k3 = rate(moved(k2, h / 2));
      const auto k4 = rate(moved(k3, h));
      for (std::size_t i = 0; i < 7; ++i) x[i] += h / 6 * (k1[i] + 2 * (k2[i] + k3[i]) + k4[i]);
    }
  }
  Reals state() const { return Reals(x.begin(), x.end()); }
};
inline Reals long_solution(const HeavyTop& top, In1 start, double duration, int n) {
  LongTop exact(top.J, top.com, top.gravity, start);
  exact.run(duration, n);
  return exact.state();
}
/// The free body's state at `duration` in its own form: its centre of mass moves straight.
inline Reals long_solution(const RigidBody& body, In1 start, double duration, int n) {
  const Vec6<double> V = body.to_body(start, start.subspan(7, 6));
  const SE3<double> T = RigidBody::pose(start);
  Reals top(start.begin(), start.begin() + 4);
  top.insert(top.end(), {V.angular.x, V.angular.y, V.angular.z});
  LongTop turning(body.J, {}, {}, top);
  turning.run(duration, n);
  const Vec3<double> speed = T.R * (V.linear + cross(V.angular, body.com));
  const Reals end = turning.state();
  const SO3<double> R = turn_at(end);
  Reals x(13);
  std::copy_n(end.begin(), 4, x.begin());
  put_vec(x, 4, T * body.com + duration * speed - R * body.com);
  const Vec3<double> w = vec_at(end, 4);
  const Vec6<double> V1{w, inverse_times(R, speed) - cross(w, body.com)};
  RigidBody::put_six(Out1(x).subspan(7), V1);
  if (body.form == RigidBody::Form::spatial)
    RigidBody::put_six(Out1(x).subspan(7), Ad(RigidBody::pose(x), V1));
  if (body.form == RigidBody::Form::product) put_vec(x, 10, R * V1.linear);
  return x;
}

/// Largest difference of two states (extra numbers beyond the shorter one left out).
inline double distance(const LieGroup& configuration, In1 a, In1 b) {
  const std::size_t nq = configuration.nx;
  Reals d(configuration.nv);
  difference(configuration, a.first(nq), b.first(nq), d);
  double most = 0;
  for (const double c : d) most = std::max(most, std::abs(c));
  for (std::size_t i = nq; i < std::min(a.size(), b.size()); ++i)
    most = std::max(most, std::abs(a[i] - b[i]));
  return std::isfinite(most) ? most : INFINITY;
}

/// Steps to t; the last verdict.
template <class S, class System>
StepVerdict run_to(S& stepper, System& system, double t) {
  while (stepper.time() < t) {
    const StepVerdict verdict = stepper.advance(system, t);
    if (verdict != StepVerdict::ok) return verdict;
  }
  return StepVerdict::ok;
}

}  // namespace axode::test
