/// The URDF writer: see urdf_text in urdf.hpp.
///
/// The joint of a body, T_PB = B exp(X_1 q_1) ... exp(X_m q_m), becomes a chain of m joints. Link k of
/// the chain has, at q = 0, the axes of the body and its origin on axis k; the body itself is the
/// last one if its origin lies on that axis, else it is fixed on it.
#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "axode/io/text/xml.hpp"
#include "axode/io/urdf/urdf.hpp"
#include "axode/lie/adjoint.hpp"
#include "axode/lie/rotation.hpp"

namespace axode {
namespace {

/// Lengths [m] and rotations below this are rounding.
constexpr double negligible = 1e-14;

/// One joint of URDF.
struct Step {
  std::string name, type;
  SE3<double> frame{};  ///< of the link behind it, in the body frame at q = 0
  Vec3<double> axis{};  ///< in that frame; zero for none
  Dof dof{};
  bool has_dof = false;
  std::string leader{};  ///< of mimic
  double ratio = 1, offset = 0;
};

/// Names not used before.
class Names {
 public:
  void reserve(const std::string& name) { used_.insert(name); }
  std::string fresh(std::string name) {
    while (!used_.insert(name).second) name += '_';
    return name;
  }

 private:
  std::unordered_set<std::string> used_;
};

std::string vector_text(const Vec3<double>& v) {
  return shortest(v.x) + " " + shortest(v.y) + " " + shortest(v.z);
}
std::string attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + value + "\"";
}
/// <origin .../>, nothing for the identity.
std::string origin(const SE3<double>& T, const char* indent) {
  const Vec3<double> rpy = to_roll_pitch_yaw(T.R);
  const bool moved = T.p != Vec3<double>{}, turned = T.R.matrix != Mat3<double>::identity();
  if (!moved && !turned) return {};
  return std::string(indent) + "<origin" + (moved ? attribute("xyz", vector_text(T.p)) : "") +
         (turned ? attribute("rpy", vector_text(rpy)) : "") + "/>\n";
}

// --- joints as steps ------------------------------------------------------------------------------

[[noreturn]] void refuse_joint(const Tree& tree, int i, const std::string& problem) {
  throw Error(problem, "urdf_text: joint '" + tree.bodies[i].joint_name + "'",
              "use the native format, or joints of one degree of freedom");
}

/// Whether exp(sum X_k q_k) = prod exp(X_k q_k).
bool all_commute(const Tree& tree, const Link& link) {
  for (int k = 0; k < link.nv; ++k)
    for (int l = 0; l < k; ++l)
      if (max_abs(ad(tree.screws[link.v + k], tree.screws[link.v + l])) > 1e-12) return false;
  return true;
}

/// The steps of one screw: one, or two if its pitch is finite and not zero.
void add_screw(const Vec6<double>& X, const Body& body, Step step, Names& joints,
               std::vector<Step>& steps) {
  if (max_abs(X.angular) == 0) {
    step.type = "prismatic";
    step.axis = X.linear;
    steps.push_back(std::move(step));
    return;
  }
  const Vec3<double> point = cross(X.angular, X.linear);  // nearest to the origin of the body
  const double pitch = body.joint_type == JointType::revolute ? 0 : dot(X.angular, X.linear);
  if (norm(point) > negligible) step.frame.p = point;
  step.axis = X.angular;
  step.type = step.dof.lower == -std::numeric_limits<double>::infinity() &&
                      step.dof.upper == std::numeric_limits<double>::infinity()
                  ? "continuous"
                  : "revolute";
  steps.push_back(step);
  if (std::abs(pitch) <= negligible) return;
  Step advance{joints.fresh(step.name + "_advance"), "prismatic", step.frame, step.axis};
  advance.has_dof = true;
  advance.leader = step.name;
  advance.ratio = pitch;
  steps.push_back(std::move(advance));
}

bool has_plain_dofs(const Tree& tree, const Link& link) {
  for (int k = 0; k < link.nv; ++k)
    if (!(tree.dofs[link.v + k] == Dof{})) return false;
  return true;
}

std::vector<Step> planar_step(const Tree& tree, int i) {
  const Vec6<double>* X = &tree.screws[tree.links[i].v];
  Step step{tree.bodies[i].joint_name, "planar"};
  const Vec3<double> z = X[2].angular, x = X[0].linear;
  const Mat3<double> R{x, cross(z, x), z};
  if (max_abs(R - Mat3<double>::identity()) > negligible) step.frame.R.matrix = R;
  const Vec3<double> point = cross(z, X[2].linear);
  if (norm(point) > negligible) step.frame.p = point;
  step.axis = {0, 0, 1};
  return {step};
}

/// The joints of URDF that make joint i.
std::vector<Step> steps_of(const Tree& tree, int i, Names& joints) {
  const Link& link = tree.links[i];
  const Body& body = tree.bodies[i];
  if (link.map == JointMap::fixed) return {{body.joint_name, "fixed"}};
  if (link.map == JointMap::quaternion) refuse_joint(tree, i, "URDF has no spherical joint");
  if (link.map == JointMap::free) {
    if (!has_plain_dofs(tree, link))
      refuse_joint(tree, i, "URDF has no limits, friction or armature of a free joint");
    const bool same = max_abs(body.T_BJ.R.matrix - Mat3<double>::identity()) <= negligible &&
                      norm(body.T_BJ.p) <= negligible;
    return {{body.joint_name, "floating", same ? SE3<double>{} : body.T_BJ}};
  }
  if (link.map == JointMap::exponential && !all_commute(tree, link))
    refuse_joint(tree, i, "URDF cannot say a joint in coordinates of the first kind");
  if (body.joint_type == JointType::planar && has_plain_dofs(tree, link))
    return planar_step(tree, i);
  std::vector<Step> steps;
  for (int k = 0; k < link.nv; ++k) {
    const std::string& name = body.joint_name;
    Step step{link.nv == 1 ? name : joints.fresh(name + "_" + std::to_string(k + 1)), {}};
    step.dof = tree.dofs[link.v + k];
    step.has_dof = true;
    if (step.dof.armature != 0) refuse_joint(tree, i, "URDF has no armature");
    add_screw(tree.screws[link.v + k], body, std::move(step), joints, steps);
  }
  return steps;
}

// --- elements -------------------------------------------------------------------------------------

std::string limit_text(const Step& step) {
  constexpr double largest = std::numeric_limits<double>::max();
  const auto number = [&](const char* name, double value) {
    return attribute(name, shortest(std::clamp(value, -largest, largest)));
  };
  const Dof& dof = step.dof;
  const bool bounded = step.type != "continuous";
  if (!bounded && dof.max_effort == std::numeric_limits<double>::infinity() &&
      dof.max_velocity == std::numeric_limits<double>::infinity())
    return {};
  return "    <limit" + (bounded ? number("lower", dof.lower) + number("upper", dof.upper) : "") +
         number("effort", dof.max_effort) + number("velocity", dof.max_velocity) + "/>\n";
}

/// A joint whose child link has the pose T in its parent link at q = 0.
void write_joint(std::string& out, const Step& step, const std::string& parent,
                 const std::string& child, const SE3<double>& T) {
  out += "  <joint" + attribute("name", xml_escaped(step.name)) + attribute("type", step.type) +
         ">\n    <parent" + attribute("link", xml_escaped(parent)) + "/>\n    <child" +
         attribute("link", xml_escaped(child)) + "/>\n" + origin(T, "    ");
  if (step.axis != Vec3<double>{})
    out += "    <axis" + attribute("xyz", vector_text(step.axis)) + "/>\n";
  if (step.has_dof) {
    out += limit_text(step);
    const Dof& dof = step.dof;
    if (dof.damping != 0 || dof.friction != 0)
      out += "    <dynamics" + attribute("damping", shortest(dof.damping)) +
             attribute("friction", shortest(dof.friction)) + "/>\n";
  }
  if (!step.leader.empty())
    out += "    <mimic" + attribute("joint", xml_escaped(step.leader)) +
           attribute("multiplier", shortest(step.ratio)) +
           attribute("offset", shortest(step.offset)) + "/>\n";
  out += "  </joint>\n";
}

void write_shape(std::string& out, const Shape& shape) {
  const std::string element = shape.collision ? "collision" : "visual";
  const auto size = [](const char* name, double value) { return attribute(name, shortest(value)); };
  out += "    <" + element +
         (shape.name.empty() ? "" : attribute("name", xml_escaped(shape.name))) + ">\n" +
         origin(shape.pose, "      ") + "      <geometry>";
  switch (shape.kind) {
    case Shape::Kind::box:
      out += "<box" + attribute("size", vector_text(shape.size));
      break;
    case Shape::Kind::cylinder:
      out += "<cylinder" + size("radius", shape.size.x) + size("length", shape.size.y);
      break;
    case Shape::Kind::sphere:
      out += "<sphere" + size("radius", shape.size.x);
      break;
    case Shape::Kind::capsule:
      out += "<capsule" + size("radius", shape.size.x) + size("length", shape.size.y);
      break;
    case Shape::Kind::mesh:
      out += "<mesh" + attribute("filename", xml_escaped(shape.mesh));
      if (shape.scale != Vec3<double>{1, 1, 1}) out += attribute("scale", vector_text(shape.scale));
      break;
  }
  out += "/></geometry>\n";
  if (!shape.material.empty() || shape.rgba || !shape.texture.empty()) {
    out += "      <material" + attribute("name", xml_escaped(shape.material)) + ">";
    if (const auto& c = shape.rgba)
      out += "<color" +
             attribute("rgba", vector_text({(*c)[0], (*c)[1], (*c)[2]}) + " " + shortest((*c)[3])) +
             "/>";
    if (!shape.texture.empty())
      out += "<texture" + attribute("filename", xml_escaped(shape.texture)) + "/>";
    out += "</material>\n";
  }
  out += "    </" + element + ">\n";
}

void write_link(std::string& out, const std::string& name, const Body* body) {
  out += "  <link" + attribute("name", xml_escaped(name));
  const Inertia<double> I = body ? body->inertia : Inertia<double>{};
  if (I == Inertia<double>{} && (!body || body->shapes.empty())) {
    out += "/>\n";
    return;
  }
  out += ">\n";
  if (!(I == Inertia<double>{})) {
    const Sym3<double>& c = I.about_com;
    out += "    <inertial>\n" + origin(translation(I.com), "      ") + "      <mass" +
           attribute("value", shortest(I.mass)) + "/>\n      <inertia";
    for (const auto& [moment, value] : {std::pair{"ixx", c.xx},
                                        {"ixy", c.xy},
                                        {"ixz", c.xz},
                                        {"iyy", c.yy},
                                        {"iyz", c.yz},
                                        {"izz", c.zz}})
      out += attribute(moment, shortest(value));
    out += "/>\n    </inertial>\n";
  }
  for (const Shape& shape : body->shapes) write_shape(out, shape);
  out += "  </link>\n";
}

const std::string& link_name(const Tree& tree, int body) {
  static const std::string world = world_name;
  return body < 0 ? world : tree.bodies[body].name;
}

/// Body i with its joint: the steps, with massless links between them.
void write_body(std::string& out, const Tree& tree, int i, const Coupling* coupling, Names& links,
                Names& joints) {
  const Body& body = tree.bodies[i];
  std::vector<Step> steps = steps_of(tree, i, joints);
  if (coupling) {  // of a joint of one degree of freedom, which is the first step
    steps[0].leader = coupling->named_leader;
    steps[0].ratio = coupling->named_ratio;
    steps[0].offset = coupling->named_offset;
  }
  if (steps.back().frame != SE3<double>{})
    steps.push_back({joints.fresh(body.joint_name + "_frame"), "fixed"});
  std::string parent = link_name(tree, tree.links[i].parent);
  SE3<double> before{};  // frame of the link before, in that of the body
  for (const Step& step : steps) {
    const bool last = &step == &steps.back();
    const std::string child = last ? body.name : links.fresh(body.name + "_on_" + step.name);
    write_link(out, child, last ? &body : nullptr);
    const SE3<double> T =
        &step == &steps.front() ? tree.links[i].B * step.frame : inverse_times(before, step.frame);
    write_joint(out, step, parent, child, T);
    parent = child;
    before = step.frame;
  }
}

}  // namespace

std::string urdf_text(const Tree& tree) {
  Names links, joints;
  links.reserve(world_name);
  for (const Body& body : tree.bodies) {
    links.reserve(body.name);
    joints.reserve(body.joint_name);
  }
  for (const NamedFrame& frame : tree.frames) links.reserve(frame.name);
  std::vector<const Coupling*> couplings(tree.links.size(), nullptr);
  for (const Coupling& coupling : tree.couplings) couplings[coupling.follower] = &coupling;

  std::string out = "<?xml version=\"1.0\"?>\n<robot" +
                    attribute("name", tree.name.empty() ? "robot" : xml_escaped(tree.name)) + ">\n";
  write_link(out, world_name, nullptr);
  for (int i = 0; i < tree.size(); ++i) write_body(out, tree, i, couplings[i], links, joints);
  for (const NamedFrame& frame : tree.frames) {
    write_link(out, frame.name, nullptr);
    write_joint(out, {joints.fresh(frame.name + "_fixed"), "fixed"}, link_name(tree, frame.body),
                frame.name, frame.T_BF);
  }
  return out + "</robot>\n";
}

}  // namespace axode
