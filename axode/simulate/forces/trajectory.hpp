/// Reference motions q(t), v(t), a(t) of all joints through waypoints.
///
///   minimum_jerk   from point to point at rest, s = 10 u^3 - 15 u^4 + 6 u^5     [FlashHogan]
///   cubic          spline through all points, twice differentiable, at rest at both ends
///   hold           the last point reached
///
/// Quaternions of spherical and free joints turn from point to point along one screw, q_i exp(s d);
/// with `cubic` they use s = 3 u^2 - 2 u^3. Held before the first and after the last point.
/// Tests: tests/simulate/forces/trajectory_test.cpp
#pragma once
#include <vector>

#include "axode/model/state.hpp"

namespace axode {

/// Make it by trajectory() or hold().
struct Trajectory {
  enum class Kind : std::uint8_t { hold, cubic, minimum_jerk };
  Kind kind = Kind::hold;
  std::vector<double> times;      ///< of the waypoints [s], increasing
  std::vector<double> waypoints;  ///< nq numbers for each
  std::vector<double> steps;      ///< nv numbers for each but the last: difference to the next
  std::vector<double> slopes;     ///< cubic: nv velocities for each waypoint
};
/// One point for all times.
Trajectory hold(const Tree& tree, std::vector<double> q);
/// Throws Error unless there is one configuration for each time, valid, and times increase.
Trajectory trajectory(const Tree& tree, Trajectory::Kind kind, std::vector<double> times,
                      const std::vector<std::vector<double>>& waypoints);

/// Writes coordinates [nq], velocities and accelerations [nv] at time t. Does not allocate.
void sample(const Tree& tree, const Trajectory& trajectory, double t, Out<double> q, Out<double> v,
            Out<double> a) noexcept;

/// The smallest waypoint time > t at which a derivative up to the third may jump, or infinity.
double next_switch(const Trajectory& trajectory, double t) noexcept;

}  // namespace axode
