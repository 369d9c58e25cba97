// Poses of all bodies in the user's frames, and the joint screws in the world.
#pragma once
#include "axode/engine/world.inl"

namespace axode::engine {

/// T_WB of the tree's bodies, twelve numbers each (axes x, y, z and origin), and if wanted the screws
/// of all velocities in world axes about the world's origin, six numbers each.
template <class A>
void poses(const Call<typename A::Scalar>& c, const EnginePlaces& places, typename A::Scalar* T_WB,
           typename A::Scalar* screws) noexcept {
  using S = typename A::Scalar;
  auto* x = static_cast<Place<A>*>(c.scratch);
  const int *order = places.order, *end = order + places.count;
  for (; order != end && places.of[*order].engine_body < 0; ++order)
    for (int k = 0; k < 12; ++k) T_WB[12 * *order + k] = S(places.of[*order].T_EB[k]);
  Place<A> last;
  for (int i = 0; i < c.n; ++i) {
    const EngineBody& b = c.bodies[i];
    const Place<A>* p = b.parent < 0 ? nullptr : b.parent == i - 1 ? &last : x + b.parent;
    Place<A> at = place<A>(c, i, p ? &p->R : nullptr);
    if (p) at.r += p->r;
    last = at;
    if (b.branches) x[i] = at;
    for (; order != end && places.of[*order].engine_body == i; ++order) {
      const double* T = places.of[*order].T_EB;
      A::put_all(rotate<A>(at.R, T), rotate<A>(at.R, T + 3), rotate<A>(at.R, T + 6),
                 at.r + rotate<A>(at.R, T + 9), T_WB + 12 * *order);
    }
    for (int k = 0; screws && k < b.nv; ++k) {
      const Six<A> X = joint_screw<A>(c, b, at.R, k);
      A::put(X.angular, screws + 6 * (b.v + k));
      A::put(X.linear + cross(at.r, X.angular), screws + 6 * (b.v + k) + 3);
    }
  }
}

}  // namespace axode::engine
