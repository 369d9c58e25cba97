// Derivatives of inverse dynamics: the formulas of dynamics/derivatives/inverse_derivatives.hpp for joints whose screws
// are constant in the body, all products along paths in blocks.
#pragma once
#include "axode/engine/detail/kernels/composite.hpp"
#include "axode/engine/detail/kernels/kernels.hpp"

namespace axode::engine {

template <class A>
struct MotionSum {
  Axes<A> R;
  typename A::Vector p;
  Six<A> twist, acceleration;
  InertiaSum<A> inertia;
  Six<A> momentum, wrench;
  typename A::Symmetric rate;  ///< of the moments of inertia
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
  // Theta' = X + X^T, X = skew(w) Theta - h v^T + (v . h) 1
  const Axes<A> X = A::template skew_times<Axes<A>>(V.angular, I.moments);
  s.rate = A::plus_twice_symmetric(
      A::scalar_matrix(typename A::Scalar(0)),
      A::plus_diagonal(A::minus_product(X, I.first, V.linear), A::dot(V.linear, I.first)));
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

/// Stacks of S, of d acceleration/dq, of d acceleration/dv, and of d twist/dq.
template <class A>
struct DerivativeStacks {
  PathStack<A> screws, by_q, by_v, twists;
  int* velocities;  ///< backwards as the stacks
};
inline constexpr int stack_components = 24;

/// The entries of velocity g with those of `above` velocities above its joint, on both sides of the
/// diagonal: `up` multiplied by their screws; F by their `rates`, and turned by the angular `twists`.
template <class A>
[[gnu::always_inline]] inline void write_both_sides(
    const DerivativeStacks<A>& stacks, const PathStack<A>& rates, const PathStack<A>& twists,
    int above, const Six<A>& up, const Six<A>& F, const typename A::Vector& turned,
    std::ptrdiff_t g, std::ptrdiff_t n, typename A::Scalar* to) noexcept {
  const Six<A>*screw = stacks.screws.at(above - 1), *rate = rates.at(above - 1),
        *twist = twists.at(above - 1);
  const int* index = stacks.velocities + (stacks.screws.length - above);
  for (int t = 0; t < above; t += A::block) {
    typename A::Scalar column[A::block], row[A::block];
    A::write(A::dots(screw + t, up), column, A::block);
    A::write(A::dots(rate + t, F) + A::dots(twist + t, turned), row, A::block);
    const int count = above - t < A::block ? above - t : A::block;
    for (int m = 0; m < count; ++m) {
      const std::ptrdiff_t j = index[t + m];
      to[j * n + g] = column[m];
      to[g * n + j] = row[m];
    }
  }
}

template <class A>
void write_entries(const Call<typename A::Scalar>& c, const EngineBody& b, const MotionSum<A>& s,
                   const Six<A>& V_p, const Six<A>& A_p, const DerivativeStacks<A>& stacks,
                   const DerivativeRows<typename A::Scalar>& out) noexcept {
  using S = typename A::Scalar;
  const Turning<A> turning{s.rate, s.momentum};
  // In Coriolis matrices the motion within the joint counts fully, which keeps dM/dt - 2C skew.
  const Six<A> both = (out.by_q ? V_p : s.twist) + s.twist;
  const int above = b.depth;
  const auto n = static_cast<std::ptrdiff_t>(c.nv);
  for (int k = 0; k < b.nv; ++k) *stacks.screws.at(above + k) = screw_at<A>(c, b, s.R, s.p, k);
  const auto own = [&](int k) -> const Six<A>& { return *stacks.screws.at(above + k); };
  for (int k = 0; k < b.nv; ++k) {
    const Six<A> J = own(k);  // NOLINT: in registers
    const std::ptrdiff_t g = b.v + k;
    const int d = above + k;
    const Six<A> rate = bracket<A>(both, J);
    Six<A> F = times<A>(s.inertia, J), by_v = times<A>(s.inertia, rate) + turning.times(J);
    auto turned = turning.transpose_times(J);
    *stacks.by_v.at(d) = rate;
    if (!out.by_q) {
      const S half(0.5);
      F = F * half, by_v = by_v * half, turned = turned * half;
    }
    for (int j = 0; j < b.nv; ++j) out.by_v[(b.v + j) * n + g] = dot<A>(own(j), by_v);
    write_both_sides<A>(stacks, stacks.by_v, stacks.screws, above, by_v, F, turned, g, n, out.by_v);
    if (out.by_a.values) {
      S* row = out.by_a.values + out.by_a.first[g];
      for (int t = 0; t <= d; t += A::block)
        A::write(A::dots(stacks.screws.at(d) + t, F), row + t, d + 1 - t);
      out.by_a.scale[g] = S(c.scale[g]);
      if (c.armature) *row += S(c.armature[g]);
    }
    if (!out.by_q) continue;
    const Six<A> P = bracket<A>(V_p, J), Q = bracket<A>(A_p, J) + bracket<A>(V_p, P);
    *stacks.by_q.at(d) = Q;
    *stacks.twists.at(d) = P;
    const Six<A>& W = s.wrench;
    Six<A> by_q = times<A>(s.inertia, Q) + turning.times(P);
    for (int j = 0; j < b.nv; ++j) out.by_q[(b.v + j) * n + g] = dot<A>(own(j), by_q);
    by_q += {cross(J.angular, W.angular) + cross(J.linear, W.linear), cross(J.angular, W.linear)};
    write_both_sides<A>(stacks, stacks.by_q, stacks.twists, above, by_q, F, turned, g, n, out.by_q);
    if (out.tau) out.tau[g] = dot<A>(J, W);
  }
}

/// Derivatives at (q, v, a). Without by_q: the Coriolis matrix of Christoffel's symbols, half of
/// d tau/dv, in by_v alone. Entries of velocities not on one path are left alone.
template <class A>
void derivatives(const Call<typename A::Scalar>& c,
                 const DerivativeRows<typename A::Scalar>& out) noexcept {
  auto* x = static_cast<MotionSum<A>*>(c.scratch);
  auto* entries = reinterpret_cast<Six<A>*>(x + c.n);
  const std::ptrdiff_t room = PathStack<A>::room(c.path);
  const DerivativeStacks<A> stacks{{entries, c.path},
                                   {entries + room, c.path},
                                   {entries + 2 * room, c.path},
                                   {entries + 3 * room, c.path},
                                   reinterpret_cast<int*>(entries + 4 * room)};
  stacks.screws.clear_end(), stacks.by_q.clear_end();
  stacks.by_v.clear_end(), stacks.twists.clear_end();
  for (int i = 0; i < c.n; ++i) start_sum<A>(c, i, x);
  for (int i = c.n - 1; i > 0; --i) {
    const int parent = c.bodies[i].parent;
    if (parent < 0) continue;
    MotionSum<A>& p = x[parent];
    const MotionSum<A>& s = x[i];
    add<A>(p.inertia, s.inertia);
    p.momentum += s.momentum;
    p.wrench += s.wrench;
    p.rate = A::sum(p.rate, s.rate);
  }
  const Six<A> at_rest{A::zero(), A::zero()}, world{A::zero(), A::load(c.world)};
  for (int i = 0; i < c.n; ++i) {
    const EngineBody& b = c.bodies[i];
    for (int k = 0; k < b.nv; ++k) stacks.velocities[c.path - 1 - b.depth - k] = b.v + k;
    const bool root = b.parent < 0;
    write_entries<A>(c, b, x[i], root ? at_rest : x[b.parent].twist,
                     root ? world : x[b.parent].acceleration, stacks, out);
  }
}

}  // namespace axode::engine
