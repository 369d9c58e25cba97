// Trees of model files, with loops closed by more joints.
#include <cmath>

#include "axode/error.hpp"
#include "axode/io/mechanism_file.hpp"
#include "axode/io/model_file.hpp"
#include "axode/io/text_file.hpp"
#include "axode/model/geometry.hpp"
#include "axode/screw/screw.hpp"

namespace axode {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// The pair for a type of joint; free joints have none.
PairType pair_of(const Body& body) {
  switch (body.joint_type) {
    case JointType::fixed:
      return PairType::weld;
    case JointType::revolute:
      return PairType::revolute;
    case JointType::prismatic:
      return PairType::prismatic;
    case JointType::helical:
      return PairType::helical;
    case JointType::cylindrical:
      return PairType::cylindrical;
    case JointType::spherical:
      return PairType::spherical;
    default:
      throw Error("mechanisms have no " + std::string(name(body.joint_type)) + " joints",
                  "joint '" + body.joint_name + "'",
                  "make it of revolute, prismatic, helical, cylindrical and spherical ones");
  }
}

/// A unit vector normal to the axis, to count angles from.
Vec3<double> normal_to(const Vec3<double>& a) {
  const Vec3<double> e = std::abs(a.x) < 0.9 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
  return normalized(e - a * dot(a, e));
}

/// The joint that carries a body, its coordinates zero as at q = 0.
MechanismDescription::Joint joint_of(const Tree& tree, int i, const std::vector<ZeroReference>& A) {
  const Body& body = tree.bodies[at(i)];
  const int parent = tree.links[at(i)].parent;
  const SE3<double> Ti = parent < 0 ? SE3<double>{} : A[at(parent)].A, &Tj = A[at(i)].A;
  MechanismDescription::Joint joint;
  joint.name = body.joint_name;
  joint.type = pair_of(body);
  joint.bodies = {parent < 0 ? std::string(ground_name) : tree.bodies[at(parent)].name, body.name};
  Vec3<double> point = Tj.p, axis{0, 0, 1};
  if (joint.type == PairType::spherical) {
    point = Tj * joint_frames(tree, i).S_body.p;
  } else if (joint.type != PairType::weld) {
    // Cylindrical joints have a translation and a rotation, in either order.
    const auto& Y = A[at(i)].Y;
    Vec6<double> screw = *Y.begin();
    for (const Vec6<double>& y : Y)
      if (max_abs(y.angular) > 0) screw = y;
    const Screw<double> found = screw_from_coordinates(screw).screw;
    axis = found.axis;
    if (max_abs(screw.angular) > 0) point = found.point;
    if (joint.type == PairType::helical) joint.geometry.pitch = found.pitch;
  }
  PairGeometry& g = joint.geometry;
  g.points = {Spot(inverse_times(Ti, point)), Spot(inverse_times(Tj, point))};
  if (joint.type == PairType::spherical) return joint;
  const Vec3<double> zero = normal_to(axis);
  g.axes = {Spot(inverse_times(Ti.R, axis)), Spot(inverse_times(Tj.R, axis))};
  g.zero = {Spot(inverse_times(Ti.R, zero)), Spot(inverse_times(Tj.R, zero))};
  return joint;
}

std::string first_coordinate(const Tree& tree, int i) {
  const Body& body = tree.bodies[at(i)];
  const bool slides = body.joint_type == JointType::prismatic;
  return body.joint_name + (slides ? ".distance" : ".angle");
}

}  // namespace

MechanismDescription describe_tree(const Tree& tree) {
  MechanismDescription description;
  description.name = tree.name;
  description.gravity = tree.gravity;
  const std::vector<ZeroReference> A = zero_references(tree);
  description.bodies.emplace_back().body.name = ground_name;
  for (int i = 0; i < tree.size(); ++i) {
    MechanismBody& body = description.bodies.emplace_back().body;
    body.name = tree.bodies[at(i)].name;
    body.inertia = tree.bodies[at(i)].inertia;
    body.pose = A[at(i)].A;
    if (tree.links[at(i)].map != JointMap::free) description.joints.push_back(joint_of(tree, i, A));
  }
  for (const NamedFrame& frame : tree.frames)
    description.bodies[at(frame.body + 1)].body.points.push_back({frame.name, frame.T_BF.p});
  for (const Coupling& c : tree.couplings)
    description.couplings.push_back(
        {tree.bodies[at(c.follower)].joint_name + ".mimic",
         {{first_coordinate(tree, c.follower), 1}, {first_coordinate(tree, c.leader), -c.ratio}},
         c.offset,
         0});
  return description;
}

Mechanism load_mechanism(const std::filesystem::path& model, const std::filesystem::path& loops) {
  MechanismDescription description = describe_tree(load_tree(model));
  detail::describe_mechanism(read_text_file(loops), loops.string(), false, description);
  return finish_mechanism(description);
}

}  // namespace axode
