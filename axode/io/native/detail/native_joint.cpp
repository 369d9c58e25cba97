#include "axode/io/native/detail/native_joint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "axode/io/native/detail/native_motion.hpp"
#include "axode/lie/adjoint.hpp"

namespace axode {

namespace {

constexpr std::array<std::string_view, 26> joint_keys{"name",
                                                      "parent",
                                                      "type",
                                                      "coordinates",
                                                      "velocity",
                                                      "given_in",
                                                      "body_in_world",
                                                      "body_in_parent",
                                                      "frame_in_parent",
                                                      "frame_in_body",
                                                      "axis",
                                                      "point",
                                                      "pitch",
                                                      "axes",
                                                      "x_axis",
                                                      "z_axis",
                                                      "first_axis",
                                                      "second_axis",
                                                      "at",
                                                      "screws",
                                                      "dh",
                                                      "limits",
                                                      "damping",
                                                      "friction",
                                                      "armature",
                                                      "mimic"};
constexpr std::array<std::string_view, 4> limits_keys{"lower", "upper", "velocity", "effort"};
constexpr std::array<std::string_view, 3> mimic_keys{"joint", "ratio", "offset"};
constexpr std::array<std::string_view, 5> dh_keys{"convention", "theta", "d", "a", "alpha"};
constexpr std::array<JsonObjectKeys, 4> joint_objects{
    {{"joint", joint_keys}, {"limits", limits_keys}, {"mimic", mimic_keys}, {"dh", dh_keys}}};

// In the order of GeometryForm.
constexpr std::array<std::string_view, 4> given_in_names{"world", "body", "parent", "joint_frames"};
constexpr std::array<std::string_view, 2> conventions{"classic", "modified"};
constexpr std::array<std::string_view, 5> placement_keys{
    "given_in", "body_in_world", "body_in_parent", "frame_in_parent", "frame_in_body"};

double number_member(const JsonValue& object, std::string_view key, double other) {
  const auto given = object.find(key);
  return given ? given->number() : other;
}
SE3<double> pose_member(const JsonValue& object, std::string_view key) {
  const auto given = object.find(key);
  return given ? pose_from_json(*given) : SE3<double>{};
}

/// The form, and the poses that go with it.
Placement placement_from_json(const JsonValue& j) {
  using F = GeometryForm;
  const auto given_in = j.find("given_in");
  Placement placement;
  if (given_in) placement.form = static_cast<F>(given_in->choice(given_in_names));
  const auto only_with = [&](std::string_view key, bool fits, const char* remedy) {
    if (const auto member = j.find(key); member && !fits)
      member->fail(
          fmt::format("{} does not go with \"given_in\": \"{}\"{}", member->title(),
                      given_in_names[std::size_t(placement.form)], given_in ? "" : ", the default"),
          remedy);
  };
  const bool world = placement.form == F::zero_reference;
  const bool frames = placement.form == F::joint_frames;
  only_with("body_in_world", world, "write \"given_in\": \"world\", or use \"body_in_parent\"");
  only_with("body_in_parent", !world && !frames, "write \"given_in\": \"parent\" or \"body\"");
  only_with("frame_in_parent", frames, "write \"given_in\": \"joint_frames\"");
  only_with("frame_in_body", frames, "write \"given_in\": \"joint_frames\"");
  placement.pose = pose_member(j, world    ? "body_in_world"
                                  : frames ? "frame_in_parent"
                                           : "body_in_parent");
  placement.S_body = pose_member(j, "frame_in_body");
  return placement;
}

PlacedJoint dh_from_json(const JsonValue& j, const JsonValue& dh, JointType type) {
  refuse_motion(j, "dh");
  for (const std::string_view key : placement_keys)
    if (const auto member = j.find(key))
      member->fail(fmt::format("{} and \"dh\" both say the place", member->title()),
                   "keep one of them");
  dh.check_keys(dh_keys, "\"dh\"");
  if (type != JointType::revolute && type != JointType::prismatic)
    dh.fail(fmt::format("a {} joint has no Denavit-Hartenberg row", name(type)),
            "only revolute and prismatic joints have one");
  const std::size_t convention =
      dh.at("convention", "add \"convention\": \"classic\" or \"modified\"").choice(conventions);
  const DenavitHartenberg row{number_member(dh, "theta", 0), number_member(dh, "d", 0),
                              number_member(dh, "a", 0), number_member(dh, "alpha", 0), type};
  try {
    PlacedJoint placed = convention == 0 ? classic_dh(row) : modified_dh(row);
    placed.joint.coordinates = coordinates_from_json(j, type);
    if (const auto velocity = j.find("velocity"))
      velocity->fail("only free joints have a choice of velocity", "leave it out");
    return placed;
  } catch (const Error& e) {
    dh.fail(e.problem(), e.remedy());
  }
}

/// A property of each degree of freedom: a number for one degree of freedom; for several a list, null for "none".
void read_property(const JsonValue& object, std::string_view key, std::vector<Dof>& dofs,
                   double Dof::*member) {
  const auto value = object.find(key);
  if (!value) return;
  if (dofs.empty())
    value->fail(fmt::format("a fixed joint has no {}", value->title()), "remove it");
  if (value->kind() == JsonKind::number && dofs.size() == 1) {
    dofs[0].*member = value->number();
    return;
  }
  if (value->kind() != JsonKind::list || value->size() != dofs.size())
    value->fail(
        fmt::format(
            "{} must be {}, because the joint has {} degree{} of freedom", value->title(),
            dofs.size() == 1 ? "a number" : fmt::format("a list of {} numbers", dofs.size()),
            dofs.size(), dofs.size() == 1 ? "" : "s"),
        "give one number for each degree of freedom, null where there is none");
  std::size_t k = 0;
  for (const JsonValue& item : value->items()) {
    if (item.kind() != JsonKind::null && item.kind() != JsonKind::number)
      item.fail(fmt::format("entry {} of {} is {}", k + 1, value->title(), name(item.kind())),
                "write a number, or null where there is none");
    if (item.kind() == JsonKind::number) dofs[k].*member = item.number();
    ++k;
  }
}

std::vector<Dof> dofs_from_json(const JsonValue& j, int count) {
  std::vector<Dof> dofs(count);
  if (const auto limits = j.find("limits")) {
    limits->check_keys(limits_keys, "\"limits\"");
    read_property(*limits, "lower", dofs, &Dof::lower);
    read_property(*limits, "upper", dofs, &Dof::upper);
    read_property(*limits, "velocity", dofs, &Dof::max_velocity);
    read_property(*limits, "effort", dofs, &Dof::max_effort);
  }
  read_property(j, "damping", dofs, &Dof::damping);
  read_property(j, "friction", dofs, &Dof::friction);
  read_property(j, "armature", dofs, &Dof::armature);
  return dofs;
}

Mimic mimic_from_json(const JsonValue& value) {
  value.check_keys(mimic_keys, "\"mimic\"");
  return {std::string(value.at("joint", "add \"joint\", the name of the joint to follow").text()),
          number_member(value, "ratio", 1), number_member(value, "offset", 0)};
}

}  // namespace

std::span<const JsonObjectKeys> native_joint_keys() noexcept { return joint_objects; }

JointDescription joint_from_json(const JsonValue& value, const std::string& child) {
  value.check_keys(joint_keys, "a joint");
  JointDescription joint;
  joint.child = child;
  joint.line = value.line();
  const auto given_name = value.find("name"), parent = value.find("parent");
  joint.name = given_name ? std::string(given_name->text()) : child;
  if (parent) joint.parent = parent->text();
  const JointType type = type_from_json(value);
  if (const auto dh = value.find("dh")) {
    const PlacedJoint placed = dh_from_json(value, *dh, type);
    joint.joint = placed.joint;
    joint.placement = placed.placement;
  } else {
    joint.joint = motion_from_json(value, type);
    joint.placement = placement_from_json(value);
  }
  joint.dofs = dofs_from_json(value, joint.joint.dof());
  if (const auto mimic = value.find("mimic")) joint.mimic = mimic_from_json(*mimic);
  return joint;
}

namespace {

/// The numbers of the degrees of freedom, or empty if all are the default: "none" if infinite, else zero.
std::string property_text(std::string_view key, std::span<const Dof> dofs, double Dof::*member) {
  constexpr Dof other;
  std::string values;
  bool needed = false;
  for (const Dof& dof : dofs) {
    const double value = dof.*member;
    needed = needed || value != other.*member;
    values += (values.empty() ? "" : ", ") + (std::isinf(value) ? "null" : json_number(value));
  }
  if (!needed) return "";
  return dofs.size() == 1 ? fmt::format("\"{}\": {}", key, values)
                          : fmt::format("\"{}\": [{}]", key, values);
}
std::string limits_text(std::span<const Dof> dofs) {
  std::string members;
  const auto add = [&](std::string_view key, double Dof::*member) {
    const std::string text = property_text(key, dofs, member);
    if (!text.empty()) members += (members.empty() ? "" : ", ") + text;
  };
  add("lower", &Dof::lower);
  add("upper", &Dof::upper);
  add("velocity", &Dof::max_velocity);
  add("effort", &Dof::max_effort);
  return members.empty() ? "" : fmt::format("\"limits\": {{{}}}", members);
}

/// The geometry of body i in the form.
struct GivenGeometry {
  Placement placement;
  ScrewSystem<double> screws;
};
GivenGeometry geometry_in(const Tree& tree, int i, const SE3<double>& A_body, GeometryForm form) {
  if (form == GeometryForm::zero_reference) {
    GivenGeometry g{zero_reference(A_body), body_screws(tree, i).X};
    for (Vec6<double>& X : g.screws.screws) X = Ad(A_body, X);
    return g;
  }
  if (form == GeometryForm::joint_frames) {
    const JointFrames g = joint_frames(tree, i);
    return {joint_frames(g.S_parent, g.S_body), g.Z};
  }
  const BodyScrews g = body_screws(tree, i);
  if (form == GeometryForm::body_screws) return {body_screws(g.B), g.X};
  return {parent_screws(g.B), g.X_parent};
}

std::vector<std::string> placement_text(const Placement& placement) {
  std::vector<std::string> members;
  const auto add_pose = [&](std::string_view key, const SE3<double>& T) {
    if (T != SE3<double>{}) members.push_back(fmt::format("\"{}\": {}", key, json_text(T)));
  };
  const bool world = placement.form == GeometryForm::zero_reference;
  const bool frames = placement.form == GeometryForm::joint_frames;
  if (!world)
    members.push_back(
        fmt::format("\"given_in\": \"{}\"", given_in_names[std::size_t(placement.form)]));
  add_pose(world ? "body_in_world" : frames ? "frame_in_parent" : "body_in_parent", placement.pose);
  if (frames) add_pose("frame_in_body", placement.S_body);
  return members;
}

}  // namespace

std::string joint_text(const Tree& tree, int i, const SE3<double>& A_body, GeometryForm form,
                       const Coupling* coupling, const std::string& indent) {
  const Link& link = tree.links[i];
  const Body& body = tree.bodies[i];
  std::vector<std::string> members{fmt::format("\"name\": {}", json_string(body.joint_name))};
  if (link.parent >= 0)
    members.push_back(fmt::format("\"parent\": {}", json_string(tree.bodies[link.parent].name)));
  const auto add = [&](const std::vector<std::string>& more) {
    for (const std::string& text : more)
      if (!text.empty()) members.push_back(text);
  };
  const GivenGeometry given = geometry_in(tree, i, A_body, form);
  add(motion_text({body.joint_type, body.coordinates, given.screws, link.velocity}));
  add(placement_text(given.placement));
  const std::span<const Dof> dofs(tree.dofs.data() + link.v, link.nv);
  add({limits_text(dofs), property_text("damping", dofs, &Dof::damping),
       property_text("friction", dofs, &Dof::friction),
       property_text("armature", dofs, &Dof::armature)});
  if (coupling != nullptr)
    members.push_back(fmt::format("\"mimic\": {{\"joint\": {}, \"ratio\": {}, \"offset\": {}}}",
                                  json_string(coupling->named_leader),
                                  json_number(coupling->named_ratio),
                                  json_number(coupling->named_offset)));
  return fmt::format("{{\n{0}  {1}\n{0}}}", indent, fmt::join(members, ",\n  " + indent));
}

}  // namespace axode
