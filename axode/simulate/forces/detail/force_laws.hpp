// The force laws, templates of the scalar: with dual numbers they are their own derivatives.
#pragma once
#include <cmath>

#include "axode/simulate/forces/forces.hpp"

namespace axode::laws {

template <class S>
Vec3<S> cast(const Vec3<double>& a) noexcept {
  return {S(a.x), S(a.y), S(a.z)};
}
template <class S>
SE3<S> cast(const SE3<double>& T) noexcept {
  const Mat3<double>& R = T.R.matrix;
  return {{{cast<S>(R.x), cast<S>(R.y), cast<S>(R.z)}}, cast<S>(T.p)};
}

inline double power(double x, double n) noexcept { return std::pow(x, n); }
inline Dual<double> power(const Dual<double>& x, double n) noexcept {
  return {std::pow(x.real, n), n * std::pow(x.real, n - 1) * x.dual};
}

/// v / sqrt(v^2 + w^2): the sign of v, smoothly.
template <class S>
S smooth_sign(const S& v, double width) noexcept {
  return v / sqrt(v * v + S(width * width));
}

/// Depth beyond a limit and its rate.
template <class S>
struct Beyond {
  S depth, rate;
};
/// Force of a stop, pushing back: s (k x + b x') with s = x / (x + w); none if that pulls.
template <class S>
S stop_force(const Beyond<S>& x, double stiffness, double damping, double width) noexcept {
  const S s = x.depth / (x.depth + S(width));
  const S force = s * (S(stiffness) * x.depth + S(damping) * x.rate);
  return select(force > S(0), force, S(0));
}
/// Integral of k x s: k (x^2/2 - w x + w^2 log(1 + x/w)).
inline double stop_energy(double x, double stiffness, double width) noexcept {
  return stiffness * (x * (0.5 * x - width) + width * width * std::log1p(x / width));
}

/// Poses and twists of bodies, and of the world as body -1. No twists: all at rest.
template <class S>
struct Bodies {
  std::span<const SE3<S>> T_WB;
  std::span<const Twist<Rep::body, S>> twists;
  SE3<S> pose(int body) const noexcept { return body < 0 ? SE3<S>{} : T_WB[body]; }
  /// Of the point of the body that is at x now, both in the world.
  Vec3<S> velocity(int body, const Vec3<S>& x) const noexcept {
    if (body < 0 || twists.empty()) return {S(0), S(0), S(0)};
    const SE3<S>& T = T_WB[body];
    const Twist<Rep::body, S>& V = twists[body];
    return T.R * V.linear + cross(T.R * V.angular, x - T.p);
  }
};

/// Adds a torque and a force at the point x, in the world, to the wrench of the body.
template <class S>
void apply(const Bodies<S>& bodies, int body, const Vec3<S>& torque, const Vec3<S>& force,
           const Vec3<S>& x, Out<Wrench<Rep::body, S>> wrenches) noexcept {
  if (body < 0) return;
  const SE3<S>& T = bodies.T_WB[body];
  wrenches[body] += Wrench<Rep::body, S>{inverse_times(T.R, torque + cross(x - T.p, force)),
                                         inverse_times(T.R, force)};
}

/// The line between two points: ends, vector from a to b, length and its rate.
template <class S>
struct Line {
  Vec3<S> a, b, along;
  S length, rate;
};
/// At length 0 there is no direction, and forces along it are none.
template <class S>
Line<S> line(const PointForce& p, const Bodies<S>& bodies) noexcept {
  Line<S> l;
  l.a = bodies.pose(p.body_a) * cast<S>(p.point_a);
  l.b = bodies.pose(p.body_b) * cast<S>(p.point_b);
  const Vec3<S> d = l.b - l.a;
  const S square = squared_norm(d);
  if (!(square > S(0))) {
    l.length = l.rate = S(0);
    return l;
  }
  l.length = sqrt(square);
  l.along = d / l.length;
  l.rate = dot(l.along, bodies.velocity(p.body_b, l.b) - bodies.velocity(p.body_a, l.a));
  return l;
}

/// A ball in a half space: depth, its rate, normal, deepest point, sliding velocity.
template <class S>
struct Touch {
  S depth, rate;
  Vec3<S> normal, x, sliding;
};
/// Depth <= 0: they do not touch, the rest is not worked out.
template <class S>
Touch<S> touch(const HalfSpace& plane, const Ball& ball, const Bodies<S>& bodies) noexcept {
  const SE3<S> T = bodies.pose(plane.body);
  const Vec3<S> centre = bodies.pose(ball.body) * cast<S>(ball.centre);
  Touch<S> result;
  result.normal = T.R * cast<S>(plane.normal);
  result.depth = S(ball.radius) - dot(result.normal, centre - T * cast<S>(plane.point));
  if (!(result.depth > S(0))) return result;
  result.x = centre - S(ball.radius) * result.normal;
  const Vec3<S> v = bodies.velocity(ball.body, result.x) - bodies.velocity(plane.body, result.x);
  result.rate = -dot(result.normal, v);
  result.sliding = v + result.rate * result.normal;
  return result;
}
/// The force on the ball, in the world.
template <class S>
Vec3<S> contact_force(const ContactLaw& law, const Touch<S>& touch) noexcept {
  const S damped = S(1) + S(law.dissipation) * touch.rate;
  if (!(damped > S(0))) return {S(0), S(0), S(0)};
  const S force = S(law.stiffness) * power(touch.depth, law.exponent) * damped;
  const S speed = sqrt(squared_norm(touch.sliding) + S(law.width * law.width));
  return force * (touch.normal - (S(law.friction) / speed) * touch.sliding);
}

}  // namespace axode::laws
