// Articulated bodies: inertias with what degrees of freedom beyond leave of those they carry, in world axes, each
// body about its own origin.
//
// The wrench that joint i transmits is [A C^T; C D] (alpha, a) + (torque, force); C takes alpha to a
// force. Degrees of freedom are eliminated one by one, so that joints of several need nothing else.
#pragma once
#include "axode/engine/detail/kernels/world.hpp"

namespace axode::engine {

/// Where a body is and how it moves; all that later sweeps need of it.
template <class A>
struct ArticulatedBody {
  Axes<A> R;
  typename A::Vector r, w;
  Six<A> rate;  ///< acceleration at a = 0, beside what the parent's gives; in the end all of it
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
/// A degree of freedom, after those beyond are eliminated: its acceleration is
/// (force - response . motion) inverse, response = I S. For a revolute joint, force and response have
/// the inverse in them and are about the parent's own motion, so that the last sweep, where all waits
/// for the body before, is short.
template <class A>
struct DofTerms {
  Six<A> screw, response;  ///< no screw of revolute joints
  typename A::Scalar inverse, force;
};

template <class A>
[[gnu::always_inline]] inline Six<A> articulated_times(const ArticulatedInertia<A>& s,
                                                       const Six<A>& X) noexcept {
  return {A::times(s.moments, X.angular) + A::transpose_times(s.coupling, X.linear),
          A::times(s.coupling, X.angular) + A::times(s.masses, X.linear)};
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

/// The same as add() of own_inertia(), less sums with zeros.
template <class A>
[[gnu::always_inline]] inline void add_own(const Call<typename A::Scalar>& c, int i,
                                           const ArticulatedBody<A>& at,
                                           ArticulatedInertia<A>& to) noexcept {
  const ArticulatedInertia<A> own = own_inertia<A>(c, i, at);
  to.moments = A::sum(to.moments, own.moments);
  to.masses = A::plus_scalar(to.masses, typename A::Scalar(c.bodies[i].mass));
  to.coupling = A::minus_skew(to.coupling, rotate<A>(at.R, c.bodies[i].moment));
  to.bias += own.bias;
}

/// One truth value for each state.
template <class A>
using Mask = decltype(typename A::Scalar() > typename A::Scalar());

/// An inertia that is this much more than what is surely rounding counts; below, the motion of the
/// degrees of freedom beyond has to be looked at, too.
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

/// s - a b^T, b along a.
template <class A>
[[gnu::always_inline]] inline void subtract(ArticulatedInertia<A>& s, const Six<A>& a,
                                            const Six<A>& b) noexcept {
  s.moments = A::minus_outer(s.moments, a.angular, b.angular);
  s.masses = A::minus_outer(s.masses, a.linear, b.linear);
  s.coupling = A::minus_product(s.coupling, a.linear, b.angular);
}

/// Eliminates velocity k, or locks it if it has no inertia. Returns whether that is beyond doubt.
template <class A>
[[gnu::always_inline]] inline Mask<A> eliminate(const Call<typename A::Scalar>& c, int k,
                                                const Six<A>& S_k, ArticulatedInertia<A>& s,
                                                DofTerms<A>& f) noexcept {
  using S = typename A::Scalar;
  f.screw = S_k;
  f.response = articulated_times<A>(s, S_k);
  S D = dot<A>(S_k, f.response);
  f.force = c.a[k] - dot<A>(S_k, s.bias);
  if (c.armature) D += S(c.armature[k]);
  const S noise = noise_along<A>(s, S_k);
  f.inverse = select(D > noise, S(1) / D, S(0));
  subtract<A>(s, f.response, f.response * f.inverse);
  s.bias += f.response * (f.force * f.inverse);
  return D > noise * S(beyond_doubt);
}

/// What a body has, about the origin of its parent, which is r away.
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

/// The same for a revolute joint, and s is then as seen from the parent. What is eliminated is of rank
/// one about any point and goes last: moving the rest does not wait for the division.
template <class A>
[[gnu::always_inline]] inline Mask<A> eliminate_revolute(const Call<typename A::Scalar>& c,
                                                         const EngineBody& b,
                                                         const ArticulatedBody<A>& at,
                                                         ArticulatedInertia<A>& s,
                                                         DofTerms<A>& f) noexcept {
  using S = typename A::Scalar;
  const auto z = at.R.z;
  const Six<A> response{A::times(s.moments, z), A::times(s.coupling, z)};
  const Six<A> moved{response.angular + cross(at.r, response.linear), response.linear};
  S D = A::dot(z, response.angular);
  if (c.armature) D += S(c.armature[b.v]);
  const S noise = s.moment_noise, inverse = select(D > noise, S(1) / D, S(0));
  f.force = (c.a[b.v] - A::dot(z, s.bias.angular) - dot<A>(response, at.rate)) * inverse;
  f.response = moved * inverse;
  f.inverse = inverse;
  if (b.parent >= 0) {
    s = seen_from_parent<A>(s, at);
    subtract<A>(s, moved, f.response);
    s.bias += moved * f.force;
  }
  return D > noise * S(beyond_doubt);
}

template <class A>
ArticulatedInertia<A> no_inertia() noexcept {
  using S = typename A::Scalar;
  const auto none = A::zero();
  return {
      A::scalar_matrix(S(0)), A::scalar_matrix(S(0)), {none, none, none}, {none, none}, S(0), S(0)};
}

}  // namespace axode::engine
