// Inverse dynamics in world axes, each body about its own origin [MuellerDyn (72), (75)-(76)].
#pragma once
#include "axode/engine/world.inl"

namespace axode::engine {

/// What bodies further out need of a body, and what its wrench needs on the way back: apart, since long
/// chains come from far memory.
template <class A>
struct HybridMotion {
  Axes<A> R;
  typename A::Vector w, alpha, a;
};
template <class A>
struct HybridWrench {
  typename A::Vector z, r, force, torque;
};

/// On a joint that is not revolute, r away from the origin of the parent p.
template <class A>
[[gnu::noinline]] HybridMotion<A> other_motion(const Call<typename A::Scalar>& c,
                                               const EngineBody& b, const HybridMotion<A>* p,
                                               const typename A::Vector& r,
                                               const Axes<A>& R) noexcept {
  const Relative<A> m = relative_motion<A>(c, b, R, c.a);
  HybridMotion<A> s;
  s.R = R;
  s.w = m.velocity.angular;
  s.alpha = m.acceleration.angular;
  s.a = m.acceleration.linear;
  if (p) {
    s.w += p->w;
    s.alpha += p->alpha + cross(p->w, m.velocity.angular);
    const auto twice = cross(p->w, m.velocity.linear);
    s.a += p->a + A::apply(A::spin(p->w, p->alpha), r) + twice + twice;
  } else {
    s.a += A::load(c.world);
  }
  return s;
}

template <class A>
void inverse_dynamics_hybrid(const Call<typename A::Scalar>& c, typename A::Scalar* tau) noexcept {
  using S = typename A::Scalar;
  using V = typename A::Vector;
  auto* motions = static_cast<HybridMotion<A>*>(c.scratch);
  auto* wrenches = reinterpret_cast<HybridWrench<A>*>(motions + c.n);
  HybridMotion<A> last{};
  for (int i = 0; i < c.n; ++i) {
    const EngineBody& b = c.bodies[i];
    const bool root = b.parent < 0;
    if (!root && b.parent != i - 1) last = motions[b.parent];
    const HybridMotion<A> p = last;
    const Place<A> at = root ? place<A>(c, i, nullptr) : place<A>(c, i, &p.R);
    const Axes<A> R = at.R;
    HybridMotion<A> s;
    if (b.joint == EngineJoint::revolute) [[likely]] {
      s.R = R;
      const S &qd = c.v[b.v], &qdd = c.a[b.v];
      if (!root) {
        const V zd = R.z * qd;
        s.w = p.w + zd;
        s.alpha = p.alpha + R.z * qdd + cross(p.w, zd);
        s.a = p.a + A::apply(A::spin(p.w, p.alpha), at.r);
      } else {
        s.w = R.z * qd;
        s.alpha = R.z * qdd;
        s.a = A::load(c.world);
      }
    } else {
      const HybridMotion<A> parent = p;
      s = other_motion<A>(c, b, root ? nullptr : &parent, at.r, R);
    }
    last = s;
    if (b.branches || b.joint != EngineJoint::revolute) motions[i] = s;
    const V w = s.w, alpha = s.alpha, a = s.a;
    const V h = rotate<A>(R, b.moment);
    const typename A::Symmetric I = A::congruence(R, b.inertia);
    HybridWrench<A>& t = wrenches[i];
    t.z = R.z;
    t.r = at.r;
    t.force = a * S(b.mass) + A::apply(A::spin(w, alpha), h);
    t.torque = A::times(I, alpha) + cross(w, A::times(I, w)) + cross(h, a);
    if (c.external) {
      t.torque -= rotate<A>(R, c.external + 8 * i);
      t.force -= rotate<A>(R, c.external + 8 * i + 4);
    }
  }
  for (int i = c.n - 1; i >= 0; --i) {
    const EngineBody& b = c.bodies[i];
    const HybridWrench<A>& s = wrenches[i];
    if (b.joint == EngineJoint::revolute) [[likely]] {
      tau[b.v] = A::dot(s.z, s.torque);
    } else {
      other_forces<A>(c, b, motions[i].R, {s.torque, s.force}, tau);
    }
    if (b.parent < 0) continue;
    HybridWrench<A>& p = wrenches[b.parent];
    p.force += s.force;
    p.torque += s.torque + cross(s.r, s.force);
  }
}

}  // namespace axode::engine
