/// `axode linearize` of a tree: the equations of motion linearized about a state, for control and stability.
#include "axode/dynamics/derivatives/linearize.hpp"

#include <algorithm>

#include "cli/commands/state/joint_quantities.hpp"
#include "cli/commands/state/solve.hpp"
#include "cli/commands/state/state_run.hpp"
#include "cli/commands/tree/tree.hpp"

namespace axode::cli {

namespace {

class Linearizing {
 public:
  explicit Linearizing(const Setting& setting)
      : setting_(setting),
        all_(joint_names(setting.space)),
        independent_(joint_names(setting.space, true)) {
    for (const std::string& name : independent_.names) x_.push_back("q " + name);
    for (const std::string& name : independent_.names) x_.push_back("v " + name);
  }
  const std::vector<std::string>& independent() const { return independent_.names; }

  std::vector<Quantity> evaluate(const GivenState& state, const std::string& which) const {
    if (state.a && state.tau) throw Error("both a and tau are given", which, "give one of them");
    const Linearization found = linearized(state, which);
    std::vector<Quantity> results;
    results.push_back(state.tau ? accelerations_quantity(all_, found.a)
                                : forces_quantity(all_, found.tau));
    const auto& n = independent_.names;
    const auto add = [&](const MatrixNames& names, const auto& rows, const auto& columns,
                         const DenseMatrix<double>& matrix) {
      results.push_back(matrix_quantity(names, rows, columns, matrix.values));
    };
    add({{"A"}, "State matrix A", "A.", "state matrix"}, x_, x_, found.A);
    add({{"B"}, "Input matrix B", "B.", "input matrix"}, x_, n, found.B);
    add({{"M"}, "Mass matrix M", "M.", "mass matrix"}, n, n, found.M);
    add({{"D"}, "Damping matrix D", "D.", "damping matrix"}, n, n, found.D);
    add({{"K"}, "Stiffness matrix K", "K.", "stiffness matrix"}, n, n, found.K);
    return results;
  }

 private:
  Linearization linearized(const GivenState& state, const std::string& which) const {
    const Tree& tree = setting_.space.tree;
    const SolvedState s = solve(setting_, state, which);
    return numerical(which, [&] {
      return linearize_motion(tree, s.q, s.v, s.a,
                              {.body_wrenches = s.external, .effects = setting_.effects});
    });
  }

  const Setting& setting_;
  JointNames all_, independent_;
  std::vector<std::string> x_;
};

}  // namespace

int tree_linearize(const LinearizeOptions& options) {
  check_state_options(options.states);
  if (!options.states.a.empty() && !options.states.tau.empty())
    throw UsageError("--a excludes --tau; give one of them");
  const Tree tree = load_with_remark(options.model);
  const StateSpace space(tree);
  const Setting setting{space, {}, wrenches_of(tree, options.forces), effects_of(options.forces)};
  const Linearizing linearizing(setting);
  return run_states({.space = space,
                     .options = options.states,
                     .head = {{"schema", "axode.linearize/1"}, {"model", options.model.file}},
                     .lists = {{"independent", linearizing.independent()}},
                     .still = true,
                     .evaluate = [&](const GivenState& state, const std::string& which, auto) {
                       return linearizing.evaluate(state, which);
                     }});
}

}  // namespace axode::cli
