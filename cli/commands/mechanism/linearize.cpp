/// `axode linearize` of a mechanism: in independent coordinates, about a state.
#include "axode/mechanism/dynamics/linearize.hpp"

#include <algorithm>

#include "cli/arguments/duration.hpp"
#include "cli/arguments/states.hpp"
#include "cli/commands/mechanism/mechanism.hpp"
#include "cli/output/linear_model.hpp"

namespace axode::cli {

namespace {

/// Forces by name of --tau, zero on coordinates that are not named.
std::vector<double> forces_on(const Mechanism& mechanism, std::span<const int> independent,
                              const std::vector<std::string>& texts) {
  std::vector<double> tau(independent.size(), 0.0);
  for (const std::string& text : texts) {
    const auto [name, value] = assignment(text, "--tau");
    const int c = coordinate_option(mechanism, name, "--tau");
    const auto found = std::ranges::find(independent, c);
    if (found == independent.end())
      throw UsageError(
          fmt::format("--tau: '{}' is not an independent coordinate; name it by "
                      "--independent",
                      printable(name)));
    try {
      tau[found - independent.begin()] = parse_value(value, "--tau").value;
    } catch (const Error& e) {
      throw UsageError(e.what());
    }
  }
  return tau;
}

MechanismLinearization linearized(MechanismSystem& system, const MechanismOptions& options,
                                  double t) {
  const Assembly state = assembled(system, state_of(options, system.mechanism(), t), options.file);
  if (!state.warning.empty()) warn(state.warning);
  MechanismLinearizeOptions how{.t = t};
  for (const std::string& name : options.independent)
    how.independent.push_back(coordinate_option(system.mechanism(), name, "--independent"));
  if (!options.tau.empty()) {
    if (how.independent.empty()) how.independent = dofs_left(system, t, state.q).to_drive;
    how.tau = forces_on(system.mechanism(), how.independent, options.tau);
  }
  MechanismLinearization found = linearize(system, state.q, state.v, how);
  if (!found.solved)
    throw NumericalError(found.message, options.file,
                         system.mechanism().drivers.empty()
                             ? found.remedy
                             : "leave the drivers out by --no-drivers, or choose others");
  return found;
}

}  // namespace

int mechanism_linearize(const MechanismOptions& options) {
  const double t = parse_duration(options.at, "--at");
  const Mechanism mechanism = mechanism_of(options);
  MechanismSystem system(make_equations(mechanism, formulation_of(options, mechanism)));
  const MechanismLinearization l = linearized(system, options, t);
  std::vector<std::string> coordinates, values, rates, accelerations, forces;
  for (const int c : l.independent) {
    const bool is_angle = mechanism.coordinates[c].is_angle;
    coordinates.push_back(mechanism.coordinates[c].name);
    values.emplace_back(is_angle ? "rad" : "m");
    rates.push_back(values.back() + "/s");
    accelerations.push_back(values.back() + "/s^2");
    forces.emplace_back(is_angle ? "N m" : "N");
  }
  const LinearModelNames names(coordinates);
  std::vector<Quantity> all{names.values("q", "Coordinates", values, l.q),
                            names.values("v", "Velocities", rates, l.v),
                            names.values("a", "Accelerations", accelerations, l.a),
                            names.values("tau", "Forces", forces, l.tau)};
  const LinearModel equations{l.A, l.B, l.M, l.D, l.K};
  names.add_quantities(equations, all);
  print_linear_model({{"schema", "axode.mechanism_linearize/1"},
                      {"model", options.file},
                      {"formulation", options.coordinates}},
                     fmt::format("{} at t = {} s", printable(mechanism.name), rounded(t)), names,
                     equations, all, options.json, options.csv);
  return exit_ok;
}

}  // namespace axode::cli
