#include "axode/mechanism/analysis/detail/driver_path.hpp"

#include <algorithm>
#include <cmath>

#include "axode/core/finite.hpp"
#include "axode/mechanism/analysis/motion_analysis.hpp"
#include "axode/mechanism/analysis/position.hpp"

namespace axode::detail {
namespace {

constexpr double longest_move = 0.05;   ///< of a body in a step [rad; of the size of the mechanism]
constexpr double max_correction = 0.3;  ///< of a step by Newton; more may lead to another branch
constexpr double least_step = 1e-9;     ///< relative to the whole way
constexpr int max_steps = 20000;
constexpr int review = 1000;  ///< steps after which the pace is judged

/// By poses: seats of Euler angles may change between two configurations.
double distance(std::span<const SE3<double>> a, std::span<const SE3<double>> b, double size) {
  double most = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    most =
        std::max({most, max_abs(a[k].p - b[k].p) / size, max_abs(a[k].R.matrix - b[k].R.matrix)});
  return most;
}

/// A walk along the motion of the drivers.
struct DriverPath {
  explicit DriverPath(MechanismSystem& driven)
      : system(driven),
        size(model_size(driven.mechanism())),
        before(driven.mechanism().bodies.size()),
        guess(before),
        after(before),
        twists(before.size()),
        v(driven.equations().velocities()) {}
  MechanismSystem& system;
  double size;
  std::vector<SE3<double>> before, guess, after;
  std::vector<Twist<Rep::hybrid>> twists;
  std::vector<double> v;

  /// Velocities at (t, q), and how fast the fastest body moves. False: there are none.
  bool move(double t, std::span<const double> q, double& fastest) {
    std::ranges::fill(v, 0.0);
    if (!solve_velocity(system, t, q, v).consistent || !all_finite(v)) return false;
    system.motion(q, v, before, twists);
    fastest = 0;
    for (const Twist<Rep::hybrid>& twist : twists)
      fastest = std::max({fastest, norm(twist.angular), norm(twist.linear) / size});
    return true;
  }
  /// From q at t, where v is known, on. False: q stays, the step was too long.
  bool step(double t, double to, std::vector<double>& q) {
    std::vector<double> next(q), dq(v);
    for (double& x : dq) x *= to - t;
    plus(system.configuration(), q, dq, next);
    if (!all_finite(next)) return false;
    system.poses(next, guess);
    const auto seats = system.seats();
    const bool closed =
        solve_position(system, to, next, {.iterations = 30, .count_rank = false}).converged;
    if (closed) system.poses(next, after);
    if (closed &&
        distance(guess, after, size) <= max_correction * distance(before, guess, size) + 1e-9) {
      q = std::move(next);
      return true;
    }
    if (!seats.empty()) system.seat(seats);
    return false;
  }
};

/// The equations with drivers that lead from the values that poses have (s = 0) to those of their
/// motion at time t (s = 1).
MechanismEquations from_values(const MechanismEquations& equations, double t,
                               std::span<const SE3<double>> poses) {
  MechanismEquations led = equations;
  for (MechanismDriver& driver : led.mechanism.drivers) {
    const double from = measure(led.mechanism, driver.coordinate, poses);
    double way = driver.motion(t).value - from;
    if (led.mechanism.coordinates[driver.coordinate].is_angle)
      way = std::remainder(way, 2 * pi<double>);
    driver.motion = polynomial_in_time(from, way);
  }
  return led;
}

}  // namespace

bool follow_time(MechanismSystem& system, double begin, double end, std::vector<double>& q) {
  DriverPath path(system);
  double t = begin, h = (end - begin) / 64, fastest = 0, reviewed = begin;
  for (int k = 0; k < max_steps && t != end; ++k) {
    if (k > 0 && k % review == 0) {
      constexpr double hopeless = 10;  // times too slow to get there in the steps that are left
      const double steps = review * (end - t) / (t - reviewed);
      if (!(steps < hopeless * (max_steps - k))) return false;
      reviewed = t;
    }
    if (!path.move(t, q, fastest)) return false;
    if (fastest * std::abs(h) > longest_move) h = std::copysign(longest_move / fastest, h);
    const double next = std::abs(end - t) <= std::abs(h) * 1.0000001 ? end : t + h;
    if (path.step(t, next, q)) {
      t = next;
      h *= 2;
    } else {
      h = (next - t) / 4;
      if (std::abs(h) < least_step * std::abs(end - begin)) return false;
    }
  }
  return t == end;
}

std::vector<double> lead_drivers(MechanismSystem& system, double t,
                                 std::span<const SE3<double>> start) {
  MechanismSystem led(from_values(system.equations(), t, start));
  std::vector<double> q = led.from_poses(start);
  if (!all_finite(q) || !solve_position(led, 0, q).converged || !follow_time(led, 0, 1, q))
    return {};
  std::vector<SE3<double>> poses(start.begin(), start.end());
  led.poses(q, poses);
  return system.from_poses(poses);
}

}  // namespace axode::detail
