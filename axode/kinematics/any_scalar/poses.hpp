// Definitions of poses.hpp; instantiated by poses.cpp.
#pragma once
#include "axode/kinematics/poses.hpp"
#include "axode/model/joint_map.hpp"

namespace axode {

template <class S>
Poses<S>::Poses(const Tree& tree)
    : q(tree.nq), T_WB(tree.links.size()), T_PB(tree.links.size()), screws(tree.screws.size()) {}

template <class S>
void poses(const Tree& tree, In<S> q, Poses<S>& result) noexcept {
  for (int k = 0; k < tree.nq; ++k) result.q[k] = q[k];
  const S* x = result.q.data();
  for (int i = 0; i < tree.size(); ++i) {
    const std::size_t b = i;
    const Link& link = tree.links[b];
    const SE3<S> D = joint_displacement(tree, i, x);
    const SE3<S> T_PB = detail::cast<S>(link.B) * D;
    result.T_PB[b] = T_PB;
    result.T_WB[b] = link.parent < 0 ? T_PB : result.T_WB[link.parent] * T_PB;
    joint_screws(tree, i, x, D, result.screws.data() + link.v);
  }
}

template <class S>
SE3<S> pose_by_body_screws(const Tree& tree, In<S> q, int body) noexcept {
  SE3<S> T{};
  for (int i = body; i >= 0; i = tree.links[i].parent)
    T = detail::cast<S>(tree.links[i].B) * joint_displacement(tree, i, q.data()) * T;
  return T;
}

template <class S>
SE3<S> pose_by_zero_reference(const Tree& tree, std::span<const ZeroReference> geometry, In<S> q,
                              int body) noexcept {
  SE3<S> T = detail::cast<S>(geometry[body].A);
  for (int i = body; i >= 0; i = tree.links[i].parent) {
    const Link& link = tree.links[i];
    const ZeroReference& g = geometry[i];
    if (link.map == JointMap::exponential) {
      Vec6<S> sum{{S(0), S(0), S(0)}, {S(0), S(0), S(0)}};
      for (int k = 0; k < link.nv; ++k) sum += detail::cast<S>(g.Y.screws[k]) * q[link.q + k];
      T = exp(sum) * T;
    } else if (link.map == JointMap::quaternion || link.map == JointMap::free) {
      const SE3<S> A = detail::cast<S>(g.A);
      T = A * joint_displacement(tree, i, q.data()) * inverse(A) * T;
    } else {
      for (int k = link.nv - 1; k >= 0; --k)
        T = detail::one_displacement(g.Y.screws[k], q[link.q + k]) * T;
    }
  }
  return T;
}

}  // namespace axode
