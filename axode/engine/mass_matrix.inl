// The mass matrix by composite inertias: M_kj = S_j . (I_k S_k), j on the path to k.
#pragma once
#include "axode/engine/composite.inl"

namespace axode::engine {

template <class A>
struct CompositeBody {
  Axes<A> R;
  typename A::Vector p;
  InertiaSum<A> inertia;
  int top;  ///< freedoms of a free root
};

/// The components of a momentum, as entries of six freedoms at the root.
template <class A>
[[gnu::always_inline]] inline void put_backwards(const Six<A>& F, typename A::Scalar* to) noexcept {
  A::scatter(F.linear, to + 2, -1);
  A::scatter(F.angular, to + 5, -1);
}

/// The row of velocity k, d-th on its path, with the screw X. Of `top` freedoms at the root the screws
/// are the unit vectors: their entries are the components of the momentum.
template <class A>
[[gnu::always_inline]] inline void mass_row(const Call<typename A::Scalar>& c, int k, int d,
                                            int top, const Six<A>& X, const InertiaSum<A>& inertia,
                                            const PathStack<A>& stack,
                                            const Rows<typename A::Scalar>& M) noexcept {
  using S = typename A::Scalar;
  *stack.at(d) = X;
  const Six<A> F = times<A>(inertia, X);
  S* row = M.values + M.first[k];
  const Six<A>* from = stack.at(d);
  const int length = d + 1 - top;
  for (int t = 0; t < length; t += A::block) A::write(A::dots(from + t, F), row + t, length - t);
  if (top > 0) put_backwards<A>(F, row + length);
  M.scale[k] = S(c.scale[k]);
  if (c.armature) *row += S(c.armature[k]);
}

/// The rows of a free body on the world.
template <class A>
[[gnu::noinline]] void free_rows(const Call<typename A::Scalar>& c, const EngineBody& b,
                                 const InertiaSum<A>& inertia,
                                 const Rows<typename A::Scalar>& M) noexcept {
  using S = typename A::Scalar;
  const Axes<A> own = A::template identity<Axes<A>>();
  const typename A::Vector none = A::zero();
  const Six<A> unit[6] = {{own.x, none}, {own.y, none}, {own.z, none},
                          {none, own.x}, {none, own.y}, {none, own.z}};
  for (int k = 0; k < 6; ++k) {
    S entries[6];
    put_backwards<A>(times<A>(inertia, unit[k]), entries);
    S* row = M.values + M.first[b.v + k];
    for (int j = 0; j <= k; ++j) row[j] = entries[5 - k + j];
    M.scale[b.v + k] = S(c.scale[b.v + k]);
    if (c.armature) *row += S(c.armature[b.v + k]);
  }
}

/// All is seen from the first body of each tree on the world: M does not depend on where that is, so
/// that its own coordinates are never looked at.
template <class A>
void mass_matrix(const Call<typename A::Scalar>& c, const Rows<typename A::Scalar>& M) noexcept {
  using S = typename A::Scalar;
  auto* x = static_cast<CompositeBody<A>*>(c.scratch);
  const PathStack<A> stack{reinterpret_cast<Six<A>*>(x + c.n), c.path};
  stack.clear_end();
  for (int i = 0; i < c.n; ++i) {
    const EngineBody& b = c.bodies[i];
    CompositeBody<A>& s = x[i];
    if (b.parent < 0) {
      s.R = A::template identity<Axes<A>>();
      s.p = A::zero();
      s.inertia = {A::symmetric(b.inertia), A::load(b.moment), S(b.mass)};
      s.top = b.joint == EngineJoint::free ? 6 : 0;
      continue;
    }
    const CompositeBody<A>& parent = x[b.parent];
    const bool on_root = c.bodies[b.parent].parent < 0;
    const Place<A> at = place<A>(c, i, on_root ? nullptr : &parent.R);
    s.R = at.R;
    s.p = on_root ? at.r : parent.p + at.r;
    s.inertia = inertia_at<A>(b, c.centres[i], at.R, s.p);
    s.top = parent.top;
  }
  for (int i = c.n - 1; i > 0; --i)
    if (const int p = c.bodies[i].parent; p >= 0) add<A>(x[p].inertia, x[i].inertia);
  for (int i = 0; i < c.n; ++i) {
    const EngineBody& b = c.bodies[i];
    const CompositeBody<A>& s = x[i];
    if (b.joint == EngineJoint::revolute) [[likely]] {
      mass_row<A>(c, b.v, b.depth, s.top, {s.R.z, cross(s.p, s.R.z)}, s.inertia, stack, M);
    } else if (b.parent < 0 && s.top == 6) {
      free_rows<A>(c, b, s.inertia, M);
    } else {
      for (int k = 0; k < b.nv; ++k)
        mass_row<A>(c, b.v + k, b.depth + k, s.top,
                    move_screw<A>(other_screw<A>(c, b, s.R, k), s.p), s.inertia, stack, M);
    }
  }
}

}  // namespace axode::engine
