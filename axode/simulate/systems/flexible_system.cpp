#include "axode/simulate/systems/flexible_system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "axode/core/error.hpp"
#include "axode/core/finite.hpp"

namespace axode {

namespace {

/// Nothing that moves is beyond this [rad/s, m/s]: a solution that is has diverged.
constexpr double diverged_rate = 1e9;
/// Of differences, relative to numbers of size 1. Forces change less with rates than with
/// coordinates.
constexpr double coordinate_step = 1e-7, rate_step = 1e-5;

std::vector<int> prescribed_coordinates(const FlexibleForces& forces) {
  std::vector<int> result;
  result.reserve(forces.prescribed.size());
  for (const PrescribedJoint& p : forces.prescribed) result.push_back(p.coordinate);
  return result;
}

double first_after(const std::vector<double>& times, double t) noexcept {
  const auto later = std::upper_bound(times.begin(), times.end(), t);
  return later == times.end() ? std::numeric_limits<double>::infinity() : *later;
}

/// The target that holds at t.
const std::vector<double>& target_at(const FlexibleControl& control, double t) noexcept {
  const auto later = std::upper_bound(control.times.begin(), control.times.end(), t);
  const auto k = later - control.times.begin();
  return control.targets[k > 0 ? static_cast<std::size_t>(k - 1) : 0];
}

void check_control(const FlexibleControl& control, std::size_t joints, const std::string& where) {
  const std::string one_each =
      "give one number for each of the " + std::to_string(joints) + " joints";
  if (control.targets.size() != control.times.size())
    throw Error("the control has not as many targets as times", where, "give a time for each");
  if (!std::is_sorted(control.times.begin(), control.times.end()))
    throw Error("the times of targets do not rise", where, "sort them");
  const auto finite = [](const std::vector<double>& numbers) { return all_finite(numbers); };
  const auto wrong = [&](const std::vector<double>& numbers) {
    return numbers.size() != joints || !finite(numbers);
  };
  if (!finite(control.times))
    throw Error("a time of a target is not a number", where, "give seconds");
  if (std::any_of(control.targets.begin(), control.targets.end(), wrong))
    throw Error("a target is not one of all joints", where, one_each);
  if (!control.targets.empty() && (wrong(control.kp) || wrong(control.kd)))
    throw Error("gains of the control are not those of all joints", where, one_each);
}

}  // namespace

void check_forces(const FlexibleTree& tree, const FlexibleForces& forces) {
  const std::string& where = tree.name;
  const std::size_t joints = tree.joints;
  check_control(forces.control, joints, where);
  if (!forces.joint_forces.empty() && forces.joint_forces.size() != joints)
    throw Error("joint forces are not one for each joint", where,
                "give " + std::to_string(joints) + ", or none");
  if (!forces.load_factors.empty() && forces.load_factors.size() != forces.loads.size())
    throw Error("load factors are not one for each load", where, "give as many as loads, or none");
  std::vector<char> taken(joints, 0);
  for (const PrescribedJoint& p : forces.prescribed) {
    const std::string which = "the motion of coordinate " + std::to_string(p.coordinate);
    if (p.coordinate < 0 || p.coordinate >= tree.joints)
      throw Error(which + " is prescribed, which is not a joint", where,
                  "choose one from 0 to " + std::to_string(tree.joints - 1));
    if (!p.motion) throw Error(which + " has no function", where, "give its `motion`");
    if (std::exchange(taken[p.coordinate], char{1}) != 0)
      throw Error(which + " is prescribed twice", where, "leave one out");
    if (!std::is_sorted(p.switches.begin(), p.switches.end()))
      throw Error(which + " switches at times that do not rise", where, "sort them");
    for (const double t : p.switches) {
      const TimeValue before = p.motion(std::nextafter(t, -1e300)), after = p.motion(t);
      const auto jumps = [](double a, double b) {
        return !(std::abs(a - b) <= 1e-6 * (1 + std::abs(a)));
      };
      if (jumps(before.value, after.value) || jumps(before.rate, after.rate))
        throw Error(which + " jumps at " + std::to_string(t) + " s, in place or rate", where,
                    "only its acceleration may jump at a switch");
    }
    const FlexibleControl& control = forces.control;
    if (!control.targets.empty() &&
        (control.kp[p.coordinate] != 0 || control.kd[p.coordinate] != 0))
      throw Error(which + " is prescribed, so that its control does nothing", where,
                  "set its gains to zero, or do not prescribe it");
  }
}

double next_discontinuity(const FlexibleForces& forces, double t) noexcept {
  double next = first_after(forces.control.times, t);
  for (const Signal& s : forces.joint_forces) next = std::min(next, next_switch(s, t));
  for (const Signal& s : forces.load_factors) next = std::min(next, next_switch(s, t));
  for (const PrescribedJoint& p : forces.prescribed)
    next = std::min(next, first_after(p.switches, t));
  return next;
}

FlexibleSystem::FlexibleSystem(const FlexibleTree& tree, const FlexibleForces& forces,
                               const FlexibleDynamicsOptions& options)
    : tree_(&tree),
      forces_(&forces),
      dynamics_((check_forces(tree, forces), tree), options),
      exact_(tree, {FlexibleModel::nonlinear, {}, false}),
      linear_loads_(make_flexible_loads<FirstOrder>(tree, forces.loads)),
      exact_loads_(make_flexible_loads<Exact<double>>(tree, forces.loads)),
      failed_at_(-std::numeric_limits<double>::infinity()),
      prescribed_(prescribed_coordinates(forces)),
      q_(tree.size),
      v_(tree.size),
      rates_(tree.size),
      tau_(tree.size),
      scratch_(tree.size),
      column_(tree.size),
      state_(2 * tree.size + 1),
      base_(state_.size()),
      moved_(state_.size()) {
  configuration_.real(tree.size);
  group_.real(2 * tree.size + 1);
}

void FlexibleSystem::place(double t, std::span<const double> q, std::span<const double> v) {
  std::copy(q.begin(), q.end(), q_.begin());
  std::copy(v.begin(), v.end(), v_.begin());
  for (const PrescribedJoint& p : forces_->prescribed) {
    const TimeValue motion = p.motion(t);
    q_[p.coordinate] = motion.value;
    v_[p.coordinate] = motion.rate;
    rates_[p.coordinate] = motion.acceleration;
  }
}

void FlexibleSystem::applied_forces(double t) {
  std::fill(tau_.begin(), tau_.end(), 0.);
  const FlexibleControl& control = forces_->control;
  if (!control.targets.empty()) {
    const std::vector<double>& target = target_at(control, t);
    for (std::size_t i = 0; i < target.size(); ++i)
      tau_[i] = control.kp[i] * (target[i] - q_[i]) - control.kd[i] * v_[i];
  }
  const SignalArguments<double> now{.t = t, .q = q_, .v = v_};
  for (std::size_t i = 0; i < forces_->joint_forces.size(); ++i)
    tau_[i] += value<double>(forces_->joint_forces[i], now);
  add_loads(t);
}

void FlexibleSystem::add_loads(double t) {
  if (forces_->loads.empty()) return;
  // With coordinates kept exact, loads meet all of them exactly.
  const bool linear = dynamics_.options().model == FlexibleModel::linear &&
                      dynamics_.options().exact_coordinates.empty() && !exact_now_;
  std::vector<FlexibleLoad>& loads = linear ? linear_loads_.loads : exact_loads_.loads;
  const SignalArguments<double> now{.t = t, .q = q_, .v = v_};
  for (std::size_t i = 0; i < forces_->load_factors.size(); ++i)
    loads[i].wrench = forces_->loads[i].wrench * value<double>(forces_->load_factors[i], now);
  if (linear)
    add_load_forces(*tree_, q_, linear_loads_, tau_);
  else
    add_load_forces(*tree_, q_, exact_loads_, tau_);
}

bool FlexibleSystem::evaluate(double t) {
  const auto small = [](double x) { return std::abs(x) <= diverged_rate; };
  if (!std::all_of(q_.begin(), q_.end(), small) || !std::all_of(v_.begin(), v_.end(), small))
    return false;
  applied_forces(t);
  if (exact_now_) ++exact_evaluations_;
  const bool known = prescribed_.empty()
                         ? equations().acceleration(q_, v_, tau_, rates_)
                         : equations().acceleration_with(prescribed_, q_, v_, tau_, rates_);
  if (!known) failed_at_ = t;
  return known;
}

double FlexibleSystem::power() const noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < tau_.size(); ++i) sum += tau_[i] * v_[i];
  const std::size_t n = v_.size();
  for (const FlexibleLink& link : tree_->links) {
    const std::size_t first = link.first_mode, last = first + link.invariants.modes;
    for (std::size_t i = first; i < last; ++i)
      for (std::size_t j = first; j < last; ++j) sum -= v_[i] * tree_->damping[i * n + j] * v_[j];
  }
  return sum;
}

bool FlexibleSystem::rate(double t, std::span<const double> x, std::span<double> rate) {
  const std::size_t n = q_.size();
  place(t, x.first(n), x.subspan(n, n));
  if (!evaluate(t)) return false;
  std::copy(v_.begin(), v_.end(), rate.begin());
  std::copy(rates_.begin(), rates_.end(), rate.begin() + tree_->size);
  rate[2 * n] = power();
  return std::isfinite(rate[2 * n]);
}

bool FlexibleSystem::acceleration(double t, std::span<const double> q, std::span<const double> v,
                                  std::span<double> a) {
  place(t, q, v);
  if (!evaluate(t)) return false;
  std::copy(rates_.begin(), rates_.end(), a.begin());
  return true;
}

bool FlexibleSystem::jacobian(double t, std::span<const double> x, std::span<double> rows) {
  const std::size_t n = q_.size(), size = 2 * n + 1;
  if (!rate(t, x, base_)) return false;
  std::copy(x.begin(), x.end(), state_.begin());
  for (std::size_t j = 0; j < 2 * n; ++j) {
    state_[j] = x[j] + (j < n ? coordinate_step : rate_step) * std::max(1., std::abs(x[j]));
    if (!rate(t, state_, moved_)) return false;
    const double h = state_[j] - x[j];
    for (std::size_t i = 0; i < size; ++i) rows[i * size + j] = (moved_[i] - base_[i]) / h;
    state_[j] = x[j];
  }
  for (std::size_t i = 0; i < size; ++i) rows[i * size + 2 * n] = 0;
  return true;
}

FlexibleDynamics::Energies FlexibleSystem::energies() { return equations().energies(q_, v_); }

}  // namespace axode
