// Definitions of joint_partials.hpp; instantiated by joint_partials.cpp.
#pragma once
#include "axode/dynamics/detail/joint_partials.hpp"
#include "axode/model/joint_map.hpp"

namespace axode {

template <class S>
JointPartials<S>::JointPartials(const Tree& tree) : velocity(tree.nv, S(0)), zero(velocity) {}

namespace detail {

template <class S>
constexpr Vec6<S> zero_six{{S(0), S(0), S(0)}, {S(0), S(0), S(0)}};

/// Second kind: b = sum_m v_m [S_m, G_m], G_m the twist of the factors behind m.
template <class S>
void product_partials(const Link& link, const Vec6<S>* Z, const S* v,
                      JointPartials<S>& p) noexcept {
  const std::size_t n = link.nv;
  // d_k S_m = [S_m, S_k] for m before k  [MuellerDyn (5)]
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t m = 0; m < n; ++m) p.screws[k][m] = m < k ? ad(Z[m], Z[k]) : zero_six<S>;
  for (std::size_t k = 0; k < n; ++k) {
    Vec6<S> sum = zero_six<S>, behind = zero_six<S>, behind_change = zero_six<S>;
    for (std::size_t m = n; m-- > 0;) {
      // d_k of b: v_m [d_k S_m, G_m] + v_m [S_m, d_k G_m]
      sum += v[m] * (ad(p.screws[k][m], behind) + ad(Z[m], behind_change));
      behind += v[m] * Z[m];
      behind_change += v[m] * p.screws[k][m];
    }
    p.acceleration[k] = sum;
  }
}

/// First kind. d_k S'(v) = (S''(v + s e_k) - S''(v - s e_k)) / (4 s) for any s: S'' is a quadratic
/// form at constant velocities, since the coordinates commute.
template <class S>
void exponential_partials(const Tree& tree, int i, const Poses<S>& poses, const S* v,
                          JointPartials<S>& p) noexcept {
  const Link& link = tree.links[i];
  const std::size_t n = link.nv;
  const std::size_t first = link.v;
  std::array<Vec6<S>, 18> plus, minus;
  const auto derivatives = [&](int order, std::array<Vec6<S>, 18>& screws) {
    for (std::size_t m = 0; m < n; ++m) screws[m] = poses.screws[first + m];
    const std::array<const S*, 2> velocities{p.velocity.data(), p.zero.data()};
    joint_screw_derivatives<S>(tree, i, poses.q.data(), velocities, order, screws.data());
  };
  S size(0);
  for (std::size_t m = 0; m < n; ++m) size = max(size, abs(v[m]));
  size = select(size > S(0), size, S(1));
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t m = 0; m < n; ++m) p.velocity[first + m] = S(m == k ? 1 : 0);
    derivatives(1, plus);
    // S' at the velocity e_k is d_k S
    for (std::size_t m = 0; m < n; ++m) p.screws[k][m] = plus[n + m];
    for (std::size_t m = 0; m < n; ++m) p.velocity[first + m] = v[m] + (m == k ? size : S(0));
    derivatives(2, plus);
    p.velocity[first + k] = v[k] - size;
    derivatives(2, minus);
    p.acceleration[k] = zero_six<S>;
    for (std::size_t m = 0; m < n; ++m)
      p.acceleration[k] += v[m] / (S(4) * size) * (plus[2 * n + m] - minus[2 * n + m]);
  }
}

/// Free joint in hybrid or spatial velocities: b = -[G(U), U], G linear.
template <class S>
void free_partials(const Link& link, const SE3<S>& T_BJ, const Vec6<S>* Z, const Vec6<S>& U,
                   JointPartials<S>& p) noexcept {
  const auto generator = [&](const Vec6<S>& X) {
    if (link.velocity == Rep::spatial) return X;
    return Ad(T_BJ, Vec6<S>{Ad_inverse(T_BJ, X).angular, {S(0), S(0), S(0)}});
  };
  for (std::size_t k = 0; k < 6; ++k) {
    const Vec6<S> G = generator(Z[k]);
    // d_k S_m = -[G_k, S_m]; d_k b = -[G(d_k U), U] - [G(U), d_k U]
    for (std::size_t m = 0; m < 6; ++m) p.screws[k][m] = ad(Z[m], G);
    const Vec6<S> dU = ad(U, G);
    p.acceleration[k] = ad(U, generator(dU)) + ad(dU, generator(U));
  }
}

}  // namespace detail

template <class S>
void joint_partials(const Tree& tree, int i, const Poses<S>& poses, In<S> v, In<S> a,
                    JointPartials<S>& result) noexcept {
  using namespace detail;
  const Link& link = tree.links[i];
  const std::size_t n = link.nv;
  const S *v_i = v.data() + link.v, *a_i = a.data() + link.v;
  const Vec6<S>* Z = poses.screws.data() + link.v;
  if (has_constant_screws(link)) {
    for (std::size_t k = 0; k < n; ++k) {
      result.screws[k].fill(zero_six<S>);
      result.twist[k] = result.acceleration[k] = result.acceleration_by_v[k] = zero_six<S>;
    }
    return;
  }
  if (link.map == JointMap::product) {
    product_partials(link, Z, v_i, result);
  } else if (link.map == JointMap::exponential) {
    exponential_partials(tree, i, poses, v_i, result);
  } else {
    Vec6<S> U = zero_six<S>;
    for (std::size_t m = 0; m < n; ++m) U += v_i[m] * Z[m];
    free_partials(link, cast<S>(tree.bodies[i].T_BJ), Z, U, result);
  }
  for (std::size_t k = 0; k < n; ++k) {
    result.twist[k] = result.acceleration_by_v[k] = zero_six<S>;
    for (std::size_t m = 0; m < n; ++m) {
      // d_k U = sum v_m d_k S_m; U' = S a + b with b = sum v_m v_k d_k S_m, quadratic in v
      result.twist[k] += v_i[m] * result.screws[k][m];
      result.acceleration[k] += a_i[m] * result.screws[k][m];
      result.acceleration_by_v[k] += v_i[m] * (result.screws[m][k] + result.screws[k][m]);
    }
  }
}

}  // namespace axode
