#include "tests/support/models/reference_tree.hpp"

#include <utility>

#include "axode/lie/rotation.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/json_data.hpp"

namespace axode::test {
namespace {

using nlohmann::json;

JointType one_screw_type(const std::string& text) {
  if (text == "revolute") return JointType::revolute;
  if (text == "prismatic") return JointType::prismatic;
  if (text == "helical") return JointType::helical;
  return JointType::screws;
}

/// The joint of a body, with its screws as the form has them, and its placement.
PlacedJoint placed_joint(const json& body, GeometryForm form, Rep base_velocity) {
  if (body.at("coordinate_kind") == "free") return {free_joint({.velocity = base_velocity}), {}};
  json screws;
  Placement placement;
  switch (form) {
    case GeometryForm::zero_reference:
      screws = body.at("zero_reference").at("Y");
      placement = zero_reference(pose(body.at("zero_reference").at("A")));
      break;
    case GeometryForm::body_screws:
      screws = body.at("body_screws").at("X");
      placement = body_screws(pose(body.at("body_screws").at("B")));
      break;
    case GeometryForm::parent_screws:
      screws = body.at("body_screws").at("X_parent");
      placement = parent_screws(pose(body.at("body_screws").at("B")));
      break;
    case GeometryForm::joint_frames:
      screws = body.at("joint_frames").at("Z");
      placement = joint_frames(pose(body.at("joint_frames").at("S_parent")),
                               pose(body.at("joint_frames").at("S_body")));
      break;
  }
  Joint joint;
  joint.type = screws.size() == 1 ? one_screw_type(body.at("joint_type")) : JointType::screws;
  joint.coordinates =
      body.at("coordinate_kind") == "first" ? Coordinates::first_kind : Coordinates::second_kind;
  for (const auto& screw : screws) joint.screws.screws[joint.screws.size++] = vec6(screw);
  return {joint, placement};
}

Inertia<double> inertia(const json& a) {
  return {a.at("mass").get<double>(), vec3(a.at("com")), Sym3<double>::of(mat3(a.at("Theta_com")))};
}

}  // namespace

TreeDescription description_from_reference(const json& model, GeometryForm form,
                                           Rep base_velocity) {
  TreeDescription description;
  description.name = model.at("name").get<std::string>();
  description.gravity = vec3(model.at("gravity"));
  const json& bodies = model.at("bodies");
  for (const auto& body : bodies) {
    const std::string name = body.at("name").get<std::string>();
    const int parent = body.at("parent").get<int>();
    const PlacedJoint placed = placed_joint(body, form, base_velocity);
    description.bodies.emplace_back();
    description.bodies.back().name = name;
    description.bodies.back().inertia = inertia(body.at("inertia"));
    JointDescription joint;
    joint.name = "joint of " + name;
    if (parent >= 0) joint.parent = bodies.at(parent).at("name").get<std::string>();
    joint.child = name;
    joint.joint = placed.joint;
    joint.placement = placed.placement;
    description.joints.push_back(std::move(joint));
  }
  return description;
}

Tree tree_from_reference(const json& model, GeometryForm form, Rep base_velocity) {
  return build(description_from_reference(model, form, base_velocity));
}

std::vector<double> moving_base_configuration(const json& input) {
  const SE3<double> T_WB = pose(input.at("A_H_B"));
  const Quaternion<double> r = to_quaternion(T_WB.R);
  std::vector<double> q{r.w, r.v.x, r.v.y, r.v.z, T_WB.p.x, T_WB.p.y, T_WB.p.z};
  for (const auto& s : input.at("s")) q.push_back(s.get<double>());
  return q;
}

std::vector<double> base_angular_first(const json& numbers) {
  std::vector<double> v = flat(numbers);
  for (std::size_t k = 0; k < 3; ++k) std::swap(v[k], v[k + 3]);
  return v;
}

Vec6<double> vec6_linear_first(const json& a) {
  const Vec6<double> x = vec6(a);
  return {x.linear, x.angular};
}

}  // namespace axode::test
