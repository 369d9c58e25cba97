// Inverse dynamics in mixed representation: angular parts in the bodies' axes, linear parts at their
// origins in world axes [MuellerDyn (56)-(57)].
#pragma once
#include "axode/engine/inverse_dynamics_body.inl"

namespace axode::engine {

template <class A>
struct MixedBody {
  Axes<A> R, local;                        ///< in the world, in the parent
  typename A::Vector r, w, alpha, torque;  ///< in the parent's, then in the body's axes
  typename A::Vector a, force;             ///< in world axes
};

template <class A>
void inverse_dynamics_mixed(const Call<typename A::Scalar>& c, typename A::Scalar* tau) noexcept {
  using S = typename A::Scalar;
  using V = typename A::Vector;
  auto* x = static_cast<MixedBody<A>*>(c.scratch);
  const Axes<A> own = A::template identity<Axes<A>>();
  for (int i = 0; i < c.n; ++i) {
    const EngineBody& b = c.bodies[i];
    const auto& k = A::constants(b, c.forms, i);
    MixedBody<A>& s = x[i];
    const Place<A> at = place<A>(c, i, nullptr);
    s.local = at.R;
    s.r = at.r;
    Relative<A> m{{A::zero(), A::zero()}, {A::zero(), A::zero()}};
    const bool revolute = b.joint == EngineJoint::revolute;
    if (revolute) [[likely]] {
      m.velocity.angular = A::along_z(c.v[b.v]);
      m.acceleration.angular = A::along_z(c.a[b.v]);
    } else {
      m = relative_motion<A>(c, b, own, c.a);
    }
    s.w = m.velocity.angular;
    s.alpha = m.acceleration.angular;
    if (b.parent < 0) {
      s.R = at.R;
      s.a = A::load(c.world);
    } else {
      const MixedBody<A>& p = x[b.parent];
      s.R = {A::times(p.R, at.R.x), A::times(p.R, at.R.y), A::times(p.R, at.R.z)};
      const V w = A::transpose_times(at.R, p.w);
      s.w += w;
      s.alpha += A::transpose_times(at.R, p.alpha) + cross(w, m.velocity.angular);
      const V twice = cross(w, m.velocity.linear);
      m.acceleration.linear += twice + twice;
      s.a = p.a + A::times(p.R, A::apply(A::spin(p.w, p.alpha), at.r));
    }
    if (!revolute) s.a += A::times(s.R, m.acceleration.linear);
    const V w = s.w, alpha = s.alpha, a = s.a;
    s.force = a * S(b.mass) + A::times(s.R, A::apply(A::spin(w, alpha), k.moment));
    s.torque = A::times(k.inertia, alpha) + cross(w, A::times(k.inertia, w)) +
               A::cross_fixed(k.moment, A::transpose_times(s.R, a));
    if (c.external) {
      s.torque -= A::take(c.external + 8 * i);
      s.force -= rotate<A>(s.R, c.external + 8 * i + 4);
    }
  }
  for (int i = c.n - 1; i >= 0; --i) {
    const EngineBody& b = c.bodies[i];
    const MixedBody<A>& s = x[i];
    if (b.joint == EngineJoint::revolute) [[likely]] {
      tau[b.v] = A::z(s.torque);
    } else {
      const Six<A> W{s.torque, A::transpose_times(s.R, s.force)};
      other_forces<A>(c, b, own, W, tau);
    }
    if (b.parent < 0) continue;
    MixedBody<A>& p = x[b.parent];
    p.force += s.force;
    p.torque += A::times(s.local, s.torque) + cross(s.r, A::transpose_times(p.R, s.force));
  }
}

}  // namespace axode::engine
