// Curves of configurations over a driver (arclength.hpp).
#include "axode/mechanism/analysis/arclength.hpp"
#include "axode/mechanism/analysis/follow.hpp"
#include "axode/mechanism/analysis/motion_analysis.hpp"

namespace axode {

ArclengthResult arclength_past(const MechanismSystem& system, int driver, double t,
                               std::span<const double> q, double direction) {
  MechanismSystem path(driver_as_time(system.equations(), driver, t));
  const double s = system.mechanism().drivers[driver].motion(t).value;
  std::vector<double> v(path.equations().velocities(), 0.0);
  solve_velocity(path, s, q, v);  // singular: the nearest, from which the curve is found, too
  return arclength_past(path, s, q, v, direction);
}

CurveResult arclength_curve(const MechanismSystem& system, int driver, double t,
                            std::span<const double> q, int most_steps,
                            const std::function<bool()>& should_stop) {
  MechanismSystem path(driver_as_time(system.equations(), driver, t));
  const double s = system.mechanism().drivers[driver].motion(t).value;
  return arclength_curve(path, s, q, driver_period(system.mechanism(), driver), most_steps,
                         should_stop);
}

double driver_period(const Mechanism& mechanism, int driver) {
  const bool is_angle = mechanism.coordinates[mechanism.drivers[driver].coordinate].is_angle;
  return is_angle && mechanism.couplings.empty() ? 2 * pi<double> : 0;
}

}  // namespace axode
