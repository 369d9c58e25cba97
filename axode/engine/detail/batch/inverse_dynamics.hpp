// Inverse dynamics of many states in the bodies' frames, as engine/detail/kernels/inverse_dynamics.hpp, with
// the fewest products: the accelerations of a body's points are a matrix times where they are,
// which gives the wrench of the body as well as the accelerations of the joints it carries.
#pragma once
#include "axode/engine/detail/batch/batch_body.hpp"
#include "axode/engine/detail/kernels/inverse_dynamics.hpp"

namespace axode::batch {

template <class A>
struct Moving {
  typename A::Vector w, alpha, a;
  typename A::Spin spin;
};

/// A body on a joint that is not revolute.
template <class A, class P>
[[gnu::noinline]] engine::LocalBody<A> other_motion(const engine::Call<P>& c, int i,
                                                    const Moving<A>* p) noexcept {
  engine::LocalBody<A> parent, own;
  if (p) parent.w = p->w, parent.alpha = p->alpha, parent.a = p->a;
  engine::local_motion<A>(c, i, p ? &parent : nullptr, own);
  return own;
}

/// The wrench W on body i as its parent sees it, of a joint that is not revolute.
template <class A, class P>
[[gnu::noinline]] engine::Six<A> other_to_parent(const engine::Call<P>& c, int i,
                                                 const engine::Six<A>& W) noexcept {
  const engine::Place<A> at = engine::place_in_parent<A>(c, i);
  const Vec3<P> f = A::times(at.R, W.linear);
  return {A::times(at.R, W.angular) + cross(at.r, f), f};
}
template <class A, class P>
void inverse_dynamics(const engine::Call<P>& c, const BatchBody* constants, P* tau) noexcept {
  using V = typename A::Vector;
  auto* x = static_cast<Moving<A>*>(c.scratch);
  auto* wrenches = reinterpret_cast<engine::Six<A>*>(x + c.n + 1);
  // Those that carry no more than the next body share a place, which stays in the cache.
  const auto at = [&](int i) { return x + (c.bodies[i].branches ? i : c.n); };
  for (int i = 0; i < c.n; ++i) {
    const EngineBody& b = c.bodies[i];
    const Moving<A>* p = b.parent < 0 ? nullptr : at(b.parent);
    V w, alpha, a;
    if (b.joint == EngineJoint::revolute) [[likely]] {
      const typename A::Turn turn = A::turn(b, c.cosine[i], c.sine[i]);
      const P &qd = c.v[b.v], &qdd = c.a[b.v];
      if (p) {
        const V u = A::down(turn, p->w), rate = A::down(turn, p->alpha);
        w = {u.x, u.y, u.z + qd};
        alpha = {rate.x + u.y * qd, rate.y - u.x * qd, rate.z + qdd};
        a = A::down(turn, A::apply_onto(p->a, p->spin, b.position));
      } else {
        w = A::along_z(qd);
        alpha = A::along_z(qdd);
        a = A::down(turn, A::load(c.world));
      }
    } else if (b.joint == EngineJoint::free && !p) {
      const P *v = c.v + b.v, *rate = c.a + b.v, (&R)[3][4] = c.generals[b.general].column;
      const V g = A::load(c.world);
      w = A::take(v);
      alpha = A::take(rate);
      a = A::take(rate + 3) + cross(w, A::take(v + 3)) +
          V{dot(A::take(R[0]), g), dot(A::take(R[1]), g), dot(A::take(R[2]), g)};
    } else {
      const engine::LocalBody<A> s = other_motion<A>(c, i, p);
      w = s.w, alpha = s.alpha, a = s.a;
    }
    const typename A::Spin spin = A::spin(w, alpha);
    engine::Six<A> W{A::turning_moment(spin, b.inertia, constants[i].second),
                     A::apply_onto(a * P(b.mass), spin, b.moment)};
    const V h = A::load(b.moment);
    W.angular = {W.angular.x + h.y * a.z - h.z * a.y, W.angular.y + h.z * a.x - h.x * a.z,
                 W.angular.z + h.x * a.y - h.y * a.x};
    if (c.external) {
      W.angular -= A::take(c.external + 8 * i);
      W.linear -= A::take(c.external + 8 * i + 4);
    }
    wrenches[i] = W;
    *at(i) = {w, alpha, a, spin};
  }
  for (int i = c.n - 1; i >= 0; --i) {
    const EngineBody& b = c.bodies[i];
    const engine::Six<A>& W = wrenches[i];
    if (b.joint == EngineJoint::free && b.parent < 0) {
      A::put(W.angular, tau + b.v);
      A::put(W.linear, tau + b.v + 3);
      continue;
    }
    if (b.joint != EngineJoint::revolute) [[unlikely]] {
      engine::other_forces<A>(c, b, A::template identity<engine::Axes<A>>(), W, tau);
      if (b.parent >= 0) wrenches[b.parent] += other_to_parent<A>(c, i, W);
      continue;
    }
    tau[b.v] = W.angular.z;
    if (b.parent < 0) continue;
    engine::Six<A>& to = wrenches[b.parent];
    const typename A::Turn turn = A::turn(b, c.cosine[i], c.sine[i]);
    const V f = A::up(turn, W.linear), p = A::load(b.position), t = to.angular;
    to.linear += f;
    to.angular = A::up_onto(
        {t.x + p.y * f.z - p.z * f.y, t.y + p.z * f.x - p.x * f.z, t.z + p.x * f.y - p.y * f.x},
        turn, W.angular);
  }
}

}  // namespace axode::batch
