// What both representations of time_derivatives.hpp do at a joint: its twist and its forces.
#pragma once
#include <algorithm>
#include <array>

#include "axode/dynamics/derivatives/time_derivatives.hpp"
#include "axode/kinematics/any_scalar/motion.hpp"

namespace axode::detail {

/// S, S', .. of joint i, in blocks of nv: entry (k, f) is the k-th derivative of screw f.
template <Rep rep, class S>
Vec6<S>* screws_of(InverseDynamicsRates<rep, S>& work, const Link& link) noexcept {
  return work.screws.data() + 4 * link.v;
}

/// U^(k) = sum_j binom(k, j) S^(j) v^(k-j) of joint i, in the body frame, for k = 0..order + 1.
/// Leaves S^(j) in work.screws if they are not zero.
template <Rep rep, class S>
void relative_twists(const Tree& tree, int i, const Poses<S>& poses, const JointMotion<S>& motion,
                     int order, InverseDynamicsRates<rep, S>& work) noexcept {
  const Link& link = tree.links[i];
  auto& U = work.relative[i];
  const std::array<const S*, 4> v{motion.v.data(), motion.a.data(), motion.jerk.data(),
                                  motion.snap.data()};
  const auto sum = [&](int k) {
    return relative_twist(link, poses.screws.data(), v[std::size_t(k)]);
  };
  U.value = sum(0);
  U.first = sum(1);
  U.second = sum(2);
  if (order > 1) U.third = sum(3);
  if (has_constant_screws(link)) return;

  Vec6<S>* screws = screws_of(work, link);
  std::copy_n(poses.screws.begin() + link.v, link.nv, screws);
  joint_screw_derivatives<S>(tree, i, poses.q.data(), std::span(v).first(3), order + 1, screws);
  const auto add = [&](Vec6<S>& to, int binomial, int j, int k) {
    const S* rate = v[std::size_t(k)] + link.v;
    for (int f = 0; f < link.nv; ++f)
      to += screws[j * link.nv + f] * (S(Real<S>(binomial)) * rate[f]);
  };
  add(U.first, 1, 1, 0);
  add(U.second, 2, 1, 1);
  add(U.second, 1, 2, 0);
  if (order < 2) return;
  add(U.third, 3, 1, 2);
  add(U.third, 3, 2, 1);
  add(U.third, 1, 3, 0);
}

/// (S^T W)^(k) = sum_j binom(k, j) S^(j)^T W^(k-j) of joint i, W in the body frame.
template <Rep rep, class S>
void joint_force_rates(const Link& link, const Poses<S>& poses,
                       const typename InverseDynamicsRates<rep, S>::Wrenches& W, int order,
                       InverseDynamicsRates<rep, S>& work,
                       const JointForcesOut<S>& forces) noexcept {
  const bool constant = has_constant_screws(link);
  const Vec6<S>* screws = screws_of(work, link);
  for (int f = 0; f < link.nv; ++f) {
    const std::size_t k = link.v + f;
    const Vec6<S>& X = poses.screws[k];
    forces.tau[k] = dot(X, W.value);
    forces.first[k] = dot(X, W.first);
    if (order > 1) forces.second[k] = dot(X, W.second);
    if (constant) continue;
    const Vec6<S>& rate = screws[link.nv + f];
    forces.first[k] += dot(rate, W.value);
    if (order > 1)
      forces.second[k] += S(2) * dot(rate, W.first) + dot(screws[2 * link.nv + f], W.value);
  }
}

}  // namespace axode::detail
