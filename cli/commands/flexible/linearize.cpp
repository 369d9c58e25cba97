/// `axode linearize` of a flexible tree about a state.
#include <algorithm>

#include "axode/flexible/tree/modal.hpp"
#include "cli/commands/flexible/flexible.hpp"
#include "cli/output/linear_model.hpp"

namespace axode::cli {

namespace {

/// The state that is linearized about, and what is found there.
struct Linearized {
  std::vector<double> q, v, tau;
  FlexibleStateSpace space;
};

/// Without rates and forces: at rest, deflected by gravity, held by the joints.
void settle(const FlexibleOptions& o, const FlexibleTree& tree, FlexibleModel model,
            Linearized& l) {
  const StaticDeflection rest = static_deflection(tree, l.q, model);
  if (!rest.converged)
    throw NumericalError("the static deflection was not found", o.file,
                         "give the state by --q, and the forces by --tau");
  l.q = rest.q;
  std::ranges::copy(rest.joint_forces, l.tau.begin());
}

Linearized linearized(const FlexibleOptions& o, const FlexibleSetup& s, FlexibleModel model) {
  const FlexibleTree& tree = s.tree;
  Linearized l;
  l.q = s.q;
  l.v = s.v;
  l.tau.assign(tree.size, 0);
  set_values(tree, o.tau, "--tau", l.tau);
  const bool still = std::ranges::all_of(l.v, [](double x) { return x == 0; });
  if (o.tau.empty() && still) settle(o, tree, model, l);
  FlexibleStateOptions how;
  how.dynamics.model = model;
  how.dynamics.exact_coordinates = exact_coordinates(o, tree);
  l.space = flexible_state_space(tree, l.q, l.v, l.tau, how);
  if (!l.space.solved)
    throw NumericalError("the mass matrix is not positive definite here", o.file,
                         "choose smaller deflections, or --equations nonlinear");
  return l;
}

struct VariableUnits {
  std::vector<std::string> values, rates, accelerations, forces;
};
VariableUnits units_of(const FlexibleTree& tree) {
  VariableUnits units;
  for (int c = 0; c < tree.size; ++c) {
    units.values.emplace_back(unit_of(tree, c));
    units.rates.push_back(units.values.back() + "/s");
    units.accelerations.push_back(units.values.back() + "/s^2");
    units.forces.emplace_back(force_unit_of(tree, c));
  }
  return units;
}

}  // namespace

int flexible_linearize(const FlexibleOptions& o) {
  const FlexibleSetup setup = flexible_setup(o);
  const FlexibleModel model = flexible_model(o, FlexibleModel::nonlinear);
  const Linearized l = linearized(o, setup, model);
  const LinearModelNames names(setup.tree.coordinate_names);
  const VariableUnits units = units_of(setup.tree);
  std::vector<Quantity> all{names.values("q", "Coordinates", units.values, l.q),
                            names.values("v", "Velocities", units.rates, l.v),
                            names.values("a", "Accelerations", units.accelerations, l.space.rates),
                            names.values("tau", "Forces", units.forces, l.tau)};
  const LinearModel equations{l.space.A, l.space.B, l.space.M, l.space.D, l.space.K};
  names.add_quantities(equations, all);
  print_linear_model({{"schema", "axode.flexible_linearize/1"},
                      {"model", o.file},
                      {"equations", std::string(name(model))}},
                     fmt::format("{}: {} model", printable(setup.tree.name), name(model)), names,
                     equations, all, o.json, o.csv);
  return exit_ok;
}

}  // namespace axode::cli
