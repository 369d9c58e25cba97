// Definitions of joint_map.hpp for joints of several degrees of freedom; instantiated by joint_map.cpp and,
// for packs, by joint_map_lanes.cpp.
#pragma once
#include <array>

#include "axode/model/joint_map.hpp"

namespace axode {
namespace detail {

/// x = sum X_k q_k of a joint in coordinates of the first kind.
template <class S>
Vec6<S> canonical_sum(const Tree& tree, const Link& link, const S* q) noexcept {
  const Vec6<double>* X = tree.screws.data() + link.v;
  Vec6<S> x = cast<S>(X[0]) * q[link.q];
  for (int k = 1; k < link.nv; ++k) x += cast<S>(X[k]) * q[link.q + k];
  return x;
}

template <class S>
SE3<S> several_displacement(const Tree& tree, int i, const S* q) noexcept {
  const Link& link = tree.links[i];
  const Vec6<double>* X = tree.screws.data() + link.v;
  if (link.map == JointMap::product) {
    SE3<S> D = one_displacement(X[0], q[link.q]);
    for (int k = 1; k < link.nv; ++k) D = D * one_displacement(X[k], q[link.q + k]);
    return D;
  }
  if (link.map == JointMap::exponential) return exp(canonical_sum(tree, link, q));
  // Quaternions turn the joint frame of the body in that of the parent.
  SE3<S> T_JJ = quaternion_pose(q + link.q);
  if (link.map == JointMap::free) {
    const S* p = q + link.q + 4;
    T_JJ.p = {p[0], p[1], p[2]};
  }
  const SE3<S> T_BJ = cast<S>(tree.bodies[i].T_BJ);
  return T_BJ * T_JJ * inverse(T_BJ);
}

template <class S>
void several_screws(const Tree& tree, int i, const S* q, const SE3<S>& D,
                    Vec6<S>* screws) noexcept {
  const Link& link = tree.links[i];
  const Vec6<double>* X = tree.screws.data() + link.v;
  const int m = link.nv;
  if (link.map == JointMap::product) {
    screws[m - 1] = cast<S>(X[m - 1]);
    SE3<S> behind = one_displacement(X[m - 1], q[link.q + m - 1]);
    for (int k = m - 2; k >= 0; --k) {
      screws[k] = Ad_inverse(behind, cast<S>(X[k]));
      if (k > 0) behind = one_displacement(X[k], q[link.q + k]) * behind;
    }
  } else if (link.map == JointMap::exponential) {
    const Mat6<S> J = right_jacobian(canonical_sum(tree, link, q));
    for (int k = 0; k < m; ++k) screws[k] = J * cast<S>(X[k]);
  } else {
    // A free joint whose velocity is given in the parent's joint frame, or at the body's in its
    // axes: both by moving the screws of the joint frame.
    const SE3<S> T_BJ = cast<S>(tree.bodies[i].T_BJ);
    SE3<S> T_JJ = inverse_times(T_BJ, D * T_BJ);
    if (link.velocity == Rep::hybrid) T_JJ.p = {S(0), S(0), S(0)};
    for (int k = 0; k < m; ++k) {
      Vec6<S> e{{S(0), S(0), S(0)}, {S(0), S(0), S(0)}};
      e[k] = S(1);
      screws[k] = Ad(T_BJ, Ad_inverse(T_JJ, e));
    }
  }
}

/// Pascal's triangle, by running along a row.
inline double next_binomial(double binomial, int n, int j) { return binomial * (n - j) / (j + 1); }

/// d^n/dt^n of [G, Z]-like products: - sum_j binom(n, j) ad(G^(j), Z^(n-j)).
template <class S, class F, class G>
Vec6<S> minus_bracket_derivative(int n, F&& generator, G&& screw) noexcept {
  Vec6<S> sum{{S(0), S(0), S(0)}, {S(0), S(0), S(0)}};
  double binomial = 1;
  for (int j = 0; j <= n; ++j) {
    sum -= S(Real<S>(binomial)) * ad<S>(generator(j), screw(n - j));
    binomial = next_binomial(binomial, n, j);
  }
  return sum;
}

/// The j-th derivative of sum of S_k v_k over k = first..m-1.
template <class S>
Vec6<S> partial_twist(const Link& link, std::span<const S* const> velocity, const Vec6<S>* screws,
                      int first, int j) noexcept {
  Vec6<S> sum{{S(0), S(0), S(0)}, {S(0), S(0), S(0)}};
  double binomial = 1;
  for (int l = 0; l <= j; ++l) {
    const S* v = velocity[j - l] + link.v;
    for (int k = first; k < link.nv; ++k)
      sum += (S(Real<S>(binomial)) * v[k]) * screws[l * link.nv + k];
    binomial = next_binomial(binomial, j, l);
  }
  return sum;
}

/// Derivatives of dexp_(-x) X_k for small x: the series sum_n (-ad_x)^n X_k / (n+1)!, each term
/// t_n+1 = -ad_x t_n / (n+2) differentiated with its factors. `x` and `term` have order + 1 entries.
template <class S>
void series_of_screw(const Vec6<S>& X, const Vec6<S>* x, int order, Vec6<S>* term, const Link& link,
                     int k, Vec6<S>* screws) noexcept {
  constexpr int terms = 24;  // 1/25! is far below round-off
  term[0] = X;
  for (int j = 1; j <= order; ++j) term[j] = {{S(0), S(0), S(0)}, {S(0), S(0), S(0)}};
  for (int j = 0; j <= order; ++j) screws[j * link.nv + k] = term[j];
  for (int n = 0; n < terms; ++n) {
    for (int j = order; j >= 0; --j)  // downwards: each needs only lower derivatives
      term[j] = minus_bracket_derivative<S>(
                    j, [&](int l) { return x[l]; }, [&](int l) { return term[l]; }) /
                S(Real<S>(n + 2));
    for (int j = 0; j <= order; ++j) screws[j * link.nv + k] += term[j];
  }
}

/// From screws at y to those at 2 y, with all derivatives:
///   dexp_(-2y) = (I + Ad(exp -y)) dexp_(-y) / 2,   d/dt Ad(exp -y) Z = Ad(exp -y) Z' - ad_W Ad(exp -y) Z
/// with the twist W = sum S_k v_k `speed` of exp y. `rate` has order + 1 entries, `moved` as many.
template <class S>
void double_argument(const Link& link, std::span<const S* const> velocity, const Vec6<S>& y,
                     const S& speed, int order, Vec6<S>* rate, Vec6<S>* moved,
                     Vec6<S>* screws) noexcept {
  const SE3<S> E = exp(y);
  for (int j = 0; j < order; ++j) rate[j] = speed * partial_twist(link, velocity, screws, 0, j);
  for (int k = 0; k < link.nv; ++k)
    for (int n = order; n >= 0; --n) {
      // sum_j binom(n, j) A^(j) Z^(n-j), A^(j+1) Z = - sum_i binom(j, i) ad(W^(i)) A^(j-i) Z
      Vec6<S> sum{{S(0), S(0), S(0)}, {S(0), S(0), S(0)}};
      double binomial = 1;
      for (int j = 0; j <= n; ++j) {
        moved[0] = Ad_inverse(E, screws[(n - j) * link.nv + k]);
        for (int i = 0; i < j; ++i)
          moved[i + 1] = minus_bracket_derivative<S>(
              i, [&](int l) { return rate[l]; }, [&](int l) { return moved[l]; });
        sum += S(Real<S>(binomial)) * moved[j];
        binomial = next_binomial(binomial, n, j);
      }
      Vec6<S>& Z = screws[n * link.nv + k];
      Z = (Z + sum) * S(Real<S>(0.5));
    }
}

/// First kind, S = dexp_(-x) X with x^(j) = sum X v^(j-1): the series at x / 2^m, doubled m times,
/// so that no digits are lost at large angles.
template <class S>
void exponential_screw_derivatives(const Tree& tree, const Link& link, const S* q,
                                   std::span<const S* const> velocity, int order, Vec6<S>* screws) {
  constexpr int few = 5, max_halvings = 1100;
  std::array<Vec6<S>, std::size_t{2} * few> small;
  std::vector<Vec6<S>> large(order < few ? 0 : 2 * std::size_t(order + 1));
  Vec6<S>* x = order < few ? small.data() : large.data();
  Vec6<S>* scratch = x + order + 1;
  const Vec6<double>* X = tree.screws.data() + link.v;
  x[0] = canonical_sum(tree, link, q);
  int halvings = 0;
  S scale = S(1);
  for (const Vec3<S> xi = x[0].angular;
       halvings < max_halvings && any_of(max_abs(xi) * scale > S(Real<S>(0.5))); ++halvings)
    scale *= S(Real<S>(0.5));
  const Vec6<S> whole = x[0];
  x[0] = x[0] * scale;
  for (int j = 1; j <= order; ++j) {
    const S* v = velocity[j - 1] + link.v;
    x[j] = cast<S>(X[0]) * (scale * v[0]);
    for (int k = 1; k < link.nv; ++k) x[j] += cast<S>(X[k]) * (scale * v[k]);
  }
  for (int k = 0; k < link.nv; ++k)
    series_of_screw(cast<S>(X[k]), x, order, scratch, link, k, screws);
  for (int h = 0; h < halvings; ++h, scale *= S(2))
    double_argument(link, velocity, whole * scale, scale, order, x, scratch, screws);
}

}  // namespace detail

template <class S>
void joint_screw_derivatives(const Tree& tree, int i, const S* q,
                             std::span<const S* const> velocity, int order, Vec6<S>* screws) {
  using namespace detail;
  const Link& link = tree.links[i];
  const int m = link.nv;
  if (has_constant_screws(link)) {
    for (int k = m; k < (order + 1) * m; ++k) screws[k] = {{S(0), S(0), S(0)}, {S(0), S(0), S(0)}};
    return;
  }
  if (link.map == JointMap::exponential)
    return exponential_screw_derivatives(tree, link, q, velocity, order, screws);

  const bool product = link.map == JointMap::product;
  SE3<S> to_joint{};
  if (!product && link.velocity == Rep::hybrid) to_joint = cast<S>(tree.bodies[i].T_BJ);
  for (int n = 0; n < order; ++n)
    for (int k = m - 1; k >= 0; --k) {
      // What the screw moves with: the factors behind it, the whole joint, or its rotation alone.
      const auto generator = [&](int j) {
        Vec6<S> G = partial_twist(link, velocity, screws, product ? k + 1 : 0, j);
        if (!product && link.velocity == Rep::hybrid) {
          G = Ad_inverse(to_joint, G);
          G.linear = {S(0), S(0), S(0)};
          G = Ad(to_joint, G);
        }
        return G;
      };
      screws[(n + 1) * m + k] =
          minus_bracket_derivative<S>(n, generator, [&](int j) { return screws[j * m + k]; });
    }
}

}  // namespace axode
