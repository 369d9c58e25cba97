/// Control: forces by a function of time and state, instead of the controllers of any kind of model.
///
///   tau = u(t, q, v)                  called where the integrator needs it, or
///   tau = u(t_k, q(t_k), v(t_k)),  t_k = start + k interval <= t < t_k+1      sampled, and held in between
///
///               q, v                                      tau [N m, N]
///   tree        all coordinates and velocities            by velocity, instead of the controllers
///   mechanism   values and rates of the `coordinates`     on each of them, instead of the mechanism's own
///                                                         forces, springs and dampers on it
///   flexible    all coordinates and rates                 by joint, instead of the PD control
///
/// Whatever else acts on the model acts besides.
/// Tests: tests/simulate/forces/control_test.cpp, tests/simulate/run/control_run_test.cpp
#pragma once
#include <array>
#include <functional>
#include <span>
#include <vector>

#include "axode/mechanism/description/mechanism.hpp"

namespace axode {

struct Control {
  /// Writes the forces; none: the model keeps its own controllers. A function that is called where the
  /// integrator needs it must be one of (t, q, v) alone, and smooth; a sampled one may have a memory, as it is
  /// called once for each interval, in order.
  std::function<void(double t, std::span<const double> q, std::span<const double> v,
                     std::span<double> force)>
      force{};
  double interval = 0;  ///< [s]; 0: not sampled
  /// Of a mechanism; none: those that it has forces on. One that is only measured gets the force 0. The system
  /// must be formulated with them (FormulationOptions::controlled), or have a force or a mixed coordinate there.
  std::vector<int> coordinates{};
};

/// Force kp (target - x) - kd x' on each of the coordinates of a mechanism, whose numbers they are. Throws Error
/// unless there is a target for each, and gains are finite and not negative.
Control pd_control(const Mechanism& mechanism, std::vector<int> coordinates,
                   std::vector<double> targets, double kp, double kd);

/// The forces of a control along one run.
class ControlForce {
 public:
  /// `size` forces. Throws Error on an interval that is not a length of time or is lost in the rounding of times,
  /// LimitError on more than 1e7 of them.
  ControlForce(const Control& control, int size, double start, double duration);

  /// The forces at a state; valid until the next call but one. Evaluated once for each state, or interval.
  std::span<const double> at(double t, std::span<const double> q, std::span<const double> v);
  bool is_sampled() const noexcept { return !times_.empty(); }

  // Of sampled ones.

  /// The state that the next interval sees: at the start of the run, and wherever it is awaited.
  void see(std::span<const double> q, std::span<const double> v);
  /// Whether a step ends at t one rounding before an interval begins.
  bool is_awaited(double t) const noexcept;
  /// The start of the next interval after t, or infinity.
  double next_switch(double t) const noexcept;
  /// What continuing from a time needs: the force that is held, and the state seen last. load throws Error on
  /// numbers of another control.
  std::vector<double> saved(double t) const;
  void load(double t, std::span<const double> numbers);

 private:
  struct Entry {
    double t = 0;
    std::vector<double> q, v, force;
    bool known = false;
  };
  std::size_t interval_of(double t) const noexcept;
  std::span<const double> held_at(double t);

  std::function<void(double, std::span<const double>, std::span<const double>, std::span<double>)>
      force_;
  std::size_t size_, oldest_ = 0;
  /// The last states (differences need two besides the one between them), or intervals: t is their start.
  std::array<Entry, 3> entries_;
  std::vector<double> times_;  ///< starts of intervals
  std::vector<double> seen_q_, seen_v_;
};

}  // namespace axode
