#include "axode/io/model_check.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "axode/io/mesh/mesh_file.hpp"
#include "axode/io/text/text_file.hpp"
#include "axode/model/checks.hpp"
#include "axode/simulate/run/simulate.hpp"
#include "axode/simulate/systems/tree_system.hpp"

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

constexpr const char* check_forces_remedy = "check the expressions and numbers that act on it";

/// Throws Error if forces or accelerations of the initial state are no numbers. A degree of freedom without
/// inertia is left to check_first_step.
void check_accelerations(const Scene& scene) {
  const Tree& tree = scene.tree;
  TreeSystem system(tree, scene.forces);
  system.set_state(scene.initial.q, scene.initial.v);
  const bool evaluated = system.evaluate(0);
  const auto check = [&](const std::vector<double>& numbers, const char* problem) {
    for (int i = 0; i < tree.size(); ++i)
      for (int k = tree.links[i].v; k < tree.links[i].v + tree.links[i].nv; ++k)
        if (!std::isfinite(numbers[k]))
          throw Error(problem, "joint '" + tree.bodies[i].joint_name + "'", check_forces_remedy);
  };
  check(system.joint_forces(), "the force on it is not a number at t = 0");
  if (evaluated) check(system.all_a(), "its acceleration is not a number at t = 0");
}

/// The same of links; a mass matrix that is not positive definite is left to check_first_step.
void check_accelerations(const FlexibleSetup& setup) {
  const auto refuse = [&](std::size_t coordinate, const char* problem) {
    throw Error(
        problem,
        setup.description.source + ": coordinate '" + setup.tree.coordinate_names[coordinate] + "'",
        check_forces_remedy);
  };
  for (const PrescribedJoint& joint : setup.forces.prescribed) {
    const TimeValue motion = joint.motion(0);
    if (!std::isfinite(motion.value) || !std::isfinite(motion.rate) ||
        !std::isfinite(motion.acceleration))
      refuse(joint.coordinate, "its prescribed motion is not a number at t = 0");
  }
  FlexibleSystem system(setup.tree, setup.forces);
  system.place(0, setup.q, setup.v);
  if (system.evaluate(0)) return;
  const auto odd = std::ranges::find_if(system.tau(), [](double x) { return !std::isfinite(x); });
  if (odd != system.tau().end())
    refuse(odd - system.tau().begin(), "the force on it is not a number at t = 0");
}

bool takes_first_step(Ending ending) {
  return ending == Ending::finished || ending == Ending::step_limit;
}

/// The first step of a simulation by the default options: throws Error where it fails. Without a mass
/// it fails for a reason that the warnings of the tree name.
void check_first_step(const Scene& scene) {
  SimulateOptions options;
  options.max_steps = 1;
  const RunResult run = simulate(scene.tree, scene.forces, scene.initial, options);
  if (takes_first_step(run.ending)) return;
  const bool massless =
      std::ranges::all_of(scene.tree.bodies, [](const Body& b) { return b.inertia.mass == 0; });
  const bool refused =
      std::ranges::any_of(scene.tree.warnings, [](const Warning& w) { return w.impossible; });
  if (run.ending == Ending::singular && (massless || refused)) return;
  throw Error(run.message, scene.tree.source);
}

/// The same of links, by the model that is the default.
void check_first_step(const FlexibleSetup& setup) {
  SimulateOptions options;
  if (setup.duration > 0) options.duration = std::min(setup.duration, options.duration);
  options.sample_interval = options.duration;  // a step may be long
  options.max_steps = 1;
  const RunResult run = simulate(setup.tree, setup.forces, {setup.q, setup.v}, options);
  if (!takes_first_step(run.ending))
    throw Error(std::string(name(options.flexible.dynamics.model)) + " model: " + run.message,
                setup.description.source);
}

}  // namespace

ModelFindings check_model(const Scene& scene) {
  const std::string& file = scene.tree.source;
  try {
    check_simulation(scene.tree, scene.forces, scene.initial, {});
    check_accelerations(scene);
  } catch (const Error& e) {
    throw Error(e.problem(), file + ": " + e.where(), e.remedy());
  }
  check_first_step(scene);
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
  check_simulation(setup.tree, setup.forces, {setup.q, setup.v}, {});
  check_accelerations(setup);
  check_first_step(setup);
  return found;
}

}  // namespace axode
