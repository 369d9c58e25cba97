#include "cli/commands/state/solve.hpp"

#include <fmt/format.h>

#include "axode/dynamics/forward/forward_dynamics.hpp"
#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/engine/calls.hpp"

namespace axode::cli {

namespace {

template <Rep rep>
std::vector<Vec6<double>> transmitted(const Setting& setting, const SolvedState& s) {
  Engine engine(setting.space.tree);
  std::vector<double> tau(s.v.size());
  std::vector<Wrench<rep>> wrenches(s.external.size());
  joint_forces<rep>(engine, s.q, s.v, s.a, tau, wrenches, {setting.effects, s.external});
  std::vector<Vec6<double>> result;
  for (const Wrench<rep>& wrench : wrenches) result.push_back(wrench.six());
  return result;
}

/// What is given of each degree of freedom; joints that follow others are as those.
std::vector<Given> given_of(const StateSpace& space, const GivenState& state,
                            const std::string& which) {
  std::vector<Given> given(space.v.size(), Given::force);
  for (std::size_t k = 0; k < given.size(); ++k) {
    if (!state.a->given[k]) continue;
    given[k] = Given::acceleration;
    if (state.tau->given[k])
      throw Error(fmt::format("'{}' is given both an acceleration and a force", space.v[k].label),
                  which, "name the joints in a, and only others in tau");
  }
  const auto velocity = [&](int joint) {
    return static_cast<std::size_t>(space.tree.links[joint].v);
  };
  for (const Coupling& c : space.tree.couplings) {
    const std::size_t leader = velocity(c.leader), follower = velocity(c.follower);
    if (given[leader] == Given::force)
      throw Error(fmt::format("'{}' is coupled to '{}', and a force is to move them",
                              space.v[follower].label, space.v[leader].label),
                  which,
                  fmt::format("give the acceleration of '{}', or those of no joint",
                              space.v[leader].label));
    if (state.tau->given[follower])
      throw Error(
          fmt::format("'{}' follows '{}', whose acceleration is given, and is given a force",
                      space.v[follower].label, space.v[leader].label),
          which, fmt::format("leave out the force of '{}'", space.v[follower].label));
    given[follower] = Given::acceleration;
  }
  return given;
}

}  // namespace

void follow_exactly(const Tree& tree, std::vector<double>& q,
                    std::initializer_list<std::vector<double>*> rates) {
  if (tree.couplings.empty()) return;
  q = expand_configuration(tree, independent_configuration(tree, q));
  for (std::vector<double>* rate : rates)
    *rate = expand_velocity(tree, independent_velocity(tree, *rate));
}

std::vector<Vec6<double>> joint_wrenches(Rep rep, const Setting& setting,
                                         const SolvedState& state) {
  switch (rep) {
    case Rep::spatial:
      return transmitted<Rep::spatial>(setting, state);
    case Rep::hybrid:
      return transmitted<Rep::hybrid>(setting, state);
    case Rep::mixed:
      return transmitted<Rep::mixed>(setting, state);
    default:
      return transmitted<Rep::body>(setting, state);
  }
}

SolvedState prepared(const Setting& setting, const GivenState& state) {
  const Tree& tree = setting.space.tree;
  const std::vector<double> zero(tree.nv, 0);
  SolvedState s(tree);
  s.problem = !state.tau ? Problem::inverse : state.a ? Problem::mixed : Problem::forward;
  s.q = state.q.numbers;
  s.v = state.v ? state.v->numbers : zero;
  s.a = state.a ? state.a->numbers : zero;
  s.tau = state.tau ? state.tau->numbers : zero;
  follow_exactly(tree, s.q, {&s.v, &s.a});
  poses<double>(tree, s.q, s.poses);
  s.external.resize(tree.links.size(), {{0, 0, 0}, {0, 0, 0}});
  add_external_wrenches<double>(s.poses, setting.wrenches, s.external);
  return s;
}

SolvedState solve(const Setting& setting, const GivenState& state, const std::string& which,
                  std::span<const double> known) {
  const Tree& tree = setting.space.tree;
  SolvedState s = prepared(setting, state);
  const axode::DynamicsOptions acting{.body_wrenches = s.external, .effects = setting.effects};
  if (!known.empty()) {
    (s.problem == Problem::inverse ? s.tau : s.a).assign(known.begin(), known.end());
  } else if (s.problem == Problem::inverse) {
    s.tau = setting.rep ? reference::inverse_dynamics(tree, s.q, s.v, s.a, *setting.rep, acting)
                        : inverse_dynamics(tree, s.q, s.v, s.a, acting);
  } else if (s.problem == Problem::forward) {
    s.a = numerical(which, [&] {
      if (!setting.rep) return forward_dynamics(tree, s.q, s.v, s.tau, acting);
      const Rep rep = *setting.rep == Rep::mixed ? Rep::body : *setting.rep;
      return reference::forward_dynamics(tree, s.q, s.v, s.tau, rep, acting);
    });
  } else {
    const std::vector<Given> given = given_of(setting.space, state, which);
    PrescribedDynamics found = numerical(
        which, [&] { return prescribed_dynamics(tree, s.q, s.v, given, s.a, s.tau, acting); });
    s.a = std::move(found.a);
    s.tau = std::move(found.tau);
  }
  return s;
}

}  // namespace axode::cli
