// Forward dynamics by articulated bodies, of joints that all move on their own or of coupled ones.
#pragma once
#include "axode/engine/detail/kernels/coupled_joints.hpp"

namespace axode::engine {

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

/// Free on the world, and no drive to be turned with it.
template <class S>
inline bool is_free_root(const Call<S>& c, const EngineBody& b) noexcept {
  if (b.joint != EngineJoint::free || b.parent >= 0) return false;
  for (int k = b.v; c.armature && k < b.v + 6; ++k)
    if (c.armature[k] != 0) return false;
  return true;
}

/// The acceleration of a free body on the world, which all wrenches but those of its joint cause: with
/// six degrees of freedom there is nothing to eliminate. False if its inertia is in doubt.
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
  A::put(A::transpose_times(at.R, alpha - at.rate.angular), result + b.v);
  A::put(A::transpose_times(at.R, a - at.rate.linear - A::load(c.world)), result + b.v + 3);
  at.rate = {alpha, a};
  return pivot_mass > s.mass_noise * S(beyond_doubt) && pivot > s.moment_noise * S(beyond_doubt);
}

/// Inwards: eliminates the degrees of freedom of body i; s is then as seen from its parent, if it has one.
/// Whether all of that is beyond doubt.
template <class A>
[[gnu::always_inline]] inline Mask<A> eliminate_joint(const Call<typename A::Scalar>& c, int i,
                                                      ArticulatedBody<A>& at,
                                                      ArticulatedInertia<A>& s, DofTerms<A>* dofs,
                                                      typename A::Scalar* result) noexcept {
  const EngineBody& b = c.bodies[i];
  add_noise<A>(s);
  if (b.joint == EngineJoint::revolute) [[likely]]
    return eliminate_revolute<A>(c, b, at, s, dofs[b.v]);
  if (is_free_root(c, b)) return accelerate_free<A>(c, b, s, at, result);
  using S = typename A::Scalar;
  Mask<A> sure = S(0) == S(0);
  for (int k = b.v + b.nv - 1; k >= b.v; --k)
    sure = eliminate<A>(c, k, other_screw<A>(c, b, at.R, k - b.v), s, dofs[k]) && sure;
  if (b.parent >= 0) s = seen_from_parent<A>(s, at);
  return sure;
}

/// Outwards again: the acceleration of body i, and those of its degrees of freedom.
template <class A>
[[gnu::always_inline]] inline Six<A> accelerate(const Call<typename A::Scalar>& c, int i,
                                                const ArticulatedBody<A>& at, const Six<A>& parent,
                                                const DofTerms<A>* dofs,
                                                typename A::Scalar* result) noexcept {
  const EngineBody& b = c.bodies[i];
  if (is_free_root(c, b)) return at.rate;  // done
  Six<A> m = at.rate + Six<A>{parent.angular, parent.linear + cross(parent.angular, at.r)};
  if (b.joint == EngineJoint::revolute) [[likely]] {
    const DofTerms<A>& f = dofs[b.v];
    result[b.v] = f.force - dot<A>(f.response, parent);
    m.angular += at.R.z * result[b.v];
    return m;
  }
  for (int k = b.v; k < b.v + b.nv; ++k) {
    const DofTerms<A>& f = dofs[k];
    result[k] = (f.force - dot<A>(f.response, m)) * f.inverse;
    m += f.screw * result[k];
  }
  return m;
}

/// Joints that all move on their own.
template <class A>
struct FreeJoints {
  static constexpr bool coupled = false;
};

template <class A>
[[gnu::always_inline]] inline Mask<A> eliminate_joint(const FreeJoints<A>&,
                                                      const Call<typename A::Scalar>& c, int i,
                                                      ArticulatedBody<A>& at,
                                                      ArticulatedInertia<A>& s, DofTerms<A>* dofs,
                                                      typename A::Scalar* result) noexcept {
  return eliminate_joint<A>(c, i, at, s, dofs, result);
}
/// By copies where groups take part, so that s can stay in registers where they do not.
template <class A>
[[gnu::always_inline]] inline Mask<A> eliminate_joint(const CoupledJoints<A>& groups,
                                                      const Call<typename A::Scalar>& c, int i,
                                                      ArticulatedBody<A>& at,
                                                      ArticulatedInertia<A>& s, DofTerms<A>* dofs,
                                                      typename A::Scalar* result) noexcept {
  using S = typename A::Scalar;
  const CoupledBody& b = groups.of.bodies[i];
  const bool open = b.count > b.meeting;
  Mask<A> sure = S(0) == S(0);
  if (b.meeting > 0) {
    ArticulatedInertia<A> copy = s;
    sure = eliminate_groups<A>(groups, b, &copy);
    s = copy;
  }
  if (open && !passes_revolute<A>(c.bodies[i], b)) {
    ArticulatedInertia<A> copy = s;
    sure = eliminate_coupled<A>(c, groups, i, at, copy, dofs) && sure;
    s = copy;
    return sure;
  }
  sure = eliminate_joint<A>(c, i, at, s, dofs, result) && sure;
  if (open) pass_revolute<A>(groups, b, at, dofs[c.bodies[i].v]);
  return sure;
}

template <class A>
[[gnu::always_inline]] inline Six<A> accelerate(const FreeJoints<A>&,
                                                const Call<typename A::Scalar>& c, int i,
                                                const ArticulatedBody<A>& at, const Six<A>& parent,
                                                const DofTerms<A>* dofs,
                                                typename A::Scalar* result) noexcept {
  return accelerate<A>(c, i, at, parent, dofs, result);
}
template <class A>
[[gnu::always_inline]] inline Six<A> accelerate(const CoupledJoints<A>& groups,
                                                const Call<typename A::Scalar>& c, int i,
                                                const ArticulatedBody<A>& at, const Six<A>& parent,
                                                const DofTerms<A>* dofs,
                                                typename A::Scalar* result) noexcept {
  const EngineBody& body = c.bodies[i];
  const CoupledBody& b = groups.of.bodies[i];
  if (b.count == 0) return accelerate<A>(c, i, at, parent, dofs, result);
  const Six<A> copy = parent;  // NOLINT: so that the other need not have an address
  Six<A> m;
  if (b.count > b.meeting && !passes_revolute<A>(body, b)) {
    m = accelerate_coupled<A>(c, groups, i, at, copy, dofs, result);
  } else {
    m = accelerate<A>(c, i, at, copy, dofs, result);
    if (b.count > b.meeting) {
      const auto more = response_of_revolute<A>(groups, b, dofs[body.v]);
      result[body.v] += more;
      m.angular += at.R.z * more;
    }
  }
  accelerate_groups<A>(groups, b, m);
  return m;
}

/// What one body passes to the next of a pack's states goes through one place in memory: registers
/// would not do, and a place for each body would not stay in the cache.
template <class A, class Joints>
[[gnu::always_inline]] inline Mask<A> sweep_packs_inwards(const Joints& joints,
                                                          const Call<typename A::Scalar>& c,
                                                          ArticulatedBody<A>* x, DofTerms<A>* dofs,
                                                          ArticulatedInertia<A>* inertias,
                                                          typename A::Scalar* result) noexcept {
  using S = typename A::Scalar;
  Mask<A> sure = S(0) == S(0);
  ArticulatedInertia<A>& s = inertias[c.n];
  bool carried = false;
  for (int i = c.n - 1; i >= 0; --i) {
    const EngineBody& b = c.bodies[i];
    if (carried)
      add_own<A>(c, i, x[i], s);
    else
      s = own_inertia<A>(c, i, x[i]);
    if (b.branches) add<A>(s, inertias[i]);
    sure = eliminate_joint<A>(joints, c, i, x[i], s, dofs, result) && sure;
    carried = b.parent >= 0 && b.parent == i - 1;
    if (b.parent >= 0 && !carried) add<A>(inertias[b.parent], s);
  }
  return sure;
}

/// Inwards: eliminates all degrees of freedom, and returns in which states that is beyond doubt. For one state
/// what is passed from a body to the next one stays in registers, and only branches go through
/// memory.
template <class A, class Joints>
[[gnu::always_inline]] inline Mask<A> sweep_inwards(const Joints& joints,
                                                    const Call<typename A::Scalar>& c,
                                                    ArticulatedBody<A>* x, DofTerms<A>* dofs,
                                                    ArticulatedInertia<A>* inertias,
                                                    typename A::Scalar* result) noexcept {
  using S = typename A::Scalar;
  Mask<A> sure = S(0) == S(0);
  bool carried = false;
  ArticulatedInertia<A> carry{};
  for (int i = c.n - 1; i >= 0; --i) {
    const EngineBody& b = c.bodies[i];
    ArticulatedInertia<A> s = own_inertia<A>(c, i, x[i]);
    if (carried) add<A>(s, carry);
    if (b.branches) add<A>(s, inertias[i]);
    sure = eliminate_joint<A>(joints, c, i, x[i], s, dofs, result) && sure;
    carried = b.parent >= 0 && b.parent == i - 1;
    carry = s;
    if (b.parent >= 0 && !carried) add<A>(inertias[b.parent], s);
  }
  return sure;
}

template <class A, class Joints>
[[gnu::always_inline]] inline Mask<A> forward_dynamics(const Joints& joints,
                                                       const Call<typename A::Scalar>& c,
                                                       typename A::Scalar* result) noexcept {
  auto* x = static_cast<ArticulatedBody<A>*>(c.scratch);
  auto* dofs = reinterpret_cast<DofTerms<A>*>(x + c.n);
  auto* inertias = reinterpret_cast<ArticulatedInertia<A>*>(dofs + c.nv);
  ArticulatedBody<A> last{};
  for (int i = 0; i < c.n; ++i) {
    const EngineBody& b = c.bodies[i];
    if (b.branches) inertias[i] = no_inertia<A>();
    if constexpr (A::block == 1) {
      x[i] = start_body<A>(c, i, b.parent < 0 ? nullptr : x + b.parent);
    } else {  // the body before stays in registers
      if (b.parent >= 0 && b.parent != i - 1) last = x[b.parent];
      last = b.parent < 0 ? start_body<A>(c, i, nullptr) : start_body<A>(c, i, &last);
      x[i] = last;
    }
  }
  Mask<A> sure;
  if constexpr (A::block == 1)
    sure = sweep_packs_inwards<A>(joints, c, x, dofs, inertias, result);
  else
    sure = sweep_inwards<A>(joints, c, x, dofs, inertias, result);
  const Six<A> world{A::zero(), A::load(c.world)};
  if constexpr (Joints::coupled) {
    const CoupledBody& b = joints.of.bodies[c.n];
    sure = eliminate_groups<A>(joints, b, nullptr) && sure;
    accelerate_groups<A>(joints, b, world);
  }
  Six<A> motion = world;
  for (int i = 0; i < c.n; ++i) {
    const EngineBody& b = c.bodies[i];
    if (b.parent < 0)
      motion = world;
    else if (b.parent != i - 1)
      motion = x[b.parent].rate;
    motion = accelerate<A>(joints, c, i, x[i], motion, dofs, result);
    if (b.branches) x[i].rate = motion;
  }
  return sure;
}

/// c.a holds the joint forces. Returns for each state whether all inertias are beyond doubt: if not,
/// a degree of freedom may have been locked that should not, or not locked that should.
template <class A>
Mask<A> forward_dynamics(const Call<typename A::Scalar>& c, typename A::Scalar* result) noexcept {
  return forward_dynamics<A>(FreeJoints<A>{}, c, result);
}
/// The same of a tree with coupled joints.
template <class A>
Mask<A> coupled_forward_dynamics(const Call<typename A::Scalar>& c,
                                 typename A::Scalar* result) noexcept {
  return forward_dynamics<A>(CoupledJoints<A>(c), c, result);
}

}  // namespace axode::engine
