// Closing loops and finding the motion, parts of assemble.hpp.
#include <algorithm>

#include "axode/core/finite.hpp"
#include "axode/mechanism/analysis/detail/assemble_parts.hpp"
#include "axode/mechanism/analysis/detail/driver_path.hpp"
#include "axode/mechanism/analysis/diagnosis.hpp"
#include "axode/mechanism/analysis/motion_analysis.hpp"
#include "axode/mechanism/analysis/position.hpp"
#include "axode/mechanism/analysis/start_poses.hpp"
#include "axode/mechanism/analysis/starting_rates.hpp"

namespace axode::detail {
namespace {

using Outcome = Assembly::Outcome;

/// Of what is not assembled.
Outcome outcome_of(AssemblyDiagnosis::Kind kind) {
  switch (kind) {
    case AssemblyDiagnosis::Kind::over_driven:
      return Outcome::over_driven;
    case AssemblyDiagnosis::Kind::dead_point:
      return Outcome::dead_point;
    case AssemblyDiagnosis::Kind::assembled:
    case AssemblyDiagnosis::Kind::geometry:
      break;
  }
  return Outcome::geometry;
}

/// What to know of an assembly that the branch of the start did not lead to; may be empty.
std::string branch_warning(const AssemblyDiagnosis& diagnosis, bool in_time) {
  switch (diagnosis.kind) {
    case AssemblyDiagnosis::Kind::assembled:
      if (in_time)
        return "it cannot be followed in time from t = 0; this is the branch of the reference";
      break;
    case AssemblyDiagnosis::Kind::dead_point:
      return "another branch than that of the reference: " + diagnosis.message;
    case AssemblyDiagnosis::Kind::geometry:
      return "perhaps another branch than that of the reference, which was not assembled";
    case AssemblyDiagnosis::Kind::over_driven:
      break;
  }
  return {};
}

bool close_nearest(MechanismSystem& system, Assembly& found) {
  const PositionResult closed = solve_position(system, found.t, found.q, {.count_rank = false});
  found.residual = closed.residual;
  return closed.converged;
}

/// On the branch of the start: its drivers led to their values, then followed to t.
bool close_on_branch(MechanismSystem& system, const AssemblyStart& start, Assembly& found) {
  if (found.t != start.t && !driver_problem(system.mechanism(), start.t).empty()) return false;
  std::vector<double> q = lead_drivers(system, start.t, start.poses);
  if (q.empty() || !all_finite(q)) return false;
  if (found.t != start.t &&
      !(solve_position(system, start.t, q).converged && follow_time(system, start.t, found.t, q)))
    return false;
  found.q = std::move(q);
  return close_nearest(system, found);
}

/// Drivers led to their values at t one after the other, else the assembly nearest to the start.
bool close_otherwise(MechanismSystem& system, const AssemblyStart& start, Assembly& found) {
  const AssemblyDiagnosis diagnosis = diagnose_assembly(system, found.t, start.poses);
  found.driver = diagnosis.driver;
  found.reached = diagnosis.reached;
  found.wanted = diagnosis.wanted;
  if (diagnosis.kind == AssemblyDiagnosis::Kind::assembled) {
    system.seat(diagnosis.seats);
    found.q = diagnosis.q;
  } else {
    found.q =
        system.from_poses(start.is_guess ? start.poses : start_poses(system.mechanism(), found.t));
  }
  const bool is_closed = all_finite(found.q) && close_nearest(system, found);
  if (is_closed) {
    found.warning = branch_warning(diagnosis, found.t != start.t);
  } else {
    found.outcome = outcome_of(diagnosis.kind);
    found.message = diagnosis.message;
    found.remedy = diagnosis.remedy;
  }
  return is_closed;
}

}  // namespace

std::vector<SE3<double>> poses_of(MechanismSystem& system, std::span<const double> q) {
  std::vector<SE3<double>> poses(system.mechanism().bodies.size());
  system.poses(q, poses);
  return poses;
}

AssemblyStart assembly_start(MechanismSystem& system, const Mechanism& mechanism,
                             const AssembleOptions& options) {
  if (options.guess.empty()) return {0, start_poses(mechanism), false};
  AssemblyStart start{options.t, poses_of(system, options.guess), true};
  system.check_poses(start.poses);
  return start;
}

Assembly close_loops(MechanismSystem& system, double t, const AssemblyStart& start) {
  Assembly found{.outcome = Outcome::bad_driver, .t = t};
  found.message = driver_problem(system.mechanism(), t);
  if (!found.message.empty()) {
    found.remedy = "correct the driver, or choose another time";
    return found;
  }
  if (!close_on_branch(system, start, found) && !close_otherwise(system, start, found))
    return found;
  found.outcome = Outcome::assembled;
  std::vector<double> at_rest(system.equations().velocities(), 0.0);
  system.refresh(found.q, at_rest);  // equations in the form that suits where it is now
  return found;
}

void find_motion(MechanismSystem& system, Assembly& found) {
  found.v.assign(system.equations().velocities(), 0.0);
  found.a = found.v;
  if (found.t == 0) {
    StartingVelocity start = starting_velocity(system, 0, found.q);
    found.v = std::move(start.v);
    if (!start.message.empty()) found.warning = std::move(start.message);
  }
  MotionWork work;
  const MotionResult motion = solve_motion(system, found.t, found.q, found.v, found.a, work);
  const bool is_finite = all_finite(found.v) && all_finite(found.a);
  if (is_finite && motion.consistent) return;
  found.outcome = Outcome::no_motion;
  found.message = is_finite ? motion.message : "the velocities are not finite";
  found.remedy = "the configuration is singular: choose another time";
  found.v.clear();
  found.a.clear();
  if (!is_finite) return;
  const std::string drivers = over_driven(system, poses_of(system, found.q));
  if (!drivers.empty()) {
    found.message = drivers + ", and the rates disagree: " + motion.message;
    found.remedy = "remove drivers, or make their rates agree";
  }
}

}  // namespace axode::detail
