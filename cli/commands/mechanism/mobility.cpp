/// `axode mechanism mobility`: degrees of freedom by rank, redundant equations, singularity.
#include "axode/mechanism/analysis/mobility.hpp"

#include "axode/mechanism/analysis/position.hpp"
#include "axode/mechanism/analysis/singularity.hpp"
#include "cli/arguments/duration.hpp"
#include "cli/commands/mechanism/mechanism.hpp"

namespace axode::cli {

namespace {

void print_redundant(const MechanismSystem& system, const MobilityResult& m, Output& output) {
  output.print("\nover-constrained: {} that follow{} from others here; reactions are not unique\n",
               count(m.redundant, "equation"), m.redundant == 1 ? "s" : "");
  Table table({"row", "equation", "follows from"}, "rll");
  for (const auto& r : m.redundant_equations) {
    std::string others;
    for (std::size_t k = 0; k < r.with.size() && k < 3; ++k)
      others += (k > 0 ? ", " : "") + system.equations().equations[r.with[k]].name;
    if (r.with.size() > 3) others += fmt::format(", and {} more", r.with.size() - 3);
    table.row({fmt::format("{}", r.equation), printable(equation_label(system, r.equation)),
               printable(others)});
  }
  table.print(output);
}

void print_mobility(const MechanismSystem& system, const MobilityResult& m,
                    const SingularityResult& s, const DofsLeft& left, Output& output) {
  output.print("mobility {}: {} - rank {} of {}\n", m.mobility, count(m.coordinates, "velocity"),
               m.rank, count(m.equations, "equation"));
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
                    const MobilityResult& m, const SingularityResult& s, const DofsLeft& left,
                    Output& output) {
  Json json(output);
  json.begin_object();
  json.text("schema", "axode.mechanism_mobility/1");
  json.text("model", options.file);
  json.text("formulation", options.coordinates);
  json.integer("velocities", m.coordinates);
  json.integer("equations", m.equations);
  json.integer("rank", m.rank);
  json.integer("mobility", m.mobility);
  json.integer("finite_mobility", m.finite_mobility);
  json.integer("gruebler", m.gruebler);
  json.integer("redundant", m.redundant);
  json.boolean("instantaneous", m.instantaneous);
  json.integer("singularity_type", s.type);
  write_dofs(mechanism, left, json);
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

}  // namespace

int mechanism_mobility(const MechanismOptions& options) {
  const double t = parse_duration(options.at, "--at");
  const Mechanism mechanism = mechanism_of(options);
  MechanismSystem system(make_equations(mechanism, formulation_of(options, mechanism)));
  const Assembly state = assembled(system, state_of(options, mechanism, t), options.file);
  if (!state.warning.empty()) warn(state.warning);
  const MobilityResult m = mobility(system, t, state.q);
  const DofsLeft left = dofs_left(system, t, state.q);
  SingularityResult s;
  if (!mechanism.drivers.empty())
    s = singularity(system, t, state.q, undriven_coordinates(mechanism));
  Output output;
  if (options.json)
    write_mobility(options, mechanism, m, s, left, output);
  else
    print_mobility(system, m, s, left, output);
  output.flush();
  return exit_ok;
}

}  // namespace axode::cli
