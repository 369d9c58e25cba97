// Coupled joints in forward dynamics (coupled_groups.hpp). The degree of freedom y of a group is eliminated where
// the group meets, as any other degree of freedom is at its joint. Until then its equation of motion
//
//   B^T A + D y + sum C_h y_h = f
//
// is collected, and with it what the wrench of the joint at hand owes to y, the column B:
//
//   own joint k:   D += r (r S^T I S + 2 S^T B),  C_h += r S^T B_h,  f += r (tau_k - S^T p),  B += I S r
//   any other:     D -= x^2 / D_k,  C_h -= x x_h / D_k,  f -= x f_k / D_k,  B -= U x / D_k,   x = S^T B
//   a displacement of the body by its own motion:                    f -= B^T rate
//
// So a body costs as much more as groups are open at it, and nothing if none is.
#pragma once
#include "axode/engine/detail/kernels/articulated.hpp"

namespace axode::engine {

/// Numbers of the groups while the tree is swept.
template <class A>
struct CoupledJoints {
  using S = typename A::Scalar;
  static constexpr bool coupled = true;

  explicit CoupledJoints(const Call<S>& c) noexcept
      : of(*c.coupled),
        columns(static_cast<Six<A>*>(c.group_memory)),
        inertia(reinterpret_cast<S*>(columns + of.column_count)),
        force(inertia + of.groups),
        noise(force + of.groups),
        y(noise + of.groups),
        products(y + of.groups),
        responses(products + of.products) {
    for (int k = 0; k < of.column_count; ++k) columns[k] = {A::zero(), A::zero()};
    for (S* x = inertia; x != responses; ++x) *x = S(0);
  }

  int group(const CoupledBody& b, int column) const noexcept {
    return of.columns[b.first + column].group;
  }
  /// C of two groups, i > j.
  S& product(const CoupledBody& b, int i, int j) const noexcept {
    return products[of.pairs[b.pairs + i * (i - 1) / 2 + j]];
  }

  const GroupView& of;
  Six<A>* columns;
  // By group: D, once the group has met its inverse; f; rounding errors of D; the acceleration.
  S *inertia, *force, *noise, *y;
  S *products, *responses;
};

/// Eliminates groups that meet at body b from the wrench of its joint; s none at the world. Whether that
/// is beyond doubt.
template <class A>
[[gnu::noinline]] Mask<A> eliminate_groups(const CoupledJoints<A>& g, const CoupledBody& b,
                                           ArticulatedInertia<A>* s) noexcept {
  using S = typename A::Scalar;
  Mask<A> sure = S(0) == S(0);
  Six<A>* const B = g.columns + b.first;
  if (s) add_noise<A>(*s);
  for (int k = 0; k < b.meeting; ++k) {
    const int own = g.group(b, k);
    const S D = g.inertia[own], noise = g.noise[own];
    const S inverse = select(D > noise, S(1) / D, S(0)), part = g.force[own] * inverse;
    sure = D > noise * S(beyond_doubt) && sure;
    g.inertia[own] = inverse;
    if (s) {
      subtract<A>(*s, B[k], B[k] * inverse);
      s->bias += B[k] * part;
    }
    for (int i = k + 1; i < b.count; ++i) {
      const S x = g.product(b, i, k), share = x * inverse;
      const int other = g.group(b, i);
      B[i] = B[i] - B[k] * share;
      g.inertia[other] -= x * share;
      g.force[other] -= x * part;
      for (int j = k + 1; j < i; ++j) g.product(b, i, j) -= g.product(b, j, k) * share;
    }
  }
  return sure;
}

/// The motion of joint i with its group.
template <class A>
[[gnu::noinline]] void add_to_group(const Call<typename A::Scalar>& c, const CoupledJoints<A>& g,
                                    int i, const ArticulatedBody<A>& at,
                                    const ArticulatedInertia<A>& s) noexcept {
  using S = typename A::Scalar;
  const EngineBody& body = c.bodies[i];
  const CoupledBody& b = g.of.bodies[i];
  const S r(b.ratio);
  const Six<A> X = joint_screw<A>(c, body, at.R, 0) * r, U = articulated_times<A>(s, X);
  Six<A>* const B = g.columns + b.first;
  const int own = g.group(b, b.own);
  g.inertia[own] += dot<A>(X, U + B[b.own] + B[b.own]);
  if (c.armature) g.inertia[own] += r * r * S(c.armature[body.v]);
  g.noise[own] += noise_along<A>(s, X);
  g.force[own] += c.a[body.v] * r - dot<A>(X, s.bias);
  for (int k = b.meeting; k < b.count; ++k)
    if (k != b.own) g.product(b, k > b.own ? k : b.own, k > b.own ? b.own : k) += dot<A>(X, B[k]);
  B[b.own] += U;
}

/// Eliminates velocity k of a body at which groups are open. Whether that is beyond doubt.
template <class A>
[[gnu::noinline]] Mask<A> eliminate_beside_groups(const Call<typename A::Scalar>& c,
                                                  const CoupledJoints<A>& g, const CoupledBody& b,
                                                  const Six<A>& X, int k, int v,
                                                  ArticulatedInertia<A>& s,
                                                  DofTerms<A>& f) noexcept {
  using S = typename A::Scalar;
  const Mask<A> sure = eliminate<A>(c, v, X, s, f);
  const S part = f.force * f.inverse;
  Six<A>* const B = g.columns + b.first;
  S* const x = g.responses + b.responses + k * b.count;
  for (int i = b.meeting; i < b.count; ++i) {
    const int group = g.group(b, i);
    x[i] = dot<A>(X, B[i]);
    const S share = x[i] * f.inverse;
    B[i] = B[i] - f.response * share;
    g.inertia[group] -= x[i] * share;
    g.force[group] -= x[i] * part;
    for (int j = b.meeting; j < i; ++j) g.product(b, i, j) -= x[j] * share;
  }
  return sure;
}

/// Whether the joint of a body at which groups are open is a revolute one of none of them.
template <class A>
[[gnu::always_inline]] inline bool passes_revolute(const EngineBody& body,
                                                   const CoupledBody& b) noexcept {
  return b.own < 0 && body.joint == EngineJoint::revolute;
}
/// Inwards: the groups that are open at body i, whose revolute joint has been eliminated.
template <class A>
[[gnu::noinline]] void pass_revolute(const CoupledJoints<A>& g, const CoupledBody& b,
                                     const ArticulatedBody<A>& at, const DofTerms<A>& f) noexcept {
  using S = typename A::Scalar;
  S* const x = g.responses + b.responses;
  for (int i = b.meeting; i < b.count; ++i) {
    const CoupledColumn& column = g.of.columns[b.first + i];
    const Six<A>& B = g.columns[b.first + i];
    x[i] = A::dot(at.R.z, B.angular);
    const S share = x[i] * f.inverse;
    g.inertia[column.group] -= x[i] * share;
    g.force[column.group] -= dot<A>(B, at.rate) + x[i] * f.force;
    g.columns[column.above] +=
        Six<A>{B.angular + cross(at.r, B.linear), B.linear} - f.response * x[i];
    for (int j = b.meeting; j < i; ++j) g.product(b, i, j) -= x[j] * share;
  }
}

/// Outwards: what these groups add to the acceleration of the joint.
template <class A>
[[gnu::noinline]] typename A::Scalar response_of_revolute(const CoupledJoints<A>& g,
                                                          const CoupledBody& b,
                                                          const DofTerms<A>& f) noexcept {
  const auto* x = g.responses + b.responses;
  typename A::Scalar sum(0);
  for (int j = b.meeting; j < b.count; ++j) sum -= x[j] * g.y[g.group(b, j)];
  return sum * f.inverse;
}

/// Inwards: what eliminate_joint() does, of body i at which there are groups.
template <class A>
[[gnu::noinline]] Mask<A> eliminate_coupled(const Call<typename A::Scalar>& c,
                                            const CoupledJoints<A>& g, int i,
                                            const ArticulatedBody<A>& at, ArticulatedInertia<A>& s,
                                            DofTerms<A>* dofs) noexcept {
  const EngineBody& body = c.bodies[i];
  const CoupledBody& b = g.of.bodies[i];
  Mask<A> sure = typename A::Scalar(0) == typename A::Scalar(0);
  add_noise<A>(s);
  if (b.own >= 0)
    add_to_group<A>(c, g, i, at, s);
  else
    for (int k = body.nv - 1; k >= 0; --k) {
      const int v = body.v + k;
      sure =
          eliminate_beside_groups<A>(c, g, b, joint_screw<A>(c, body, at.R, k), k, v, s, dofs[v]) &&
          sure;
    }
  for (int k = b.meeting; k < b.count; ++k) {
    const Six<A>& B = g.columns[b.first + k];
    g.force[g.group(b, k)] -= dot<A>(B, at.rate);
    g.columns[g.of.columns[b.first + k].above] += {B.angular + cross(at.r, B.linear), B.linear};
  }
  if (body.parent >= 0) s = seen_from_parent<A>(s, at);
  return sure;
}

/// Outwards: what accelerate() does, of a body at which groups are open.
template <class A>
[[gnu::noinline]] Six<A> accelerate_coupled(const Call<typename A::Scalar>& c,
                                            const CoupledJoints<A>& g, int i,
                                            const ArticulatedBody<A>& at, const Six<A>& parent,
                                            const DofTerms<A>* dofs,
                                            typename A::Scalar* result) noexcept {
  using S = typename A::Scalar;
  const EngineBody& body = c.bodies[i];
  const CoupledBody& b = g.of.bodies[i];
  Six<A> m = at.rate + Six<A>{parent.angular, parent.linear + cross(parent.angular, at.r)};
  if (b.own >= 0) {
    result[body.v] = g.y[g.group(b, b.own)] * S(b.ratio);
    m += joint_screw<A>(c, body, at.R, 0) * result[body.v];
    return m;
  }
  for (int k = 0; k < body.nv; ++k) {
    const DofTerms<A>& f = dofs[body.v + k];
    const S* x = g.responses + b.responses + k * b.count;
    S force = f.force - dot<A>(f.response, m);
    for (int j = b.meeting; j < b.count; ++j) force -= x[j] * g.y[g.group(b, j)];
    result[body.v + k] = force * f.inverse;
    m += f.screw * result[body.v + k];
  }
  return m;
}

/// The accelerations of groups that meet at a body which accelerates by m.
template <class A>
[[gnu::noinline]] void accelerate_groups(const CoupledJoints<A>& g, const CoupledBody& b,
                                         const Six<A>& m) noexcept {
  for (int k = b.meeting - 1; k >= 0; --k) {
    const int own = g.group(b, k);
    auto force = g.force[own] - dot<A>(g.columns[b.first + k], m);
    for (int i = k + 1; i < b.count; ++i) force -= g.product(b, i, k) * g.y[g.group(b, i)];
    g.y[own] = force * g.inertia[own];
  }
}

}  // namespace axode::engine
