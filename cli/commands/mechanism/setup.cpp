/// `axode mechanism`: the way to an assembled configuration.
#include <algorithm>
#include <cmath>

#include "axode/mechanism/analysis/diagnosis.hpp"
#include "axode/mechanism/analysis/motion_analysis.hpp"
#include "axode/mechanism/analysis/position.hpp"
#include "axode/mechanism/analysis/start_poses.hpp"
#include "axode/mechanism/analysis/starting_rates.hpp"
#include "cli/commands/mechanism/mechanism.hpp"

namespace axode::cli {

namespace {

/// Whether all numbers are numbers.
bool all_finite(std::span<const double> numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

void solve_motion_of(MechanismSystem& system, MechanismState& state, const std::string& file) {
  const auto n = std::size_t(system.equations().velocities());
  state.v.resize(n);
  state.a.assign(n, 0);
  MotionWork work;
  const MotionResult result = solve_motion(system, state.t, state.q, state.v, state.a, work);
  if (!all_finite(state.v) || !all_finite(state.a))
    throw NumericalError("the velocities are not finite", file,
                         "the configuration is singular: choose another time");
  if (result.consistent) return;
  std::vector<SE3<double>> poses(system.mechanism().bodies.size());
  system.poses(state.q, poses);
  const std::string drivers = over_driven(system, poses);
  throw NumericalError(
      drivers.empty() ? result.message : drivers + ", and the rates disagree: " + result.message,
      file,
      drivers.empty() ? "the configuration is singular: choose another time"
                      : "remove drivers, or make their rates agree");
}

/// By poses: seats of Euler angles may change between two configurations.
double distance(std::span<const SE3<double>> a, std::span<const SE3<double>> b) {
  double most = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    most = std::max({most, max_abs(a[k].p - b[k].p), max_abs(a[k].R.matrix - b[k].R.matrix)});
  return most;
}

/// Follows the drivers from state.t to t in steps small enough to stay on the branch.
bool follow_time(MechanismSystem& system, double t, MechanismState& state,
                 const std::string& file) {
  constexpr int max_steps = 20000;
  const double begin = state.t;
  const bool has_seats = std::ranges::any_of(system.equations().bodies, [](const auto& body) {
    return body.kind == BodyCoordinates::Kind::euler_angles;
  });
  std::vector<SE3<double>> before(system.mechanism().bodies.size()), guess(before), after(before);
  double h = (t - state.t) / 64;
  for (int step = 0; step < max_steps && state.t != t; ++step) {
    solve_motion_of(system, state, file);
    // No coordinate moves by more than a twentieth of a radian, or metre, in one step.
    double fastest = 0;
    for (const double v : state.v) fastest = std::max(fastest, std::abs(v));
    if (fastest * std::abs(h) > 0.05) h = std::copysign(0.05 / fastest, h);
    const double next = std::abs(t - state.t) <= std::abs(h) * 1.0000001 ? t : state.t + h;
    std::vector<double> q(state.q), dq(state.v);
    for (double& x : dq) x *= next - state.t;
    plus(system.configuration(), state.q, dq, q);
    system.poses(state.q, before);
    system.poses(q, guess);
    const bool closed = solve_position(system, next, q, {.iterations = 30}).converged;
    if (closed) system.poses(q, after);
    if (!closed || distance(guess, after) > 0.3 * distance(before, guess) + 1e-9) {
      h = (next - state.t) / 4;  // it may have come to another branch
      if (std::abs(h) < 1e-9 * std::abs(t - begin)) return false;
      if (has_seats) state.q = system.from_poses(before);
      continue;
    }
    state.q = std::move(q);
    state.t = next;
    h *= 2;
  }
  return state.t == t;
}

/// The equations with drivers that lead from the values that poses have (s = 0) to those of their
/// motion at t = 0 (s = 1), angles by the shorter way.
MechanismEquations from_values(const MechanismEquations& equations,
                               std::span<const SE3<double>> poses) {
  MechanismEquations led = equations;
  for (MechanismDriver& driver : led.mechanism.drivers) {
    const double from = measure(led.mechanism, driver.coordinate, poses);
    double way = driver.motion(0).value - from;
    if (led.mechanism.coordinates[driver.coordinate].is_angle)
      way = std::remainder(way, 2 * pi<double>);
    driver.motion = polynomial_in_time(from, way);
  }
  return led;
}

/// Where drivers are at t = 0, on the branch of the reference: closed there with the drivers as
/// they stand, then led to their values. Empty if that does not succeed.
std::vector<double> from_reference(MechanismSystem& system, const std::string& file) {
  std::vector<SE3<double>> poses = start_poses(system.mechanism());
  try {
    MechanismSystem led(from_values(system.equations(), poses));
    MechanismState state;
    state.q = led.from_poses(poses);
    if (!solve_position(led, 0, state.q).converged || !follow_time(led, 1, state, file)) return {};
    led.poses(state.q, poses);
  } catch (const NumericalError&) {  // a singular configuration on the way
    return {};
  }
  return system.from_poses(poses);
}

/// Drivers led to t one after the other, else whatever assembly is found from the reference.
void assemble_otherwise(MechanismSystem& system, double t, const std::string& file,
                        MechanismState& state) {
  const AssemblyDiagnosis found = diagnose_assembly(system, t, start_poses(system.mechanism()));
  if (found.kind == AssemblyDiagnosis::Kind::assembled) {
    if (t != 0)
      state.remark =
          "it cannot be followed in time from t = 0; this is the branch of the reference";
    state.q = found.q;
    return;
  }
  Mechanism start = system.mechanism();
  for (const MechanismDriver& driver : start.drivers)
    start.initial[driver.coordinate] = driver.motion(t).value;
  state.q = system.from_poses(start_poses(start));
  if (!solve_position(system, t, state.q).converged)
    throw NumericalError(found.message, file, found.remedy);
  if (found.kind == AssemblyDiagnosis::Kind::dead_point)
    state.remark = "another branch than that of the reference: " + found.message;
  if (found.kind == AssemblyDiagnosis::Kind::geometry)
    state.remark = "perhaps another branch than that of the reference, which was not assembled";
}

}  // namespace

MechanismState assembled_at(MechanismSystem& system, double t, const std::string& file) {
  MechanismState state;
  check_drivers(system.mechanism(), t, file);
  if (t == 0 || driver_problem(system.mechanism(), 0).empty())
    state.q = from_reference(system, file);
  PositionResult closed;
  if (!state.q.empty()) closed = solve_position(system, 0, state.q);
  if (closed.converged && t != 0) closed.converged = follow_time(system, t, state, file);
  if (!closed.converged) assemble_otherwise(system, t, file, state);
  std::vector<double> at_rest(system.equations().velocities(), 0);
  system.refresh(state.q, at_rest);  // equations in the form that suits where it is now
  state.t = t;
  state.v.clear();
  if (t == 0) {
    StartingVelocity start = starting_velocity(system, 0, state.q);
    state.v = std::move(start.v);
    if (!start.message.empty()) state.remark = std::move(start.message);
  }
  solve_motion_of(system, state, file);
  return state;
}

MechanismState simulation_start(const Mechanism& mechanism, MechanismSystem& system,
                                const FormulationOptions& how, const std::string& file) {
  // Starting values as drivers of another system of the same kind.
  const auto is_driven = [&](std::size_t c) {
    return std::any_of(
        mechanism.drivers.begin(), mechanism.drivers.end(),
        [&](const MechanismDriver& d) { return d.coordinate == static_cast<int>(c); });
  };
  Mechanism held = mechanism;
  for (std::size_t c = 0; c < mechanism.initial.size(); ++c)
    if (std::isfinite(mechanism.initial[c]) && !is_driven(c))
      held.drivers.push_back({mechanism.coordinates[c].name,
                              static_cast<int>(c),
                              constant_in_time(mechanism.initial[c]),
                              {}});
  held.initial_rate.clear();  // at rest
  MechanismSystem closing(make_equations(held, how));
  MechanismState at = assembled_at(closing, 0, file);
  std::vector<SE3<double>> poses(mechanism.bodies.size());
  closing.poses(at.q, poses);
  // The same with rates, at the values found.
  held.drivers = mechanism.drivers;
  for (std::size_t c = 0; c < mechanism.initial_rate.size(); ++c)
    if (std::isfinite(mechanism.initial_rate[c]) && !is_driven(c))
      held.drivers.push_back({mechanism.coordinates[c].name,
                              static_cast<int>(c),
                              polynomial_in_time(measure(mechanism, static_cast<int>(c), poses),
                                                 mechanism.initial_rate[c]),
                              {}});
  MechanismSystem moving(make_equations(held, how));
  at.q = moving.from_poses(poses);
  at.v.clear();
  std::vector<double> v(moving.equations().velocities(), 0);
  moving.refresh(at.q, v);
  at.v = v;
  solve_motion_of(moving, at, file);
  std::vector<Twist<Rep::hybrid>> twists(poses.size());
  moving.motion(at.q, at.v, poses, twists);
  MechanismState start;
  start.remark = at.remark;
  start.q = system.from_poses(poses);
  unwind_turns(system, 0, start.q);  // drivers may start on another turn
  std::vector<double> none(system.equations().velocities(), 0);
  system.refresh(start.q, none);
  start.v = system.from_twists(start.q, twists);
  return start;
}

}  // namespace axode::cli
