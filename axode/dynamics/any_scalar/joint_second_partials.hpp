// Definitions of joint_second_partials.hpp; instantiated by joint_second_partials.cpp.
#pragma once
#include "axode/dynamics/any_scalar/joint_partials.hpp"
#include "axode/dynamics/detail/joint_second_partials.hpp"

namespace axode {

template <class S>
JointSecondPartials<S>::JointSecondPartials(const Tree& tree)
    : moving(tree), velocity(tree.nv, S(0)), zero(velocity) {}

namespace detail {

/// Second kind and free: d_m of the first derivatives. Leaves in `acceleration` the part of U' that
/// comes from v alone.
template <class S>
void dual_second_partials(const Tree& tree, int i, const Vec6<S>* Z, const S* v,
                          const JointPartials<S>& first, JointSecondPartials<S>& p) noexcept {
  const std::size_t b = i;
  const Link& link = tree.links[b];
  const std::size_t n = link.nv;
  std::array<Vec6<Dual<S>>, 6> moving_Z;
  std::array<Dual<S>, 6> fixed_v;
  for (std::size_t l = 0; l < n; ++l) fixed_v[l] = Dual<S>(v[l], S(0));
  for (std::size_t m = 0; m < n; ++m) {
    Vec6<Dual<S>> U = zero_six<Dual<S>>;
    for (std::size_t l = 0; l < n; ++l) {
      moving_Z[l] = make_dual(Z[l], first.screws[m][l]);
      U += fixed_v[l] * moving_Z[l];
    }
    if (link.map == JointMap::product)
      product_partials(link, moving_Z.data(), fixed_v.data(), p.moving);
    else
      free_partials(link, cast<Dual<S>>(tree.bodies[b].T_BJ), moving_Z.data(), U, p.moving);
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t l = 0; l < n; ++l) p.screws[m][k][l] = dual_part(p.moving.screws[k][l]);
      p.acceleration[m][k] = dual_part(p.moving.acceleration[k]);
    }
  }
}

/// First kind. With u = v / s and f(x) the second or third derivative of S at the velocity x,
///   f(u + e_k + e_m) - f(u + e_k - e_m) - f(u - e_k + e_m) + f(u - e_k - e_m)
/// is 8 d_k d_m S, and 24 / s times the derivative of d_k d_m S along v.
template <class S>
void polarized_second_partials(const Tree& tree, int i, const Poses<S>& poses, const S* v,
                               JointSecondPartials<S>& p) noexcept {
  const Link& link = tree.links[i];
  const std::size_t n = link.nv, first = link.v;
  std::array<Vec6<S>, 24> screws;
  S size(0);
  for (std::size_t l = 0; l < n; ++l) size = max(size, abs(v[l]));
  size = select(size > S(0), size, S(1));
  for (std::size_t m = 0; m < n; ++m)
    for (std::size_t k = 0; k <= m; ++k) {
      p.screws[m][k].fill(zero_six<S>);
      p.acceleration[m][k] = zero_six<S>;
      for (const int sign : {1, 2, 3, 4}) {
        const S at_k(sign <= 2 ? 1 : -1), at_m(sign % 2 == 1 ? 1 : -1), factor = at_k * at_m;
        for (std::size_t l = 0; l < n; ++l) p.velocity[first + l] = v[l] / size;
        p.velocity[first + k] += at_k;
        p.velocity[first + m] += at_m;
        for (std::size_t l = 0; l < n; ++l) screws[l] = poses.screws[first + l];
        const std::array<const S*, 3> rates{p.velocity.data(), p.zero.data(), p.zero.data()};
        joint_screw_derivatives<S>(tree, i, poses.q.data(), rates, 3, screws.data());
        for (std::size_t l = 0; l < n; ++l) {
          p.screws[m][k][l] += factor / S(8) * screws[2 * n + l];
          p.acceleration[m][k] += factor * size * v[l] / S(24) * screws[3 * n + l];
        }
      }
      p.screws[k][m] = p.screws[m][k];
      p.acceleration[k][m] = p.acceleration[m][k];
    }
}

}  // namespace detail

template <class S>
void joint_second_partials(const Tree& tree, int i, const Poses<S>& poses, In<S> v, In<S> a,
                           const JointPartials<S>& first, JointSecondPartials<S>& result) noexcept {
  using namespace detail;
  const Link& link = tree.links[i];
  const std::size_t n = link.nv;
  const S *v_i = v.data() + link.v, *a_i = a.data() + link.v;
  if (has_constant_screws(link)) {
    for (std::size_t m = 0; m < n; ++m)
      for (std::size_t k = 0; k < n; ++k) {
        result.screws[m][k].fill(zero_six<S>);
        result.twist[m][k] = result.acceleration[m][k] = result.acceleration_by_v[m][k] =
            zero_six<S>;
      }
    return;
  }
  if (link.map == JointMap::exponential)
    polarized_second_partials(tree, i, poses, v_i, result);
  else
    dual_second_partials(tree, i, poses.screws.data() + link.v, v_i, first, result);
  for (std::size_t m = 0; m < n; ++m)
    for (std::size_t k = 0; k < n; ++k) {
      result.twist[m][k] = result.acceleration_by_v[m][k] = zero_six<S>;
      for (std::size_t l = 0; l < n; ++l) {
        result.twist[m][k] += v_i[l] * result.screws[m][k][l];
        result.acceleration[m][k] += a_i[l] * result.screws[m][k][l];
        result.acceleration_by_v[m][k] +=
            v_i[l] * (result.screws[m][l][k] + result.screws[m][k][l]);
      }
    }
}

}  // namespace axode
