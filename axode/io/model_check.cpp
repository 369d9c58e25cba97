#include "axode/io/model_check.hpp"

#include <set>

#include "axode/io/mesh_file.hpp"
#include "axode/io/text_file.hpp"
#include "axode/model/checks.hpp"
#include "axode/simulate/simulate.hpp"
#include "axode/simulate/simulate_flexible.hpp"

namespace axode {
namespace {

/// A mesh that is too large for us is none the less good.
std::vector<std::string> broken_meshes(const Tree& tree) {
  std::vector<std::string> broken;
  std::set<std::string> seen;
  for (const Body& body : tree.bodies)
    for (const Shape& shape : body.shapes) {
      if (shape.mesh_path.empty() || !seen.insert(shape.mesh_path).second) continue;
      try {
        load_mesh(shape.mesh_path);
      } catch (const LimitError&) {
      } catch (const Error& e) {
        broken.push_back(tree.source + ": body " + in_quotes(body.name) + ": mesh " +
                         in_quotes(shape.mesh) + ": " + e.problem());
      }
    }
  return broken;
}

/// Of a body that has one: massless bodies are no oddity of mechanisms.
void add_inertia(const std::string& name, const Inertia<double>& inertia, const std::string& where,
                 std::vector<Warning>& warnings) {
  if (inertia == Inertia<double>{}) return;
  BodyDescription body;
  body.name = name;
  body.inertia = inertia;
  detail::check_inertia(body, where, warnings);
}

}  // namespace

ModelFindings check_model(const Scene& scene) {
  const std::string& file = scene.tree.source;
  try {
    check_simulation(scene.tree, scene.forces, scene.initial, {});
  } catch (const Error& e) {
    throw Error(e.problem(), file + ": " + e.where(), e.remedy());
  }
  return {scene.tree.warnings, broken_meshes(scene.tree)};
}

ModelFindings check_model(const Mechanism& mechanism) {
  ModelFindings found;
  if (mechanism.is_planar) return found;  // mass, centre and moment were checked by the reader
  for (const MechanismBody& body : mechanism.bodies)
    add_inertia(body.name, body.inertia, "body " + in_quotes(body.name), found.warnings);
  return found;
}

ModelFindings check_model(const FlexibleSetup& setup) {
  ModelFindings found;
  for (const FlexibleDescription::Link& link : setup.description.links) {
    const std::string line = link.line > 0 ? ":" + std::to_string(link.line) : "";
    add_inertia(link.link.name, link.inertia,
                setup.description.source + line + ": link " + in_quotes(link.link.name),
                found.warnings);
  }
  // Of motion in a plane often only the moment about its normal is given: odd, but of no effect.
  for (Warning& warning : found.warnings) warning.impossible = false;
  check_flexible_simulation(setup.tree, setup.forces, setup.q, setup.u, {});
  return found;
}

}  // namespace axode
