// Forward dynamics by articulated bodies, in world axes, each body about its own origin.
//
// The wrench that joint i transmits is [A C^T; C D] (alpha, a) + (torque, force); C takes alpha to a
// force. Freedoms are eliminated one by one, so that joints of several need nothing else.
#pragma once
#include "axode/engine/world.inl"

namespace axode::engine {

template <class A>
struct ArticulatedBody {
  Axes<A> R;
  typename A::Vector r, w;
  Six<A> rate;  ///< acceleration at a = 0, beside what the parent's own gives
  typename A::Symmetric moments, masses;
  Axes<A> coupling;  ///< C
  Six<A> bias;       ///< torque, force
  Six<A> motion;     ///< acceleration
  /// Rounding errors of moments of inertia and masses, by the numbers they stem from.
  typename A::Scalar moment_noise, mass_noise;
};
/// A freedom, after those beyond are eliminated.
template <class A>
struct Freedom {
  Six<A> screw, response;  ///< response: I S
  typename A::Scalar inverse, force;
};

template <class A>
[[gnu::always_inline]] inline Six<A> articulated_times(const ArticulatedBody<A>& s,
                                                       const Six<A>& X) noexcept {
  return {A::times(s.moments, X.angular) + A::transpose_times(s.coupling, X.linear),
          A::times(s.coupling, X.angular) + A::times(s.masses, X.linear)};
}

/// Outwards: places, velocities, and each body's own inertia and bias.
template <class A>
[[gnu::always_inline]] inline void start_body(const Call<typename A::Scalar>& c, int i,
                                              ArticulatedBody<A>* x) noexcept {
  using S = typename A::Scalar;
  using V = typename A::Vector;
  const EngineBody& b = c.bodies[i];
  ArticulatedBody<A>& s = x[i];
  const ArticulatedBody<A>* p = b.parent < 0 ? nullptr : x + b.parent;
  const Place<A> at = place<A>(c, i, p ? &p->R : nullptr);
  s.R = at.R;
  s.r = at.r;
  if (b.joint == EngineJoint::revolute) [[likely]] {
    const V zd = at.R.z * c.v[b.v];
    s.w = p ? p->w + zd : zd;
    s.rate = {p ? cross(p->w, zd) : A::zero(), A::zero()};
  } else {
    const Relative<A> m = relative_motion<A>(c, b, at.R, nullptr);
    s.w = m.velocity.angular;
    s.rate = m.acceleration;
    if (p) {
      const V twice = cross(p->w, m.velocity.linear);
      s.w += p->w;
      s.rate += {cross(p->w, m.velocity.angular), twice + twice};
    }
  }
  if (p) s.rate.linear += cross(p->w, cross(p->w, at.r));
  const V h = rotate<A>(at.R, b.moment), w = s.w;
  s.moments = A::congruence(at.R, b.inertia);
  s.masses = A::scalar_matrix(S(b.mass));
  // C = -skew(h)
  s.coupling =
      A::minus_times_skew(Axes<A>{A::zero(), A::zero(), A::zero()}, A::scalar_matrix(S(1)), h);
  s.moment_noise = s.mass_noise = S(0);
  s.bias = {cross(w, A::times(s.moments, w)), cross(w, cross(w, h))};
  if (c.external) {
    s.bias.angular -= rotate<A>(at.R, c.external + 8 * i);
    s.bias.linear -= rotate<A>(at.R, c.external + 8 * i + 4);
  }
}

/// An inertia that is this much more than what is surely rounding counts; below, the motion of the
/// freedoms beyond has to be looked at, too.
inline constexpr double beyond_doubt = 1e7;

template <class A>
[[gnu::always_inline]] inline void add_noise(ArticulatedBody<A>& s) noexcept {
  using S = typename A::Scalar;
  const S part(16 * epsilon<double>);
  s.moment_noise += A::trace(s.moments) * part;
  s.mass_noise += A::trace(s.masses) * part;
}
/// Of the inertia along a screw.
template <class A>
inline typename A::Scalar noise_along(const ArticulatedBody<A>& s, const Six<A>& X) noexcept {
  return A::dot(X.angular, X.angular) * s.moment_noise + A::dot(X.linear, X.linear) * s.mass_noise;
}

/// Eliminates velocity k, or locks it if it has no inertia. Returns whether that is beyond doubt.
template <class A>
[[gnu::always_inline]] inline bool eliminate(const Call<typename A::Scalar>& c, int k,
                                             const Six<A>& S_k, bool rotation,
                                             ArticulatedBody<A>& s, Freedom<A>& f) noexcept {
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
  return all_of(D > noise * S(beyond_doubt));
}

/// Adds what is left of body i to its parent, whose origin is r away.
template <class A>
[[gnu::always_inline]] inline void hand_inwards(const ArticulatedBody<A>& s,
                                                ArticulatedBody<A>& p) noexcept {
  using S = typename A::Scalar;
  const Six<A> bias = s.bias + articulated_times<A>(s, s.rate);
  const Axes<A> moved = A::minus_times_skew(s.coupling, s.masses, s.r);
  const auto mean = [&](const auto& a, const auto& b) { return (a + b) * S(0.5); };
  const Axes<A> y{cross(s.r, mean(s.coupling.x, moved.x)), cross(s.r, mean(s.coupling.y, moved.y)),
                  cross(s.r, mean(s.coupling.z, moved.z))};
  p.moments = A::sum(p.moments, A::plus_twice_symmetric(s.moments, y));
  p.masses = A::sum(p.masses, s.masses);
  p.coupling = {p.coupling.x + moved.x, p.coupling.y + moved.y, p.coupling.z + moved.z};
  p.bias += {bias.angular + cross(s.r, bias.linear), bias.linear};
  p.moment_noise += s.moment_noise + s.mass_noise * A::dot(s.r, s.r);
  p.mass_noise += s.mass_noise;
}

/// The acceleration of a free body on the world, which all wrenches but those of its joint cause: with
/// six freedoms there is nothing to eliminate. False if its inertia is in doubt.
template <class A>
[[gnu::noinline]] bool accelerate_free(const Call<typename A::Scalar>& c, const EngineBody& b,
                                       ArticulatedBody<A>& s, typename A::Scalar* result) noexcept {
  using S = typename A::Scalar;
  using V = typename A::Vector;
  S pivot_mass, pivot;
  const typename A::Symmetric mobility = A::inverse(s.masses, pivot_mass);
  const Axes<A> Y{A::times(mobility, s.coupling.x), A::times(mobility, s.coupling.y),
                  A::times(mobility, s.coupling.z)};
  const typename A::Symmetric rest = A::difference(s.moments, A::symmetric_product(s.coupling, Y));
  const typename A::Symmetric turning = A::inverse(rest, pivot);
  const V torque = rotate<A>(s.R, c.a + b.v) - s.bias.angular;
  const V force = rotate<A>(s.R, c.a + b.v + 3) - s.bias.linear;
  const V alpha = A::times(turning, torque - A::transpose_times(Y, force));
  const V a = A::times(mobility, force - A::times(s.coupling, alpha));
  s.motion = {alpha, a};
  A::put(A::transpose_times(s.R, alpha - s.rate.angular), result + b.v);
  A::put(A::transpose_times(s.R, a - s.rate.linear - A::load(c.world)), result + b.v + 3);
  return all_of(pivot_mass > s.mass_noise * S(beyond_doubt) &&
                pivot > s.moment_noise * S(beyond_doubt));
}

/// c.a holds the joint forces. Returns -1, or a body that may have a freedom without inertia.
template <class A>
int forward_dynamics(const Call<typename A::Scalar>& c, typename A::Scalar* result) noexcept {
  auto* x = static_cast<ArticulatedBody<A>*>(c.scratch);
  auto* freedoms = reinterpret_cast<Freedom<A>*>(x + c.n);
  for (int i = 0; i < c.n; ++i) start_body<A>(c, i, x);
  int singular = -1;
  for (int i = c.n - 1; i >= 0; --i) {
    const EngineBody& b = c.bodies[i];
    ArticulatedBody<A>& s = x[i];
    bool regular = true;
    add_noise<A>(s);
    if (b.joint == EngineJoint::free && b.parent < 0 && !c.armature) {
      regular = accelerate_free<A>(c, b, s, result);
    } else if (b.joint == EngineJoint::revolute) [[likely]] {
      regular = eliminate<A>(c, b.v, {s.R.z, A::zero()}, true, s, freedoms[b.v]);
    } else {
      for (int k = b.nv - 1; k >= 0; --k)
        regular &=
            eliminate<A>(c, b.v + k, other_screw<A>(c, b, s.R, k), false, s, freedoms[b.v + k]);
    }
    if (!regular && singular < 0) singular = i;
    if (b.parent >= 0) hand_inwards<A>(s, x[b.parent]);
  }
  for (int i = 0; i < c.n; ++i) {
    const EngineBody& b = c.bodies[i];
    ArticulatedBody<A>& s = x[i];
    if (b.joint == EngineJoint::free && b.parent < 0 && !c.armature) continue;  // done
    Six<A> m = s.rate;
    if (b.parent < 0) {
      m.linear += A::load(c.world);
    } else {
      const Six<A>& p = x[b.parent].motion;
      m += {p.angular, p.linear + cross(p.angular, s.r)};
    }
    for (int k = b.v; k < b.v + b.nv; ++k) {
      const Freedom<A>& f = freedoms[k];
      result[k] = (f.force - dot<A>(f.response, m)) * f.inverse;
      m += f.screw * result[k];
    }
    s.motion = m;
  }
  return singular;
}

}  // namespace axode::engine
