// Forward dynamics by articulated bodies, in world axes, each body about its own origin.
//
// The wrench that joint i transmits is [A C^T; C D] (alpha, a) + (torque, force); C takes alpha to a
// force. Freedoms are eliminated one by one, so that joints of several need nothing else.
#pragma once
#include "axode/engine/world.inl"

namespace axode::engine {

/// Where a body is and how it moves; all that later sweeps need of it.
template <class A>
struct ArticulatedBody {
  Axes<A> R;
  typename A::Vector r, w;
  Six<A> rate;    ///< acceleration at a = 0, beside what the parent's own gives
  Six<A> motion;  ///< acceleration
};
/// The inertia of a body with what it carries.
template <class A>
struct ArticulatedInertia {
  typename A::Symmetric moments, masses;
  Axes<A> coupling;  ///< C
  Six<A> bias;       ///< torque, force
  /// Rounding errors of moments of inertia and masses, by the numbers they stem from.
  typename A::Scalar moment_noise, mass_noise;
};
/// A freedom, after those beyond are eliminated: its acceleration is
/// (force - response . motion) inverse, response = I S. For a revolute joint, force and response have
/// the inverse in them and are about the parent's own motion, so that the last sweep, where all waits
/// for the body before, is short.
template <class A>
struct Freedom {
  Six<A> screw, response;
  typename A::Scalar inverse, force;
};

template <class A>
[[gnu::always_inline]] inline Six<A> articulated_times(const ArticulatedInertia<A>& s,
                                                       const Six<A>& X) noexcept {
  return {A::times(s.moments, X.angular) + A::transpose_times(s.coupling, X.linear),
          A::times(s.coupling, X.angular) + A::times(s.masses, X.linear)};
}

/// Outwards: places and velocities.
template <class A>
[[gnu::always_inline]] inline ArticulatedBody<A> start_body(const Call<typename A::Scalar>& c,
                                                            int i,
                                                            const ArticulatedBody<A>* p) noexcept {
  using V = typename A::Vector;
  const EngineBody& b = c.bodies[i];
  const Place<A> at = place<A>(c, i, p ? &p->R : nullptr);
  ArticulatedBody<A> s;
  s.R = at.R;
  s.r = at.r;
  if (b.joint == EngineJoint::revolute) [[likely]] {
    const V zd = at.R.z * c.v[b.v];
    s.w = p ? p->w + zd : zd;
    s.rate = {p ? cross(p->w, zd) : A::zero(), A::zero()};
  } else {
    const Axes<A> R = at.R;
    const Relative<A> m = relative_motion<A>(c, b, R, nullptr);
    s.w = m.velocity.angular;
    s.rate = m.acceleration;
    if (p) {
      const V twice = cross(p->w, m.velocity.linear);
      s.w += p->w;
      s.rate += {cross(p->w, m.velocity.angular), twice + twice};
    }
  }
  if (p) s.rate.linear += cross(p->w, cross(p->w, at.r));
  return s;
}

/// A body's own inertia and bias.
template <class A>
[[gnu::always_inline]] inline ArticulatedInertia<A> own_inertia(
    const Call<typename A::Scalar>& c, int i, const ArticulatedBody<A>& at) noexcept {
  using S = typename A::Scalar;
  const EngineBody& b = c.bodies[i];
  const typename A::Vector h = rotate<A>(at.R, b.moment), w = at.w;
  ArticulatedInertia<A> s;
  s.moments = A::congruence(at.R, b.inertia);
  s.masses = A::scalar_matrix(S(b.mass));
  s.coupling = A::template minus_skew<Axes<A>>(h);
  s.moment_noise = s.mass_noise = S(0);
  s.bias = {cross(w, A::times(s.moments, w)), cross(w, cross(w, h))};
  if (c.external) {
    s.bias.angular -= rotate<A>(at.R, c.external + 8 * i);
    s.bias.linear -= rotate<A>(at.R, c.external + 8 * i + 4);
  }
  return s;
}
template <class A>
[[gnu::always_inline]] inline void add(ArticulatedInertia<A>& to,
                                       const ArticulatedInertia<A>& s) noexcept {
  to.moments = A::sum(to.moments, s.moments);
  to.masses = A::sum(to.masses, s.masses);
  to.coupling = {to.coupling.x + s.coupling.x, to.coupling.y + s.coupling.y,
                 to.coupling.z + s.coupling.z};
  to.bias += s.bias;
  to.moment_noise = max(to.moment_noise, s.moment_noise);
  to.mass_noise = max(to.mass_noise, s.mass_noise);
}

/// One truth value for each state.
template <class A>
using Mask = decltype(typename A::Scalar() > typename A::Scalar());

/// An inertia that is this much more than what is surely rounding counts; below, the motion of the
/// freedoms beyond has to be looked at, too.
inline constexpr double beyond_doubt = 1e7;

template <class A>
[[gnu::always_inline]] inline void add_noise(ArticulatedInertia<A>& s) noexcept {
  using S = typename A::Scalar;
  const S part(16 * epsilon<double>);
  s.moment_noise = max(s.moment_noise, A::trace(s.moments) * part);
  s.mass_noise = max(s.mass_noise, A::trace(s.masses) * part);
}
/// Of the inertia along a screw.
template <class A>
inline typename A::Scalar noise_along(const ArticulatedInertia<A>& s, const Six<A>& X) noexcept {
  return A::dot(X.angular, X.angular) * s.moment_noise + A::dot(X.linear, X.linear) * s.mass_noise;
}

/// Eliminates velocity k, or locks it if it has no inertia. Returns whether that is beyond doubt.
template <class A>
[[gnu::always_inline]] inline Mask<A> eliminate(const Call<typename A::Scalar>& c, int k,
                                                const Six<A>& S_k, bool rotation,
                                                ArticulatedInertia<A>& s, Freedom<A>& f) noexcept {
  using S = typename A::Scalar;
  f.screw = S_k;
  if (rotation) {
    f.response = {A::times(s.moments, S_k.angular), A::times(s.coupling, S_k.angular)};
  } else {
    f.response = articulated_times<A>(s, S_k);
  }
  S D = rotation ? A::dot(S_k.angular, f.response.angular) : dot<A>(S_k, f.response);
  f.force = c.a[k] - (rotation ? A::dot(S_k.angular, s.bias.angular) : dot<A>(S_k, s.bias));
  if (c.armature) D += S(c.armature[k]);
  const S noise = rotation ? s.moment_noise : noise_along<A>(s, S_k);
  const auto regular = D > noise;
  f.inverse = select(regular, S(1) / D, S(0));
  const Six<A> scaled = f.response * f.inverse;
  s.moments = A::minus_outer(s.moments, f.response.angular, scaled.angular);
  s.masses = A::minus_outer(s.masses, f.response.linear, scaled.linear);
  s.coupling = A::minus_product(s.coupling, f.response.linear, scaled.angular);
  s.bias += scaled * f.force;
  return D > noise * S(beyond_doubt);
}

/// What is left of a body, about the origin of its parent, which is r away.
template <class A>
[[gnu::always_inline]] inline ArticulatedInertia<A> seen_from_parent(
    const ArticulatedInertia<A>& s, const ArticulatedBody<A>& at) noexcept {
  using S = typename A::Scalar;
  const Six<A> bias = s.bias + articulated_times<A>(s, at.rate);
  const Axes<A> moved = A::minus_times_skew(s.coupling, s.masses, at.r);
  const Axes<A> halfway = A::minus_times_skew(s.coupling, s.masses, at.r * S(0.5));
  const Axes<A> y{cross(at.r, halfway.x), cross(at.r, halfway.y), cross(at.r, halfway.z)};
  return {A::plus_twice_symmetric(s.moments, y),
          s.masses,
          moved,
          {bias.angular + cross(at.r, bias.linear), bias.linear},
          s.moment_noise + s.mass_noise * A::dot(at.r, at.r),
          s.mass_noise};
}

template <class A>
ArticulatedInertia<A> no_inertia() noexcept {
  using S = typename A::Scalar;
  const auto none = A::zero();
  return {
      A::scalar_matrix(S(0)), A::scalar_matrix(S(0)), {none, none, none}, {none, none}, S(0), S(0)};
}
/// Free on the world, and no drive to be turned with it.
template <class S>
inline bool is_free_root(const Call<S>& c, const EngineBody& b) noexcept {
  if (b.joint != EngineJoint::free || b.parent >= 0) return false;
  for (int k = b.v; c.armature && k < b.v + 6; ++k)
    if (c.armature[k] != 0) return false;
  return true;
}

/// The acceleration of a free body on the world, which all wrenches but those of its joint cause: with
/// six freedoms there is nothing to eliminate. False if its inertia is in doubt.
template <class A>
[[gnu::noinline]] Mask<A> accelerate_free(const Call<typename A::Scalar>& c, const EngineBody& b,
                                          const ArticulatedInertia<A>& s, ArticulatedBody<A>& at,
                                          typename A::Scalar* result) noexcept {
  using S = typename A::Scalar;
  using V = typename A::Vector;
  S pivot_mass, pivot;
  const typename A::Symmetric mobility = A::inverse(s.masses, pivot_mass);
  const Axes<A> Y{A::times(mobility, s.coupling.x), A::times(mobility, s.coupling.y),
                  A::times(mobility, s.coupling.z)};
  const typename A::Symmetric rest = A::difference(s.moments, A::symmetric_product(s.coupling, Y));
  const typename A::Symmetric turning = A::inverse(rest, pivot);
  const V torque = rotate<A>(at.R, c.a + b.v) - s.bias.angular;
  const V force = rotate<A>(at.R, c.a + b.v + 3) - s.bias.linear;
  const V alpha = A::times(turning, torque - A::transpose_times(Y, force));
  const V a = A::times(mobility, force - A::times(s.coupling, alpha));
  at.motion = {alpha, a};
  A::put(A::transpose_times(at.R, alpha - at.rate.angular), result + b.v);
  A::put(A::transpose_times(at.R, a - at.rate.linear - A::load(c.world)), result + b.v + 3);
  return pivot_mass > s.mass_noise * S(beyond_doubt) && pivot > s.moment_noise * S(beyond_doubt);
}

/// Inwards: eliminates the freedoms of body i. Whether all of that is beyond doubt.
template <class A>
[[gnu::always_inline]] inline Mask<A> eliminate_joint(const Call<typename A::Scalar>& c, int i,
                                                      ArticulatedBody<A>& at,
                                                      ArticulatedInertia<A>& s,
                                                      Freedom<A>* freedoms,
                                                      typename A::Scalar* result) noexcept {
  const EngineBody& b = c.bodies[i];
  add_noise<A>(s);
  if (b.joint == EngineJoint::revolute) [[likely]] {
    Freedom<A> f;
    const Mask<A> sure = eliminate<A>(c, b.v, {at.R.z, A::zero()}, true, s, f);
    const Six<A> scaled = f.response * f.inverse;
    freedoms[b.v].response = {scaled.angular + cross(at.r, scaled.linear), scaled.linear};
    freedoms[b.v].force = f.force * f.inverse - dot<A>(scaled, at.rate);
    return sure;
  }
  if (is_free_root(c, b)) return accelerate_free<A>(c, b, s, at, result);
  using S = typename A::Scalar;
  Mask<A> sure = S(0) == S(0);
  for (int k = b.v + b.nv - 1; k >= b.v; --k)
    sure = eliminate<A>(c, k, other_screw<A>(c, b, at.R, k - b.v), false, s, freedoms[k]) && sure;
  return sure;
}

/// Outwards again: the acceleration of body i, and those of its freedoms.
template <class A>
[[gnu::always_inline]] inline Six<A> accelerate(const Call<typename A::Scalar>& c, int i,
                                                const ArticulatedBody<A>& at, const Six<A>& parent,
                                                const Freedom<A>* freedoms,
                                                typename A::Scalar* result) noexcept {
  const EngineBody& b = c.bodies[i];
  if (is_free_root(c, b)) return at.motion;  // done
  Six<A> m = at.rate + Six<A>{parent.angular, parent.linear + cross(parent.angular, at.r)};
  if (b.joint == EngineJoint::revolute) [[likely]] {
    const Freedom<A>& f = freedoms[b.v];
    result[b.v] = f.force - dot<A>(f.response, parent);
    m.angular += at.R.z * result[b.v];
    return m;
  }
  for (int k = b.v; k < b.v + b.nv; ++k) {
    const Freedom<A>& f = freedoms[k];
    result[k] = (f.force - dot<A>(f.response, m)) * f.inverse;
    m += f.screw * result[k];
  }
  return m;
}

/// Inwards: eliminates all freedoms, and tells the states in which that is beyond doubt. For one state
/// what is passed from a body to the next one stays in registers, and only branches go through
/// memory; packs would not fit.
template <class A>
[[gnu::always_inline]] inline Mask<A> sweep_inwards(const Call<typename A::Scalar>& c,
                                                    ArticulatedBody<A>* x, Freedom<A>* freedoms,
                                                    ArticulatedInertia<A>* inertias,
                                                    typename A::Scalar* result) noexcept {
  using S = typename A::Scalar;
  Mask<A> sure = S(0) == S(0);
  if constexpr (A::block == 1) {
    for (int i = c.n - 1; i >= 0; --i) {
      ArticulatedInertia<A>& s = inertias[i];
      sure = eliminate_joint<A>(c, i, x[i], s, freedoms, result) && sure;
      if (const int p = c.bodies[i].parent; p >= 0)
        add<A>(inertias[p], seen_from_parent<A>(s, x[i]));
    }
    return sure;
  }
  bool carried = false;
  ArticulatedInertia<A> carry;
  for (int i = c.n - 1; i >= 0; --i) {
    const EngineBody& b = c.bodies[i];
    ArticulatedInertia<A> s = own_inertia<A>(c, i, x[i]);
    if (carried) add<A>(s, carry);
    if (b.branches) add<A>(s, inertias[i]);
    sure = eliminate_joint<A>(c, i, x[i], s, freedoms, result) && sure;
    carried = b.parent >= 0 && b.parent == i - 1;
    if (b.parent < 0) continue;
    carry = seen_from_parent<A>(s, x[i]);
    if (!carried) add<A>(inertias[b.parent], carry);
  }
  return sure;
}

/// c.a holds the joint forces. Returns for each state whether all inertias are beyond doubt: if not,
/// a freedom may have been locked that should not, or not locked that should.
template <class A>
Mask<A> forward_dynamics(const Call<typename A::Scalar>& c, typename A::Scalar* result) noexcept {
  auto* x = static_cast<ArticulatedBody<A>*>(c.scratch);
  auto* freedoms = reinterpret_cast<Freedom<A>*>(x + c.n);
  auto* inertias = reinterpret_cast<ArticulatedInertia<A>*>(freedoms + c.nv);
  ArticulatedBody<A> last;
  for (int i = 0; i < c.n; ++i) {
    const EngineBody& b = c.bodies[i];
    if (b.parent >= 0 && b.parent != i - 1) last = x[b.parent];
    last = b.parent < 0 ? start_body<A>(c, i, nullptr) : start_body<A>(c, i, &last);
    x[i] = last;
    if constexpr (A::block == 1) {
      inertias[i] = own_inertia<A>(c, i, x[i]);
    } else {
      if (b.branches) inertias[i] = no_inertia<A>();
    }
  }
  const Mask<A> sure = sweep_inwards<A>(c, x, freedoms, inertias, result);
  const Six<A> world{A::zero(), A::load(c.world)};
  Six<A> motion = world;
  for (int i = 0; i < c.n; ++i) {
    const EngineBody& b = c.bodies[i];
    if (b.parent < 0)
      motion = world;
    else if (b.parent != i - 1)
      motion = x[b.parent].motion;
    motion = accelerate<A>(c, i, x[i], motion, freedoms, result);
    if (b.branches) x[i].motion = motion;
  }
  return sure;
}

}  // namespace axode::engine
