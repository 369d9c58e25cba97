/// Inverse kinematics: coordinates q at which frames meet their targets, within the joint limits.
///
///   auto r = inverse_kinematics(tree, q, pose_target("tool", T));
///   if (!r.success) std::puts(explain(tree, r).c_str());
///
/// One or several targets at once (targets.hpp), of frames on any bodies, in the world or relative to
/// a moving frame. It minimises |r(q)|^2, r the weighted residuals of all targets, over the joints
/// that are neither held nor followers, by damped least squares within the limits
/// (target_search.hpp): quadratic convergence, bounded steps at singularities. A start that gets stuck
/// is given up and the next one is random, repeatably. If all fail the best is refined and the result
/// says why. Iterations do not allocate.
/// Tests: tests/kinematics/inverse/inverse_kinematics_test.cpp
#pragma once
#include <cstdint>
#include <functional>

#include "axode/kinematics/inverse/detail/target_search.hpp"

namespace axode {

struct InverseKinematicsOptions {
  double rotation_tolerance = 1e-8;     ///< [rad] for each target
  double translation_tolerance = 1e-8;  ///< [m] for each target
  int iterations = 200;                 ///< at most, for each start
  int starts = 20;                      ///< the first from the q given, the others random
  std::uint64_t seed = 1;               ///< of the random starts
  HeldJoints hold = {};                 ///< joints that keep their coordinates
  /// Asked before each start but the first: true ends the search with the best so far.
  std::function<bool()> should_stop = {};
};

enum class StopReason {
  converged,
  local_minimum,    ///< no direction leads nearer
  joint_limits,     ///< limits are in the way: see at_limits
  iteration_limit,  ///< it was still coming nearer
  out_of_reach      ///< a target is farther away than the chain to it is long
};
/// In words: "converged", "stuck at a local minimum", ...
std::string_view name(StopReason reason) noexcept;

/// A limit that holds the frames back from their targets.
struct LimitReached {
  int velocity = 0;  ///< the degree of freedom, as in Tree::dofs
  bool upper = false;
};

struct [[nodiscard]] InverseKinematicsResult {
  bool success = false;  ///< all targets are met within the tolerances
  StopReason reason = StopReason::local_minimum;
  std::vector<double> q;                ///< the best found; exactly within the limits
  std::vector<TargetError> residuals;   ///< by target [rad, m]
  int iterations = 0;                   ///< of all starts together
  int starts = 0;                       ///< that were made
  std::vector<LimitReached> at_limits;  ///< that are in the way; none on success
  /// Of the weighted Jacobian of the targets with respect to the variables, at q: the smallest of
  /// its min(rows, variables) singular values (zero: singular), and the largest over it.
  double smallest_singular_value = 0;
  double condition = 0;
};

/// Targets and scratch. Make it once, then reuse it for many targets or starting points.
struct InverseKinematicsWork {
  /// Throws Error on no targets, on what `prepare` and JointVariables refuse, on options out of
  /// range, and if no joint is free to move.
  InverseKinematicsWork(const Tree& tree, std::span<const Target> targets,
                        const InverseKinematicsOptions& given = {});
  InverseKinematicsOptions options;
  TargetSearch search;  ///< of its targets pose and along (a unit vector) may be changed
  std::vector<JointVariable> limited;
  std::vector<double> start, best;
};

/// Looks for q from the coordinates given; the same call gives the same bits. Throws Error only if q
/// is no configuration or a held joint violates its limits. With a result of the same size before it
/// does not allocate (but for that check where joints are held).
void inverse_kinematics(const Tree& tree, In<double> q, InverseKinematicsWork& work,
                        InverseKinematicsResult& result);
InverseKinematicsResult inverse_kinematics(const Tree& tree, In<double> q,
                                           std::span<const Target> targets,
                                           const InverseKinematicsOptions& options = {});
InverseKinematicsResult inverse_kinematics(const Tree& tree, In<double> q, const Target& target,
                                           const InverseKinematicsOptions& options = {});

/// The reason with names and numbers, for people: "held back by joint limits: upper limit of 'elbow';
/// ...".
std::string explain(const Tree& tree, const InverseKinematicsResult& result);

}  // namespace axode
