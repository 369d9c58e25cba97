/// The search for a configuration at which targets are met, from one starting point: damped least
/// squares (Levenberg-Marquardt) within the joint limits.
///
///   minimise |J d + r|^2 + (mu |r|^2 / 2 + tiny) |d|^2 within the limits,    q <- plus(q, d)
///
/// with r the weighted residuals of all targets and J their exact derivative. mu follows the ratio of
/// actual and promised decrease; no angle changes by more than 1 rad in a step. Because the damping
/// fades with the square of the residual, convergence is quadratic where J has full row rank at the
/// solution; at singular ones it is linear. Cost of an iteration O(bodies + targets nv + n^3); it
/// does not allocate. Inverse kinematics (inverse_kinematics.hpp) runs this from many points.
/// Tests: tests/kinematics/inverse/detail/target_search_test.cpp
#pragma once
#include "axode/kinematics/inverse/detail/box_step.hpp"
#include "axode/kinematics/inverse/joint_variables.hpp"
#include "axode/kinematics/inverse/targets.hpp"

namespace axode {

/// Targets, variables and scratch. Make it once, then reuse it.
struct TargetSearch {
  /// Throws Error on no targets, on what `prepare` and JointVariables refuse, and if no joint is
  /// free to move.
  TargetSearch(const Tree& tree, std::span<const Target> all, const HeldJoints& held = {});
  std::vector<PreparedTarget> targets;
  JointVariables variables;
  int rows = 0;  ///< of all residuals together

  /// After a search these belong to its last configuration.
  struct Scratch {
    Scratch(const Tree& tree, int rows, int variables);
    Poses<double> poses;
    std::vector<double> residual, jacobian;  ///< r, and J column by column
    std::vector<double> normal, gradient;    ///< J^T J and J^T r
    std::vector<double> lower, upper;        ///< room for the step
    std::vector<double> q, trial, step;
    std::vector<Vec6<double>> columns;  ///< by velocity
    BoxStepWork box;
  } scratch;
};

struct SearchSettings {
  double rotation_tolerance = 1e-8, translation_tolerance = 1e-8;  ///< [rad, m] of each target
  int iterations = 200;
  /// Stuck where the cosine between residual and every column that may move is below this,
  double steepness = 1e-6;
  /// or if the cost |r|^2 / 2 falls by less than this part in `window` steps.
  double progress = 1e-2;
  int window = 8;
};
struct SearchOutcome {
  double cost = 0;                        ///< |r|^2 / 2
  bool converged = false, stuck = false;  ///< neither: the iterations were used up
  int iterations = 0;
};
/// Searches from the configuration in scratch.q, which lies within the limits, and leaves the best
/// found there, with everything in scratch evaluated. Does not allocate.
SearchOutcome search_from(const Tree& tree, TargetSearch& search, const SearchSettings& settings);

/// Whether a limit keeps variable i from going down the slope, after a search.
bool pressed(const TargetSearch& search, int i) noexcept;

}  // namespace axode
