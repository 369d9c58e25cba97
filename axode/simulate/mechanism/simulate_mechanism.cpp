#include "axode/simulate/mechanism/simulate_mechanism.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "axode/core/error.hpp"
#include "axode/core/finite.hpp"
#include "axode/core/names.hpp"
#include "axode/mechanism/analysis/position.hpp"
#include "axode/mechanism/coordinates/rod_spin.hpp"
#include "axode/simulate/mechanism/detail/simulate_mechanism_run.hpp"

namespace axode {
namespace {
using Ending = MechanismRunResult::Ending;
constexpr const char* where = "simulate_mechanism";

void check(const MechanismSystem& system, std::span<const double> q, std::span<const double> v,
           const MechanismSimulateOptions& o) {
  const MechanismEquations& eq = system.equations();
  if (static_cast<int>(q.size()) != eq.numbers() || static_cast<int>(v.size()) != eq.velocities())
    throw Error("the state has " + std::to_string(q.size()) + " coordinates and " +
                    std::to_string(v.size()) + " velocities",
                where,
                "the mechanism has " + std::to_string(eq.numbers()) + " and " +
                    std::to_string(eq.velocities()));
  if (!all_finite(q) || !all_finite(v))
    throw Error("the state at the start is not finite", where, "give numbers");
  if (!(o.duration >= 0) || !std::isfinite(o.duration) || !std::isfinite(o.start))
    throw Error("the duration is negative or not finite", where, "give seconds from the start");
  if (!(o.sample_interval >= 0) || !std::ranges::is_sorted(o.sample_times))
    throw Error("samples are not at rising times", where, "give a positive interval, rising times");
  if (!(o.omega >= 0 && o.mu >= 0 && o.penalty >= 0 && o.max_iterations > 0))
    throw Error("an option of the augmented Lagrangian is negative", where, "Omega 10, mu 1, say");
  if (o.max_steps < 0)
    throw Error("max_steps is negative", where, "give a number of steps, 0 for the default");
  if (!(o.baumgarte_alpha >= 0 && o.baumgarte_beta >= 0))
    throw Error("Baumgarte's alpha or beta is negative", where, "20 1/s, say");
}
}  // namespace

std::string_view name(MechanismMethod method) noexcept {
  constexpr std::array<std::string_view, 8> names{"automatic",
                                                  "baumgarte",
                                                  "projection",
                                                  "augmented_lagrangian",
                                                  "null_space",
                                                  "generalized_alpha",
                                                  "generalized_alpha_stabilized",
                                                  "ida"};
  return names[std::size_t(method)];
}
MechanismMethod mechanism_method_named(std::string_view wanted) {
  std::string known;
  for (int k = 0; k <= static_cast<int>(MechanismMethod::ida); ++k) {
    const auto method = static_cast<MechanismMethod>(k);
    if (is_same_name(name(method), wanted)) return method;
    known += (known.empty() ? "" : ", ") + std::string(name(method));
  }
  throw Error("'" + std::string(wanted) + "' is none of the methods", "method",
              "choose among " + known);
}
std::string_view name(Ending ending) noexcept {
  constexpr std::array<std::string_view, 8> names{
      "finished", "stopped",       "not_assembled", "inconsistent_velocity",
      "singular", "not_converged", "not_finite",    "step_limit"};
  return names[std::size_t(ending)];
}

namespace detail {

bool MechanismRun::fail(Ending ending, double t, const std::string& what) {
  result.ending = ending;
  result.t = t;
  result.message = what;
  return false;
}
bool MechanismRun::fail(StepVerdict verdict, double t) {
  const std::string when = " at t = " + std::to_string(t) + " s";
  const std::string because = dynamics.why().empty() ? "" : ": " + dynamics.why();
  switch (verdict) {
    case StepVerdict::no_rate:
      return fail(Ending::singular, t, "no acceleration" + when + because);
    case StepVerdict::not_finite:
      return fail(Ending::not_finite, t, "numbers that are not finite" + when);
    case StepVerdict::step_underflow:
      return fail(Ending::not_converged, t,
                  "the tolerance is not met by the shortest step" + when +
                      ": perhaps a singular position; try the augmented Lagrangian" + because);
    default:
      return fail(Ending::not_converged, t,
                  "an implicit step was not solved" + when +
                      ": perhaps a singular position; try projection" + because);
  }
}

bool MechanismRun::is_told_to_stop(double t) {
  if (options.stop == nullptr || !options.stop->load(std::memory_order_relaxed)) return false;
  fail(Ending::stopped, t, "stopped");
  return true;
}

bool MechanismRun::should_end(double t) {
  if (is_told_to_stop(t)) return true;
  if (!limit.reached(t)) return false;
  double size = 0;
  std::size_t fastest = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    if (std::abs(a[k]) > size) size = std::abs(a[k]), fastest = k;
  fail(Ending::step_limit, t,
       fmt::format("at t = {:.6g} s, after {}; '{}' "
                   "accelerates most, {:.6g}; check forces, damping and masses, take another "
                   "method, or raise max_steps",
                   t, limit_text(limit, t), system.equations().velocity_names[fastest], size));
  return true;
}

bool MechanismRun::begin(std::vector<double> q0, std::vector<double> v0) {
  const double t = options.start;
  const MechanismEquations& eq = system.equations();
  q = std::move(q0);
  v = std::move(v0);
  a.assign(v.size(), 0.0);
  lambda.assign(eq.rows(), 0.0);
  unwind_turns(system, t, q);  // drivers may start on another turn
  system.refresh(q, v);
  const auto row = [&](int i) { return "equation '" + eq.equations[i].name + "' is missed by "; };
  MechanismDynamics::Violation missed = dynamics.violation(t, q, v);
  if (options.exact_start && missed.position > options.start_tolerance)
    return fail(Ending::not_assembled, t,
                "the start is not assembled: " + row(missed.position_row) +
                    std::to_string(missed.position));
  if (!dynamics.project_position(t, q))
    return fail(Ending::not_assembled, t, "the start cannot be assembled: " + dynamics.why());
  if (system.refresh(q, v)) dynamics.forget();
  missed = dynamics.violation(t, q, v);
  if (options.exact_start && missed.velocity > options.start_tolerance)
    return fail(Ending::inconsistent_velocity, t,
                "the velocities of the start do not fit: the rate of " + row(missed.velocity_row) +
                    std::to_string(missed.velocity));
  if (!dynamics.project_velocity(t, q, v))
    return fail(Ending::inconsistent_velocity, t, dynamics.why());
  detail::stop_idle_spins(system, q, v);
  result.redundant = dynamics.count_redundant(t, q);
  if (!dynamics.has_inertia(t, q)) return fail(StepVerdict::no_rate, t);
  if (!dynamics.multipliers(t, q, v, a, lambda)) return fail(StepVerdict::no_rate, t);
  units = state_units(system, t, q, dynamics.sizes(t, q));
  energy_0 = system.kinetic_energy(q, v) + system.potential_energy(t, q);
  clock = {t, options.sample_interval, t_end(), options.sample_times};
  clock.begin(t, false);
  limit.max_steps = options.max_steps > 0
                        ? options.max_steps
                        : default_max_steps(options.duration, options.step, options.max_step,
                                            share_of_steps(many_long_steps, options.duration));
  limit.t_end = t_end();
  limit.begin(t);
  begin_turns(t);
  return give_samples(t, [](double) { return 0.0; });
}

std::vector<TimeValue> MechanismRun::coordinates() {
  const Mechanism& m = system.mechanism();
  poses.resize(m.bodies.size());
  twists.resize(m.bodies.size());
  rates.assign(m.bodies.size(), {});
  system.motion(q, v, poses, twists);
  std::vector<TimeValue> now;
  now.reserve(m.coordinates.size());
  for (int c = 0; c < std::ssize(m.coordinates); ++c) {
    now.push_back(measure(m, c, poses, twists, rates));
    now.back().acceleration = 0;  // the same on both sides of an interval: not known
  }
  return now;
}

/// Poses tell angles but for whole turns: the coordinates of the system know more, or drivers, or
/// starting values.
void MechanismRun::begin_turns(double t) {
  if (!observer) return;
  const Mechanism& m = system.mechanism();
  const std::vector<std::string>& names = system.equations().coordinate_names;
  std::vector<TimeValue> now = coordinates();
  for (int c = 0; c < std::ssize(m.coordinates); ++c)
    now[c].value = measure_with_turns(m, c, poses);
  take_told_turns(m, t, now);
  std::unordered_map<std::string_view, double> known;
  for (std::size_t k = 0; k < q.size(); ++k) known[names[k]] = q[k];
  for (std::size_t c = 0; c < now.size(); ++c)
    if (const auto own = known.find(m.coordinates[c].name);
        own != known.end() && m.coordinates[c].is_angle)
      now[c].value = nearest_turn(now[c].value, own->second);
  turns.begin(t, std::move(now));
}

void MechanismRun::to_units(std::span<const double> q_in, std::span<const double> v_in,
                            std::span<double> x) const {
  std::ranges::transform(q_in, units.q, x.begin(), std::divides<>{});
  std::ranges::transform(v_in, units.v, x.subspan(q_in.size()).begin(), std::divides<>{});
}
void MechanismRun::from_units(std::span<const double> x, std::span<double> q_out,
                              std::span<double> v_out) const {
  std::ranges::transform(x, units.q, q_out.begin(), std::multiplies<>{});
  std::ranges::transform(x.subspan(q_out.size()), units.v, v_out.begin(), std::multiplies<>{});
}

void MechanismRun::sample(double t, double work) {
  if (project_samples) dynamics.project(t, q, v);
  if (!dynamics.multipliers(t, q, v, a, lambda)) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    std::ranges::fill(a, none);
    std::ranges::fill(lambda, none);
  }
  const MechanismSample s{t,
                          q,
                          v,
                          a,
                          lambda,
                          with_turns(t),
                          system.kinetic_energy(q, v),
                          system.potential_energy(t, q),
                          work};
  const MechanismDynamics::Violation missed = dynamics.violation(t, q, v);
  result.position_error = std::max(result.position_error, missed.position);
  result.velocity_error = std::max(result.velocity_error, missed.velocity);
  result.energy_drift =
      std::max(result.energy_drift, std::abs(s.kinetic + s.potential - work - energy_0));
  result.energy_scale = std::max(result.energy_scale, s.kinetic);
  ++result.samples;
  last_sample = t;
  if (observer) observer(s);
}

/// The coordinates of a sample, on the turns counted up to it.
std::span<const TimeValue> MechanismRun::with_turns(double t) {
  if (!observer) return {};
  const Mechanism& m = system.mechanism();
  if (t > turns.last_time()) turns.next(m, t, coordinates());  // the end, where a step failed
  coordinates();
  system.accelerations(q, v, a, rates);
  sampled.resize(m.coordinates.size());
  for (int c = 0; c < std::ssize(sampled); ++c) {
    sampled[c] = measure(m, c, poses, twists, rates);
    if (m.coordinates[c].is_angle)
      sampled[c].value = nearest_turn(sampled[c].value, turns.last()[c].value);
  }
  return sampled;
}

void MechanismRun::end(double t, double work) {
  result.t = t;
  if (last_sample < t) sample(t, work);
  result.q = q;
  result.v = v;
  const double energy = system.kinetic_energy(q, v) + system.potential_energy(t, q);
  result.energy_drift = std::max(result.energy_drift, std::abs(energy - work - energy_0));
  result.acceleration_residual = dynamics.worst_residual();
  result.sure_of_turns = turns.sure();
}

}  // namespace detail

MechanismRunResult simulate_mechanism(MechanismSystem& system, std::vector<double> q,
                                      std::vector<double> v,
                                      const MechanismSimulateOptions& options,
                                      const std::function<void(const MechanismSample&)>& observer) {
  check(system, q, v, options);
  detail::MechanismRun run{system, options, observer, MechanismDynamics(system)};
  if (!run.begin(std::move(q), std::move(v))) {
    run.result.q = run.q;
    run.result.v = run.v;
    return run.result;
  }
  if (run.v.empty()) {  // all welded to the ground: nothing to integrate
    const bool all = run.give_samples(run.t_end(), [](double) { return 0.0; });
    run.end(all ? run.t_end() : run.result.t, 0);
    return run.result;
  }
  switch (options.method) {
    case MechanismMethod::null_space:
      detail::run_null_space(run);
      break;
    case MechanismMethod::generalized_alpha:
    case MechanismMethod::generalized_alpha_stabilized:
    case MechanismMethod::ida:
      detail::run_implicit(run);
      break;
    default:
      detail::run_index_one(run);
  }
  return run.result;
}

}  // namespace axode
