/// The equations of motion at a given state, solved for what is not given: joint forces, accelerations, or
/// of each joint the other.
/// Tests: tests/cli/cli_test.py
#pragma once
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "axode/core/error.hpp"
#include "axode/kinematics/poses.hpp"
#include "cli/arguments/forces.hpp"
#include "cli/arguments/states.hpp"
#include "cli/commands/commands.hpp"

namespace axode::cli {

enum class Problem {
  inverse,  ///< accelerations are given
  forward,  ///< forces are given
  mixed     ///< accelerations of some joints and forces of the others
};

/// A state with everything that moves it.
struct SolvedState {
  explicit SolvedState(const Tree& tree) : poses(tree) {}
  Problem problem = Problem::inverse;
  std::vector<double> q, v, a, tau;
  Poses<double> poses;
  std::vector<Wrench<Rep::body>> external;  ///< by body
};

/// Coordinates, velocities and accelerations that follow others to rounding are made to do so exactly.
void follow_exactly(const Tree& tree, std::vector<double>& q,
                    std::initializer_list<std::vector<double>*> rates);

/// What acts, and how to compute.
struct Setting {
  const StateSpace& space;
  std::optional<Rep> rep = {};  ///< of recursions; none: by the engine
  std::vector<ExternalWrench<double>> wrenches = {};
  Effects effects = {};
  Rep reactions = Rep::hybrid;
};

/// The given numbers, zero where none are, with poses and wrenches; not solved.
SolvedState prepared(const Setting& setting, const GivenState& state);
/// `which` names the state. Throws Error if a joint has both a force and an acceleration,
/// NumericalError if a degree of freedom that a force shall move has no inertia. The solution, forces or
/// accelerations, may be known already.
SolvedState solve(const Setting& setting, const GivenState& state, const std::string& which,
                  std::span<const double> known = {});

/// The wrenches that the joints transmit, by body, in that representation.
std::vector<Vec6<double>> joint_wrenches(Rep rep, const Setting& setting, const SolvedState& state);

/// Calls a function of the library; that there is no answer at this state is an outcome, which `which`
/// names.
template <class F>
auto numerical(const std::string& which, const F& f) {
  try {
    return f();
  } catch (const SingularError& error) {
    throw NumericalError(error.problem(), which, error.remedy());
  }
}

}  // namespace axode::cli
