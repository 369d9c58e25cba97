// Poses of all bodies in the user's frames, and the joint screws in the world.
#pragma once
#include "axode/engine/detail/kernels/world.hpp"

namespace axode::engine {

/// A pose by the one of the frame it is given in.
template <class A, class T>
[[gnu::always_inline]] inline Place<A> moved_by(const Place<A>& at, const T* pose) noexcept {
  return {{rotate<A>(at.R, pose), rotate<A>(at.R, pose + 3), rotate<A>(at.R, pose + 6)},
          at.r + rotate<A>(at.R, pose + 9)};
}
template <class A>
[[gnu::always_inline]] inline void put(const Place<A>& at, typename A::Scalar* to) noexcept {
  A::put_all(at.R.x, at.R.y, at.R.z, at.r, to);
}

/// Joints that are neither revolute nor sliding.
template <class A>
[[gnu::noinline]] void general_step(const Call<typename A::Scalar>& c, const EngineStep& s,
                                    typename A::Scalar* T_PB) noexcept {
  const General<typename A::Scalar>& g = c.generals[s.general];
  const Place<A> E{{A::take(g.column[0]), A::take(g.column[1]), A::take(g.column[2])},
                   A::take(g.position)};
  const Place<A> B = moved_by<A>(E, s.fixed);
  const double* T = s.by_cos;
  const Axes<A> R{A::load(T), A::load(T + 3), A::load(T + 6)};
  put<A>({{A::times(R, B.R.x), A::times(R, B.R.y), A::times(R, B.R.z)},
          A::load(T + 9) + A::times(R, B.r)},
         T_PB);
}

/// The pose of a body in its parent's frame.
template <class A>
[[gnu::always_inline]] inline void step(const Call<typename A::Scalar>& c, const EngineStep& s,
                                        typename A::Scalar* T_PB) noexcept {
  using S = typename A::Scalar;
  if (s.general >= 0) [[unlikely]]
    return general_step<A>(c, s, T_PB);
  if (s.turn >= 0) [[likely]] {
    const S &cos = c.cosine[s.turn], &sin = c.sine[s.turn];
    for (int k = 0; k < 12; k += A::block)
      A::write(A::constant(s.fixed + k) + A::constant(s.by_cos + k) * cos +
                   A::constant(s.by_sin + k) * sin,
               T_PB + k, A::block);
  } else {
    for (int k = 0; k < 12; ++k) T_PB[k] = S(s.fixed[k]);
  }
  for (int k = 0; s.slides && k < 3; ++k) T_PB[9 + k] += c.q[s.q] * S(s.by_q[k]);
}

/// The screws of a body's joint.
template <class A>
[[gnu::always_inline]] inline void put_screws(const Call<typename A::Scalar>& c,
                                              const EngineStep& s, const double* screws,
                                              const Place<A>& at, typename A::Scalar* to) noexcept {
  for (int k = 0; k < s.nv; ++k) {
    Six<A> X;
    if (s.moving) [[unlikely]] {
      const auto* moving = c.generals[s.general].screw[k];
      X = {rotate<A>(at.R, moving), rotate<A>(at.R, moving + 4)};
    } else {
      const double* fixed = screws + std::ptrdiff_t{6} * (s.v + k);
      X = {rotate<A>(at.R, fixed), s.centred ? A::zero() : rotate<A>(at.R, fixed + 3)};
    }
    A::put_all(X.angular, X.linear + cross(at.r, X.angular), to + 6 * (s.v + k));
  }
}

/// T_WB of the tree's bodies, twelve numbers each (axes x, y, z and origin), and if requested the
/// screws of all velocities in world axes about the world's origin, six numbers each. First each in
/// its parent's frame, T_PB, which may be the same memory: that waits for nothing.
template <class A>
void poses(const Call<typename A::Scalar>& c, const EngineSteps& steps, typename A::Scalar* T_PB,
           typename A::Scalar* T_WB, typename A::Scalar* screws) noexcept {
  constexpr int some = 16;  // at a time, so that they are still in the cache
  const Place<A> world{A::template identity<Axes<A>>(), A::zero()};
  Place<A> last = world;
  for (int i = 0, next = 0; i < steps.count; ++i) {
    if (i == next) {
      next = steps.count - i < some ? steps.count : i + some;
      for (int k = i; k < next; ++k) step<A>(c, steps.of[k], T_PB + 12 * k);
    }
    const EngineStep& s = steps.of[i];
    if (s.parent < 0) {
      last = world;
    } else if (s.parent != i - 1) {
      const auto* T = T_WB + 12 * s.parent;
      last = {{A::take_packed(T), A::take_packed(T + 3), A::take_packed(T + 6)},
              A::take_packed(T + 9)};
    }
    last = moved_by<A>(last, T_PB + 12 * i);
    put<A>(last, T_WB + 12 * i);
    if (screws) put_screws<A>(c, s, steps.screws, last, screws);
  }
}

/// T_WB of these bodies, each listed after its parent, in the same way.
template <class A>
void path_poses(const Call<typename A::Scalar>& c, const EngineSteps& steps, const int* bodies,
                int count, typename A::Scalar* T_WB) noexcept {
  const Place<A> world{A::template identity<Axes<A>>(), A::zero()};
  Place<A> last = world;
  for (int k = 0; k < count; ++k) step<A>(c, steps.of[bodies[k]], T_WB + 12 * bodies[k]);
  for (int k = 0, before = -1; k < count; before = bodies[k++]) {
    const EngineStep& s = steps.of[bodies[k]];
    if (s.parent < 0) {
      last = world;
    } else if (s.parent != before) {
      const auto* T = T_WB + 12 * s.parent;
      last = {{A::take_packed(T), A::take_packed(T + 3), A::take_packed(T + 6)},
              A::take_packed(T + 9)};
    }
    last = moved_by<A>(last, T_WB + 12 * bodies[k]);
    put<A>(last, T_WB + 12 * bodies[k]);
  }
}

}  // namespace axode::engine
