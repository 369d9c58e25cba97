// The mass matrix by composite inertias: M_kj = S_j . (I_k S_k), j on the path to k.
#pragma once
#include "axode/engine/composite.inl"

namespace axode::engine {

template <class A>
struct CompositeBody {
  Axes<A> R;
  typename A::Vector p;
  InertiaSum<A> inertia;
};

/// The row of velocity k, d-th on its path, with the screw X.
template <class A>
[[gnu::always_inline]] inline void mass_row(const Call<typename A::Scalar>& c, int k, int d,
                                            const Six<A>& X, const InertiaSum<A>& inertia,
                                            const PathStack<A>& stack,
                                            const Rows<typename A::Scalar>& M) noexcept {
  using S = typename A::Scalar;
  stack.push(0, d, X.angular);
  stack.push(3, d, X.linear);
  const Components<A> F(times<A>(inertia, X));
  S* row = M.values + M.first[k];
  const S* from = stack.at(0, d);
  for (int t = 0; t <= d; t += A::block)
    A::write(block_dot<A>(stack, from, t, F), row + t, d + 1 - t);
  M.scale[k] = S(c.scale[k]);
  if (c.armature) *row += S(c.armature[k]);
}

/// The rows of a free body on the world, from which all is measured.
template <class A>
[[gnu::noinline]] void free_rows(const Call<typename A::Scalar>& c, const EngineBody& b,
                                 const CompositeBody<A>& s, const PathStack<A>& stack,
                                 const Rows<typename A::Scalar>& M) noexcept {
  using S = typename A::Scalar;
  const Axes<A>& R = s.R;
  const typename A::Vector axes[3] = {R.x, R.y, R.z};
  S moments[3][4], h[4];
  for (int k = 0; k < 3; ++k) {
    stack.push(0, k, axes[k]);
    stack.push(3, k, A::zero());
    stack.push(0, 3 + k, A::zero());
    stack.push(3, 3 + k, axes[k]);
    A::put(A::transpose_times(R, A::times(s.inertia.moments, axes[k])), moments[k]);
  }
  A::put(A::transpose_times(R, s.inertia.first), h);
  const S zero(0), mass = s.inertia.mass;
  const S coupling[3][3] = {{zero, h[2], -h[1]}, {-h[2], zero, h[0]}, {h[1], -h[0], zero}};
  for (int k = 0; k < 6; ++k) {
    S* row = M.values + M.first[b.v + k];
    for (int j = k; j >= 0; --j, ++row)
      *row = k < 3 ? moments[k][j] : j < 3 ? coupling[k - 3][j] : j == k ? mass : zero;
    M.scale[b.v + k] = S(c.scale[b.v + k]);
    if (c.armature) M.values[M.first[b.v + k]] += S(c.armature[b.v + k]);
  }
}

template <class A>
void mass_matrix(const Call<typename A::Scalar>& c, const Rows<typename A::Scalar>& M) noexcept {
  using S = typename A::Scalar;
  auto* x = static_cast<CompositeBody<A>*>(c.scratch);
  const PathStack<A> stack{reinterpret_cast<S*>(x + c.n), c.path, PathStack<A>::stride_for(c.path)};
  for (int k = 0; k < 6; ++k) stack.clear_end(k);
  for (int i = 0; i < c.n; ++i) {
    const EngineBody& b = c.bodies[i];
    CompositeBody<A>& s = x[i];
    const Place<A> at = place<A>(c, i, b.parent < 0 ? nullptr : &x[b.parent].R);
    const typename A::Vector p = b.parent < 0 ? A::zero() : x[b.parent].p + at.r;
    s.R = at.R;
    s.p = p;
    s.inertia = inertia_at<A>(b, c.centres[i], at.R, p);
  }
  for (int i = c.n - 1; i > 0; --i)
    if (const int p = c.bodies[i].parent; p >= 0) add<A>(x[p].inertia, x[i].inertia);
  for (int i = 0; i < c.n; ++i) {
    const EngineBody& b = c.bodies[i];
    const CompositeBody<A>& s = x[i];
    if (b.joint == EngineJoint::revolute) [[likely]] {
      mass_row<A>(c, b.v, b.depth, {s.R.z, cross(s.p, s.R.z)}, s.inertia, stack, M);
    } else if (b.joint == EngineJoint::free && b.parent < 0) {
      free_rows<A>(c, b, s, stack, M);
    } else {
      for (int k = 0; k < b.nv; ++k)
        mass_row<A>(c, b.v + k, b.depth + k, move_screw<A>(other_screw<A>(c, b, s.R, k), s.p),
                    s.inertia, stack, M);
    }
  }
}

}  // namespace axode::engine
