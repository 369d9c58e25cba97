// Sums over the bodies that each carries, in world axes about the origin of the first body of their
// tree on the world, and products along paths.
#pragma once
#include "axode/engine/detail/kernels/world.hpp"

namespace axode::engine {

/// Inertia of a body, then of all it carries.
template <class A>
struct InertiaSum {
  typename A::Symmetric moments;
  typename A::Vector first;  ///< mass times centre of mass
  typename A::Scalar mass;
};
template <class A>
[[gnu::always_inline]] inline Six<A> times(const InertiaSum<A>& I, const Six<A>& X) noexcept {
  return {A::times(I.moments, X.angular) + cross(I.first, X.linear),
          X.linear * I.mass + cross(X.angular, I.first)};
}
template <class A>
[[gnu::always_inline]] inline void add(InertiaSum<A>& to, const InertiaSum<A>& I) noexcept {
  to.moments = A::sum(to.moments, I.moments);
  to.first += I.first;
  to.mass += I.mass;
}
/// Of body b, whose axes are R and whose origin is at p.
template <class A>
[[gnu::always_inline]] inline InertiaSum<A> inertia_at(const EngineBody& b, const EngineCentre& e,
                                                       const Axes<A>& R,
                                                       const typename A::Vector& p) noexcept {
  using S = typename A::Scalar;
  const typename A::Vector centre = p + rotate<A>(R, e.centre), first = centre * S(b.mass);
  return {A::moments(e.middle, rotate<A>(R, e.more), rotate<A>(R, e.less), centre, first), first,
          S(b.mass)};
}

/// X moved from the body's own origin at p.
template <class A>
[[gnu::always_inline]] inline Six<A> move_screw(const Six<A>& X,
                                                const typename A::Vector& p) noexcept {
  return {X.angular, X.linear + cross(p, X.angular)};
}
/// Screw k of a joint whose body has the axes R and its origin at p.
template <class A>
[[gnu::always_inline]] inline Six<A> screw_at(const Call<typename A::Scalar>& c,
                                              const EngineBody& b, const Axes<A>& R,
                                              const typename A::Vector& p, int k) noexcept {
  if (b.joint == EngineJoint::revolute) [[likely]]
    return {R.z, cross(p, R.z)};
  return move_screw<A>(other_screw<A>(c, b, R, k), p);
}

/// Six-vectors of the velocities on the path to the current one. The path stands backwards, as in the
/// rows of a PathMatrix: the velocity that is d-th on its path is at length - 1 - d. Behind the root is
/// room to read a whole block.
template <class A>
struct PathStack {
  Six<A>* entries;
  std::ptrdiff_t length;

  static std::ptrdiff_t room(int length) noexcept { return length + A::block; }
  Six<A>* at(int d) const noexcept { return entries + (length - 1 - d); }
  /// No stray numbers behind the root, which might be slow to multiply.
  void clear_end() const noexcept {
    for (int k = 0; k < A::block; ++k) entries[length + k] = {A::zero(), A::zero()};
  }
};

}  // namespace axode::engine
