/// The URDF reader: see urdf.hpp.
#include "axode/io/urdf/urdf.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "axode/io/text/crc32.hpp"
#include "axode/io/urdf/detail/urdf_parts.hpp"

namespace axode {
namespace {

using urdf::Context;
using urdf::Owner;
using urdf::where;

constexpr double infinity = std::numeric_limits<double>::infinity();

// --- links ----------------------------------------------------------------------------------------

BodyDescription read_link(Context& context, XmlElement element) {
  BodyDescription body;
  body.name = urdf::name_of(context, element, "name", {"link", {}});
  body.line = context.file.line(element);
  const Owner owner{"link", body.name};
  const XmlElement inertial =
      urdf::parts(context, element, owner, {"inertial"}, {"visual", "collision"})[0];
  body.inertia_given = static_cast<bool>(inertial);
  if (inertial) body.inertia = urdf::inertia_of(context, inertial, owner);
  for (XmlElement child = element.first_child(); child; child = child.next())
    if (child.name() == "visual" || child.name() == "collision")
      if (auto shape = urdf::shape_of(context, child, owner))
        body.shapes.push_back(*std::move(shape));
  return body;
}

// --- joints ---------------------------------------------------------------------------------------

/// The largest number stands for none.
double without_largest(double limit) {
  constexpr double largest = std::numeric_limits<double>::max();
  return limit == largest ? infinity : limit == -largest ? -infinity : limit;
}

void read_limit(Context& context, XmlElement joint, XmlElement limit, bool bounded,
                const Owner& owner, Dof& dof) {
  if (!limit) {
    if (bounded) urdf::warn(context, joint, owner, "there is no <limit>; taken as unlimited");
    return;
  }
  const auto number = [&](const char* attribute, double absent) {
    return without_largest(urdf::number_of(context, limit, attribute, owner, absent));
  };
  const auto not_negative = [&](const char* attribute) {
    const double value = number(attribute, infinity);
    if (value >= 0) return value;
    urdf::warn(context, limit, owner, std::string(attribute) + " is negative; taken as unlimited");
    return infinity;
  };
  dof.max_effort = not_negative("effort");
  dof.max_velocity = not_negative("velocity");
  if (!bounded) return;
  if (!limit.attribute("lower") && !limit.attribute("upper"))
    urdf::warn(context, limit, owner, "it gives neither lower nor upper, which both mean 0");
  dof.lower = number("lower", 0);
  dof.upper = number("upper", 0);
}

/// The direction of <axis>, x if there is none.
Vec3<double> read_axis(Context& context, XmlElement axis, const Owner& owner) {
  if (!axis) return {1, 0, 0};
  const Vec3<double> e = urdf::vector_of(context, axis, "xyz", owner, Vec3<double>{1, 0, 0});
  const double size = max_abs(e);
  if (size == 0)
    throw Error("the axis is zero", where(context, axis, owner), "give a direction, such as 0 0 1");
  const Vec3<double> scaled = e / size;
  if (std::abs(size * norm(scaled) - 1) > 1e-3)
    urdf::warn(context, axis, owner, "the axis is not a unit vector; only its direction is used");
  return normalized(scaled);
}

/// The x axis of the joint frame turned with z into the plane normal to n (to n from -z if n.z < 0).
Vec3<double> in_plane_axis(const Vec3<double>& n) {
  const double s = std::copysign(1.0, n.z);
  return {1 - n.x * n.x / (1 + s * n.z), -n.x * n.y / (1 + s * n.z), -s * n.x};
}

Joint make_joint(Context& context, XmlElement element, XmlElement axis, const Owner& owner,
                 Rep velocity) {
  const std::string_view type = urdf::text_of(context, element, "type", owner);
  if (type == "fixed") return fixed();
  if (type == "floating") return free_joint({.velocity = velocity});
  if (type == "revolute" || type == "continuous")
    return revolute({.axis = read_axis(context, axis, owner)});
  if (type == "prismatic") return prismatic({.axis = read_axis(context, axis, owner)});
  if (type == "planar") {
    const Vec3<double> normal = read_axis(context, axis, owner);
    return planar({.x = in_plane_axis(normal), .z = normal});
  }
  throw Error("its type " + in_quotes(type) + " is unknown", where(context, element, owner),
              "write revolute, continuous, prismatic, fixed, floating or planar");
}

/// Limits, damping, friction and mimic.
void read_dofs(Context& context, XmlElement element, XmlElement limit, XmlElement dynamics,
               XmlElement mimic, const Owner& owner, JointDescription& joint) {
  const int count = joint.joint.dof();
  if (count == 1) {
    const bool bounded = element.attribute("type") != "continuous";
    Dof& dof = joint.dofs.emplace_back();
    read_limit(context, element, limit, bounded, owner, dof);
    if (dynamics) {
      dof.damping = urdf::number_of(context, dynamics, "damping", owner, 0);
      dof.friction = urdf::number_of(context, dynamics, "friction", owner, 0);
    }
  } else if (count > 1) {
    for (const XmlElement ignored : {limit, dynamics})
      if (ignored)
        urdf::warn(context, ignored, owner, "is ignored at a joint of several degrees of freedom");
  }
  if (!mimic) return;
  if (count == 0) {
    urdf::warn(context, mimic, owner, "is ignored at a fixed joint");
    return;
  }
  joint.mimic = Mimic{urdf::name_of(context, mimic, "joint", owner),
                      urdf::number_of(context, mimic, "multiplier", owner, 1),
                      urdf::number_of(context, mimic, "offset", owner, 0)};
}

JointDescription read_joint(Context& context, XmlElement element, Rep velocity) {
  JointDescription joint;
  joint.name = urdf::name_of(context, element, "name", {"joint", {}});
  joint.line = context.file.line(element);
  const Owner owner{"joint", joint.name};
  const auto [origin, parent, child, axis, limit, dynamics, mimic] = urdf::parts(
      context, element, owner, {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic"});
  for (const auto& [part, name] : {std::pair{parent, "parent"}, {child, "child"}})
    if (!part)
      throw Error(std::string("there is no <") + name + ">", where(context, element, owner),
                  std::string("write <") + name + " link=\"...\"/>");
  joint.parent = urdf::name_of(context, parent, "link", owner);
  joint.child = urdf::name_of(context, child, "link", owner);
  joint.placement = {GeometryForm::joint_frames, urdf::pose_of(context, origin, owner), {}};
  joint.joint = make_joint(context, element, axis, owner, velocity);
  read_dofs(context, element, limit, dynamics, mimic, owner, joint);
  return joint;
}

// --- the robot ------------------------------------------------------------------------------------

XmlElement checked_root(const XmlFile& file) {
  const XmlElement robot = file.root();
  if (robot.name() == "robot") return robot;
  const bool sdf = robot.name() == "sdf", mjcf = robot.name() == "mujoco";
  const std::string remedy = sdf || mjcf ? "this is another format; convert it to URDF first"
                                         : "put links and joints into <robot name=\"...\">";
  throw Error("the root element is " + in_quotes(robot.name()) + ", not <robot>", file.place(robot),
              remedy);
}

TreeDescription read_robot(Context& context, XmlElement robot, const UrdfOptions& options) {
  TreeDescription d;
  d.source = context.file.source();
  d.name = robot.attribute("name").value_or("");
  const Owner owner{"robot", d.name};
  if (d.name.empty()) urdf::warn(context, robot, owner, "has no name");
  for (XmlElement e = robot.first_child(); e; e = e.next())
    if (e.name() == "material") urdf::add_material(context, e);
  for (XmlElement e = robot.first_child(); e; e = e.next()) {
    if (e.name() == "link")
      d.bodies.push_back(read_link(context, e));
    else if (e.name() == "joint")
      d.joints.push_back(read_joint(context, e, options.base_velocity));
    else if (e.name() != "material")
      urdf::warn_unknown(context, e, robot.name(), owner);
  }
  if (d.bodies.empty())
    throw Error("there is no link", where(context, robot, owner),
                "write at least one <link>; if this is a xacro file, run xacro first");
  return d;
}

std::string place(const TreeDescription& d, int line, const Owner& owner) {
  return d.source + ":" + std::to_string(line) + ": " + urdf::shown(owner);
}

/// The one link that is no joint's child, by place. Throws Error if there is none or another, or if
/// a joint names a link that is not there.
std::size_t find_root(const TreeDescription& d) {
  std::unordered_map<std::string_view, std::size_t> links;
  for (std::size_t i = 0; i < d.bodies.size(); ++i)
    if (const auto [other, is_new] = links.emplace(d.bodies[i].name, i); !is_new)
      throw Error("there is another link of this name in line " +
                      std::to_string(d.bodies[other->second].line),
                  place(d, d.bodies[i].line, {"link", d.bodies[i].name}), "give each its own name");
  std::vector<char> is_child(d.bodies.size(), 0);
  for (const JointDescription& joint : d.joints)
    for (const std::string* name : {&joint.parent, &joint.child}) {
      const auto link = links.find(*name);
      if (link == links.end())
        throw Error("there is no link " + in_quotes(*name),
                    place(d, joint.line, {"joint", joint.name}), "name a link of this robot");
      if (name == &joint.child) is_child[link->second] = 1;
    }
  const auto root = std::find(is_child.begin(), is_child.end(), 0);
  if (root == is_child.end())
    throw Error("every link hangs on another: the joints form a cycle",
                place(d, d.joints.front().line, {"joint", d.joints.front().name}),
                "let one link be the root; loops are not part of URDF");
  const auto second = std::find(root + 1, is_child.end(), 0);
  const auto index = [&](auto link) { return static_cast<std::size_t>(link - is_child.begin()); };
  if (second != is_child.end())
    throw Error("it and link " + in_quotes(d.bodies[index(root)].name) + " of line " +
                    std::to_string(d.bodies[index(root)].line) + " both hang on no other",
                place(d, d.bodies[index(second)].line, {"link", d.bodies[index(second)].name}),
                "connect them by a joint; a robot has one root");
  return index(root);
}

/// Takes the root link for the world, or connects it to the world.
void place_root(Context& context, TreeDescription& d, const UrdfOptions& options) {
  const std::size_t root = find_root(d);
  const BodyDescription& link = d.bodies[root];
  const std::string remark = place(d, link.line, {"link", link.name}) + ": ";
  if (link.name == world_name) {
    if (link.inertia_given || !link.shapes.empty())
      context.warnings.push_back({remark + "inertia and shapes of the world are ignored", false});
    if (options.free_base)
      context.warnings.push_back({remark + "the world is the root, so no base is free", false});
    d.bodies.erase(d.bodies.begin() + static_cast<std::ptrdiff_t>(root));
    return;
  }
  std::unordered_set<std::string_view> names;
  for (const JointDescription& joint : d.joints) names.insert(joint.name);
  JointDescription base;
  base.name = link.name.size() < 900 ? link.name + "_to_world" : "root_to_world";
  while (names.contains(base.name)) base.name += '_';
  base.child = link.name;
  base.placement.form = GeometryForm::joint_frames;
  if (options.free_base) base.joint = free_joint({.velocity = options.base_velocity});
  base.line = link.line;
  d.joints.insert(d.joints.begin(), std::move(base));
}

}  // namespace

TreeDescription parse_urdf(std::string_view text, std::string source, const UrdfOptions& options) {
  const XmlFile file(text, std::move(source));
  const XmlElement robot = checked_root(file);
  Context context{file, options.mesh_roots};
  TreeDescription description = read_robot(context, robot, options);
  place_root(context, description, options);
  description.warnings = std::move(context.warnings);
  return description;
}

TreeDescription read_urdf(const std::filesystem::path& file, const UrdfOptions& options) {
  namespace fs = std::filesystem;
  const std::string text = read_text_file(file);
  UrdfOptions with_folder = options;
  std::error_code error;
  const fs::path folder = fs::absolute(file, error).parent_path();
  with_folder.mesh_roots.push_back(folder);
  TreeDescription description = parse_urdf(text, file.string(), with_folder);
  description.source_crc32 = crc32(text);
  return description;
}

}  // namespace axode
