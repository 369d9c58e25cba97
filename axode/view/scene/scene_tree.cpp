#include <algorithm>
#include <cmath>

#include "axode/kinematics/poses.hpp"
#include "axode/view/detail/scene_parts.hpp"

namespace axode {

using viewing::Json;
using viewing::json_of;

namespace {

const char* map_name(JointMap map) {
  constexpr const char* names[] = {"fixed",       "translation", "screw", "product",
                                   "exponential", "quaternion",  "free"};
  return names[static_cast<int>(map)];
}
const char* velocity_name(Rep rep) {
  return rep == Rep::spatial ? "spatial" : rep == Rep::hybrid ? "hybrid" : "body";
}

Json joint_json(const Tree& tree, std::size_t i) {
  const Link& link = tree.links[i];
  Json screws = Json::array();
  for (int k = 0; k < link.nv; ++k) screws.push_back(json_of(tree.screws[link.v + k]));
  return {{"name", tree.bodies[i].joint_name},
          {"type", name(tree.bodies[i].joint_type)},
          {"map", map_name(link.map)},
          {"q", link.q},
          {"nq", link.nq},
          {"v", link.v},
          {"nv", link.nv},
          {"velocity", velocity_name(link.velocity)},
          {"screws", screws},
          {"B", json_of(link.B)},
          {"frame", json_of(tree.bodies[i].T_BJ)},
          {"station", -1}};
}

Json coordinates_json(const Tree& tree) {
  const RunMetadata names = run_metadata(tree);
  Json all = Json::array();
  for (std::size_t k = 0; k < names.q_names.size(); ++k)
    all.push_back({{"name", names.q_names[k]}, {"unit", names.q_units[k]}});
  for (const Link& link : tree.links) {
    if (link.nq != link.nv) continue;  // quaternions have no limits of their numbers
    for (int k = 0; k < link.nv; ++k) {
      const Dof& dof = tree.dofs[link.v + k];
      Json& c = all[link.q + k];
      if (std::isfinite(dof.lower)) c["lower"] = dof.lower;
      if (std::isfinite(dof.upper)) c["upper"] = dof.upper;
    }
  }
  for (const Coupling& c : tree.couplings) all[tree.links[c.follower].q]["follows"] = true;
  return all;
}

}  // namespace

double viewing::size_of(const Tree& tree, const Poses<double>& at) {
  if (at.T_WB.empty()) return 1;
  Vec3<double> low = at.T_WB[0].p, high = low;
  const auto include = [&](const Vec3<double>& p) {
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], p[k]);
      high[k] = std::max(high[k], p[k]);
    }
  };
  for (std::size_t i = 0; i < at.T_WB.size(); ++i) {
    include(at.T_WB[i].p);
    include(at.T_WB[i] * tree.bodies[i].T_BJ.p);
    for (const Shape& shape : tree.bodies[i].shapes) {
      if (shape.kind == Shape::Kind::mesh) continue;
      const double reach = max_abs(shape.size);
      const Vec3<double> p = at.T_WB[i] * shape.pose.p;
      include(p + Vec3<double>{reach, reach, reach} * 0.5);
      include(p - Vec3<double>{reach, reach, reach} * 0.5);
    }
  }
  for (const NamedFrame& frame : tree.frames)
    include(frame.body < 0 ? frame.T_BF.p : at.T_WB[frame.body] * frame.T_BF.p);
  Vec3<double> away{};  // the world's origin belongs to it if it is near
  for (int k = 0; k < 3; ++k) away[k] = std::max({low[k], -high[k], 0.0});
  if (norm(away) <= norm(high - low)) include({});
  const double size = norm(high - low);
  return size > 0 ? size : 1;
}

std::string tree_scene(const Tree& tree, In<double> start, const Clip& clip,
                       const SceneOptions& options) {
  const Poses<double> at = poses(tree, start);
  Json scene =
      viewing::scene_head(tree.name, tree.gravity, viewing::size_of(tree, at), clip, options);
  scene["kind"] = "tree";
  Json bodies = Json::array();
  viewing::PageMeshes meshes;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const Body& body = tree.bodies[i];
    bodies.push_back({{"name", body.name},
                      {"parent", tree.links[i].parent},
                      {"joint", joint_json(tree, i)},
                      {"mass", body.inertia.mass},
                      {"com", json_of(body.inertia.com)},
                      {"shapes", viewing::shapes_of(body.shapes, scene, meshes, options)}});
  }
  scene["bodies"] = std::move(bodies);
  for (const NamedFrame& frame : tree.frames)
    scene["frames"].push_back(
        {{"name", frame.name}, {"body", frame.body}, {"pose", json_of(frame.T_BF)}});
  for (const Coupling& c : tree.couplings) {
    const auto q_of = [&](int body) { return tree.links[body].q; };
    scene["couplings"].push_back({{"follower", q_of(c.follower)},
                                  {"leader", q_of(c.leader)},
                                  {"ratio", c.ratio},
                                  {"offset", c.offset}});
  }
  scene["coordinates"] = coordinates_json(tree);
  scene["neutral"] = neutral(tree);
  scene["start"] = std::vector<double>(start.begin(), start.end());
  return viewing::text_of(scene);
}

}  // namespace axode
