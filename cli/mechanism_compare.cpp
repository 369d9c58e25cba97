/// `axode mechanism FILE mobility` and `compare`: freedoms by rank, and all formulations side by
/// side.
#include <algorithm>
#include <chrono>
#include <numeric>

#include "axode/mechanism/mobility.hpp"
#include "axode/mechanism/motion_analysis.hpp"
#include "axode/mechanism/operation_count.hpp"
#include "axode/mechanism/position.hpp"
#include "axode/mechanism/singularity.hpp"
#include "cli/duration.hpp"
#include "cli/mechanism.hpp"

namespace axode::cli {

namespace {

void print_redundant(const MechanismSystem& system, const MobilityResult& m, Output& output) {
  output.print("\nover-constrained: {} that follow{} from others here; reactions are not unique\n",
               count(nth(m.redundant), "equation"), m.redundant == 1 ? "s" : "");
  Table table({"row", "equation", "follows from"}, "rll");
  for (const auto& r : m.redundant_equations) {
    std::string others;
    for (std::size_t k = 0; k < r.with.size() && k < 3; ++k)
      others += (k > 0 ? ", " : "") + system.equations().equations[nth(r.with[k])].name;
    if (r.with.size() > 3) others += fmt::format(", and {} more", r.with.size() - 3);
    table.row({fmt::format("{}", r.equation), printable(equation_label(system, r.equation)),
               printable(others)});
  }
  table.print(output);
}

void print_mobility(const MechanismSystem& system, const MobilityResult& m,
                    const SingularityResult& s, const FreedomsLeft& left, Output& output) {
  output.print("mobility {}: {} - rank {} of {}\n", m.mobility,
               count(nth(m.coordinates), "velocity"), m.rank, count(nth(m.equations), "equation"));
  output.print("  by Gruebler's count {}\n", m.gruebler);
  output.print("  singular values kept above {:.2g}, dropped below {:.2g}\n", m.smallest_kept,
               m.largest_dropped);
  if (m.instantaneous) output.print("  singular: neighbours have mobility {}\n", m.finite_mobility);
  if (!system.mechanism().drivers.empty())
    output.print("  drivers: {}\n", s.message.empty() ? "regular" : printable(s.message));
  if (left.count > 0) output.print("  {}\n", printable(left.message));
  if (m.redundant > 0) print_redundant(system, m, output);
}

void write_mobility(const MechanismOptions& options, const Mechanism& mechanism,
                    const MobilityResult& m, const SingularityResult& s, const FreedomsLeft& left,
                    Output& output) {
  Json json(output);
  json.begin_object();
  json.text("schema", "axode.mechanism_mobility/1");
  json.text("model", options.file);
  json.text("in", options.coordinates);
  json.integer("velocities", m.coordinates);
  json.integer("equations", m.equations);
  json.integer("rank", m.rank);
  json.integer("mobility", m.mobility);
  json.integer("finite_mobility", m.finite_mobility);
  json.integer("gruebler", m.gruebler);
  json.integer("redundant", m.redundant);
  json.boolean("instantaneous", m.instantaneous);
  json.integer("singularity_type", s.type);
  write_freedoms(mechanism, left, json);
  json.begin_list("redundant_equations");
  for (const auto& r : m.redundant_equations) {
    json.begin_object();
    json.integer("row", r.equation);
    json.text("name", r.name);
    json.text("joint", r.joint);
    json.end();
  }
  json.end();
  json.end();
  output.text("\n");
}

/// One formulation at one configuration.
struct Compared {
  std::string name, problem;
  int numbers = 0, equations = 0, nonzeros = 0, terms = 0;
  OperationCount count;     ///< of one Jacobian
  double microseconds = 0;  ///< of equations and Jacobian
  MechanismReading reading;
  double position = 0, velocity = 0, acceleration = 0;  ///< differences to the first
};

double evaluation_time(MechanismSystem& system, const MechanismState& state) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> phi(nth(system.constraints()));
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

/// The configuration nearest to these poses.
MechanismState state_near(MechanismSystem& system, double t, std::span<const SE3<double>> poses,
                          const std::string& file) {
  MechanismState state;
  state.t = t;
  state.q = system.from_poses(poses);
  const PositionResult closed = solve_position(system, t, state.q);
  if (!closed.converged) throw NumericalError(closed.message, file);
  state.v.assign(nth(system.equations().velocities()), 0);
  state.a = state.v;
  MotionWork work;
  const MotionResult moved = solve_motion(system, t, state.q, state.v, state.a, work);
  if (!moved.consistent) throw NumericalError(moved.message, file);
  return state;
}

Compared compared(const Mechanism& mechanism, const std::string& name, double t,
                  const std::vector<SE3<double>>& poses, const MechanismOptions& options) {
  Compared c;
  c.name = name;
  try {
    MechanismSystem system(
        make_equations(mechanism, formulation_named(mechanism, name, options.added)));
    const MechanismState state = poses.empty() ? assembled_at(system, t, options.file)
                                               : state_near(system, t, poses, options.file);
    const MechanismEquations& eq = system.equations();
    c.numbers = eq.numbers();
    c.equations = eq.rows();
    for (const Equation& e : eq.equations)
      c.terms += static_cast<int>(e.forms[nth(e.form)].terms.size());
    SparseRows J;
    system.jacobian(t, state.q, J);
    c.nonzeros = J.nonzeros();
    c.count = jacobian_operations(eq);
    c.microseconds = evaluation_time(system, state);
    c.reading = reading_of(system, state);
  } catch (const Error& e) {
    c.problem = e.what();
  }
  return c;
}

double largest(const Vec6<double>& a) { return std::max(max_abs(a.angular), max_abs(a.linear)); }

void set_differences(const MechanismReading& first, Compared& c) {
  for (std::size_t b = 0; b < first.poses.size(); ++b) {
    const SE3<double>&T = first.poses[b], &U = c.reading.poses[b];
    c.position = std::max({c.position, max_abs(T.R.matrix - U.R.matrix), max_abs(T.p - U.p)});
    c.velocity = std::max(c.velocity, largest((first.twists[b] - c.reading.twists[b]).six()));
    c.acceleration = std::max(c.acceleration, largest(first.rates[b] - c.reading.rates[b]));
  }
}

void print_compared(std::span<const Compared> all, Output& output) {
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
}

void write_compared(const MechanismOptions& options, std::span<const Compared> all,
                    Output& output) {
  Json json(output);
  json.begin_object();
  json.text("schema", "axode.mechanism_compare/1");
  json.text("model", options.file);
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

int mechanism_mobility(const MechanismOptions& options) {
  const double t = parse_duration(options.at, "--at");
  const Mechanism mechanism = mechanism_of(options);
  MechanismSystem system(make_equations(mechanism, formulation_of(options, mechanism)));
  const MechanismState state = assembled_at(system, t, options.file);
  if (!state.remark.empty()) warn(state.remark);
  const MobilityResult m = mobility(system, t, state.q);
  const FreedomsLeft left = freedoms_left(system, t, state.q);
  std::vector<int> outputs;
  for (std::size_t c = 0; c < mechanism.coordinates.size(); ++c)
    if (std::none_of(mechanism.drivers.begin(), mechanism.drivers.end(),
                     [&](const MechanismDriver& d) { return nth(d.coordinate) == c; }))
      outputs.push_back(static_cast<int>(c));
  SingularityResult s;
  if (!mechanism.drivers.empty()) s = singularity(system, t, state.q, outputs);
  Output output;
  if (options.json)
    write_mobility(options, mechanism, m, s, left, output);
  else
    print_mobility(system, m, s, left, output);
  output.flush();
  return exit_ok;
}

int mechanism_compare(const MechanismOptions& options) {
  const double t = parse_duration(options.at, "--at");
  const Mechanism mechanism = mechanism_of(options);
  std::vector<std::string> names{"natural", "reference-point", "relative", "mixed"};
  if (!mechanism.is_planar) names.insert(names.begin() + 2, {"euler-angles", "quasi-velocities"});
  std::vector<Compared> all;
  std::vector<SE3<double>> poses;
  std::size_t first = 0;
  for (const std::string& name : names) {
    all.push_back(compared(mechanism, name, t, poses, options));
    if (all.back().problem.empty() && poses.empty()) {
      poses = all.back().reading.poses;
      first = all.size() - 1;
    }
  }
  if (poses.empty()) throw NumericalError(all.front().problem);
  for (Compared& c : all)
    if (c.problem.empty()) set_differences(all[first].reading, c);
  Output output;
  if (options.json)
    write_compared(options, all, output);
  else
    print_compared(all, output);
  output.flush();
  return exit_ok;
}

}  // namespace axode::cli
