// Derivatives of inverse dynamics: the formulas of dynamics/derivatives.hpp for joints whose screws
// are constant in the body, all products along paths in blocks.
#pragma once
#include "axode/engine/composite.inl"
#include "axode/engine/kernels.hpp"

namespace axode::engine {

template <class A>
struct MotionSum {
  Axes<A> R;
  typename A::Vector p;
  Six<A> twist, acceleration;
  InertiaSum<A> inertia;
  Six<A> momentum, wrench;
  Axes<A> turning;  ///< X with Theta' = X + X^T
};

/// Outwards: the motion of body i, its momentum and wrench.
template <class A>
[[gnu::always_inline]] inline void start_sum(const Call<typename A::Scalar>& c, int i,
                                             MotionSum<A>* x) noexcept {
  const EngineBody& b = c.bodies[i];
  MotionSum<A>& s = x[i];
  const bool root = b.parent < 0;
  const MotionSum<A>& parent = x[root ? i : b.parent];
  const Place<A> at = place<A>(c, i, root ? nullptr : &parent.R);
  s.R = at.R;
  s.p = root ? A::zero() : parent.p + at.r;
  Six<A> U{A::zero(), A::zero()}, rate = U;
  for (int k = 0; k < b.nv; ++k) {
    const Six<A> X = screw_at<A>(c, b, s.R, s.p, k);
    U += X * c.v[b.v + k];
    rate += X * c.a[b.v + k];
  }
  Six<A> V = U, acc = rate;
  if (root) {
    acc.linear += A::load(c.world);
  } else {
    V += parent.twist;
    acc += parent.acceleration + bracket<A>(parent.twist, U);
  }
  const InertiaSum<A> I = inertia_at<A>(b, c.centres[i], s.R, s.p);
  const Six<A> P = times<A>(I, V), F = times<A>(I, acc);
  s.twist = V;
  s.acceleration = acc;
  s.inertia = I;
  s.momentum = P;
  s.wrench = {F.angular + cross(V.angular, P.angular) + cross(V.linear, P.linear),
              F.linear + cross(V.angular, P.linear)};
  if (c.external) {
    const auto f = rotate<A>(s.R, c.external + 8 * i + 4);
    s.wrench = s.wrench - Six<A>{rotate<A>(s.R, c.external + 8 * i) + cross(s.p, f), f};
  }
  // X = skew(w) Theta - h v^T + (v . h) 1
  const Axes<A> X = A::template skew_times<Axes<A>>(V.angular, I.moments);
  s.turning = A::plus_diagonal(A::minus_product(X, I.first, V.linear), A::dot(V.linear, I.first));
}

/// B X and B^T X of the sums of a body; h the momentum.
template <class A>
struct Turning {
  typename A::Symmetric rate;  ///< of the moments of inertia
  Six<A> momentum;
  [[gnu::always_inline]] Six<A> times(const Six<A>& X) const noexcept {
    const auto l = cross(X.angular, momentum.linear);
    return {A::times(rate, X.angular) - cross(momentum.angular, X.angular), l + l};
  }
  [[gnu::always_inline]] typename A::Vector transpose_times(const Six<A>& X) const noexcept {
    const auto l = cross(momentum.linear, X.linear);
    return A::times(rate, X.angular) + cross(momentum.angular, X.angular) + (l + l);
  }
};

/// The stack holds S, d acceleration/dq, d acceleration/dv, and the angular part of d twist/dq.
inline constexpr int stack_components = 21;

template <class A>
void write_entries(const Call<typename A::Scalar>& c, const EngineBody& b, const MotionSum<A>& s,
                   const Six<A>& V_p, const Six<A>& A_p, const PathStack<A>& stack,
                   const int* velocities, const DerivativeRows<typename A::Scalar>& out) noexcept {
  using S = typename A::Scalar;
  using B = typename A::Block;
  const Turning<A> turning{A::plus_twice_symmetric(A::scalar_matrix(S(0)), s.turning), s.momentum};
  // In Coriolis matrices the motion within the joint counts fully, which keeps dM/dt - 2C skew.
  const Six<A> both = (out.by_q ? V_p : s.twist) + s.twist;
  alignas(Six<A>) unsigned char memory[6 * sizeof(Six<A>)];  // an array would be set to zero first
  auto* own = reinterpret_cast<Six<A>*>(memory);
  for (int k = 0; k < b.nv; ++k) own[k] = screw_at<A>(c, b, s.R, s.p, k);
  const int above = b.depth;
  const auto n = static_cast<std::ptrdiff_t>(c.nv);
  for (int k = 0; k < b.nv; ++k) {
    const Six<A>& J = own[k];
    const std::ptrdiff_t g = b.v + k;
    const Six<A> by_v_rate = bracket<A>(both, J);
    const Six<A> F = times<A>(s.inertia, J);
    const Six<A> by_v = times<A>(s.inertia, by_v_rate) + turning.times(J);
    const auto BJ = turning.transpose_times(J);
    const int d = above + k;
    stack.push(0, d, J.angular);
    stack.push(3, d, J.linear);
    stack.push(12, d, by_v_rate.angular);
    stack.push(15, d, by_v_rate.linear);
    Six<A> by_q{A::zero(), A::zero()};
    if (out.by_q) {
      const Six<A> P = bracket<A>(V_p, J);
      const Six<A> Q = bracket<A>(A_p, J) + bracket<A>(V_p, P);
      stack.push(6, d, Q.angular);
      stack.push(9, d, Q.linear);
      stack.push(18, d, P.angular);
      by_q = times<A>(s.inertia, Q) + turning.times(P);
      for (int j = 0; j < b.nv; ++j) out.by_q[(b.v + j) * n + g] = dot<A>(own[j], by_q);
      by_q = by_q + Six<A>{cross(J.angular, s.wrench.angular) + cross(J.linear, s.wrench.linear),
                           cross(J.angular, s.wrench.linear)};
    }
    for (int j = 0; j < b.nv; ++j) out.by_v[(b.v + j) * n + g] = dot<A>(own[j], by_v);
    if (out.tau) out.tau[g] = dot<A>(J, s.wrench);

    const Components<A> f(F), q(by_q), v(by_v);
    S turned[4];
    A::put(BJ, turned);
    if (out.by_a.values) {
      S* row = out.by_a.values + out.by_a.first[g];
      const S* from = stack.at(0, d);
      for (int t = 0; t <= d; t += A::block)
        A::write(block_dot<A>(stack, from, t, f), row + t, d + 1 - t);
      out.by_a.scale[g] = S(c.scale[g]);
      if (c.armature) *row += S(c.armature[g]);
    }
    if (above == 0) continue;
    const S* from = stack.at(0, above - 1);
    const int* index = velocities + (c.path - above);
    const std::ptrdiff_t stride = stack.stride;
    for (int t = 0; t < above; t += A::block) {
      const S* x = from + t;
      const B up_v = block_dot<A>(stack, from, t, v);
      B down_v = block_dot<A>(stack, from + 12 * stride, t, f);
      for (int m = 0; m < 3; ++m) down_v += A::read(x + m * stride) * B(turned[m]);
      const int count = above - t < A::block ? above - t : A::block;
      S up[A::block], down[A::block];
      A::write(up_v, up, A::block);
      A::write(down_v, down, A::block);
      for (int m = 0; m < count; ++m) {
        const std::ptrdiff_t j = index[t + m];
        out.by_v[j * n + g] = up[m];
        out.by_v[g * n + j] = down[m];
      }
      if (!out.by_q) continue;
      const B up_q = block_dot<A>(stack, from, t, q);
      B down_q = block_dot<A>(stack, from + 6 * stride, t, f);
      for (int m = 0; m < 3; ++m) down_q += A::read(x + (18 + m) * stride) * B(turned[m]);
      A::write(up_q, up, A::block);
      A::write(down_q, down, A::block);
      for (int m = 0; m < count; ++m) {
        const std::ptrdiff_t j = index[t + m];
        out.by_q[j * n + g] = up[m];
        out.by_q[g * n + j] = down[m];
      }
    }
  }
}

/// Derivatives at (q, v, a). Without by_q: d tau/dv only, twice the Coriolis matrix of Christoffel's
/// symbols. Entries of velocities not on one path are left alone.
template <class A>
void derivatives(const Call<typename A::Scalar>& c,
                 const DerivativeRows<typename A::Scalar>& out) noexcept {
  using S = typename A::Scalar;
  auto* x = static_cast<MotionSum<A>*>(c.scratch);
  const std::ptrdiff_t stride = PathStack<A>::stride_for(c.path);
  const PathStack<A> stack{reinterpret_cast<S*>(x + c.n), c.path, stride};
  auto* velocities = reinterpret_cast<int*>(stack.numbers + stack_components * stride);
  for (int k = 0; k < stack_components; ++k) stack.clear_end(k);
  for (int i = 0; i < c.n; ++i) start_sum<A>(c, i, x);
  for (int i = c.n - 1; i > 0; --i) {
    const int parent = c.bodies[i].parent;
    if (parent < 0) continue;
    MotionSum<A>& p = x[parent];
    const MotionSum<A>& s = x[i];
    add<A>(p.inertia, s.inertia);
    p.momentum += s.momentum;
    p.wrench += s.wrench;
    p.turning = {p.turning.x + s.turning.x, p.turning.y + s.turning.y, p.turning.z + s.turning.z};
  }
  const Six<A> at_rest{A::zero(), A::zero()}, world{A::zero(), A::load(c.world)};
  for (int i = 0; i < c.n; ++i) {
    const EngineBody& b = c.bodies[i];
    for (int k = 0; k < b.nv; ++k) velocities[c.path - 1 - b.depth - k] = b.v + k;
    const bool root = b.parent < 0;
    write_entries<A>(c, b, x[i], root ? at_rest : x[b.parent].twist,
                     root ? world : x[b.parent].acceleration, stack, velocities, out);
  }
}

}  // namespace axode::engine
