#include "axode/mechanism/detail/joint_motion.hpp"

#include "axode/lie/adjoint.hpp"

namespace axode {
namespace {

/// The axes (zero, axis x zero, axis).
SO3<double> axes(const Vec3<double>& axis, const Vec3<double>& zero) {
  return {{zero, cross(axis, zero), axis}};
}
SO3<double> about_z(double angle) { return exp(Vec3<double>{0, 0, angle}); }

/// B from the frames of the joint on both bodies and what lies between them at q = 0.
SE3<double> between(const SE3<double>& S_i, const SE3<double>& D, const SE3<double>& S_j) {
  return S_i * D * inverse(S_j);
}

}  // namespace

PairMotion joint_motion(const MechanismJoint& joint, bool is_planar) {
  using V = Vec3<double>;
  const bool slides_in_plane = is_planar && joint.type == PairType::prismatic;
  const auto frame = [&](std::size_t side) -> SE3<double> {
    const V normal = slides_in_plane ? V{0, 0, 1} : joint.axis[side];
    return {axes(normal, joint.zero[side]), joint.point[side]};
  };
  const SE3<double> S_i = frame(0);
  SE3<double> S_j = frame(1), D{};
  const V z{0, 0, 1};
  const Vec6<double> turn{z, {}}, slide{{}, z};
  PairMotion motion;
  const auto add = [&](const Vec6<double>& screw, int which) {
    motion.screws[motion.size] = Ad(S_i, screw);
    motion.which[motion.size++] = which;
  };
  switch (joint.type) {
    case PairType::revolute:
      add(turn, 0);
      break;
    case PairType::prismatic:
      D.R = about_z(joint.angle);
      add(slide, 0);
      if (slides_in_plane) motion.screws[0] = {{}, joint.axis[0]};
      break;
    case PairType::helical:
      D.p = {0, 0, joint.offset};
      add({z, {0, 0, joint.pitch}}, 0);
      break;
    case PairType::cylindrical:
      add(slide, 0);
      add(turn, 1);
      break;
    case PairType::spherical:
      motion.B = {{}, joint.point[0] - joint.point[1]};
      return motion;
    case PairType::universal:
      // After the first turn the second axis is x; it is the third of its frame on body j.
      S_j.R = {{joint.axis[1], cross(joint.zero[1], joint.axis[1]), joint.zero[1]}};
      add(turn, 0);
      add({{1, 0, 0}, {}}, 1);
      break;
    case PairType::planar:
      D.p = {0, 0, joint.value};
      add({{}, {1, 0, 0}}, 0);
      add({{}, {0, 1, 0}}, 1);
      add(turn, 2);
      break;
    default:
      break;  // weld
  }
  motion.B = between(S_i, D, S_j);
  return motion;
}

SE3<double> displacement(const PairMotion& motion, std::span<const double> values) noexcept {
  SE3<double> T{};
  for (std::size_t k = 0; k < static_cast<std::size_t>(motion.size); ++k)
    // T_ij = exp(X_1 q_1) ... exp(X_m q_m) B  [MuellerKin (6), corrected: docs/errata.md]
    T = T * exp(values[k] * motion.screws[k]);
  return T * motion.B;
}

}  // namespace axode
