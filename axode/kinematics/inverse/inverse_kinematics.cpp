#include "axode/kinematics/inverse/inverse_kinematics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "axode/core/error.hpp"
#include "axode/linalg/singular_values.hpp"

namespace axode {
namespace {

using Work = InverseKinematicsWork;
using Options = InverseKinematicsOptions;
using Result = InverseKinematicsResult;

const Options& checked(const Options& o) {
  const auto tolerance = [](double t) { return t > 0 && std::isfinite(t); };
  if (!tolerance(o.rotation_tolerance) || !tolerance(o.translation_tolerance))
    throw Error("a tolerance is not positive", "inverse_kinematics", "give rad and m above 0");
  if (o.iterations < 1 || o.starts < 1)
    throw Error("iterations or starts are less than 1", "inverse_kinematics", "allow one at least");
  return o;
}

// --- starting points ------------------------------------------------------------------------------

SearchSettings searching(const Options& o) {
  return {.rotation_tolerance = o.rotation_tolerance,
          .translation_tolerance = o.translation_tolerance,
          .iterations = o.iterations};
}
SearchSettings refining(const Options& o) {
  SearchSettings settings = searching(o);
  settings.steepness = 1e-12, settings.progress = 1e-12, settings.window = 20;
  return settings;
}

/// A search that may turn joints beyond their limits, from scratch.q; what it finds is then turned
/// back by whole turns and put into the limits. Returns its iterations.
int search_without_limits(const Tree& tree, Work& work) {
  TargetSearch& search = work.search;
  for (JointVariable& x : search.variables.variables)
    if (x.rotates) x.lower = -HUGE_VAL, x.upper = HUGE_VAL;
  const SearchOutcome outcome = search_from(tree, search, searching(work.options));
  search.variables.variables = work.limited;
  for (const JointVariable& x : work.limited) {
    const double middle = (x.lower + x.upper) / 2;
    if (!x.rotates || x.coordinate < 0 || !std::isfinite(middle)) continue;
    double& angle = search.scratch.q[x.coordinate];
    angle = middle + std::remainder(angle - middle, 2 * pi<double>);
  }
  enforce(tree, search.variables, search.scratch.q);
  return outcome.iterations;
}

/// Puts the starting point of the given number, from 1, to scratch.q. Returns the iterations it took.
/// Every other random one looks first without limits: solutions beyond a limit are often whole turns
/// or another posture away from one within.
int begin(const Tree& tree, Work& work, int start, std::mt19937_64& random) {
  std::copy(work.start.begin(), work.start.end(), work.search.scratch.q.begin());
  if (start == 1) return 0;
  random_start(tree, work.search.variables, work.start, random, work.search.scratch.q);
  return start % 2 == 0 ? search_without_limits(tree, work) : 0;
}

// --- what the result tells ------------------------------------------------------------------------

/// Condition of the Jacobian in scratch; its rows stand in `normal` or it is used up itself.
void tell_condition(Work& work, Result& result) noexcept {
  TargetSearch::Scratch& s = work.search.scratch;
  const int n = work.search.variables.size(), m = work.search.rows;
  if (m < n) {
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < m; ++k) s.normal[k * n + i] = s.jacobian[i * m + k];
  }
  const auto [largest, smallest] = m < n ? extreme_singular_values(s.normal.data(), m, n)
                                         : extreme_singular_values(s.jacobian.data(), n, m);
  result.smallest_singular_value = smallest;
  result.condition = smallest > 0 ? largest / smallest : HUGE_VAL;
}

StopReason failure(const Work& work, const Result& result, const SearchOutcome& best) noexcept {
  for (const PreparedTarget& t : work.search.targets) {
    const bool places = t.kind == TargetKind::pose || t.kind == TargetKind::position;
    if (places && norm(t.pose.p) > t.reach + work.options.translation_tolerance)
      return StopReason::out_of_reach;
  }
  if (!best.stuck) return StopReason::iteration_limit;
  return result.at_limits.empty() ? StopReason::local_minimum : StopReason::joint_limits;
}

/// Everything but the counts, from the evaluated scratch.
void tell(Work& work, const SearchOutcome& outcome, Result& result) {
  TargetSearch::Scratch& s = work.search.scratch;
  result.success = outcome.converged;
  result.q.assign(s.q.begin(), s.q.end());
  result.residuals.clear();
  for (const PreparedTarget& t : work.search.targets)
    result.residuals.push_back(target_error(s.poses, t));
  result.at_limits.clear();
  const std::size_t n = s.gradient.size();
  for (std::size_t i = 0; i < n && !outcome.converged; ++i) {
    const JointVariable& x = work.search.variables.variables[i];
    const double length = std::sqrt(s.normal[i * n + i] * 2 * outcome.cost);
    if (!pressed(work.search, static_cast<int>(i)) || !(std::abs(s.gradient[i]) > 1e-6 * length))
      continue;
    const bool upper = s.upper[i] == 0 && s.gradient[i] < 0;
    result.at_limits.push_back({upper ? x.upper_of : x.lower_of, upper});
  }
  result.reason = outcome.converged ? StopReason::converged : failure(work, result, outcome);
  tell_condition(work, result);
}

}  // namespace

InverseKinematicsWork::InverseKinematicsWork(const Tree& tree, std::span<const Target> targets,
                                             const InverseKinematicsOptions& given)
    : options(checked(given)),
      search(tree, targets, given.hold),
      limited(search.variables.variables),
      start(tree.nq),
      best(tree.nq) {}

void inverse_kinematics(const Tree& tree, In<double> q, Work& work, Result& result) {
  check_configuration(tree, q);
  if (!work.options.hold.joints.empty() || work.options.hold.base)
    check_held(tree, work.search.variables, q);
  std::copy(q.begin(), q.end(), work.start.begin());
  enforce(tree, work.search.variables, work.start);
  work.best = work.start;
  std::mt19937_64 random(work.options.seed);
  SearchOutcome best;
  best.cost = HUGE_VAL;
  result.iterations = 0;
  const auto& should_stop = work.options.should_stop;
  for (result.starts = 1; result.starts <= work.options.starts; ++result.starts) {
    if (result.starts > 1 && should_stop && should_stop()) break;
    result.iterations += begin(tree, work, result.starts, random);
    const SearchOutcome outcome = search_from(tree, work.search, searching(work.options));
    result.iterations += outcome.iterations;
    if (outcome.converged) return tell(work, outcome, result);
    if (outcome.cost < best.cost) best = outcome, work.best = work.search.scratch.q;
  }
  --result.starts;
  work.search.scratch.q = work.best;
  best = search_from(tree, work.search, refining(work.options));
  result.iterations += best.iterations;
  tell(work, best, result);
}

Result inverse_kinematics(const Tree& tree, In<double> q, std::span<const Target> targets,
                          const Options& options) {
  Work work(tree, targets, options);
  Result result;
  inverse_kinematics(tree, q, work, result);
  return result;
}
Result inverse_kinematics(const Tree& tree, In<double> q, const Target& target,
                          const Options& options) {
  return inverse_kinematics(tree, q, std::span(&target, 1), options);
}

std::string_view name(StopReason reason) noexcept {
  switch (reason) {
    case StopReason::converged:
      return "converged";
    case StopReason::local_minimum:
      return "stuck at a local minimum";
    case StopReason::joint_limits:
      return "held back by joint limits";
    case StopReason::iteration_limit:
      return "stopped by the iteration limit";
    default:
      return "out of reach";
  }
}

std::string explain(const Tree& tree, const Result& result) {
  std::string text(name(result.reason));
  for (std::size_t i = 0; i < result.at_limits.size(); ++i) {
    const LimitReached& limit = result.at_limits[i];
    const auto body = std::find_if(tree.links.begin(), tree.links.end(), [&](const Link& link) {
      return limit.velocity >= link.v && limit.velocity < link.v + link.nv;
    });
    text += i == 0 ? ": " : ", ";
    text += limit.upper ? "upper limit of '" : "lower limit of '";
    text += tree.bodies[static_cast<int>(body - tree.links.begin())].joint_name + "'";
  }
  double rotation = 0, translation = 0;
  for (const TargetError& e : result.residuals)
    rotation = max(rotation, e.rotation), translation = max(translation, e.translation);
  char numbers[160];
  std::snprintf(numbers, sizeof numbers,
                "; off by at most %.3g rad and %.3g m after %d iterations from %d start%s",
                rotation, translation, result.iterations, result.starts,
                result.starts == 1 ? "" : "s");
  return text + numbers;
}

}  // namespace axode
