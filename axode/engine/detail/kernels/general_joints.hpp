// Poses and screws of joints that are neither revolute nor sliding, at their coordinates.
#pragma once
#include <array>

#include "axode/engine/detail/tree/call.hpp"
#include "axode/model/joint_map.hpp"

namespace axode::engine {

template <class S>
inline void store3(const Vec3<S>& a, S* to) noexcept {
  to[0] = a.x, to[1] = a.y, to[2] = a.z, to[3] = S(0);
}

/// Pose of E in the parent's frame, K times that of the joint's coordinates.
template <class S>
inline void store_pose(const EngineBody& b, const SE3<S>& D, General<S>& g) noexcept {
  const auto column = [&](int j) {
    return axode::detail::cast<S>(Vec3<double>{b.column[j][0], b.column[j][1], b.column[j][2]});
  };
  const SE3<S> K{{Mat3<S>{column(0), column(1), column(2)}},
                 axode::detail::cast<S>(Vec3<double>{b.position[0], b.position[1], b.position[2]})};
  const SE3<S> T = b.straight ? SE3<S>{D.R, K.p + D.p} : K * D;
  for (int j = 0; j < 3; ++j) store3(T.R.matrix.column(j), g.column[j]);
  store3(T.p, g.position);
}

/// Of a quaternion (w, x, y, z) of any length but zero.
template <class S>
inline Mat3<S> rotation_of(const S* p) noexcept {
  const S length2 = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3];
  const S s = S(2) / length2;
  const S x = p[1] * s, y = p[2] * s, z = p[3] * s;
  const S xx = x * p[1], yy = y * p[2], zz = z * p[3], xy = x * p[2], xz = x * p[3], yz = y * p[3];
  const S wx = x * p[0], wy = y * p[0], wz = z * p[0];
  Mat3<S> R{{S(1) - (yy + zz), xy + wz, xz - wy},
            {xy - wz, S(1) - (xx + zz), yz + wx},
            {xz + wy, yz - wx, S(1) - (xx + yy)}};
  const auto usual = length2 > S(1e-200) && length2 < S(1e200);
  if (all_of(usual)) [[likely]]
    return R;
  const Mat3<S> safe = axode::detail::quaternion_pose(p).R.matrix;
  return {select(usual, R.x, safe.x), select(usual, R.y, safe.y), select(usual, R.z, safe.z)};
}

template <class S>
void moving_joint(const Tree& tree, const EngineBody& b, const S* q, const S* v,
                  General<S>& g) noexcept {
  const SE3<S> D = joint_displacement(tree, b.body, q);
  store_pose(b, D, g);
  std::array<Vec6<S>, 12> X;
  joint_screws(tree, b.body, q, D, X.data());
  if (v) {
    const std::array<const S*, 1> velocity{v};
    joint_screw_derivatives<S>(tree, b.body, q, velocity, 1, X.data());
  }
  Vec6<S> bias{{S(0), S(0), S(0)}, {S(0), S(0), S(0)}};
  for (int k = 0; k < b.nv; ++k) {
    const std::size_t i = k;
    store3(X[i].angular, g.screw[k]);
    store3(X[i].linear, g.screw[k] + 4);
    if (v) bias += X[i + b.nv] * v[b.v + k];
  }
  store3(bias.angular, g.bias);
  store3(bias.linear, g.bias + 4);
}

/// All such joints; v may be none where no accelerations are wanted.
template <class S>
void general_joints(const Tree& tree, const EngineBody* bodies, int n, const S* q, const S* v,
                    General<S>* generals) noexcept {
  for (int i = 0; i < n; ++i) {
    const EngineBody& b = bodies[i];
    if (b.general < 0) continue;
    General<S>& g = generals[b.general];
    if (b.joint == EngineJoint::moving) {
      moving_joint(tree, b, q, v, g);
      continue;
    }
    SE3<S> D{{rotation_of(q + b.q)}, {S(0), S(0), S(0)}};
    if (b.joint == EngineJoint::free) D.p = {q[b.q + 4], q[b.q + 5], q[b.q + 6]};
    store_pose(b, D, g);
  }
}

}  // namespace axode::engine
