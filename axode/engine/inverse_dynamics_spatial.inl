// Inverse dynamics in spatial representation, about the origin of the first body of each tree on the
// world: nothing is moved between bodies, wrenches are summed [MuellerDyn (68)-(71)].
#pragma once
#include "axode/engine/composite.inl"

namespace axode::engine {

template <class A>
struct SpatialBody {
  Axes<A> R;
  typename A::Vector p;
  Six<A> twist, acceleration, wrench;
};

template <class A>
void inverse_dynamics_spatial(const Call<typename A::Scalar>& c, typename A::Scalar* tau) noexcept {
  auto* x = static_cast<SpatialBody<A>*>(c.scratch);
  for (int i = 0; i < c.n; ++i) {
    const EngineBody& b = c.bodies[i];
    SpatialBody<A>& s = x[i];
    const SpatialBody<A>* parent = b.parent < 0 ? nullptr : x + b.parent;
    const Place<A> at = place<A>(c, i, parent ? &parent->R : nullptr);
    s.R = at.R;
    s.p = parent ? parent->p + at.r : A::zero();
    Six<A> U, rate;
    if (b.joint == EngineJoint::revolute) [[likely]] {
      const Six<A> X{at.R.z, cross(s.p, at.R.z)};
      U = X * c.v[b.v];
      rate = X * c.a[b.v];
    } else {
      Relative<A> m = relative_motion<A>(c, b, at.R, c.a);
      m.acceleration.linear -= cross(m.velocity.angular, m.velocity.linear);
      U = move_screw<A>(m.velocity, s.p);
      rate = move_screw<A>(m.acceleration, s.p);
    }
    Six<A> V = U, acc = rate;
    if (parent) {
      V += parent->twist;
      acc += parent->acceleration + bracket<A>(parent->twist, U);
    } else {
      acc.linear += A::load(c.world);
    }
    const InertiaSum<A> I = inertia_at<A>(b, c.centres[i], at.R, s.p);
    const Six<A> P = times<A>(I, V), F = times<A>(I, acc);
    s.twist = V;
    s.acceleration = acc;
    s.wrench = {F.angular + cross(V.angular, P.angular) + cross(V.linear, P.linear),
                F.linear + cross(V.angular, P.linear)};
    if (c.external) {
      const auto f = rotate<A>(at.R, c.external + 8 * i + 4);
      s.wrench = s.wrench - Six<A>{rotate<A>(at.R, c.external + 8 * i) + cross(s.p, f), f};
    }
  }
  for (int i = c.n - 1; i >= 0; --i) {
    const EngineBody& b = c.bodies[i];
    const SpatialBody<A>& s = x[i];
    if (b.joint == EngineJoint::revolute) [[likely]] {
      tau[b.v] = dot<A>({s.R.z, cross(s.p, s.R.z)}, s.wrench);
    } else {
      const Six<A> own{s.wrench.angular - cross(s.p, s.wrench.linear), s.wrench.linear};
      other_forces<A>(c, b, s.R, own, tau);
    }
    if (b.parent >= 0) x[b.parent].wrench += s.wrench;
  }
}

}  // namespace axode::engine
