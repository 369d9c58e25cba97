// Poses of all bodies in the user's frames, and the joint screws in the world.
#pragma once
#include "axode/engine/world.inl"

namespace axode::engine {

/// T_WB of the tree's bodies, twelve numbers each (axes x, y, z and origin), and if wanted the screws
/// of all velocities in world axes about the world's origin, six numbers each.
template <class A>
void poses(const Call<typename A::Scalar>& c, const EnginePlace* places, int count,
           typename A::Scalar* T_WB, typename A::Scalar* screws) noexcept {
  using V = typename A::Vector;
  auto* x = static_cast<Place<A>*>(c.scratch);
  for (int i = 0; i < c.n; ++i) {
    const EngineBody& b = c.bodies[i];
    const Place<A>* p = b.parent < 0 ? nullptr : x + b.parent;
    Place<A> at = place<A>(c, i, p ? &p->R : nullptr);
    if (p) at.r += p->r;
    x[i] = at;
    if (!screws) continue;
    for (int k = 0; k < b.nv; ++k) {
      const Six<A> X = joint_screw<A>(c, b, at.R, k);
      A::put(X.angular, screws + 6 * (b.v + k));
      A::put(X.linear + cross(at.r, X.angular), screws + 6 * (b.v + k) + 3);
    }
  }
  for (int i = 0; i < count; ++i) {
    const EnginePlace& place = places[i];
    typename A::Scalar* to = T_WB + 12 * i;
    const double* T = place.T_EB;
    if (place.engine_body < 0) {
      for (int k = 0; k < 12; ++k) to[k] = typename A::Scalar(T[k]);
      continue;
    }
    const Place<A>& at = x[place.engine_body];
    const V a = rotate<A>(at.R, T), b = rotate<A>(at.R, T + 3), d = rotate<A>(at.R, T + 6),
            p = at.r + rotate<A>(at.R, T + 9);
    A::put_all(a, b, d, p, to);
  }
}

}  // namespace axode::engine
