/// `axode info --json`: schema axode.info/1, explained in docs/command_line.md.
#include <array>

#include "axode/kinematics/centre_of_mass.hpp"
#include "axode/lie/rotation.hpp"
#include "cli/arguments/states.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/info.hpp"

namespace axode::cli {

namespace {

void json_pose(Json& json, std::string_view key, const SE3<double>& T) {
  const auto e = to_euler_parameters(T.R);
  json.begin_object(key);
  json.numbers("position", T.p);
  json.numbers("quaternion", e);
  json.end();
}

void json_joint(Json& json, const StateSpace& space, int i,
                const std::vector<Vec6<double>>& screws) {
  const Tree& tree = space.tree;
  const Link& link = tree.links[i];
  const Body& body = tree.bodies[i];
  json.begin_object("joint");
  json.text("name", body.joint_name);
  json.text("type", name(body.joint_type));
  json.text("coordinates", name(body.coordinates));
  json.begin_list("q");
  for (int k = 0; k < link.nq; ++k) json.integer({}, link.q + k);
  json.end();
  json.begin_list("v");
  for (int k = 0; k < link.nv; ++k) json.integer({}, link.v + k);
  json.end();
  json.begin_list("degrees_of_freedom");
  for (int k = link.v; k < link.v + link.nv; ++k) {
    const Dof& dof = tree.dofs[k];
    json.begin_object();
    json.numbers("screw", screws[k]);
    json.text("unit", space.v[k].unit());
    json.limit("lower", dof.lower);
    json.limit("upper", dof.upper);
    json.limit("max_velocity", dof.max_velocity);
    json.limit("max_effort", dof.max_effort);
    json.number("damping", dof.damping);
    json.number("friction", dof.friction);
    json.number("armature", dof.armature);
    json.end();
  }
  json.end();
  json.end();
}

void json_bodies(Json& json, const StateSpace& space) {
  const Tree& tree = space.tree;
  const auto screws = zero_reference_screws(tree);
  json.begin_list("bodies");
  for (int i = 0; i < tree.size(); ++i) {
    const Body& body = tree.bodies[i];
    const int parent = tree.links[i].parent;
    const auto& t = body.inertia.about_com;
    json.begin_object();
    json.text("name", body.name);
    json.text("parent", parent < 0 ? world_name : std::string_view(tree.bodies[parent].name));
    json.number("mass", body.inertia.mass);
    json.numbers("centre_of_mass", body.inertia.com);
    json.numbers("inertia", std::array{t.xx, t.yy, t.zz, t.xy, t.xz, t.yz});
    json_joint(json, space, i, screws);
    json.end();
  }
  json.end();
}

void json_rest(Json& json, const Tree& tree) {
  json.begin_list("frames");
  for (const NamedFrame& frame : tree.frames) {
    json.begin_object();
    json.text("name", frame.name);
    json.text("on", frame.body < 0 ? world_name : std::string_view(tree.bodies[frame.body].name));
    json_pose(json, "pose", frame.T_BF);
    json.end();
  }
  json.end();
  json.begin_list("couplings");
  for (const Coupling& c : tree.couplings) {
    json.begin_object();
    json.text("joint", tree.bodies[c.follower].joint_name);
    json.text("leader", c.named_leader);
    json.number("ratio", c.named_ratio);
    json.number("offset", c.named_offset);
    json.end();
  }
  json.end();
  write_warnings(json, tree.warnings);
}

}  // namespace

std::vector<Vec6<double>> zero_reference_screws(const Tree& tree) {
  std::vector<double> zero(tree.nq, 0);
  for (const Link& link : tree.links)
    if (link.map == JointMap::quaternion || link.map == JointMap::free) zero[link.q] = 1;
  const Poses<double> at_zero = poses(tree, zero);
  std::vector<Vec6<double>> screws(tree.screws);
  for (std::size_t i = 0; i < tree.links.size(); ++i)
    for (int k = 0; k < tree.links[i].nv; ++k)
      screws[tree.links[i].v + k] = Ad(at_zero.T_WB[i], tree.screws[tree.links[i].v + k]);
  return screws;
}

void print_info_json(const Tree& tree, const std::string& file, Output& output) {
  const StateSpace space(tree);
  Json json(output);
  json.begin_object();
  json.text("schema", "axode.info/1");
  json.text("model", file);
  json.text("name", tree.name);
  json.integer("nq", tree.nq);
  json.integer("nv", tree.nv);
  json.integer("independent_nv", independent_nv(tree));
  json.number("mass", total_mass(tree));
  json.numbers("gravity", tree.gravity);
  json.begin_short_list("coordinates");
  for (const Coordinate& c : space.q) json.text({}, c.label);
  json.end();
  json_bodies(json, space);
  json_rest(json, tree);
  json.end();
}

}  // namespace axode::cli
