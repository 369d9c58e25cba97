// The mass matrix by composite inertias: M_kj = S_j . (I_k S_k), j on the path to k.
#pragma once
#include "axode/engine/detail/kernels/composite.hpp"

namespace axode::engine {

/// A screw, and the momentum it gives all that it moves.
template <class A>
struct MassTerm {
  Six<A> screw, momentum;
};

/// Memory mass_matrix() works in.
template <class A>
constexpr std::size_t mass_matrix_bytes(std::size_t n, std::size_t nv, std::size_t path) noexcept {
  return n * (sizeof(Place<A>) + sizeof(InertiaSum<A>)) + nv * sizeof(MassTerm<A>) +
         (path + A::block) * sizeof(Six<A>);
}

/// The components of a momentum, as entries of six degrees of freedom at the root.
template <class A>
[[gnu::always_inline]] inline void put_backwards(const Six<A>& F, typename A::Scalar* to) noexcept {
  A::scatter(F.linear, to + 2, -1);
  A::scatter(F.angular, to + 5, -1);
}

/// The row of velocity k, d-th on its path. Of `top` degrees of freedom at the root the screws are the unit
/// vectors: their entries are the components of the momentum.
template <class A>
[[gnu::always_inline]] inline void mass_row(int k, int d, int top, const MassTerm<A>& term,
                                            const PathStack<A>& stack,
                                            const Rows<typename A::Scalar>& M) noexcept {
  using S = typename A::Scalar;
  *stack.at(d) = term.screw;
  const Six<A> F = term.momentum;
  S* row = M.values + M.first[k];
  const Six<A>* from = stack.at(d);
  const int length = d + 1 - top;
  for (int t = 0; t < length; t += A::block) A::write(A::dots(from + t, F), row + t, length - t);
  if (top > 0) put_backwards<A>(F, row + length);
}

/// The rows of a free body on the world: its inertia, [moments, skew(first); -skew(first), mass 1].
template <class A>
[[gnu::noinline]] void free_rows(int v, const InertiaSum<A>& inertia,
                                 const Rows<typename A::Scalar>& M) noexcept {
  using S = typename A::Scalar;
  S x[3], y[3], z[3], h[3];
  const Axes<A> I = A::template columns<Axes<A>>(inertia.moments);
  A::put(I.x, x), A::put(I.y, y), A::put(I.z, z), A::put(inertia.first, h);
  const S m = inertia.mass, none(0);
  const auto write = [&](int k, const auto&... numbers) {
    S* row = M.values + M.first[v + k];
    ((*row++ = numbers), ...);
  };
  write(0, x[0]);
  write(1, y[1], y[0]);
  write(2, z[2], z[1], z[0]);
  write(3, m, -h[1], h[2], none);
  write(4, m, none, h[0], none, -h[2]);
  write(5, m, none, none, none, -h[0], h[1]);
}

template <class A>
[[gnu::always_inline]] inline InertiaSum<A> nothing() noexcept {
  using S = typename A::Scalar;
  return {A::scalar_matrix(S(0)), A::zero(), S(0)};
}

/// Outwards: where the bodies are, seen from the first body of their tree on the world. M does not
/// depend on where that is, so that its own coordinates are never looked at. Clears the sums.
template <class A>
[[gnu::always_inline]] inline void place_all(const Call<typename A::Scalar>& c, Place<A>* places,
                                             InertiaSum<A>* sums) noexcept {
  Place<A> last{A::template identity<Axes<A>>(), A::zero()};
  for (int i = 0; i < c.n; ++i) {
    const EngineBody& b = c.bodies[i];
    if (b.parent < 0) {
      last = {A::template identity<Axes<A>>(), A::zero()};
    } else if (c.bodies[b.parent].parent < 0) {
      last = place<A>(c, i, nullptr);
    } else {
      if (b.parent != i - 1) last = places[b.parent];
      const Place<A> at = place<A>(c, i, &last.R);
      last = {at.R, last.r + at.r};
    }
    places[i] = last;
    if (b.branches) sums[i] = nothing<A>();
  }
}

/// The terms of a joint that is not revolute; of a free body on the world the rows.
template <class A>
[[gnu::noinline]] void other_terms(const Call<typename A::Scalar>& c, const EngineBody& b,
                                   const Place<A>& at, const InertiaSum<A>& inertia,
                                   MassTerm<A>* terms, const Rows<typename A::Scalar>& M) noexcept {
  if (b.parent < 0 && b.joint == EngineJoint::free) return free_rows<A>(b.v, inertia, M);
  for (int k = 0; k < b.nv; ++k) {
    const Six<A> X = move_screw<A>(other_screw<A>(c, b, at.R, k), at.r);
    terms[b.v + k] = {X, times<A>(inertia, X)};
  }
}

template <class A>
void mass_matrix(const Call<typename A::Scalar>& c, const Rows<typename A::Scalar>& M) noexcept {
  using S = typename A::Scalar;
  auto* places = static_cast<Place<A>*>(c.scratch);
  auto* sums = reinterpret_cast<InertiaSum<A>*>(places + c.n);  // of branches but the next body
  auto* terms = reinterpret_cast<MassTerm<A>*>(sums + c.n);
  const PathStack<A> stack{reinterpret_cast<Six<A>*>(terms + c.nv), c.path};
  stack.clear_end();
  place_all<A>(c, places, sums);
  // Inwards: what is passed from a body to the one before it stays in registers.
  InertiaSum<A> inertia = nothing<A>();
  for (int i = c.n - 1; i >= 0; --i) {
    const EngineBody& b = c.bodies[i];
    if (b.branches) add<A>(inertia, sums[i]);
    if (b.parent < 0)
      add<A>(inertia, {A::symmetric(b.inertia), A::load(b.moment), S(b.mass)});
    else
      add<A>(inertia, inertia_at<A>(b, c.centres[i], places[i].R, places[i].r));
    if (b.joint == EngineJoint::revolute) [[likely]] {
      const Six<A> X{places[i].R.z, cross(places[i].r, places[i].R.z)};
      terms[b.v] = {X, times<A>(inertia, X)};
    } else {
      const InertiaSum<A> all = inertia;  // NOLINT: so that it need not have an address itself
      other_terms<A>(c, b, places[i], all, terms, M);
    }
    if (b.parent == i - 1 && i > 0) continue;
    if (b.parent >= 0) add<A>(sums[b.parent], inertia);
    inertia = nothing<A>();
  }
  for (int k = 0; k < c.nv; ++k) M.scale[k] = S(c.scale[k]);
  int top = 0;
  for (int i = 0; i < c.n; ++i) {
    const EngineBody& b = c.bodies[i];
    if (b.parent < 0) {
      top = b.joint == EngineJoint::free ? 6 : 0;
      if (top > 0) continue;
    }
    for (int k = 0; k < b.nv; ++k) mass_row<A>(b.v + k, b.depth + k, top, terms[b.v + k], stack, M);
  }
  for (int k = 0; c.armature && k < c.nv; ++k) M.values[M.first[k]] += S(c.armature[k]);
}

}  // namespace axode::engine
