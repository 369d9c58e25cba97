// Of mechanism_run.hpp: the start, samples with turns of angles, how it ended.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_map>

#include "axode/core/error.hpp"
#include "axode/core/finite.hpp"
#include "axode/mechanism/analysis/position.hpp"
#include "axode/mechanism/coordinates/rod_spin.hpp"
#include "axode/simulate/run/detail/mechanism_run.hpp"

namespace axode::detail {

MechanismModel::MechanismModel(const RunTask& of, MechanismSystem& with)
    : task(of), system(with), dynamics(with) {
  const MechanismEquations& eq = system.equations();
  q_.assign(eq.numbers(), 0.0);
  v_.assign(eq.velocities(), 0.0);
  a.assign(eq.velocities(), 0.0);
  lambda.assign(eq.rows(), 0.0);
}

bool MechanismModel::begin(const State<double>& initial, RunResult& result) {
  const double t = task.options.start;
  const MechanismRunOptions& o = task.options.mechanism;
  const MechanismEquations& eq = system.equations();
  const auto fail = [&](Ending ending, const std::string& what) {
    result.ending = ending;
    result.t = t;
    result.message = what;
    result.last = {q_, v_};
    return false;
  };
  q_ = initial.q;
  v_ = initial.v;
  unwind_turns(system, t, q_);  // drivers may start on another turn
  system.refresh(q_, v_);
  const auto row = [&](int i) { return "equation '" + eq.equations[i].name + "' is missed by "; };
  MechanismDynamics::Violation missed = dynamics.violation(t, q_, v_);
  if (o.exact_start && missed.position > o.start_tolerance)
    return fail(Ending::not_assembled, "the start is not assembled: " + row(missed.position_row) +
                                           std::to_string(missed.position));
  if (!dynamics.project_position(t, q_))
    return fail(Ending::not_assembled, "the start cannot be assembled: " + dynamics.why());
  if (system.refresh(q_, v_)) dynamics.forget();
  missed = dynamics.violation(t, q_, v_);
  if (o.exact_start && missed.velocity > o.start_tolerance)
    return fail(Ending::inconsistent_velocity,
                "the velocities of the start do not fit: the rate of " + row(missed.velocity_row) +
                    std::to_string(missed.velocity));
  if (!dynamics.project_velocity(t, q_, v_))
    return fail(Ending::inconsistent_velocity, dynamics.why());
  stop_idle_spins(system, q_, v_);
  see_controlled([&](auto&& value, auto&& rate) {
    if (task.control) task.control->see(value, rate);
  });
  figures.redundant = dynamics.count_redundant(t, q_);
  if (!dynamics.has_inertia(t, q_) || !dynamics.multipliers(t, q_, v_, a, lambda)) {
    result.last = {q_, v_};
    result.t = t;
    explain(StepVerdict::no_rate, result);
    return false;
  }
  units = state_units(system, t, q_, dynamics.sizes(t, q_));
  begin_turns(t);
  return true;
}

double MechanismModel::fill(double t, Sample& s) {
  if (project_samples) dynamics.project(t, q_, v_);
  if (!dynamics.multipliers(t, q_, v_, a, lambda)) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    std::ranges::fill(a, none);
    std::ranges::fill(lambda, none);
  }
  s.q = q_;
  s.v = v_;
  s.a = a;
  s.lambda = lambda;
  find_driving_forces(t);
  s.tau = tau;
  s.coordinates = with_turns(t);
  s.kinetic = system.kinetic_energy(q_, v_);
  s.potential = system.potential_energy(t, q_);
  const MechanismDynamics::Violation missed = dynamics.violation(t, q_, v_);
  figures.position_error = std::max(figures.position_error, missed.position);
  figures.velocity_error = std::max(figures.velocity_error, missed.velocity);
  return s.kinetic + s.potential;
}

void MechanismModel::find_driving_forces(double t) {
  const MechanismEquations& eq = system.equations();
  tau.assign(eq.mechanism.coordinates.size(), 0.0);
  for (int i = 0; i < eq.rows(); ++i)
    if (const int d = eq.equations[i].driver; d >= 0)
      tau[eq.mechanism.drivers[d].coordinate] -= lambda[i];
  const MechanismSystem::ControlView now = system.control(t, q_, v_);
  for (std::size_t k = 0; k < now.coordinates.size(); ++k) tau[now.coordinates[k]] += now.force[k];
}

double MechanismModel::power(double t) {
  return dynamics.accelerate(t, q_, v_, a, lambda) ? dynamics.power(t, q_, v_, lambda) : 0;
}

// --- turns of angles --------------------------------------------------------------------------------

std::vector<TimeValue> MechanismModel::coordinates() {
  const Mechanism& m = system.mechanism();
  poses.resize(m.bodies.size());
  twists.resize(m.bodies.size());
  rates.assign(m.bodies.size(), {});
  system.motion(q_, v_, poses, twists);
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
void MechanismModel::begin_turns(double t) {
  if (!task.observer.sample) return;
  const Mechanism& m = system.mechanism();
  const std::vector<std::string>& names = system.equations().coordinate_names;
  std::vector<TimeValue> now = coordinates();
  for (int c = 0; c < std::ssize(m.coordinates); ++c)
    now[c].value = measure_with_turns(m, c, poses);
  take_told_turns(m, t, now);
  std::unordered_map<std::string_view, double> known;
  for (std::size_t k = 0; k < q_.size(); ++k) known[names[k]] = q_[k];
  for (std::size_t c = 0; c < now.size(); ++c)
    if (const auto own = known.find(m.coordinates[c].name);
        own != known.end() && m.coordinates[c].is_angle)
      now[c].value = nearest_turn(now[c].value, own->second);
  turns.begin(t, std::move(now));
}

/// The coordinates of a sample, on the turns counted up to it.
std::span<const TimeValue> MechanismModel::with_turns(double t) {
  if (!task.observer.sample) return {};
  const Mechanism& m = system.mechanism();
  if (t > turns.last_time()) turns.next(m, t, coordinates());  // the end, where a step failed
  coordinates();
  system.accelerations(q_, v_, a, rates);
  sampled.resize(m.coordinates.size());
  for (int c = 0; c < std::ssize(sampled); ++c) {
    sampled[c] = measure(m, c, poses, twists, rates);
    if (m.coordinates[c].is_angle)
      sampled[c].value = nearest_turn(sampled[c].value, turns.last()[c].value);
  }
  return sampled;
}

// --- states -----------------------------------------------------------------------------------------

void MechanismModel::to_units(std::span<const double> q, std::span<const double> v,
                              std::span<double> x) const {
  std::ranges::transform(q, units.q, x.begin(), std::divides<>{});
  std::ranges::transform(v, units.v, x.subspan(q.size()).begin(), std::divides<>{});
}
void MechanismModel::from_units(std::span<const double> x, std::span<double> q,
                                std::span<double> v) const {
  std::ranges::transform(x, units.q, q.begin(), std::multiplies<>{});
  std::ranges::transform(x.subspan(q.size()), units.v, v.begin(), std::multiplies<>{});
}

void MechanismModel::meet_equations(double t, std::span<const double> q,
                                    std::span<const double> v) {
  constexpr const char* where = "simulate";
  if (q.size() != q_.size() || v.size() != v_.size() || !all_finite(q) || !all_finite(v))
    throw Error("the state after an event is not one of the mechanism", where,
                "let its action give finite numbers");
  q_.assign(q.begin(), q.end());
  v_.assign(v.begin(), v.end());
  if (!dynamics.project(t, q_, v_))
    throw Error("the state after an event cannot meet the equations: " + dynamics.why(), where,
                "let its action give a state near one that does");
  if (!task.observer.sample) return;
  std::vector<TimeValue> now = coordinates();
  for (std::size_t c = 0; c < now.size(); ++c)
    if (system.mechanism().coordinates[c].is_angle)
      now[c].value = nearest_turn(now[c].value, turns.last()[c].value);
  turns.begin(t, std::move(now), turns.sure());
}

bool MechanismModel::refresh() {
  if (!system.refresh(q_, v_)) return false;
  dynamics.forget();
  ++figures.restarts;
  return true;
}

void MechanismModel::save(std::vector<double>& numbers) {
  std::vector<double> forms, seats, angles, rest;
  for (const int form : system.forms()) forms.push_back(form);
  for (const SO3<double>& seat : system.seats())
    for (int k = 0; k < 9; ++k) seats.push_back(seat.matrix(k / 3, k % 3));
  for (const TimeValue& x : turns.last()) angles.insert(angles.end(), {x.value, x.rate});
  numbers.insert(numbers.end(),
                 {figures.position_error, figures.velocity_error,
                  static_cast<double>(figures.restarts), static_cast<double>(figures.redundant),
                  units.energy, turns.last_time(), turns.sure() ? 1. : 0.});
  dynamics.save(rest);
  const std::vector<double> left_out(figures.left_out.begin(), figures.left_out.end());
  for (const std::span<const double> list : std::initializer_list<std::span<const double>>{
           units.q, units.v, units.row, forms, seats, angles, left_out, rest})
    save_list(list, numbers);
}

void MechanismModel::load(SavedNumbers& saved) {
  figures.position_error = saved.take();
  figures.velocity_error = saved.take();
  figures.restarts = static_cast<long>(saved.take());
  figures.redundant = static_cast<int>(saved.take());
  units.energy = saved.take();
  const double turned_until = saved.take();
  const bool sure = saved.take() != 0;
  units.q.resize(q_.size());
  units.v.resize(v_.size());
  units.row.resize(lambda.size());
  for (std::vector<double>* list : {&units.q, &units.v, &units.row}) saved.take_into(*list);
  std::vector<double> forms(lambda.size()), seats(9 * system.seats().size());
  saved.take_into(forms);
  saved.take_into(seats);
  const std::vector<double> angles = saved.take_list(), left_out = saved.take_list(),
                            rest = saved.take_list();
  system.use_forms(std::vector<int>(forms.begin(), forms.end()));
  std::vector<SO3<double>> frames(seats.size() / 9);
  for (std::size_t k = 0; k < seats.size(); ++k)
    frames[k / 9].matrix(static_cast<int>(k % 9 / 3), static_cast<int>(k % 3)) = seats[k];
  system.seat(frames);
  figures.left_out.assign(left_out.begin(), left_out.end());
  std::span<const double> of_dynamics = rest;
  dynamics.load(of_dynamics);
  std::vector<TimeValue> now(task.observer.sample ? system.mechanism().coordinates.size() : 0);
  if (angles.size() < 2 * now.size())
    throw Error("the checkpoint has no turns of angles", "simulate",
                "resume from one of a run whose samples were observed");
  for (std::size_t c = 0; c < now.size(); ++c) now[c] = {angles[2 * c], angles[2 * c + 1], 0};
  turns.begin(turned_until, std::move(now), sure);
}

// --- how it ended -----------------------------------------------------------------------------------

void MechanismModel::explain(StepVerdict verdict, RunResult& result) const {
  const std::string when = " at t = " + std::to_string(result.t) + " s";
  const std::string why = why_not.empty() ? dynamics.why() : why_not;
  const std::string because = why.empty() ? "" : ": " + why;
  switch (verdict) {
    case StepVerdict::no_rate:
      result.ending = Ending::singular;
      result.message = "no acceleration" + when + because;
      break;
    case StepVerdict::not_finite:
      result.ending = Ending::not_finite;
      result.message = "numbers that are not finite" + when;
      break;
    case StepVerdict::step_underflow:
      result.ending = Ending::step_underflow;
      result.message = "the tolerance is not met by the shortest step" + when +
                       ": perhaps a singular position; try the augmented Lagrangian" + because;
      break;
    default:
      result.ending = Ending::not_converged;
      result.message = why_not.empty()
                           ? "an implicit step was not solved" + when +
                                 ": perhaps a singular position; try projection" + because
                           : "the equations were lost" + when + because;
  }
}

void MechanismModel::explain_limit(const StepLimit& limit, RunResult& result) {
  result.ending = Ending::step_limit;
  double size = 0;
  std::size_t largest = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    if (std::abs(a[k]) > size) size = std::abs(a[k]), largest = k;
  result.message = fmt::format(
      "at t = {:.6g} s, after {}; '{}' has the largest acceleration, {:.6g}; check forces, damping "
      "and masses, take another method, or raise max_steps",
      result.t, limit_text(limit, result.t), system.equations().velocity_names[largest], size);
}

void MechanismModel::finish(RunResult& result) {
  figures.acceleration_residual = dynamics.worst_residual();
  figures.sure_of_turns = turns.sure();
  if (!figures.sure_of_turns)
    result.warnings.emplace_back("angles may miss full turns; take shorter steps");
  result.mechanism = figures;
}

}  // namespace axode::detail
