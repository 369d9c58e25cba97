/// `axode mechanism compare`: all formulations side by side.
#include <algorithm>
#include <chrono>

#include "axode/mechanism/analysis/compare_formulations.hpp"
#include "axode/mechanism/equations/operation_count.hpp"
#include "cli/arguments/duration.hpp"
#include "cli/commands/mechanism/mechanism.hpp"

namespace axode::cli {

namespace {

/// What is shown of a formulation.
struct Compared {
  std::string name, problem;
  int numbers = 0, equations = 0, nonzeros = 0, terms = 0;
  JacobianOperations count;                             ///< of one Jacobian
  double microseconds = 0;                              ///< of equations and Jacobian
  std::string dofs;                                     ///< what is free, for the user
  double position = 0, velocity = 0, acceleration = 0;  ///< relative differences to the first
  bool agrees(double tolerance) const {
    return std::max({position, velocity, acceleration}) <= tolerance;  // false if not a number
  }
};

double evaluation_time(MechanismSystem& system, const Assembly& state) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> phi(system.constraints());
  SparseRows J;
  system.jacobian(state.t, state.q, J);
  double best = 1e300;
  for (int batch = 0; batch < 5; ++batch) {
    constexpr int repeats = 200;
    const auto begin = Clock::now();
    for (int k = 0; k < repeats; ++k) {
      system.position(state.t, state.q, phi);
      system.jacobian(state.t, state.q, J);
    }
    const std::chrono::duration<double, std::micro> time = Clock::now() - begin;
    best = std::min(best, time.count() / repeats);
  }
  return best;
}

Compared shown(const std::string& name, ComparedFormulation& formulation) {
  Compared c;
  c.name = name;
  c.problem = formulation.problem;
  if (!formulation.system) return c;
  MechanismSystem& system = *formulation.system;
  const Assembly& at = formulation.at;
  const MechanismEquations& eq = system.equations();
  c.numbers = eq.numbers();
  c.equations = eq.rows();
  for (const Equation& e : eq.equations) c.terms += static_cast<int>(e.forms[e.form].terms.size());
  SparseRows J;
  system.jacobian(at.t, at.q, J);
  c.nonzeros = J.nonzeros();
  c.count = jacobian_operations(eq);
  c.microseconds = evaluation_time(system, at);
  c.dofs = dofs_left(system, at.t, at.q).message;
  c.position = formulation.position;
  c.velocity = formulation.velocity;
  c.acceleration = formulation.acceleration;
  return c;
}

/// What failed or differs; empty if all agree.
std::string disagreement(std::span<const Compared> all, double tolerance) {
  std::string text;
  for (const Compared& c : all) {
    if (c.problem.empty() && c.agrees(tolerance)) continue;
    text += text.empty() ? "" : "; ";
    text += c.problem.empty()
                ? fmt::format(
                      "{} differs by {:.1e} in position, {:.1e} in velocity, {:.1e} in "
                      "acceleration",
                      c.name, c.position, c.velocity, c.acceleration)
                : fmt::format("{} failed: {}", c.name, printable(c.problem));
  }
  return text;
}

void print_compared(std::span<const Compared> all, std::span<const std::string> undetermined,
                    Output& output) {
  Table table({"coordinates", "numbers", "equations", "entries", "terms", "operations", "sin, cos",
               "time [us]", "position", "velocity", "acceleration"});
  for (const Compared& c : all) {
    if (!c.problem.empty()) {
      table.row({c.name, "-", "-", "-", "-", "-", "-", "-", "-", "-", "-"});
      continue;
    }
    table.row({c.name, fmt::format("{}", c.numbers), fmt::format("{}", c.equations),
               fmt::format("{}", c.nonzeros), fmt::format("{}", c.terms),
               fmt::format("{}", c.count.operations), fmt::format("{}", c.count.trigonometric),
               fmt::format("{:.2f}", c.microseconds), fmt::format("{:.1e}", c.position),
               fmt::format("{:.1e}", c.velocity), fmt::format("{:.1e}", c.acceleration)});
  }
  table.print(output, "");
  output.text(
      "operations: of one Jacobian; sums and products count one, sines and cosines apart\n");
  for (const Compared& c : all)
    if (!c.problem.empty()) output.print("{}: {}\n", c.name, printable(c.problem));
  if (undetermined.empty()) return;
  std::string names;
  for (const std::string& body : undetermined)
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", printable(body));
  output.print("not determined, and not compared: what is free of {}\n", names);
  for (const Compared& c : all)
    if (!c.dofs.empty()) output.print("  {}: {}\n", c.name, printable(c.dofs));
}

void write_compared(const MechanismOptions& options, std::span<const Compared> all,
                    std::span<const std::string> undetermined, Output& output) {
  Json json(output);
  json.begin_object();
  json.text("schema", "axode.mechanism_compare/1");
  json.text("model", options.file);
  json.boolean("agree", disagreement(all, options.tolerance).empty());
  json.begin_list("not_determined");
  for (const std::string& body : undetermined) json.text({}, body);
  json.end();
  json.begin_object("formulations");
  for (const Compared& c : all) {
    json.begin_object(c.name);
    if (!c.problem.empty()) {
      json.text("problem", c.problem);
      json.end();
      continue;
    }
    json.integer("numbers", c.numbers);
    json.integer("equations", c.equations);
    json.integer("nonzeros", c.nonzeros);
    json.integer("terms", c.terms);
    json.integer("jacobian_operations", c.count.operations);
    json.integer("jacobian_sines_and_cosines", c.count.trigonometric);
    json.number("microseconds", c.microseconds);
    json.number("position", c.position);
    json.number("velocity", c.velocity);
    json.number("acceleration", c.acceleration);
    json.end();
  }
  json.end();
  json.end();
  output.text("\n");
}

}  // namespace

int mechanism_compare(const MechanismOptions& options) {
  if (!(options.tolerance >= 0)) throw UsageError("--tolerance: give a number of 0 or more");
  const double t = parse_duration(options.at, "--at");
  const Mechanism mechanism = mechanism_of(options);
  std::vector<std::string> names{"natural", "reference-point", "relative", "mixed"};
  if (!mechanism.is_planar) names.insert(names.begin() + 2, {"euler-angles", "quasi-velocities"});
  std::vector<FormulationOptions> formulations;
  for (const std::string& name : names)
    formulations.push_back(formulation_named(mechanism, name, options.added));
  FormulationComparison comparison = compare_formulations(mechanism, formulations, t);
  if (comparison.first < 0)
    throw NumericalError(comparison.formulations.front().problem, options.file);
  std::vector<Compared> all;
  for (std::size_t k = 0; k < names.size(); ++k)
    all.push_back(shown(names[k], comparison.formulations[k]));
  std::vector<std::string> undetermined;
  for (const int body : comparison.undetermined)
    undetermined.push_back(mechanism.bodies[body].name);
  Output output;
  if (options.json)
    write_compared(options, all, undetermined, output);
  else
    print_compared(all, undetermined, output);
  output.flush();
  if (const std::string text = disagreement(all, options.tolerance); !text.empty())
    throw NumericalError(text, options.file);
  return exit_ok;
}

}  // namespace axode::cli
