// Rates of the screws of one joint in its body frame, used by several sources of this folder.
#pragma once
#include <array>

#include "axode/kinematics/poses.hpp"
#include "axode/model/joint_map.hpp"

namespace axode::detail {

/// dS/dt of joint i along the velocities v of the tree, zero where the screws are constant: writes
/// nv screws.
template <class S>
void joint_screw_rates(const Tree& tree, int i, const Poses<S>& poses, const S* v,
                       Vec6<S>* rates) noexcept {
  const Link& link = tree.links[i];
  if (has_constant_screws(link)) {
    for (int k = 0; k < link.nv; ++k) rates[k] = {{S(0), S(0), S(0)}, {S(0), S(0), S(0)}};
    return;
  }
  std::array<Vec6<S>, 12> screws;
  for (int k = 0; k < link.nv; ++k) screws[k] = poses.screws[link.v + k];
  const std::array<const S*, 1> velocity{v};
  joint_screw_derivatives<S>(tree, i, poses.q.data(), velocity, 1, screws.data());
  for (int k = 0; k < link.nv; ++k) rates[k] = screws[link.nv + k];
}

/// J'_k = [V_i, J_k] + Ad(T) dS_k/dt of all velocities, in world axes about the point that the
/// screws J, the twists V and the poses T are about.
template <class S>
void moving_screw_rates(const Tree& tree, const Poses<S>& poses, const Vec3<S>& point, const S* v,
                        const Vec6<S>* twists, const Vec6<S>* screws, Vec6<S>* rates) noexcept {
  for (int i = 0; i < tree.size(); ++i) {
    const std::size_t b = i;
    const Link& link = tree.links[b];
    joint_screw_rates(tree, i, poses, v, rates + link.v);
    const SE3<S> T{poses.T_WB[b].R, poses.T_WB[b].p - point};
    const bool constant = has_constant_screws(link);
    for (int k = link.v; k < link.v + link.nv; ++k) {
      const Vec6<S> moved = ad(twists[i], screws[k]);
      rates[k] = constant ? moved : moved + Ad(T, rates[k]);
    }
  }
}

}  // namespace axode::detail
