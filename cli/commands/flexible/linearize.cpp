/// `axode linearize` of a flexible tree: x' = A x + B tau about a state, x = (dq, du); with --print the
/// terms of the equations there.
#include <algorithm>
#include <array>
#include <cmath>

#include "axode/flexible/tree/modal.hpp"
#include "axode/io/text/text_file.hpp"
#include "cli/commands/flexible/flexible.hpp"
#include "cli/output/quantity.hpp"

namespace axode::cli {

namespace {

/// The state that is linearized about, and what is found there.
struct Linearized {
  std::vector<double> q, v, tau;
  FlexibleStateSpace space;
  std::vector<double> mass, bias, gravity;  ///< M, C v, generalized forces of gravity
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
  FlexibleDynamics dynamics(tree, how.dynamics);
  dynamics.evaluate(l.q, l.v, Effect::velocity);
  l.bias.assign(dynamics.forces().begin(), dynamics.forces().end());
  dynamics.evaluate(l.q, l.v, Effect::gravity);
  for (const double x : dynamics.forces()) l.gravity.push_back(-x);
  l.mass.assign(dynamics.mass().begin(), dynamics.mass().end());
  return l;
}

struct VariableNames {
  std::vector<std::string> coordinates, state;
  std::vector<std::string> units, rate_units, acceleration_units, force_units;
  std::vector<std::string> value{"value"};
};
VariableNames names_of(const FlexibleTree& tree) {
  VariableNames names;
  names.coordinates = tree.coordinate_names;
  for (int c = 0; c < tree.size; ++c) {
    names.units.emplace_back(unit_of(tree, c));
    names.rate_units.push_back(names.units.back() + "/s");
    names.acceleration_units.push_back(names.units.back() + "/s^2");
    names.force_units.emplace_back(force_unit_of(tree, c));
  }
  for (const std::string& name : tree.coordinate_names) names.state.push_back("q " + name);
  for (const std::string& name : tree.coordinate_names) names.state.push_back("v " + name);
  return names;
}

std::vector<Quantity> quantities_of(const FlexibleOptions& o, const FlexibleTree& tree,
                                    const VariableNames& names, const Linearized& l) {
  std::vector<Quantity> all;
  const auto table = [&](std::string_view key, std::string_view title, const auto& rows,
                         const auto& columns, const std::vector<double>& numbers) -> Quantity& {
    Quantity& q = all.emplace_back();
    q.keys = {key};
    q.title = q.what = title;
    q.rows = rows;
    q.columns = columns;
    q.numbers = numbers;
    return q;
  };
  const auto list = [&](std::string_view key, std::string_view title,
                        const std::vector<std::string>& units, const std::vector<double>& numbers) {
    Quantity& q = table(key, title, names.coordinates, names.value, numbers);
    q.of = "coordinate";
    q.units = units;
  };
  const auto matrix = [&](std::string_view key, std::string_view title, const auto& rows,
                          const auto& columns, const std::vector<double>& numbers) {
    table(key, title, rows, columns, numbers).shape = Shape::matrix;
  };
  list("q", "Coordinates", names.units, l.q);
  list("v", "Rates", names.rate_units, l.v);
  list("tau", "Forces", names.force_units, l.tau);
  list("rates", "Accelerations", names.acceleration_units, l.space.rates);
  matrix("A", "State matrix A", names.state, names.state, l.space.A);
  matrix("B", "Input matrix B", names.state, names.coordinates, l.space.B);
  if (!o.print) return all;
  matrix("M", "Mass matrix M", names.coordinates, names.coordinates, l.mass);
  matrix("D", "Damping matrix D", names.coordinates, names.coordinates, tree.damping);
  matrix("K", "Stiffness matrix K", names.coordinates, names.coordinates, tree.stiffness);
  list("bias", "Forces of velocities C v", names.force_units, l.bias);
  list("gravity", "Forces of gravity", names.force_units, l.gravity);
  return all;
}

/// A row for each state: A, then B.
std::string csv_of(const VariableNames& names, const FlexibleStateSpace& space) {
  std::string text = "state";
  for (const std::string& name : names.state) text += "," + csv_cell("A " + name);
  for (const std::string& name : names.coordinates) text += "," + csv_cell("B " + name);
  text += "\n";
  const std::size_t n = space.size;
  for (std::size_t i = 0; i < 2 * n; ++i) {
    text += csv_cell(names.state[i]);
    for (std::size_t k = 0; k < 2 * n; ++k) text += "," + shortest(space.A[i * 2 * n + k] + 0.0);
    for (std::size_t k = 0; k < n; ++k) text += "," + shortest(space.B[i * n + k] + 0.0);
    text += "\n";
  }
  return text;
}

}  // namespace

int flexible_linearize(const FlexibleOptions& o) {
  const FlexibleSetup setup = flexible_setup(o);
  const FlexibleModel model = flexible_model(o, FlexibleModel::nonlinear);
  const Linearized l = linearized(o, setup, model);
  const VariableNames names = names_of(setup.tree);
  const std::vector<Quantity> all = quantities_of(o, setup.tree, names, l);
  check_finite(all, o.file);
  Output output;
  if (o.json) {
    Json json(output);
    json.begin_object();
    json.text("schema", "axode.flexible_linearize/1");
    json.text("model", o.file);
    json.text("equations", name(model));
    json.begin_short_list("names");
    for (const std::string& name : names.coordinates) json.text({}, name);
    json.end();
    write_json(all, json);
    json.begin_list("eigenvalues");
    for (const std::complex<double>& x : spectrum(l.space))
      json.numbers({}, std::array{x.real(), x.imag()});
    json.end();
    json.end();
    output.text("\n");
  } else if (o.csv) {
    output.text(csv_of(names, l.space));
  } else {
    output.print("{}: {} model, x' = A x + B tau\n", printable(setup.tree.name), name(model));
    print_text(all, output);
  }
  write_if_named(o.out, csv_of(names, l.space), o.force);
  output.flush();
  return exit_ok;
}

}  // namespace axode::cli
