/// `axode linearize` of a flexible tree about a state.
#include "axode/flexible/tree/modal.hpp"
#include "cli/commands/flexible/flexible.hpp"
#include "cli/output/linear_model.hpp"

namespace axode::cli {

namespace {

FlexibleLinearization linearized(const FlexibleOptions& o, const FlexibleSetup& s,
                                 FlexibleModel model) {
  FlexibleLinearizeOptions how;
  how.dynamics.model = model;
  how.dynamics.exact_coordinates = exact_coordinates(o, s.tree);
  if (!o.tau.empty()) {
    how.tau.assign(s.tree.size, 0);
    set_values(s.tree, o.tau, "--tau", how.tau);
  }
  FlexibleLinearization found = linearize(s.tree, s.q, s.v, how);
  if (!found.solved) throw NumericalError(found.message, o.file, found.remedy);
  return found;
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
  const FlexibleLinearization l = linearized(o, setup, model);
  const LinearModelNames names(setup.tree.coordinate_names);
  const VariableUnits units = units_of(setup.tree);
  std::vector<Quantity> all{names.values("q", "Coordinates", units.values, l.q),
                            names.values("v", "Velocities", units.rates, l.v),
                            names.values("a", "Accelerations", units.accelerations, l.a),
                            names.values("tau", "Forces", units.forces, l.tau)};
  const LinearModel equations{l.A, l.B, l.M, l.D, l.K};
  names.add_quantities(equations, all);
  print_linear_model({{"schema", "axode.flexible_linearize/1"},
                      {"model", o.file},
                      {"equations", std::string(name(model))}},
                     fmt::format("{}: {} model", printable(setup.tree.name), name(model)), names,
                     equations, all, o.json, o.csv);
  return exit_ok;
}

}  // namespace axode::cli
