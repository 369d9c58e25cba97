#include "axode/mechanism/analysis/start_poses.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "axode/mechanism/detail/joint_motion.hpp"

namespace axode {
namespace {

bool is_told(const Mechanism& mechanism, int coordinate) {
  return coordinate >= 0 && coordinate < std::ssize(mechanism.initial) &&
         !std::isnan(mechanism.initial[coordinate]);
}

/// The angle of a screw joint: as told, or told by the distance, or measured.
double start_angle(const Mechanism& mechanism, int number, std::span<const SE3<double>> reference) {
  const MechanismJoint& joint = mechanism.joints[number];
  const int angle = coordinate_of(mechanism, number, 0), distance = angle + 1;
  if (is_told(mechanism, angle)) return mechanism.initial[angle];
  if (is_told(mechanism, distance) && joint.pitch != 0)
    return (mechanism.initial[distance] - joint.offset) / joint.pitch;
  return measure_with_turns(mechanism, angle, reference);
}

/// T_ij as told and measured.
SE3<double> start_displacement(const Mechanism& mechanism, int number,
                               std::span<const SE3<double>> reference) {
  const MechanismJoint& joint = mechanism.joints[number];
  if (joint.type == PairType::spherical) {
    const SO3<double> R_ij = inverse_times(reference[joint.body[0]].R, reference[joint.body[1]].R);
    return {R_ij, joint.point[0] - R_ij * joint.point[1]};
  }
  const PairMotion motion = joint_motion(joint, mechanism.is_planar);
  std::array<double, 3> values{};
  for (int k = 0; k < motion.size; ++k) {
    const int coordinate = coordinate_of(mechanism, number, motion.which[k]);
    values[k] = joint.type == PairType::helical  ? start_angle(mechanism, number, reference)
                : is_told(mechanism, coordinate) ? mechanism.initial[coordinate]
                                                 : measure(mechanism, coordinate, reference);
  }
  return displacement(motion, values);
}

}  // namespace

std::vector<SE3<double>> start_poses(const Mechanism& mechanism, const SpanningTree& tree) {
  std::vector<SE3<double>> reference;
  for (const MechanismBody& body : mechanism.bodies) reference.push_back(body.pose);
  reference.front() = {};
  std::vector<SE3<double>> poses = reference;
  for (const int body : tree.order) {
    const int number = tree.parent_joint[body];
    if (number < 0) continue;  // a free joint: where it is
    const SE3<double> T_ij = start_displacement(mechanism, number, reference);
    const bool forward = mechanism.joints[number].body[1] == body;
    poses[body] = poses[tree.parent[body]] * (forward ? T_ij : inverse(T_ij));
  }
  return poses;
}

std::vector<SE3<double>> start_poses(const Mechanism& mechanism) {
  std::vector<int> told;
  for (std::size_t k = 0; k < mechanism.coordinates.size(); ++k) {
    const MechanismCoordinate& c = mechanism.coordinates[k];
    if (c.joint < 0 || !is_told(mechanism, static_cast<int>(k))) continue;
    if (told.empty() || told.back() != c.joint) told.push_back(c.joint);
  }
  return start_poses(mechanism, spanning_tree(mechanism, {}, told));
}

std::vector<SE3<double>> start_poses(const Mechanism& mechanism, double t) {
  Mechanism told = mechanism;
  told.initial.resize(told.coordinates.size(), std::numeric_limits<double>::quiet_NaN());
  for (const MechanismDriver& driver : told.drivers)
    told.initial[driver.coordinate] = driver.motion(t).value;
  return start_poses(told);
}

}  // namespace axode
