// Simulation of mechanisms: checks, the control, the choice of the loop.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "axode/core/error.hpp"
#include "axode/core/finite.hpp"
#include "axode/mechanism/analysis/assemble.hpp"
#include "axode/simulate/run/detail/mechanism_run.hpp"

namespace axode {

namespace {

/// Drivers that files describe are what they can be all the time, or the error names the first time at which one
/// is not; functions of a program are called by the run alone.
void check_drivers(const Mechanism& mechanism, const SimulateOptions& options) {
  constexpr double fewest = 100, most = 1e5, otherwise = 1000;
  const bool all_told =
      std::ranges::none_of(mechanism.drivers, &std::string::empty, &MechanismDriver::text);
  if (mechanism.drivers.empty() || !all_told) return;
  const double samples =
      options.sample_interval > 0 ? options.duration / options.sample_interval : otherwise;
  const double n = std::floor(std::clamp(samples, fewest, most));
  for (double k = 0; k <= n; ++k)
    if (const std::string problem =
            driver_problem(mechanism, options.start + options.duration * k / n);
        !problem.empty())
      throw Error(problem, mechanism.name, "correct the driver, or choose another time");
}

/// With the coordinates it acts on: those that the mechanism has forces on, if none are given.
Control placed_control(const Mechanism& mechanism, Control control) {
  std::vector<int>& all = control.coordinates;
  if (!control.force || !all.empty()) return control;
  for (const CoordinateForce& force : mechanism.coordinate_forces)
    if (std::ranges::find(all, force.coordinate) == all.end()) all.push_back(force.coordinate);
  return control;
}

/// Lets the control act on the system as long as it lives.
class ActingControl {
 public:
  ActingControl(MechanismSystem& system, const Control& control, ControlForce* force)
      : system_(force ? &system : nullptr) {
    if (!force) return;
    const std::vector<double> none(control.coordinates.size());
    force->see(none, none);  // until the start is found
    system.set_control(
        {control.coordinates, [force](double t, std::span<const double> value,
                                      std::span<const double> rate, std::span<double> result) {
           std::ranges::copy(force->at(t, value, rate), result.begin());
         }});
  }
  ActingControl(const ActingControl&) = delete;
  ActingControl& operator=(const ActingControl&) = delete;
  ~ActingControl() {
    if (system_) system_->set_control({});
  }

 private:
  MechanismSystem* system_;
};

}  // namespace

Method check_simulation(const MechanismSystem& system, const State<double>& initial,
                        const SimulateOptions& options) {
  constexpr const char* where = "simulate";
  const MechanismEquations& eq = system.equations();
  const auto& [q, v] = initial;
  if (static_cast<int>(q.size()) != eq.numbers() || static_cast<int>(v.size()) != eq.velocities())
    throw Error(fmt::format("the state has {} coordinates and {} velocities", q.size(), v.size()),
                where, fmt::format("the mechanism has {} and {}", eq.numbers(), eq.velocities()));
  if (!all_finite(q) || !all_finite(v))
    throw Error("the state at the start is not finite", where, "give numbers");
  detail::check_options(options);
  const MechanismRunOptions& o = options.mechanism;
  if (!(o.omega >= 0 && o.mu >= 0 && o.penalty >= 0 && o.max_iterations > 0))
    throw Error("an option of the augmented Lagrangian is negative", where,
                "give positive numbers, such as omega 10 and mu 1");
  if (!(o.baumgarte_alpha >= 0 && o.baumgarte_beta >= 0))
    throw Error("Baumgarte's alpha or beta is negative", where,
                "give positive numbers, such as 20 1/s");
  const Control control = placed_control(system.mechanism(), options.control);
  if (control.force && control.coordinates.empty())
    throw Error("the control acts on no coordinate", where,
                "name coordinates of the mechanism, such as that of a motor");
  system.control_scalars(control.coordinates);
  check_drivers(system.mechanism(), options);
  check_method(options.method, ModelKind::mechanism);
  return options.method == Method::automatic ? Method::projection : options.method;
}

RunResult simulate(MechanismSystem& system, const State<double>& initial,
                   const SimulateOptions& options, const RunObserver& observer,
                   const Checkpoint* resume) {
  const Method method = check_simulation(system, initial, options);
  const Control placed = placed_control(system.mechanism(), options.control);
  std::optional<ControlForce> control =
      detail::control_of(options, static_cast<int>(placed.coordinates.size()));
  ControlForce* const force = control ? &*control : nullptr;
  const ActingControl acting(system, placed, force);
  const detail::RunTask task{options, observer, resume, method, 0, force};
  if (initial.v.empty())  // all welded to the world
    return detail::run_index_one(task, system, initial);
  switch (method) {
    case Method::null_space:
      return detail::run_null_space(task, system, initial);
    case Method::generalized_alpha:
    case Method::generalized_alpha_stabilized:
    case Method::ida:
      return detail::run_implicit(task, system, initial);
    default:
      return detail::run_index_one(task, system, initial);
  }
}

}  // namespace axode
