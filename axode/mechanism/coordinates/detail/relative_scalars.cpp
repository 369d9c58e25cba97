#include "axode/mechanism/coordinates/detail/relative_scalars.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "axode/mechanism/analysis/start_poses.hpp"

namespace axode {
namespace {

double angle_of(const Vec3<double>& a) { return std::atan2(a.y, a.x); }

}  // namespace

RelativeScalars::RelativeScalars(const SpanningTree& spanning, const RelativeTree& relative)
    : spanning_(spanning), number_(relative.tree.nv, -1), stands_for_(relative.stands_for) {
  for (const Link& link : relative.tree.links)
    if (link.nq == link.nv)
      for (int w = 0; w < link.nv; ++w) number_[link.v + w] = link.q + w;
  for (std::size_t v = 0; v < relative.coordinate.size(); ++v)
    if (relative.coordinate[v] >= 0) velocity_[relative.coordinate[v]] = static_cast<int>(v);
}

int RelativeScalars::add(MechanismEquations& eq, int coordinate, std::vector<Scalar::Part> parts,
                         double constant) {
  eq.scalars.push_back({std::move(parts), constant, eq.mechanism.coordinates[coordinate].name});
  return made_[coordinate] = static_cast<int>(eq.scalars.size()) - 1;
}

Scalar::Part RelativeScalars::part(int velocity, double factor) const {
  return {number_[velocity], velocity, factor};
}

int RelativeScalars::scalar(MechanismEquations& eq, int coordinate) {
  if (const auto found = made_.find(coordinate); found != made_.end()) return found->second;
  if (const auto found = velocity_.find(coordinate); found != velocity_.end())
    return add(eq, coordinate, {part(found->second, 1)}, 0);
  const MechanismCoordinate& c = eq.mechanism.coordinates[coordinate];
  if (c.kind == MechanismCoordinate::Kind::joint) {
    const MechanismJoint& joint = eq.mechanism.joints[c.joint];
    const auto angle = velocity_.find(coordinate - 1);
    if (joint.type == PairType::helical && c.which == 1 && angle != velocity_.end())
      // s = s0 + n psi  [GarciaBayo (2.66)]
      return add(eq, coordinate, {part(angle->second, joint.pitch)}, joint.offset);
  }
  return eq.mechanism.is_planar && c.is_angle ? planar_angle(eq, coordinate) : -1;
}

/// The angle of a planar body in the world, times sign.
void RelativeScalars::add_turning(const MechanismEquations& eq, int body, double sign,
                                  Turning& sum) const {
  const auto turn = [&](int velocity, double factor) {
    if ((sum.factors[velocity] += factor) == 0) sum.factors.erase(velocity);
  };
  // the sum of the relative angles on the way to the world  [GarciaBayo Ex. 2.2, Ex. 2.3]
  for (; body != 0; body = spanning_.parent[body]) {
    const int number = spanning_.parent_joint[body];
    if (number < 0) {
      turn(eq.tree->links[eq.bodies[body].tree_body].v + 2, sign);
      continue;
    }
    const MechanismJoint& joint = eq.mechanism.joints[number];
    const double way = joint.body[1] == body ? sign : -sign;
    sum.constant += way * angle_of(joint_motion(joint, true).B.R.matrix.x);
    if (joint.type == PairType::revolute)
      turn(velocity_.at(coordinate_of(eq.mechanism, number)), way * joint.axis[0].z);
  }
}

int RelativeScalars::planar_angle(MechanismEquations& eq, int coordinate) {
  const MechanismCoordinate& c = eq.mechanism.coordinates[coordinate];
  double sign = 1;
  std::array<int, 2> bodies = c.body;
  Turning sum;
  if (c.kind == MechanismCoordinate::Kind::joint) {
    const MechanismJoint& joint = eq.mechanism.joints[c.joint];
    sign = joint.type == PairType::revolute ? joint.axis[0].z : 1;
    sum.constant = sign * (angle_of(joint.zero[1]) - angle_of(joint.zero[0]));
    bodies = joint.body;
  }
  add_turning(eq, bodies[1], sign, sum);
  add_turning(eq, bodies[0], -sign, sum);
  std::vector<Scalar::Part> parts;
  for (const auto& [velocity, factor] : sum.factors) parts.push_back(part(velocity, factor));
  const double constant = constant_on_turn(eq, coordinate, parts, sum.constant);
  return add(eq, coordinate, std::move(parts), constant);
}

double RelativeScalars::constant_on_turn(const MechanismEquations& eq, int coordinate,
                                         const std::vector<Scalar::Part>& parts, double constant) {
  const Mechanism& mechanism = eq.mechanism;
  if (start_.empty()) {
    start_ = start_poses(mechanism, spanning_);
    start_q_ = coordinates_at(mechanism, *eq.tree, eq.tree_joints, stands_for_, start_);
  }
  double sum = constant;
  for (const Scalar::Part& p : parts) sum += p.factor * start_q_[p.x];
  const double wished = measure_with_turns(mechanism, coordinate, start_);
  return constant + nearest_turn(sum, wished) - sum;
}

}  // namespace axode
