// Assembling with values and rates of coordinates held as if they were driven, a part of assemble.hpp.
#include <algorithm>
#include <cmath>

#include "axode/mechanism/analysis/detail/assemble_parts.hpp"
#include "axode/mechanism/analysis/motion_analysis.hpp"
#include "axode/mechanism/analysis/position.hpp"
#include "axode/mechanism/equations/formulate.hpp"

namespace axode::detail {
namespace {

/// A system in coordinates of the same kind with more drivers: motion(c, held[c]).
template <class Motion>
MechanismSystem holding(const MechanismSystem& system, Mechanism mechanism, const HeldNumbers& held,
                        const Motion& motion) {
  for (int c = 0; c < std::ssize(held); ++c)
    if (std::isfinite(held[c]))
      mechanism.drivers.push_back({mechanism.coordinates[c].name, c, motion(c, held[c]), {}});
  FormulationOptions how = system.equations().how;
  how.with_drivers = true;
  return MechanismSystem(make_equations(mechanism, how));
}

/// q of assembled poses, in the form of equations that suits them.
std::vector<double> coordinates_at(MechanismSystem& system, double t,
                                   std::span<const SE3<double>> poses) {
  std::vector<double> q = system.from_poses(poses), at_rest(system.equations().velocities(), 0.0);
  unwind_turns(system, t, q);  // drivers may start on another turn
  system.refresh(q, at_rest);
  return q;
}

/// The motion at closed poses, with the rates as drivers of the values there.
void move_holding(MechanismSystem& system, const Mechanism& mechanism, const HeldNumbers& rates,
                  std::span<SE3<double>> poses, Assembly& found) {
  MechanismSystem moving = holding(system, mechanism, rates, [&](int c, double rate) {
    return polynomial_in_time(measure(mechanism, c, poses) - rate * found.t, rate);
  });
  found.q = coordinates_at(moving, found.t, poses);
  find_motion(moving, found);
  std::vector<Twist<Rep::hybrid>> twists(poses.size());
  if (found.is_assembled()) moving.motion(found.q, found.v, poses, twists);
  found.q = coordinates_at(system, found.t, poses);
  if (!found.is_assembled()) return;
  found.v = system.from_twists(found.q, twists);
  found.a.assign(found.v.size(), 0.0);
  const MotionResult motion = solve_acceleration(system, found.t, found.q, found.v, found.a);
  if (motion.consistent) return;
  found.outcome = Assembly::Outcome::no_motion;
  found.message = motion.message;
  found.remedy = "the configuration is singular: choose other values";
  found.v.clear();
  found.a.clear();
}

}  // namespace

Assembly assemble_holding(MechanismSystem& system, const AssembleOptions& options,
                          const HeldNumbers& values, const HeldNumbers& rates) {
  Mechanism mechanism = system.mechanism();
  mechanism.initial.resize(values.size(), std::nan(""));
  for (std::size_t c = 0; c < values.size(); ++c)
    if (std::isfinite(values[c])) mechanism.initial[c] = values[c];
  MechanismSystem closing =
      holding(system, mechanism, values, [](int, double value) { return constant_in_time(value); });
  // Values by name are led to from the reference, and stay on its branch; where that fails, the search
  // begins at them.
  Mechanism reference = system.mechanism();
  for (const NamedValue& named : options.values)
    if (const std::size_t c = coordinate_index(reference, named.name); c < reference.initial.size())
      reference.initial[c] = std::nan("");
  Assembly found = close_loops(closing, options.t, assembly_start(system, reference, options));
  if (!found.is_closed() && options.guess.empty() && !options.values.empty())
    if (Assembly other =
            close_loops(closing, options.t, assembly_start(system, mechanism, options));
        other.is_closed())
      found = std::move(other);
  if (found.driver >= std::ssize(mechanism.drivers)) found.driver = -1;  // a value, not a driver
  if (found.q.empty()) return found;
  std::vector<SE3<double>> poses = poses_of(closing, found.q);
  if (options.hold_start) mechanism.initial_rate.clear();  // they are among those held
  if (found.is_closed())
    move_holding(system, mechanism, rates, poses, found);
  else
    found.q = system.from_poses(poses);
  return found;
}

}  // namespace axode::detail
