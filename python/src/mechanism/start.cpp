/// The way to an assembled configuration: from the reference, along the motion of the drivers.
#include <algorithm>
#include <cmath>

#include "axode/core/error.hpp"
#include "axode/mechanism/analysis/diagnosis.hpp"
#include "axode/mechanism/analysis/motion_analysis.hpp"
#include "axode/mechanism/analysis/position.hpp"
#include "axode/mechanism/analysis/start_poses.hpp"
#include "axode/mechanism/analysis/starting_rates.hpp"
#include "src/mechanism/mechanism.hpp"

namespace axode::python::mechanisms {
namespace {

bool all_finite(std::span<const double> numbers) {
  return std::ranges::all_of(numbers, [](double x) { return std::isfinite(x); });
}

/// Velocities and accelerations at (t, q). False: there are none; the message says why.
bool move(MechanismSystem& system, Assembled& state) {
  const auto n = std::size_t(system.equations().velocities());
  state.v.resize(n);
  state.a.assign(n, 0);
  MotionWork work;
  const MotionResult result = solve_motion(system, state.t, state.q, state.v, state.a, work);
  if (!all_finite(state.v) || !all_finite(state.a))
    state.message = "the velocities are not finite: the configuration is singular";
  else if (!result.consistent)
    state.message = result.message;
  else
    return true;
  return false;
}

/// By poses: seats of Euler angles may change between two configurations.
double distance(std::span<const SE3<double>> a, std::span<const SE3<double>> b) {
  double most = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    most = std::max({most, max_abs(a[k].p - b[k].p), max_abs(a[k].R.matrix - b[k].R.matrix)});
  return most;
}

/// Follows the drivers from state.t to t in steps small enough to stay on the branch.
bool follow_time(MechanismSystem& system, double t, Assembled& state) {
  constexpr int max_steps = 20000;
  const double begin = state.t;
  const bool has_seats = std::ranges::any_of(system.equations().bodies, [](const auto& body) {
    return body.kind == BodyCoordinates::Kind::euler_angles;
  });
  std::vector<SE3<double>> before(system.mechanism().bodies.size()), guess(before), after(before);
  double h = (t - state.t) / 64;
  for (int step = 0; step < max_steps && state.t != t; ++step) {
    if (!move(system, state)) return false;
    // No coordinate moves by more than a twentieth of a radian, or metre, in one step.
    double fastest = 0;
    for (const double v : state.v) fastest = std::max(fastest, std::abs(v));
    if (fastest * std::abs(h) > 0.05) h = std::copysign(0.05 / fastest, h);
    const double next = std::abs(t - state.t) <= std::abs(h) * 1.0000001 ? t : state.t + h;
    std::vector<double> q(state.q), dq(state.v);
    for (double& x : dq) x *= next - state.t;
    plus(system.configuration(), state.q, dq, q);
    if (!all_finite(q)) return false;
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

/// Where drivers are at t = 0, on the branch of the reference. Empty if they cannot be led there.
std::vector<double> from_reference(MechanismSystem& system) {
  std::vector<SE3<double>> poses = start_poses(system.mechanism());
  MechanismSystem led(from_values(system.equations(), poses));
  Assembled state;
  state.q = led.from_poses(poses);
  if (!all_finite(state.q) || !solve_position(led, 0, state.q).converged ||
      !follow_time(led, 1, state))
    return {};
  led.poses(state.q, poses);
  return system.from_poses(poses);
}

/// Drivers led to t one after the other, else whatever assembly is found from the reference.
bool assemble_otherwise(MechanismSystem& system, double t, Assembled& state) {
  const AssemblyDiagnosis found = diagnose_assembly(system, t, start_poses(system.mechanism()));
  if (found.kind == AssemblyDiagnosis::Kind::assembled) {
    if (t != 0)
      state.message =
          "it cannot be followed in time from t = 0; this is the branch of the reference";
    state.q = found.q;
    return true;
  }
  Mechanism start = system.mechanism();
  for (const MechanismDriver& driver : start.drivers)
    start.initial[driver.coordinate] = driver.motion(t).value;
  state.q = system.from_poses(start_poses(start));
  state.message = found.remedy.empty() ? found.message : found.message + "; " + found.remedy;
  if (!all_finite(state.q) || !solve_position(system, t, state.q).converged) return false;
  state.message = "perhaps another branch than that of the reference: " + found.message;
  return true;
}

/// What is wrong with drivers at a time; may be empty.
std::string driver_problem(const Mechanism& mechanism, double t) {
  for (const MechanismDriver& driver : mechanism.drivers) {
    const auto [value, rate, acceleration] = driver.motion(t);
    const bool is_distance =
        mechanism.coordinates[driver.coordinate].kind == MechanismCoordinate::Kind::distance;
    const auto says = [&](const char* what) { return "driver '" + driver.name + "' " + what; };
    if (!all_finite(std::array{value, rate, acceleration})) return says("is not finite");
    if (std::abs(value) > 1e12) return says("is too large to compute with");
    if (is_distance && value < 0) return says("is a distance below zero");
  }
  return {};
}

/// The mechanism with told numbers of coordinates that are not driven as drivers.
Mechanism held_at(const Mechanism& mechanism, const std::vector<double>& told,
                  const std::function<TimeFunction(int coordinate, double told)>& motion) {
  Mechanism held = mechanism;
  for (int c = 0; c < std::ssize(told); ++c)
    if (std::isfinite(told[c]) &&
        std::ranges::find(mechanism.drivers, c, &MechanismDriver::coordinate) ==
            mechanism.drivers.end())
      held.drivers.push_back({mechanism.coordinates[c].name, c, motion(c, told[c]), {}});
  return held;
}

}  // namespace

Assembled assemble(MechanismSystem& system, double t) {
  Assembled state;
  state.message = driver_problem(system.mechanism(), t);
  state.t = t;
  if (!state.message.empty()) return state;
  state.t = 0;
  if (t == 0 || driver_problem(system.mechanism(), 0).empty()) state.q = from_reference(system);
  bool closed =
      !state.q.empty() && all_finite(state.q) && solve_position(system, 0, state.q).converged;
  if (closed && t != 0) closed = follow_time(system, t, state);
  state.message.clear();
  if (!closed && !assemble_otherwise(system, t, state)) return state;
  std::vector<double> at_rest(system.equations().velocities(), 0);
  system.refresh(state.q, at_rest);  // equations in the form that suits where it is now
  state.t = t;
  state.v.clear();
  if (t == 0) {
    StartingVelocity start = starting_velocity(system, 0, state.q);
    state.v = std::move(start.v);
    if (!start.message.empty()) state.message = std::move(start.message);
  }
  state.found = move(system, state);
  return state;
}

Assembled simulation_start(MechanismSystem& system, const FormulationOptions& how) {
  const Mechanism& mechanism = system.mechanism();
  Mechanism held = held_at(mechanism, mechanism.initial,
                           [](int, double value) { return constant_in_time(value); });
  held.initial_rate.clear();  // at rest
  MechanismSystem closing(make_equations(held, how));
  Assembled at = assemble(closing, 0);
  if (!at.found) return at;
  std::vector<SE3<double>> poses(mechanism.bodies.size());
  closing.poses(at.q, poses);
  // The same with rates, at the values found.
  held = held_at(mechanism, mechanism.initial_rate, [&](int c, double rate) {
    return polynomial_in_time(measure(mechanism, c, poses), rate);
  });
  MechanismSystem moving(make_equations(held, how));
  at.q = moving.from_poses(poses);
  at.v.assign(moving.equations().velocities(), 0);
  moving.refresh(at.q, at.v);
  if (!move(moving, at)) {
    at.found = false;
    return at;
  }
  std::vector<Twist<Rep::hybrid>> twists(poses.size());
  moving.motion(at.q, at.v, poses, twists);
  Assembled start;
  start.found = true;
  start.message = at.message;
  start.q = system.from_poses(poses);
  unwind_turns(system, 0, start.q);  // drivers may start on another turn
  std::vector<double> none(system.equations().velocities(), 0);
  system.refresh(start.q, none);
  start.v = system.from_twists(start.q, twists);
  return start;
}

std::vector<double> configuration(PySystem& py, double t, nb::handle q) {
  if (!q.is_none()) return state(q, "q", py.nq(), "the system's coordinates");
  Assembled found = py.use([&](MechanismSystem& system) { return assemble(system, t); });
  if (found.q.empty() || (!found.found && found.v.empty()))
    throw Error("it cannot be assembled: " + found.message, "q",
                "solve_position tells more; or give q");
  return found.q;
}

}  // namespace axode::python::mechanisms
