// Definitions of joint_map.hpp for joints of several freedoms; instantiated by joint_map.cpp and,
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
  const Link& link = tree.links[static_cast<std::size_t>(i)];
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
  const SE3<S> T_BJ = cast<S>(tree.bodies[static_cast<std::size_t>(i)].T_BJ);
  return T_BJ * T_JJ * inverse(T_BJ);
}

template <class S>
void several_screws(const Tree& tree, int i, const S* q, const SE3<S>& D,
                    Vec6<S>* screws) noexcept {
  const Link& link = tree.links[static_cast<std::size_t>(i)];
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
    const SE3<S> T_BJ = cast<S>(tree.bodies[static_cast<std::size_t>(i)].T_BJ);
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
    const S* v = velocity[static_cast<std::size_t>(j - l)] + link.v;
    for (int k = first; k < link.nv; ++k)
      sum += (S(Real<S>(binomial)) * v[k]) * screws[l * link.nv + k];
    binomial = next_binomial(binomial, j, l);
  }
  return sum;
}

/// First kind: S = sum_k (-ad_x)^k X / (k+1)!, each term t_k+1 = -ad_x t_k / (k+2) differentiated
/// with its factors, x^(j) = sum X v^(j-1). Ends when the terms no longer count.
template <class S>
void exponential_screw_derivatives(const Tree& tree, const Link& link, const S* q,
                                   std::span<const S* const> velocity, int order, Vec6<S>* screws) {
  constexpr int most = 5, plenty = 200;
  std::array<Vec6<S>, most> x_few;
  std::array<Vec6<S>, most> term_few;
  std::vector<Vec6<S>> x_many, term_many;  // NOLINT: only beyond order 4
  Vec6<S>*x = x_few.data(), *term = term_few.data();
  if (order >= most) {
    x_many.resize(static_cast<std::size_t>(order) + 1);
    term_many.resize(static_cast<std::size_t>(order) + 1);
    x = x_many.data(), term = term_many.data();
  }
  const Vec6<double>* X = tree.screws.data() + link.v;
  x[0] = canonical_sum(tree, link, q);
  for (int j = 1; j <= order; ++j) {
    const S* v = velocity[static_cast<std::size_t>(j - 1)] + link.v;
    x[j] = cast<S>(X[0]) * v[0];
    for (int k = 1; k < link.nv; ++k) x[j] += cast<S>(X[k]) * v[k];
  }
  S speed = S(0);
  for (int j = 1; j <= order; ++j) speed = max(speed, max_abs(x[j]));
  const S negligible = S(Real<S>(0.01) * epsilon<S>) * speed;
  for (int k = 0; k < link.nv; ++k) {
    const Vec6<S> zero{{S(0), S(0), S(0)}, {S(0), S(0), S(0)}};
    term[0] = cast<S>(X[k]);
    for (int j = 1; j <= order; ++j) {
      term[j] = zero;
      screws[j * link.nv + k] = zero;
    }
    for (int power = 0; power < plenty && any_of(speed > S(0)); ++power) {
      for (int j = order; j >= 0; --j)  // downwards: each needs only lower derivatives
        term[j] = minus_bracket_derivative<S>(
                      j, [&](int l) { return x[l]; }, [&](int l) { return term[l]; }) /
                  S(Real<S>(power + 2));
      S largest = max_abs(term[0]);
      for (int j = 1; j <= order; ++j) {
        screws[j * link.nv + k] += term[j];
        largest = max(largest, max_abs(term[j]));
      }
      if (all_of(largest <= negligible)) break;
    }
  }
}

}  // namespace detail

template <class S>
void joint_screw_derivatives(const Tree& tree, int i, const S* q,
                             std::span<const S* const> velocity, int order, Vec6<S>* screws) {
  using namespace detail;
  const Link& link = tree.links[static_cast<std::size_t>(i)];
  const int m = link.nv;
  if (has_constant_screws(link)) {
    for (int k = m; k < (order + 1) * m; ++k) screws[k] = {{S(0), S(0), S(0)}, {S(0), S(0), S(0)}};
    return;
  }
  if (link.map == JointMap::exponential)
    return exponential_screw_derivatives(tree, link, q, velocity, order, screws);

  const bool product = link.map == JointMap::product;
  SE3<S> to_joint{};
  if (!product && link.velocity == Rep::hybrid)
    to_joint = cast<S>(tree.bodies[static_cast<std::size_t>(i)].T_BJ);
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
