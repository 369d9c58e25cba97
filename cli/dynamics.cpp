/// `axode dynamics`: joint forces and accelerations, and what the equations of motion consist of.
#include <CLI/CLI.hpp>
#include <array>

#include "axode/dynamics/coriolis.hpp"
#include "axode/dynamics/forward_derivatives.hpp"
#include "axode/dynamics/mass_matrix.hpp"
#include "axode/dynamics/operation_counts.hpp"
#include "axode/dynamics/potential.hpp"
#include "cli/joint_quantities.hpp"
#include "cli/reactions.hpp"
#include "cli/state_run.hpp"

namespace axode::cli {

CLI::App* add_dynamics(CLI::App& app, DynamicsOptions& options) {
  CLI::App* command =
      app.add_subcommand("dynamics", "Joint forces of motions, accelerations of forces");
  add_model(*command, options.model);
  add_values(*command, "--q", options.states.q, "Coordinates [rad, m]; neutral without it");
  add_values(*command, "--qd", options.states.qd, "Velocities [rad/s, m/s]; zero without it");
  add_values(*command, "--qdd", options.states.qdd,
             "Accelerations: print the forces; with --tau those of some joints");
  add_values(*command, "--tau", options.states.tau, "Joint forces [N m, N]: print accelerations");
  const auto flag = [&](const char* name, bool& to, const char* text) {
    command->add_flag(name, to, text);
  };
  flag("--mass-matrix", options.mass_matrix, "Print the mass matrix M");
  command
      ->add_option("--coriolis", options.coriolis,
                   "Print a Coriolis matrix C: skew, christoffel or printed")
      ->type_name("CHOICE");
  flag("--gravity", options.gravity, "Print the forces g that hold the weights");
  flag("--derivatives", options.derivatives, "Print those of the forces, or of the accelerations");
  flag("--reactions", options.reactions, "Print the wrenches that joints transmit");
  flag("--energies", options.energies, "Print energies, power and momenta");
  command
      ->add_option("--rep,--representation", options.representation,
                   "Of recursions and reactions: body, spatial, hybrid, mixed or auto (default)")
      ->type_name("REP");
  command->add_option("--expressed-in", options.expressed_in, "Frame of the reactions, instead")
      ->type_name("NAME");
  add_forces(*command, options.forces);
  add_state_run(*command, options.states);
  command->footer(
      std::string(values_help) +
      "Examples:\n"
      "  axode dynamics arm.urdf --q 0.1,30deg,-0.5\n"
      "  axode dynamics arm.urdf --q elbow=90deg --qd shoulder=1 --qdd 0,2,0 --reactions\n"
      "  axode dynamics arm.urdf --q elbow=90deg --tau shoulder=5 --derivatives --json\n"
      "  axode dynamics arm.urdf --qdd elbow=1 --tau shoulder=5\n"
      "  axode dynamics arm.urdf --external tool[world]=0,0,0,0,0,-10\n"
      "  axode dynamics arm.urdf --states log.csv --csv > forces.csv");
  return command;
}

namespace {

std::optional<CoriolisChoice> coriolis_named(const std::string& name) {
  constexpr std::array<std::pair<const char*, CoriolisChoice>, 3> known{
      {{"skew", CoriolisChoice::skew},
       {"christoffel", CoriolisChoice::christoffel},
       {"printed", CoriolisChoice::printed}}};
  if (name.empty()) return {};
  for (const auto& [text, choice] : known)
    if (name == text) return choice;
  throw UsageError(
      fmt::format("--coriolis: there is no '{}'; choose skew, christoffel or printed", name));
}

/// None: the fastest.
std::optional<Rep> representation(const DynamicsOptions& options) {
  if (options.representation == "auto") return {};
  return rep_named(options.representation, "--rep", true, ", or auto");
}

/// What can be said before the model is read.
void check_options(const DynamicsOptions& options) {
  representation(options);
  coriolis_named(options.coriolis);
  check_state_options(options.states);
  if (options.gravity && options.forces.no_gravity)
    throw UsageError("--gravity asks for what --no-gravity leaves out; give one of them");
  if (!options.expressed_in.empty() && !options.reactions)
    throw UsageError("--expressed-in: it says in which frame --reactions are; give both");
}

class Dynamics {
 public:
  Dynamics(const Setting& setting, const DynamicsOptions& options)
      : setting_(setting),
        options_(options),
        coriolis_(coriolis_named(options.coriolis)),
        names_(joint_names(setting.space)),
        independent_(joint_names(setting.space, true)),
        reactions_(setting, options.expressed_in),
        coriolis_title_(fmt::format("Coriolis matrix, {}", options.coriolis)) {}

  std::vector<Quantity> evaluate(const GivenState& state, const std::string& which) const {
    const SolvedState s = solve(setting_, state, which);
    std::vector<Quantity> results;
    if (s.problem != Problem::inverse) results.push_back(accelerations_quantity(names_, s.a));
    if (s.problem != Problem::forward) add_forces_to(s, results);
    add_terms(s, results);
    if (options_.derivatives) add_derivatives(s, which, results);
    if (options_.reactions) reactions_.add(s, results);
    if (options_.energies) add_energies(setting_, s, results);
    return results;
  }

 private:
  void add_forces_to(const SolvedState& s, std::vector<Quantity>& to) const {
    to.push_back(forces_quantity(names_, s.tau));
    if (setting_.space.tree.couplings.empty()) return;
    Quantity reduced = forces_quantity(independent_, reduce_force(setting_.space.tree, s.tau));
    reduced.keys = {"independent_tau"};
    reduced.title = "Joint forces, if only independent joints are driven";
    reduced.csv = "independent_tau:";
    to.push_back(std::move(reduced));
  }
  void add_terms(const SolvedState& s, std::vector<Quantity>& to) const {
    const Tree& tree = setting_.space.tree;
    if (options_.mass_matrix)
      add_matrix({{"mass_matrix"}, "Mass matrix", "mass_matrix.", "mass matrix"},
                 mass_matrix(tree, s.q, setting_.effects), to);
    if (coriolis_)
      add_matrix({{"coriolis_matrix"}, coriolis_title_, "coriolis_matrix.", "Coriolis matrix"},
                 coriolis_matrix(tree, s.q, s.v, *coriolis_), to);
    if (!options_.gravity) return;
    Quantity g = forces_quantity(names_, gravity_forces(tree, s.q));
    g.keys = {"gravity"};
    g.title = "Forces that hold the weights";
    g.csv = "gravity:";
    to.push_back(std::move(g));
  }
  void add_matrix(const MatrixNames& names, const DenseMatrix<double>& matrix,
                  std::vector<Quantity>& to) const {
    to.push_back(matrix_quantity(names, names_.names, names_.names, matrix));
  }
  void add_derivatives(const SolvedState& s, const std::string& which,
                       std::vector<Quantity>& to) const;

  const Setting& setting_;
  const DynamicsOptions& options_;
  std::optional<CoriolisChoice> coriolis_;
  JointNames names_, independent_;
  Reactions reactions_;
  std::string coriolis_title_;
};

void Dynamics::add_derivatives(const SolvedState& s, const std::string& which,
                               std::vector<Quantity>& to) const {
  const Tree& tree = setting_.space.tree;
  const auto add = [&](const char* key, const char* title, const char* csv, const char* what,
                       const DenseMatrix<double>& matrix) {
    add_matrix({{"derivatives", key}, title, csv, what}, matrix, to);
  };
  if (s.problem == Problem::inverse) {
    const auto d = inverse_dynamics_derivatives(tree, s.q, s.v, s.a, s.external, setting_.effects);
    add("tau_by_q", "Derivatives of tau by q", "tau_by_q.", "derivative of forces", d.by_q);
    add("tau_by_qd", "Derivatives of tau by qd", "tau_by_qd.", "derivative of forces", d.by_v);
    add("tau_by_qdd", "Derivatives of tau by qdd", "tau_by_qdd.", "derivative of forces",
        dense(d.by_a));
    return;
  }
  if (s.problem == Problem::mixed)
    throw Error("there are no derivatives where some joints have accelerations and others forces",
                which, "give --qdd of all joints or --tau of all, or leave out --derivatives");
  if (!tree.couplings.empty())
    throw Error("there are no derivatives of accelerations of coupled joints", which,
                "use `axode linearize`, which keeps the couplings");
  const auto d = numerical(which, [&] {
    return forward_dynamics_derivatives(tree, s.q, s.v, s.tau, s.external, setting_.effects);
  });
  const char* what = "derivative of accelerations";
  add("qdd_by_q", "Derivatives of qdd by q", "qdd_by_q.", what, d.by_q);
  add("qdd_by_qd", "Derivatives of qdd by qd", "qdd_by_qd.", what, d.by_v);
  add("qdd_by_tau", "Derivatives of qdd by tau", "qdd_by_tau.", what, d.by_tau);
}

}  // namespace

int run_dynamics(const DynamicsOptions& options) {
  check_options(options);
  const Tree tree = load_with_remark(options.model);
  const StateSpace space(tree);
  const Setting setting{space, representation(options).value_or(fastest_representation(tree)),
                        wrenches_of(tree, options.forces), effects_of(options.forces)};
  const Dynamics dynamics(setting, options);
  return run_states({.space = space,
                     .options = options.states,
                     .head = {{"schema", "axode.dynamics/1"},
                              {"model", options.model.file},
                              {"rep", rep_name(setting.rep)}},
                     .still = true,
                     .evaluate = [&](const GivenState& state, const std::string& which) {
                       return dynamics.evaluate(state, which);
                     }});
}

}  // namespace axode::cli
