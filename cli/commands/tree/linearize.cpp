/// `axode linearize` of a tree: the equations of motion linearized about a state, for control and stability.
#include "axode/dynamics/derivatives/linearize.hpp"

#include "cli/commands/state/joint_quantities.hpp"
#include "cli/commands/state/solve.hpp"
#include "cli/commands/state/state_run.hpp"
#include "cli/commands/tree/tree.hpp"
#include "cli/output/linear_model.hpp"

namespace axode::cli {

namespace {

class Linearizing {
 public:
  explicit Linearizing(const Setting& setting)
      : setting_(setting),
        all_(joint_names(setting.space)),
        names_(joint_names(setting.space, true).names) {}
  const std::vector<std::string>& independent() const { return names_.coordinates(); }

  std::vector<Quantity> evaluate(const GivenState& state, const std::string& which) const {
    if (state.a && state.tau) throw Error("both a and tau are given", which, "give one of them");
    const Linearization found = linearized(state, which);
    std::vector<Quantity> results;
    results.push_back(state.tau ? accelerations_quantity(all_, found.a)
                                : forces_quantity(all_, found.tau));
    names_.add_quantities({found.A, found.B, found.M, found.D, found.K}, results);
    return results;
  }

 private:
  Linearization linearized(const GivenState& state, const std::string& which) const {
    const Tree& tree = setting_.space.tree;
    const SolvedState s = prepared(setting_, state);
    const axode::DynamicsOptions acting{.body_wrenches = s.external, .effects = setting_.effects};
    return numerical(which, [&] {
      return state.tau ? linearize(tree, s.q, s.v, s.tau, acting)
                       : linearize_motion(tree, s.q, s.v, s.a, acting);
    });
  }

  const Setting& setting_;
  JointNames all_;
  LinearModelNames names_;
};

}  // namespace

int tree_linearize(const LinearizeOptions& options) {
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
