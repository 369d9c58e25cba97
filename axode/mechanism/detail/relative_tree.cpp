#include "axode/mechanism/detail/relative_tree.hpp"

#include <array>
#include <cmath>

#include "axode/lie/rotation.hpp"
#include "axode/model/builder.hpp"

namespace axode {
namespace {

/// The joint from parent to child, with its place: screws are in the frame of body i, which is
/// parent or child; backward the displacement is the inverse, of negated screws in opposite order.
PlacedJoint placed(const MechanismJoint& joint, bool is_planar, bool forward) {
  const PairMotion motion = joint_motion(joint, is_planar);
  const Placement place = forward ? parent_screws(motion.B) : body_screws(inverse(motion.B));
  const double sign = forward ? 1 : -1;
  const Vec3<double> axis = sign * joint.axis[0], &point = joint.point[0];
  const auto& X = motion.screws;
  switch (joint.type) {
    case PairType::revolute:
      return {revolute({axis, point}), place};
    case PairType::prismatic:
      return {prismatic({axis}), place};
    case PairType::helical:
      return {joint.pitch == 0 ? revolute({axis, point}) : helical({axis, point, joint.pitch}),
              place};
    case PairType::cylindrical:
      return {cylindrical({axis, point}), place};
    case PairType::spherical:
      return {spherical({.point = point}), place};
    case PairType::universal:
      return {forward ? universal({X[0].angular, X[1].angular, point})
                      : universal({-X[1].angular, -X[0].angular, point}),
              place};
    case PairType::planar:
      if (forward) return {planar({.x = joint.zero[0], .z = axis, .point = point}), place};
      return {screws_joint(std::array{-X[2], -X[1], -X[0]}), place};
    default:
      return {fixed(), place};
  }
}

/// The joint's coordinates in the order in which the tree has them.
std::array<int, 3> coordinate_order(const MechanismJoint& joint, bool forward) {
  if (forward || joint.type == PairType::cylindrical) return {0, 1, 2};
  return joint.type == PairType::universal ? std::array{1, 0, -1}
         : joint.type == PairType::planar  ? std::array{2, 1, 0}
                                           : std::array{0, 1, 2};
}

/// In the plane only the inertia about the normal counts; in space a body must have others.
Inertia<double> inertia_in_space(const Mechanism& mechanism, const MechanismBody& body) {
  Inertia<double> inertia = body.inertia;
  if (mechanism.is_planar) {
    const double zz = inertia.about_com.zz;
    inertia.about_com = {zz, zz, zz, 0, 0, 0};
  }
  return inertia;
}

struct Maker {
  const Mechanism& mechanism;
  TreeDescription description{};
  RelativeTree result{};

  std::string name_of(int body) const {
    return body == 0 ? std::string(world_name) : mechanism.bodies[body].name;
  }
  void hang(std::string name, int body, int parent, const Inertia<double>& inertia, int number,
            std::string joint_name, const PlacedJoint& joint) {
    description.joints.push_back({.name = std::move(joint_name),
                                  .parent = name_of(parent),
                                  .child = name,
                                  .joint = joint.joint,
                                  .placement = joint.placement});
    description.bodies.push_back({.name = std::move(name), .inertia = inertia});
    result.joint.push_back(number);
    result.stands_for.push_back(body);
  }
  void add(int body, int parent, int number) {
    const MechanismBody& b = mechanism.bodies[body];
    const Inertia<double> inertia = inertia_in_space(mechanism, b);
    result.tree_body[body] = static_cast<int>(description.bodies.size());
    if (number < 0) {
      const Joint joint = mechanism.is_planar ? planar() : free_joint();
      hang(b.name, body, 0, inertia, -1, b.name + ".free", {joint, parent_screws({})});
      return;
    }
    const MechanismJoint& joint = mechanism.joints[number];
    hang(b.name, body, parent, inertia, number, joint.name,
         placed(joint, mechanism.is_planar, joint.body[1] == body));
  }
  void add_end(int number) {
    const MechanismJoint& joint = mechanism.joints[number];
    // a body without mass at the end of T_01 T_12 ... T_n0  [GarciaBayo (2.3)]
    result.ends.push_back(static_cast<int>(description.bodies.size()));
    hang(joint.name + ".end", joint.body[1], joint.body[0], {}, number, joint.name,
         placed(joint, mechanism.is_planar, true));
  }
};

/// Whether the joint leads from its body i to the body of the tree.
bool is_forward(const MechanismJoint& joint, int stands_for) { return joint.body[1] == stands_for; }

void number_coordinates(const Mechanism& mechanism, RelativeTree& result) {
  const Tree& tree = result.tree;
  result.coordinate.assign(tree.nv, -1);
  for (int k = 0; k < tree.size(); ++k) {
    const Link& link = tree.links[k];
    const int number = result.joint[k];
    if (number < 0 || link.map == JointMap::quaternion) continue;
    const MechanismJoint& joint = mechanism.joints[number];
    const auto which = coordinate_order(joint, is_forward(joint, result.stands_for[k]));
    for (int w = 0; w < link.nv; ++w)
      result.coordinate[link.v + w] = coordinate_of(mechanism, number, which[w]);
  }
}

void put_rotation(const SO3<double>& R, double* q) {
  const auto e = to_euler_parameters(R);
  std::copy(e.begin(), e.end(), q);
}

void put_free(const Mechanism& mechanism, const SE3<double>& T, double* q) {
  if (mechanism.is_planar) {
    q[0] = T.p.x, q[1] = T.p.y;
    q[2] = std::atan2(T.R.matrix.x.y, T.R.matrix.x.x);
    return;
  }
  put_rotation(T.R, q);
  for (int k = 0; k < 3; ++k) q[4 + k] = T.p[k];
}

}  // namespace

RelativeTree relative_tree(const Mechanism& mechanism, const SpanningTree& spanning,
                           bool close_whole) {
  Maker maker{mechanism};
  maker.description.name = mechanism.name;
  maker.description.gravity = mechanism.gravity;
  maker.result.tree_body.assign(mechanism.bodies.size(), -1);
  for (const int body : spanning.order)
    maker.add(body, spanning.parent[body], spanning.parent_joint[body]);
  if (close_whole)
    for (const int joint : spanning.cut)
      if (carries_body(mechanism.joints[joint].type)) maker.add_end(joint);
  maker.result.tree = build(maker.description);
  number_coordinates(mechanism, maker.result);
  return std::move(maker.result);
}

std::vector<double> coordinates_at(const Mechanism& mechanism, const Tree& tree,
                                   const std::vector<int>& tree_joints,
                                   const std::vector<int>& stands_for,
                                   std::span<const SE3<double>> poses) {
  std::vector<double> q(tree.nq, 0.);
  for (int k = 0; k < tree.size(); ++k) {
    const Link& link = tree.links[k];
    const int number = tree_joints[k];
    const SE3<double>& T_WB = poses[stands_for[k]];
    if (number < 0) {
      put_free(mechanism, T_WB, q.data() + link.q);
      continue;
    }
    const MechanismJoint& joint = mechanism.joints[number];
    const bool forward = is_forward(joint, stands_for[k]);
    if (link.map == JointMap::quaternion) {
      const int parent = joint.body[forward ? 0 : 1];
      put_rotation(inverse_times(poses[parent].R, T_WB.R), q.data() + link.q);
      continue;
    }
    const auto which = coordinate_order(joint, forward);
    for (int w = 0; w < link.nq; ++w)
      q[link.q + w] =
          measure_with_turns(mechanism, coordinate_of(mechanism, number, which[w]), poses);
  }
  return q;
}

}  // namespace axode
