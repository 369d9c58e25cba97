// What the algorithms in world axes share.
#pragma once
#include "axode/engine/detail/kernels/arithmetic.hpp"
#include "axode/engine/detail/tree/call.hpp"

namespace axode::engine {

/// Axes of a body in the world.
template <class A>
struct Axes {
  typename A::Vector x, y, z;
};

/// R a for components a, constant or not.
template <class A, class T>
[[gnu::always_inline]] inline typename A::Vector rotate(const Axes<A>& R, const T* a) noexcept {
  using S = typename A::Scalar;
  return R.x * S(a[0]) + R.y * S(a[1]) + R.z * S(a[2]);
}

/// R_W = R_P K Rz of a joint of one screw.
template <class A>
[[gnu::always_inline]] inline Axes<A> turn_axes(const Axes<A>& R, const EngineBody& b,
                                                const typename A::Scalar& cos,
                                                const typename A::Scalar& sin) noexcept {
  using S = typename A::Scalar;
  typename A::Vector x, y, z;
  if (b.planar) {  // z is known before x and y: those come last in all sums
    const S c(b.column[2][2]), s(b.column[1][2]);
    x = R.x;
    y = R.z * s + R.y * c;
    z = R.z * c - R.y * s;
  } else {
    x = rotate<A>(R, b.column[0]);
    y = rotate<A>(R, b.column[1]);
    z = rotate<A>(R, b.column[2]);
  }
  return {x * cos + y * sin, -(x * sin - y * cos), z};
}
/// The same of a body on the world.
template <class A>
[[gnu::always_inline]] inline Axes<A> turn_axes(const EngineBody& b, const typename A::Scalar& cos,
                                                const typename A::Scalar& sin) noexcept {
  const auto x = A::load(b.column[0]), y = A::load(b.column[1]);
  return {x * cos + y * sin, y * cos - x * sin, A::load(b.column[2])};
}

/// Where a body is: its axes, and its origin beside that of its parent (of the world, for a root).
template <class A>
struct Place {
  Axes<A> R;
  typename A::Vector r;
};

template <class A>
[[gnu::noinline]] Place<A> place_general(const Call<typename A::Scalar>& c, const EngineBody& b,
                                         const Axes<A>* parent) noexcept {
  const General<typename A::Scalar>& g = c.generals[b.general];
  if (!parent)
    return {{A::take(g.column[0]), A::take(g.column[1]), A::take(g.column[2])},
            A::take(g.position)};
  return {{rotate<A>(*parent, g.column[0]), rotate<A>(*parent, g.column[1]),
           rotate<A>(*parent, g.column[2])},
          rotate<A>(*parent, g.position)};
}

/// The place of body i; `parent` the axes of its parent, none for the world.
template <class A>
[[gnu::always_inline]] inline Place<A> place(const Call<typename A::Scalar>& c, int i,
                                             const Axes<A>* parent) noexcept {
  using S = typename A::Scalar;
  const EngineBody& b = c.bodies[i];
  Place<A> p;
  if (b.general >= 0) [[unlikely]] {  // by copies, so that both places can stay in registers
    if (!parent) return p = place_general<A>(c, b, nullptr);
    const Axes<A> R = *parent;
    return p = place_general<A>(c, b, &R);
  }
  if (parent) {
    p.R = turn_axes<A>(*parent, b, c.cosine[i], c.sine[i]);
    p.r = rotate<A>(*parent, b.position);
  } else {
    p.R = turn_axes<A>(b, c.cosine[i], c.sine[i]);
    p.r = A::load(b.position);
  }
  if (b.joint == EngineJoint::sliding) p.r += p.R.z * (c.q[b.q] * S(b.slide));
  return p;
}

/// A six-vector in world axes.
template <class A>
struct Six {
  typename A::Vector angular, linear;
  friend Six operator+(const Six& a, const Six& b) noexcept {
    return {a.angular + b.angular, a.linear + b.linear};
  }
  friend Six operator-(const Six& a, const Six& b) noexcept {
    return {a.angular - b.angular, a.linear - b.linear};
  }
  friend Six operator*(const Six& a, const typename A::Scalar& s) noexcept {
    return {a.angular * s, a.linear * s};
  }
  Six& operator+=(const Six& b) noexcept { return *this = *this + b; }
};
template <class A>
[[gnu::always_inline]] inline typename A::Scalar dot(const Six<A>& a, const Six<A>& b) noexcept {
  return A::dot2(a.angular, b.angular, a.linear, b.linear);
}
/// [X, Y] of twists.
template <class A>
[[gnu::always_inline]] inline Six<A> bracket(const Six<A>& X, const Six<A>& Y) noexcept {
  return {cross(X.angular, Y.angular), cross(X.angular, Y.linear) + cross(X.linear, Y.angular)};
}

/// Screw k of a joint that is not revolute, in world axes about the body's own origin.
template <class A>
[[gnu::noinline]] Six<A> other_screw(const Call<typename A::Scalar>& c, const EngineBody& b,
                                     const Axes<A>& R, int k) noexcept {
  using S = typename A::Scalar;
  switch (b.joint) {
    case EngineJoint::sliding:
      return {R.z * S(b.turn), R.z * S(b.slide)};
    case EngineJoint::moving: {
      const S* s = c.generals[b.general].screw[k];
      return {rotate<A>(R, s), rotate<A>(R, s + 4)};
    }
    default: {
      const int j = k % 3;
      const typename A::Vector& axis = j == 0 ? R.x : j == 1 ? R.y : R.z;
      if (k < 3) return {axis, A::zero()};
      return {A::zero(), axis};
    }
  }
}
template <class A>
[[gnu::always_inline]] inline Six<A> joint_screw(const Call<typename A::Scalar>& c,
                                                 const EngineBody& b, const Axes<A>& R,
                                                 int k) noexcept {
  if (b.joint == EngineJoint::revolute) return {R.z, A::zero()};
  return other_screw<A>(c, b, R, k);
}

/// The forces along the degrees of freedom of a joint that is not revolute, of the wrench it transmits.
template <class A>
[[gnu::noinline]] void other_forces(const Call<typename A::Scalar>& c, const EngineBody& b,
                                    const Axes<A>& R, const Six<A>& wrench,
                                    typename A::Scalar* tau) noexcept {
  if (b.joint == EngineJoint::free || b.joint == EngineJoint::ball) {
    A::put(A::transpose_times(R, wrench.angular), tau + b.v);
    if (b.joint == EngineJoint::free) A::put(A::transpose_times(R, wrench.linear), tau + b.v + 3);
    return;
  }
  for (int k = 0; k < b.nv; ++k) tau[b.v + k] = dot<A>(other_screw<A>(c, b, R, k), wrench);
}

/// Motion of a body in its parent, in world axes at its own origin: twist, and acceleration as seen
/// from the parent.
template <class A>
struct Relative {
  Six<A> velocity, acceleration;
};
/// `a` may be none: accelerations at a = 0.
template <class A>
[[gnu::noinline]] Relative<A> relative_motion(const Call<typename A::Scalar>& c,
                                              const EngineBody& b, const Axes<A>& R,
                                              const typename A::Scalar* a) noexcept {
  Relative<A> m{{A::zero(), A::zero()}, {A::zero(), A::zero()}};
  if (b.joint == EngineJoint::free || b.joint == EngineJoint::ball) {
    m.velocity.angular = rotate<A>(R, c.v + b.v);
    if (a) m.acceleration.angular = rotate<A>(R, a + b.v);
    if (b.joint == EngineJoint::ball) return m;
    m.velocity.linear = rotate<A>(R, c.v + b.v + 3);
    if (a) m.acceleration.linear = rotate<A>(R, a + b.v + 3);
    m.acceleration.linear += cross(m.velocity.angular, m.velocity.linear);
    return m;
  }
  for (int k = 0; k < b.nv; ++k) {
    const Six<A> X = other_screw<A>(c, b, R, k);
    m.velocity += X * c.v[b.v + k];
    if (a) m.acceleration += X * a[b.v + k];
  }
  if (b.joint == EngineJoint::moving) {
    const auto* s = c.generals[b.general].bias;
    m.acceleration += {rotate<A>(R, s), rotate<A>(R, s + 4)};
  }
  m.acceleration.linear += cross(m.velocity.angular, m.velocity.linear);
  return m;
}

}  // namespace axode::engine
