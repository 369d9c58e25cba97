#include "axode/mechanism/analysis/starting_rates.hpp"

#include <algorithm>
#include <cmath>

#include "axode/mechanism/analysis/motion_analysis.hpp"
#include "axode/mechanism/equations/formulate.hpp"

namespace axode {
namespace {

/// Told rates as drivers at the values that poses have; false: none is told.
bool hold_rates(Mechanism& m, double t, std::span<const SE3<double>> poses) {
  bool any = false;
  for (int c = 0; c < std::ssize(m.initial_rate); ++c) {
    if (std::isnan(m.initial_rate[c])) continue;
    if (std::ranges::find(m.drivers, c, &MechanismDriver::coordinate) != m.drivers.end()) continue;
    const double rate = m.initial_rate[c];
    m.drivers.push_back(
        {m.coordinates[c].name, c, polynomial_in_time(measure(m, c, poses) - rate * t, rate), {}});
    any = true;
  }
  return any;
}

}  // namespace

StartingVelocity starting_velocity(MechanismSystem& system, double t, std::span<const double> q) {
  StartingVelocity result{std::vector<double>(system.equations().velocities(), 0.0), {}};
  Mechanism held = system.mechanism();
  std::vector<SE3<double>> poses(held.bodies.size());
  system.poses(q, poses);
  if (!hold_rates(held, t, poses)) return result;
  // Twists are the same in all coordinates: in these no seat and no quaternion matters.
  MechanismSystem moving(make_equations(held, {.family = CoordinateFamily::natural}));
  std::vector<double> q_there = moving.from_poses(poses);
  std::vector<double> v(moving.equations().velocities(), 0.0);
  moving.refresh(q_there, v);
  const MotionResult motion = solve_velocity(moving, t, q_there, v);
  if (!motion.consistent) {
    result.message = "the starting rates cannot be met: " + motion.message;
    return result;
  }
  std::vector<Twist<Rep::hybrid>> twists(poses.size());
  moving.motion(q_there, v, poses, twists);
  result.v = system.from_twists(q, twists);
  return result;
}

}  // namespace axode
