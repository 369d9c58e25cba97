// Inverse dynamics in world axes, each body about its own origin [MuellerDyn (70)-(73)].
#pragma once
#include "axode/engine/world.inl"

namespace axode::engine {

template <class A>
struct HybridBody {
  Axes<A> R;
  typename A::Vector r, w, alpha, a, force, torque;
};

template <class A>
[[gnu::noinline]] void add_relative_motion(const Call<typename A::Scalar>& c, const EngineBody& b,
                                           const HybridBody<A>* p, HybridBody<A>& s) noexcept {
  const Relative<A> m = relative_motion<A>(c, b, s.R, c.a);
  s.w = m.velocity.angular;
  s.alpha = m.acceleration.angular;
  s.a = m.acceleration.linear;
  if (p) {
    s.w += p->w;
    s.alpha += p->alpha + cross(p->w, m.velocity.angular);
    const auto twice = cross(p->w, m.velocity.linear);
    s.a += p->a + A::apply(A::spin(p->w, p->alpha), s.r) + twice + twice;
  } else {
    s.a += A::load(c.world);
  }
}

template <class A>
void inverse_dynamics_hybrid(const Call<typename A::Scalar>& c, typename A::Scalar* tau) noexcept {
  using S = typename A::Scalar;
  using V = typename A::Vector;
  auto* x = static_cast<HybridBody<A>*>(c.scratch);
  for (int i = 0; i < c.n; ++i) {
    const EngineBody& b = c.bodies[i];
    HybridBody<A>& s = x[i];
    const HybridBody<A>* p = b.parent < 0 ? nullptr : x + b.parent;
    const Place<A> at = place<A>(c, i, p ? &p->R : nullptr);
    const Axes<A>& R = at.R;
    s.R = at.R;
    s.r = at.r;
    if (b.joint == EngineJoint::revolute) [[likely]] {
      const S &qd = c.v[b.v], &qdd = c.a[b.v];
      if (p) {
        const V zd = R.z * qd;
        s.w = p->w + zd;
        s.alpha = p->alpha + R.z * qdd + cross(p->w, zd);
        s.a = p->a + A::apply(A::spin(p->w, p->alpha), at.r);
      } else {
        s.w = R.z * qd;
        s.alpha = R.z * qdd;
        s.a = A::load(c.world);
      }
    } else {
      add_relative_motion<A>(c, b, p, s);
    }
    const V w = s.w, alpha = s.alpha, a = s.a;
    const V h = rotate<A>(R, b.moment);
    const typename A::Symmetric I = A::congruence(R, b.inertia);
    s.force = a * S(b.mass) + A::apply(A::spin(w, alpha), h);
    s.torque = A::times(I, alpha) + cross(w, A::times(I, w)) + cross(h, a);
    if (c.external) {
      s.torque -= rotate<A>(R, c.external + 8 * i);
      s.force -= rotate<A>(R, c.external + 8 * i + 4);
    }
  }
  for (int i = c.n - 1; i >= 0; --i) {
    const EngineBody& b = c.bodies[i];
    HybridBody<A>& s = x[i];
    if (b.joint == EngineJoint::revolute) [[likely]] {
      tau[b.v] = A::dot(s.R.z, s.torque);
    } else {
      other_forces<A>(c, b, s.R, {s.torque, s.force}, tau);
    }
    if (b.parent < 0) continue;
    HybridBody<A>& p = x[b.parent];
    p.force += s.force;
    p.torque += s.torque + cross(s.r, s.force);
  }
}

}  // namespace axode::engine
