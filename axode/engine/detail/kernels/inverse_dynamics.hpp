// Inverse dynamics in the bodies' engine frames: of the four representations the one with the fewest
// products [MuellerDyn (65)-(67)].
#pragma once
#include "axode/engine/detail/kernels/world.hpp"

namespace axode::engine {

template <class A>
struct LocalBody {
  typename A::Vector w, alpha, a, force, torque;
};

/// Axes of E in the parent's frame, of a joint that is not revolute.
template <class A>
[[gnu::noinline]] Place<A> place_in_parent(const Call<typename A::Scalar>& c, int i) noexcept {
  return place<A>(c, i, nullptr);
}

/// A body on a joint that is not revolute: outwards.
template <class A>
[[gnu::noinline]] void local_motion(const Call<typename A::Scalar>& c, int i, const LocalBody<A>* p,
                                    LocalBody<A>& s) noexcept {
  using V = typename A::Vector;
  const EngineBody& b = c.bodies[i];
  const Place<A> at = place_in_parent<A>(c, i);
  const Axes<A> own = A::template identity<Axes<A>>();
  const Relative<A> m = relative_motion<A>(c, b, own, c.a);
  s.w = m.velocity.angular;
  s.alpha = m.acceleration.angular;
  s.a = m.acceleration.linear;
  if (!p) {
    s.a += A::transpose_times(at.R, A::load(c.world));
    return;
  }
  const V w = A::transpose_times(at.R, p->w), twice = cross(w, m.velocity.linear);
  s.w += w;
  s.alpha += A::transpose_times(at.R, p->alpha) + cross(w, m.velocity.angular);
  s.a += A::transpose_times(at.R, p->a + A::apply(A::spin(p->w, p->alpha), at.r)) + twice + twice;
}

/// Its joint forces, inwards, of the wrench W it transmits. Returns W in the parent's frame.
template <class A>
[[gnu::noinline]] Six<A> local_wrench(const Call<typename A::Scalar>& c, int i, const Six<A>& W,
                                      typename A::Scalar* tau) noexcept {
  const EngineBody& b = c.bodies[i];
  other_forces<A>(c, b, A::template identity<Axes<A>>(), W, tau);
  if (b.parent < 0) return W;
  const Place<A> at = place_in_parent<A>(c, i);
  const typename A::Vector f = A::times(at.R, W.linear);
  return {A::times(at.R, W.angular) + cross(at.r, f), f};
}

/// The wrench of body i on its parent, by a revolute joint.
template <class A>
[[gnu::always_inline]] inline Six<A> wrench_on_parent(const Call<typename A::Scalar>& c, int i,
                                                      const Six<A>& W) noexcept {
  const auto& k = A::constants(c.bodies[i], c.forms, i);
  const typename A::Turn turn = A::turn(k, c.cosine[i], c.sine[i]);
  const typename A::Vector f = A::up(turn, W.linear);
  return {A::up(turn, W.angular) + A::cross_fixed(k.position, f), f};
}

template <class A>
void inverse_dynamics(const Call<typename A::Scalar>& c, typename A::Scalar* tau) noexcept {
  using S = typename A::Scalar;
  using V = typename A::Vector;
  auto* x = static_cast<LocalBody<A>*>(c.scratch);
  for (int i = 0; i < c.n; ++i) {
    const EngineBody& b = c.bodies[i];
    const auto& k = A::constants(b, c.forms, i);
    LocalBody<A>& s = x[i];
    if (b.joint == EngineJoint::revolute) [[likely]] {
      const typename A::Turn turn = A::turn(k, c.cosine[i], c.sine[i]);
      const S &qd = c.v[b.v], &qdd = c.a[b.v];
      if (b.parent < 0) {
        s.w = A::along_z(qd);
        s.alpha = A::along_z(qdd);
        s.a = A::down(turn, A::load(c.world));
      } else {
        const LocalBody<A>& p = x[b.parent];
        const V u = A::down(turn, p.w);
        s.w = u + A::along_z(qd);
        s.alpha = A::down(turn, p.alpha) + A::cross_z(u, qd) + A::along_z(qdd);
        s.a = A::down(turn, p.a + A::apply(A::spin(p.w, p.alpha), k.position));
      }
    } else {
      local_motion<A>(c, i, b.parent < 0 ? nullptr : x + b.parent, s);
    }
    const V w = s.w, alpha = s.alpha, a = s.a;
    s.force = a * S(b.mass) + A::apply(A::spin(w, alpha), k.moment);
    s.torque =
        A::times(k.inertia, alpha) + cross(w, A::times(k.inertia, w)) + A::cross_fixed(k.moment, a);
    if (c.external) {
      s.torque -= A::take(c.external + 8 * i);
      s.force -= A::take(c.external + 8 * i + 4);
    }
  }
  // W_i = sum Ad^T W_c + M V' - ad_V^T M V (67). Along a chain W stays in registers: each load of
  // what was just stored would wait for that store, sometimes much longer than for the arithmetic.
  Six<A> W{A::zero(), A::zero()};
  for (int i = c.n - 1; i >= 0; --i) {
    const EngineBody& b = c.bodies[i];
    W += {x[i].torque, x[i].force};
    if (b.joint == EngineJoint::revolute) [[likely]] {
      tau[b.v] = A::z(W.angular);
      if (b.parent >= 0) W = wrench_on_parent<A>(c, i, W);
    } else {
      const Six<A> own = W;  // by a copy, so that W stays in registers
      W = local_wrench<A>(c, i, own, tau);
    }
    if (b.parent == i - 1) continue;
    if (b.parent >= 0) {
      LocalBody<A>& p = x[b.parent];
      p.torque += W.angular;
      p.force += W.linear;
    }
    W = {A::zero(), A::zero()};
  }
}

}  // namespace axode::engine
