#include "axode/mechanism/description/from_tree.hpp"

#include <cmath>

#include "axode/core/error.hpp"
#include "axode/kinematics/poses.hpp"

namespace axode {
namespace {

/// A direction normal to e.
Vec3<double> normal_to(const Vec3<double>& e) {
  return normalized(cross(e, std::abs(e.x) < .7 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0}));
}
/// The point of a screw's axis nearest to the origin.
Vec3<double> point_of(const Vec6<double>& X) { return cross(X.angular, X.linear); }

/// Geometry on the body; on the parent it is the same, seen from there at q = 0.
struct OnBody {
  PairType type = PairType::weld;
  Vec3<double> point{}, axis{0, 0, 1}, zero{1, 0, 0};
  double pitch = 0;
};

std::string body_name(const Tree& tree, int body) {
  return body < 0 ? std::string(world_name) : tree.bodies[body].name;
}

[[noreturn]] void refuse(const Tree& tree, int body) {
  const Body& b = tree.bodies[body];
  throw Error("mechanisms have no joint of type " + std::string(name(b.joint_type)),
              "joint '" + b.joint_name + "'",
              "replace it by several joints with bodies without mass in between");
}

OnBody on_body(const Tree& tree, int body) {
  const Link& link = tree.links[body];
  const Vec6<double>* X = tree.screws.data() + link.v;
  const auto about = [&](PairType type, const Vec6<double>& turn) -> OnBody {
    return {type, point_of(turn), turn.angular, normal_to(turn.angular)};
  };
  switch (tree.bodies[body].joint_type) {
    case JointType::fixed:
      return {};
    case JointType::revolute:
      return about(PairType::revolute, X[0]);
    case JointType::helical: {
      OnBody helix = about(PairType::helical, X[0]);
      helix.pitch = dot(X[0].angular, X[0].linear);
      return helix;
    }
    case JointType::prismatic:
      return {PairType::prismatic, {}, X[0].linear, normal_to(X[0].linear)};
    case JointType::cylindrical:
      return about(PairType::cylindrical, X[1]);
    case JointType::spherical:  // three orthogonal axes: sum e x (c x e) = 2 c
      return {PairType::spherical, .5 * (point_of(X[0]) + point_of(X[1]) + point_of(X[2]))};
    case JointType::planar:
      return {PairType::planar, point_of(X[2]), X[2].angular, X[0].linear};
    default:
      refuse(tree, body);
  }
}

using Described = MechanismDescription::Joint;

/// The two axes of a universal joint cross at right angles; the first is the parent's.
void place_universal(const Tree& tree, int body, Described& joint) {
  const Link& link = tree.links[body];
  const Vec6<double>&X1 = tree.screws[link.v], &X2 = tree.screws[link.v + 1];
  if (std::abs(dot(X1.angular, X2.angular)) > 1e-9) refuse(tree, body);
  const Vec3<double> p1 = point_of(X1);
  const Vec3<double> point = p1 + X1.angular * dot(X1.angular, point_of(X2) - p1);
  const SE3<double>& B = link.B;
  joint.type = PairType::universal;
  joint.geometry.points = {B * point, point};
  joint.geometry.axes = {B.R * X1.angular, X2.angular};
  joint.geometry.zero = {B.R * X2.angular, X1.angular};
}

Described described(const Tree& tree, int body) {
  const Link& link = tree.links[body];
  Described joint;
  joint.name = tree.bodies[body].joint_name;
  joint.bodies = {body_name(tree, link.parent), tree.bodies[body].name};
  if (tree.bodies[body].joint_type == JointType::universal) {
    place_universal(tree, body, joint);
    return joint;
  }
  const OnBody g = on_body(tree, body);
  joint.type = g.type;
  joint.geometry.points = {link.B * g.point, g.point};
  if (g.type == PairType::spherical) return joint;
  joint.geometry.axes = {link.B.R * g.axis, g.axis};
  joint.geometry.zero = {link.B.R * g.zero, g.zero};
  if (g.type == PairType::prismatic) joint.geometry.angle = 0;
  if (g.type == PairType::planar) joint.geometry.value = 0;
  if (g.type == PairType::helical) {
    joint.geometry.pitch = g.pitch;
    joint.geometry.offset = 0;
  }
  return joint;
}

/// The name of the one coordinate that a joint of one degree of freedom counts by.
std::string coordinate_name(const Tree& tree, int body) {
  const Body& b = tree.bodies[body];
  return b.joint_name + (b.joint_type == JointType::prismatic ? ".distance" : ".angle");
}

Described closing(const TreeLoop& loop) {
  Described joint;
  joint.name = loop.name;
  joint.type = loop.type;
  joint.bodies = loop.body;
  const auto& [S_i, S_j] = loop.frame;
  PairGeometry& g = joint.geometry;
  g.points = {S_i.p, S_j.p};
  if (loop.type == PairType::spherical) return joint;
  if (loop.type != PairType::rod) {
    g.axes = {S_i.R.matrix.z, S_j.R.matrix.z};
    g.zero = {S_i.R.matrix.x, S_j.R.matrix.x};
  }
  const bool has_value = loop.type == PairType::rod || loop.type == PairType::planar ||
                         loop.type == PairType::point_on_plane ||
                         loop.type == PairType::point_line_distance;
  if (has_value) g.value = loop.value;
  if (loop.type == PairType::prismatic) g.angle = 0;
  if (loop.type == PairType::helical) {
    g.pitch = loop.pitch;
    g.offset = loop.offset;
  }
  return joint;
}

void add_drives(const Tree& tree, MechanismDescription& m) {
  for (const Coupling& c : tree.couplings)
    m.couplings.push_back({.name = tree.bodies[c.follower].joint_name + ".follows",
                           .sum = {{coordinate_name(tree, c.follower), 1.},
                                   {coordinate_name(tree, c.leader), -c.ratio}},
                           .constant = c.offset});
  for (int body = 0; body < tree.size(); ++body) {
    const Link& link = tree.links[body];
    if (link.nv != 1 || tree.dofs[link.v].damping == 0) continue;
    MechanismDescription::OnCoordinate force;
    force.coordinate = coordinate_name(tree, body);
    force.force.name = tree.bodies[body].joint_name + ".damping";
    force.force.damping = tree.dofs[link.v].damping;
    m.coordinate_forces.push_back(std::move(force));
  }
}

}  // namespace

MechanismDescription describe_tree(const Tree& tree, std::span<const double> q) {
  const Poses<double> at_reference =
      poses(tree, q.empty() ? neutral(tree) : std::vector<double>(q.begin(), q.end()));
  MechanismDescription m;
  m.name = tree.name;
  m.source = tree.source;
  m.gravity = tree.gravity;
  m.bodies.emplace_back().body.name = world_name;
  for (int body = 0; body < tree.size(); ++body) {
    MechanismBody& now = m.bodies.emplace_back().body;
    now.name = tree.bodies[body].name;
    now.inertia = tree.bodies[body].inertia;
    now.pose = at_reference.T_WB[body];
    if (tree.bodies[body].joint_type != JointType::free) m.joints.push_back(described(tree, body));
  }
  for (const NamedFrame& frame : tree.frames)
    m.bodies[frame.body + 1].body.points.push_back({frame.name, frame.T_BF.p});
  add_drives(tree, m);
  return m;
}

Mechanism mechanism_from_tree(const Tree& tree, std::span<const TreeLoop> loops,
                              std::span<const double> q) {
  MechanismDescription m = describe_tree(tree, q);
  for (const TreeLoop& loop : loops) m.joints.push_back(closing(loop));
  return build(m);
}

}  // namespace axode
