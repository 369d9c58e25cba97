// Definitions of recursive.hpp for any scalar; recursive.cpp has the instances of the library.
#pragma once
#include "axode/flexible/any_scalar/equations.hpp"
#include "axode/flexible/tree/recursive.hpp"

namespace axode {
namespace detail {

template <class P>
using BlockVector = typename ArticulatedLink<P>::Vector;

/// Twists as lists of numbers (V_r; V_d), and back.
template <class S>
std::array<S, 6> numbers_of(const Vec6<S>& a, Exact<S>) noexcept {
  return {a.angular.x, a.angular.y, a.angular.z, a.linear.x, a.linear.y, a.linear.z};
}
inline std::array<double, 12> numbers_of(const Vec6<Dual<double>>& a, FirstOrder) noexcept {
  std::array<double, 12> list;
  for (int i = 0; i < 6; ++i) {
    list[i] = a[i].real;
    list[i + 6] = a[i].dual;
  }
  return list;
}
template <class S>
Vec6<S> twist_of(const std::array<S, 6>& a, Exact<S>) noexcept {
  return {{a[0], a[1], a[2]}, {a[3], a[4], a[5]}};
}
inline Vec6<Dual<double>> twist_of(const std::array<double, 12>& a, FirstOrder) noexcept {
  Vec6<Dual<double>> twist;
  for (int i = 0; i < 6; ++i) twist[i] = {a[i], a[i + 6]};
  return twist;
}
/// Wrenches so that the power is the sum of products with the numbers of the twist: of f = f_0 +
/// eps f_1 the list (f_0 + f_1; f_0), which is (1 + eps) f with its dual part first.
template <class S>
std::array<S, 6> powers_of(const Vec6<S>& f, Exact<S> policy) noexcept {
  return numbers_of(f, policy);
}
inline std::array<double, 12> powers_of(const Vec6<Dual<double>>& f, FirstOrder) noexcept {
  std::array<double, 12> list;
  for (int i = 0; i < 6; ++i) {
    // I^ f = (f_0 + f_1; f_0)  [CibicikEgeland (99)]
    list[i] = f[i].real + f[i].dual;
    list[i + 6] = f[i].real;
  }
  return list;
}
/// A list of powers moved to the parent's frame: X^T g.
template <class S, class Rotation>
std::array<S, 6> moved_inwards(const Rotation& R, const Vec3<S>& p, const std::array<S, 6>& g,
                               Exact<S> policy) noexcept {
  return numbers_of(wrench_seen_from(R, p, twist_of(g, policy)), policy);
}
inline std::array<double, 12> moved_inwards(const G1<double>& R, const Vec3<Dual<double>>& p,
                                            const std::array<double, 12>& g, FirstOrder) noexcept {
  Vec6<Dual<double>> f;
  for (int i = 0; i < 6; ++i) f[i] = {g[i + 6], g[i]};
  f = wrench_seen_from(R, p, f);
  std::array<double, 12> list;
  for (int i = 0; i < 6; ++i) {
    list[i] = f[i].dual;
    list[i + 6] = f[i].real;
  }
  return list;
}

template <class N, std::size_t D>
N product(const std::array<N, D>& a, const std::array<N, D>& b) noexcept {
  N sum(0);
  for (std::size_t i = 0; i < D; ++i) sum += a[i] * b[i];
  return sum;
}
template <class N, std::size_t D>
void add_times(std::array<N, D>& a, const N& factor, const std::array<N, D>& b) noexcept {
  for (std::size_t i = 0; i < D; ++i) a[i] += factor * b[i];
}
/// I -= s s^T, both halves.
template <class N, std::size_t D>
void subtract_square(std::array<std::array<N, D>, D>& I, const std::array<N, D>& s) noexcept {
  for (std::size_t i = 0; i < D; ++i)
    for (std::size_t j = 0; j < D; ++j) I[i][j] -= s[i] * s[j];
}
template <class N>
bool positive(const N& a) noexcept {
  return a > N(0) && is_finite(a);
}

/// What the link itself brings: inertia, bias, modes and the forces on them.
template <class P>
void start_link(const FlexibleTree& tree, const FlexibleLink& link, const LinkMotion<P>& m,
                std::span<const typename P::Coordinate> q,
                std::span<const typename P::Coordinate> v,
                std::span<const typename P::Coordinate> tau, ArticulatedLink<P>& a) noexcept {
  using S = typename P::Scalar;
  using N = typename ArticulatedLink<P>::N;
  constexpr std::size_t D = ArticulatedLink<P>::D;
  for (std::size_t j = 0; j < D; ++j) {
    std::array<N, D> unit{};
    unit[j] = N(1);
    // column j of [I0 + I1, I0; I0, 0]  [CibicikEgeland (102), (107), corrected: docs/errata.md]
    a.inertia[j] = powers_of(momentum_of(m.terms.inertia, twist_of(unit, P{})), P{});
  }
  const Vec6<S> rest{m.alpha, m.a};
  a.bias = powers_of(momentum_of(m.terms.inertia, rest) + m.terms.bias, P{});
  const std::size_t n = tree.size, modes = link.invariants.modes;
  const std::size_t first = link.first_mode;
  for (std::size_t k = 0; k < modes; ++k) {
    a.coupling[k] = powers_of(m.terms.momentum[k], P{});
    // tau - K q - D v - P~^T (D t' + W D t) at v' = 0  [CibicikEgeland (110)-(111)]
    N force = tau[first + k] - total(m.terms.modal_bias[k] + dot(m.terms.momentum[k], rest), P{});
    for (std::size_t j = 0; j < modes; ++j) {
      const std::size_t entry = (first + k) * n + first + j;
      force -= q[first + j] * N(tree.stiffness[entry]) + v[first + j] * N(tree.damping[entry]);
      a.mass[k * modes + j] = total(m.terms.modal_mass[k * modes + j], P{});
    }
    a.force[k] = force;
  }
  if (link.coordinate >= 0) {
    const std::size_t c = link.coordinate, entry = c * n + c;
    a.joint_force = tau[c] - q[c] * N(tree.stiffness[entry]) - v[c] * N(tree.damping[entry]);
  }
}

/// Adds a child, as it is felt through its joint.
template <class P>
void add_child(const LinkMotion<P>& m, ArticulatedLink<P>& child,
               ArticulatedLink<P>& parent) noexcept {
  using Vector = typename ArticulatedLink<P>::Vector;
  constexpr std::size_t D = ArticulatedLink<P>::D;
  // X^T I X: X^T from the left on columns, then on rows
  std::array<Vector, D> half, I;
  for (std::size_t j = 0; j < D; ++j) half[j] = moved_inwards(m.R, m.origin, child.inertia[j], P{});
  for (std::size_t i = 0; i < D; ++i) {
    Vector row;
    for (std::size_t j = 0; j < D; ++j) row[j] = half[j][i];
    I[i] = moved_inwards(m.R, m.origin, row, P{});
    add_times(parent.inertia[i], typename ArticulatedLink<P>::N(1), I[i]);
  }
  const Vector bias = moved_inwards(m.R, m.origin, child.bias, P{});
  add_times(parent.bias, typename ArticulatedLink<P>::N(1), bias);
  const std::size_t modes = m.mount.size();
  for (std::size_t k = 0; k < modes; ++k) {
    const Vector& H = child.mount[k] = numbers_of(m.mount[k], P{});
    // with X the move to the parent's frame and H the twists of its modes at the section
    // coupling += X^T I X H, mass += H^T X^T I X H, force -= H^T X^T p
    Vector column;
    for (std::size_t i = 0; i < D; ++i) column[i] = product(I[i], H);
    add_times(parent.coupling[k], typename ArticulatedLink<P>::N(1), column);
    parent.force[k] -= product(H, bias);
    for (std::size_t j = 0; j <= k; ++j)
      parent.mass[k * modes + j] += product(child.mount[j], column);
  }
}

/// Factors the modal masses (lower half) and takes the modes out of inertia and bias. Returns the
/// mode whose pivot is not positive, or -1.
template <class P>
int eliminate_modes(std::size_t modes, ArticulatedLink<P>& a) noexcept {
  using N = typename ArticulatedLink<P>::N;
  using std::sqrt;
  for (std::size_t k = 0; k < modes; ++k) {
    N* const row = &a.mass[k * modes];
    // row by row of the Cholesky factor L of the modal masses: solved = L^-1 coupling,
    // I - coupling^T mass^-1 coupling = I - solved^T solved
    a.solved[k] = a.coupling[k];
    for (std::size_t j = 0; j < k; ++j) {
      const N* const above = &a.mass[j * modes];
      for (std::size_t i = 0; i < j; ++i) row[j] -= row[i] * above[i];
      row[j] = row[j] / above[j];
      row[k] -= row[j] * row[j];
      add_times(a.solved[k], -row[j], a.solved[j]);
      a.force[k] -= row[j] * a.force[j];
    }
    if (!positive(row[k])) return static_cast<int>(k);
    row[k] = sqrt(row[k]);
    const N inverse = N(1) / row[k];
    for (N& s : a.solved[k]) s = s * inverse;
    a.force[k] = a.force[k] * inverse;
    subtract_square(a.inertia, a.solved[k]);
    add_times(a.bias, a.force[k], a.solved[k]);
  }
  return -1;
}

/// Takes the joint out. False if its pivot is not positive.
template <class P>
bool eliminate_joint(const FlexibleLink& link, ArticulatedLink<P>& a) noexcept {
  using S = typename P::Scalar;
  using N = typename ArticulatedLink<P>::N;
  const auto screw = numbers_of(constant<S>(joint_screw(link)), P{});
  constexpr std::size_t D = ArticulatedLink<P>::D;
  // U = I S, pivot S^T U, u = tau - S^T p: I - U U^T / pivot, p + U u / pivot are left
  for (std::size_t i = 0; i < D; ++i) a.joint_column[i] = product(a.inertia[i], screw);
  a.joint_pivot = product(a.joint_column, screw);
  if (!positive(a.joint_pivot)) return false;
  a.joint_force -= product(a.bias, screw);
  const N inverse = N(1) / a.joint_pivot;
  for (std::size_t i = 0; i < D; ++i)
    add_times(a.inertia[i], -a.joint_column[i] * inverse, a.joint_column);
  add_times(a.bias, a.joint_force * inverse, a.joint_column);
  return true;
}

/// Accelerations of the joint and the modes of a link, those of its parent known.
template <class P>
void outwards(const FlexibleTree& tree, std::size_t i, RecursiveWork<P>& work,
              std::span<typename P::Coordinate> rates) noexcept {
  using S = typename P::Scalar;
  using N = typename ArticulatedLink<P>::N;
  const FlexibleLink& link = tree.links[i];
  ArticulatedLink<P>& a = work.links[i];
  a.twist = {};
  if (link.parent >= 0) {
    const LinkMotion<P>& m = work.motion.links[i];
    typename ArticulatedLink<P>::Vector mount = work.links[link.parent].twist;
    const std::size_t first = tree.links[link.parent].first_mode;
    for (std::size_t k = 0; k < m.mount.size(); ++k) add_times(mount, rates[first + k], a.mount[k]);
    const Vec6<S> V = twist_of(mount, P{});
    a.twist = numbers_of(Vec6<S>{inverse_times(m.R, V.angular),
                                 inverse_times(m.R, V.linear + cross(V.angular, m.origin))},
                         P{});
  }
  if (link.coordinate >= 0) {
    // v' = (u - U^T V') / pivot
    const N rate = (a.joint_force - product(a.joint_column, a.twist)) / a.joint_pivot;
    rates[link.coordinate] = rate;
    add_times(a.twist, rate, numbers_of(constant<S>(joint_screw(link)), P{}));
  }
  const std::size_t modes = link.invariants.modes, first = link.first_mode;
  for (std::size_t k = modes; k-- > 0;) {
    // L^T v' = force - solved V', from the last mode to the first
    N rest = a.force[k] - product(a.solved[k], a.twist);
    for (std::size_t j = k + 1; j < modes; ++j) rest -= a.mass[j * modes + k] * rates[first + j];
    rates[first + k] = rest / a.mass[k * modes + k];
  }
}

}  // namespace detail

template <class P>
RecursiveWork<P> make_recursive_work(const FlexibleTree& tree) {
  RecursiveWork<P> work;
  work.motion = make_motion<P>(tree);
  work.links.resize(tree.links.size());
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const std::size_t modes = tree.links[i].invariants.modes;
    ArticulatedLink<P>& a = work.links[i];
    a.coupling.resize(modes);
    a.solved.resize(modes);
    a.mass.resize(modes * modes);
    a.force.resize(modes);
    a.mount.resize(work.motion.links[i].mount.size());
  }
  return work;
}

template <class P>
RecursiveOutcome recursive_acceleration(const FlexibleTree& tree,
                                        std::span<const typename P::Coordinate> q,
                                        std::span<const typename P::Coordinate> v,
                                        std::span<const typename P::Coordinate> tau,
                                        RecursiveWork<P>& work,
                                        std::span<typename P::Coordinate> rates) noexcept {
  flexible_motion<P>(tree, q, v, work.motion);
  for (std::size_t i = 0; i < tree.links.size(); ++i)
    detail::start_link(tree, tree.links[i], work.motion.links[i], q, v, tau, work.links[i]);
  for (std::size_t i = tree.links.size(); i-- > 0;) {
    const FlexibleLink& link = tree.links[i];
    const int lost = detail::eliminate_modes(link.invariants.modes, work.links[i]);
    if (lost >= 0) return {false, static_cast<int>(i), link.first_mode + lost};
    if (link.coordinate >= 0 && !detail::eliminate_joint(link, work.links[i]))
      return {false, static_cast<int>(i), link.coordinate};
    if (link.parent >= 0)
      detail::add_child(work.motion.links[i], work.links[i], work.links[link.parent]);
  }
  for (std::size_t i = 0; i < tree.links.size(); ++i) detail::outwards(tree, i, work, rates);
  return {};
}

}  // namespace axode
