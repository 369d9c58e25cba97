/// `axode dynamics`: joint forces and accelerations, and what the equations of motion consist of.
#include <CLI/CLI.hpp>
#include <array>

#include "axode/engine/calls.hpp"
#include "cli/arguments/values.hpp"
#include "cli/commands/state/joint_quantities.hpp"
#include "cli/commands/state/reactions.hpp"
#include "cli/commands/state/solve_many.hpp"
#include "cli/commands/state/state_run.hpp"

namespace axode::cli {

CLI::App* add_dynamics(CLI::App& app, DynamicsOptions& options) {
  CLI::App* command =
      app.add_subcommand("dynamics", "Joint forces of motions, accelerations of forces");
  add_model(*command, options.model);
  add_values(*command, "--q", options.states.q, "Coordinates [rad, m]; default: neutral");
  add_values(*command, "--v", options.states.v, "Velocities [rad/s, m/s]; default: zero");
  add_values(*command, "--a", options.states.a,
             "Accelerations: print the forces; with --tau those of some joints");
  add_values(*command, "--tau", options.states.tau, "Joint forces [N m, N]: print accelerations");
  const auto flag = [&](const char* name, bool& to, const char* text) {
    command->add_flag(name, to, text);
  };
  flag("--mass-matrix", options.mass_matrix, "Print the mass matrix M");
  one_of(command->add_option("--coriolis", options.coriolis, "Print a Coriolis matrix C"), "CHOICE",
         {"skew", "christoffel", "uncorrected"});
  flag("--gravity", options.gravity, "Print the forces g that hold the weights");
  flag("--derivatives", options.derivatives, "Print those of the forces, or of the accelerations");
  flag("--reactions", options.reactions, "Print the wrenches that joints transmit");
  flag("--energies", options.energies, "Print energies, power and momenta");
  one_of(command->add_option("--rep", options.representation,
                             "Form of reactions and of recursions, default: auto, which is\n"
                             "hybrid for reactions and the fastest for recursions"),
         "REP", {"auto", "body", "spatial", "hybrid", "mixed"});
  command
      ->add_option("--expressed-in", options.expressed_in,
                   "Frame that the reactions are expressed in, instead of --rep")
      ->type_name("NAME");
  add_forces(*command, options.forces);
  add_state_run(*command, options.states);
  command->add_option("--threads", options.threads, "For many states; default: all of the CPU")
      ->option_text("N")
      ->check(CLI::Range(1, 1024));
  command->footer(
      std::string(values_help) +
      "Examples:\n"
      "  axode dynamics models/scara.json --q 0.1,30deg,0.1,0\n"
      "  axode dynamics models/scara.json --q elbow=90deg --v shoulder=1 --a elbow=2 --reactions\n"
      "  axode dynamics models/scara.json --q elbow=90deg --tau shoulder=5 --derivatives --json\n"
      "  axode dynamics models/scara.json --a elbow=1 --tau shoulder=5\n"
      "  axode dynamics models/scara.json --external gripper[world]=0,0,0,0,0,-10\n"
      "  axode dynamics models/scara.json --states log.csv --csv > forces.csv");
  return command;
}

namespace {

std::optional<CoriolisChoice> coriolis_named(const std::string& name) {
  constexpr std::array<std::pair<const char*, CoriolisChoice>, 3> known{
      {{"skew", CoriolisChoice::skew},
       {"christoffel", CoriolisChoice::christoffel},
       {"uncorrected", CoriolisChoice::uncorrected}}};
  if (name.empty()) return {};
  for (const auto& [text, choice] : known)
    if (name == text) return choice;
  throw UsageError(
      fmt::format("--coriolis: there is no '{}'; choose skew, christoffel or uncorrected", name));
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
        coriolis_title_(fmt::format("Coriolis matrix, {}", options.coriolis)) {
    if (!options.states.file.empty() && !representation(options))
      many_.emplace(setting, ManyWishes{options.mass_matrix, options.derivatives, options.threads});
  }

  /// States to prepare at once; 0 if all are to be evaluated one by one.
  std::size_t max_prepared() const { return many_ ? many_->most() : 0; }
  void prepare(std::span<const GivenState> states) { many_->solve(states); }

  std::vector<Quantity> evaluate(const GivenState& state, const std::string& which,
                                 std::optional<std::size_t> prepared);

 private:
  using Found = SolveMany::Found;
  /// Of forces or accelerations, row by row; by_third is by the accelerations or forces.
  struct Derivatives {
    std::vector<double> by_q, by_v, by_third;
  };
  void add_solution(const SolvedState& s, std::vector<Quantity>& to) const;
  void add_gravity(const SolvedState& s, std::vector<Quantity>& to) const;
  void add_matrix(const MatrixNames& names, std::vector<double> numbers,
                  std::vector<Quantity>& to) const {
    to.push_back(matrix_quantity(names, names_.names, names_.names, std::move(numbers)));
  }
  Derivatives derivatives(const Found& found);
  Derivatives derivatives(const SolvedState& s, const std::string& which) const;
  void add_derivatives(Problem problem, Derivatives found, std::vector<Quantity>& to) const;

  const Setting& setting_;
  const DynamicsOptions& options_;
  std::optional<CoriolisChoice> coriolis_;
  JointNames names_, independent_;
  Reactions reactions_;
  std::string coriolis_title_;
  std::optional<SolveMany> many_;
};

std::vector<double> copy(std::span<const double> numbers) {
  return {numbers.begin(), numbers.end()};
}

std::vector<Quantity> Dynamics::evaluate(const GivenState& state, const std::string& which,
                                         std::optional<std::size_t> prepared) {
  const Tree& tree = setting_.space.tree;
  const bool has_more = coriolis_ || options_.gravity || options_.reactions || options_.energies;
  const Found* const found = prepared ? many_->find(*prepared) : nullptr;
  std::optional<SolvedState> s;
  if (!found || has_more)
    s = solve(setting_, state, which, found ? found->solution : std::span<const double>());
  std::vector<Quantity> results;
  if (s)
    add_solution(*s, results);
  else
    results.push_back(found->problem == Problem::inverse
                          ? forces_quantity(names_, copy(found->solution))
                          : accelerations_quantity(names_, copy(found->solution)));
  if (options_.mass_matrix)
    add_matrix({{"mass_matrix"}, "Mass matrix", "mass_matrix.", "mass matrix"},
               found ? many_->full(found->mass) : mass_matrix(tree, s->q, setting_.effects).values,
               results);
  if (coriolis_)
    add_matrix({{"coriolis_matrix"}, coriolis_title_, "coriolis_matrix.", "Coriolis matrix"},
               coriolis_matrix(tree, s->q, s->v, *coriolis_).values, results);
  if (options_.gravity) add_gravity(*s, results);
  if (options_.derivatives)
    add_derivatives(found ? found->problem : s->problem,
                    found ? derivatives(*found) : derivatives(*s, which), results);
  if (options_.reactions) reactions_.add(*s, results);
  if (options_.energies) add_energies(setting_, *s, results);
  return results;
}

void Dynamics::add_solution(const SolvedState& s, std::vector<Quantity>& to) const {
  if (s.problem != Problem::inverse) to.push_back(accelerations_quantity(names_, s.a));
  if (s.problem == Problem::forward) return;
  to.push_back(forces_quantity(names_, s.tau));
  if (setting_.space.tree.couplings.empty()) return;
  Quantity reduced = forces_quantity(independent_, reduce_force(setting_.space.tree, s.tau));
  reduced.keys = {"independent_tau"};
  reduced.title = "Joint forces, if only independent joints are driven";
  reduced.csv = "independent_tau:";
  to.push_back(std::move(reduced));
}

void Dynamics::add_gravity(const SolvedState& s, std::vector<Quantity>& to) const {
  Quantity g = forces_quantity(names_, gravity_forces(setting_.space.tree, s.q));
  g.keys = {"gravity"};
  g.title = "Forces that hold the weights";
  g.csv = "gravity:";
  to.push_back(std::move(g));
}

Dynamics::Derivatives Dynamics::derivatives(const Found& f) {
  return {copy(f.by_q), copy(f.by_v),
          f.problem == Problem::inverse ? many_->full(f.by_third) : copy(f.by_third)};
}

Dynamics::Derivatives Dynamics::derivatives(const SolvedState& s, const std::string& which) const {
  const Tree& tree = setting_.space.tree;
  const axode::DynamicsOptions acting{.body_wrenches = s.external, .effects = setting_.effects};
  if (s.problem == Problem::inverse) {
    auto d = inverse_dynamics_derivatives(tree, s.q, s.v, s.a, acting);
    return {std::move(d.by_q.values), std::move(d.by_v.values), dense(d.by_a).values};
  }
  if (s.problem == Problem::mixed)
    throw Error("there are no derivatives where some joints have accelerations and others forces",
                which, "give --a of all joints or --tau of all, or leave out --derivatives");
  auto d =
      numerical(which, [&] { return forward_dynamics_derivatives(tree, s.q, s.v, s.tau, acting); });
  return {std::move(d.by_q.values), std::move(d.by_v.values), std::move(d.by_tau.values)};
}

void Dynamics::add_derivatives(Problem problem, Derivatives d, std::vector<Quantity>& to) const {
  const bool inverse = problem == Problem::inverse;
  const char* what = inverse ? "derivative of forces" : "derivative of accelerations";
  const auto add = [&](const char* key, const char* title, const char* csv,
                       std::vector<double>& numbers) {
    add_matrix({{"derivatives", key}, title, csv, what}, std::move(numbers), to);
  };
  if (inverse) {
    add("tau_by_q", "Derivatives of tau by q", "tau_by_q.", d.by_q);
    add("tau_by_v", "Derivatives of tau by v", "tau_by_v.", d.by_v);
    add("tau_by_a", "Derivatives of tau by a", "tau_by_a.", d.by_third);
  } else {
    add("a_by_q", "Derivatives of a by q", "a_by_q.", d.by_q);
    add("a_by_v", "Derivatives of a by v", "a_by_v.", d.by_v);
    add("a_by_tau", "Derivatives of a by tau", "a_by_tau.", d.by_third);
  }
}

}  // namespace

int run_dynamics(const DynamicsOptions& options) {
  check_options(options);
  const Tree tree = load_with_remark(options.model);
  const StateSpace space(tree);
  const std::optional<Rep> rep = representation(options);
  const Setting setting{space, rep, wrenches_of(tree, options.forces), effects_of(options.forces),
                        rep.value_or(Rep::hybrid)};
  Dynamics dynamics(setting, options);
  StateRun run{.space = space,
               .options = options.states,
               .head = {{"schema", "axode.dynamics/1"},
                        {"model", options.model.file},
                        {"rep", rep_name(setting.reactions)}},
               .still = true,
               .evaluate = [&](const GivenState& state, const std::string& which, auto prepared) {
                 return dynamics.evaluate(state, which, prepared);
               }};
  if (dynamics.max_prepared() > 0) {
    run.most = dynamics.max_prepared();
    run.prepare = [&](std::span<const GivenState> states) { dynamics.prepare(states); };
  }
  return run_states(run);
}

}  // namespace axode::cli
