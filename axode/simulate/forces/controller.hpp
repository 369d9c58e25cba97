/// Controllers of joints that follow a trajectory: PD, and computed torque.
///
///   pd                tau = Kp e + Kd (v_d - v) [+ g(q)]           e = difference(q, q_d)
///   computed_torque   tau = ID(q, v, a),  a = a_d + Kd (v_d - v) + Kp e      [LynchPark 11.4]
///
/// With computed torque the error obeys e'' + Kd e' + Kp e = 0 if all degrees of freedom are driven and
/// nothing but gravity and damping acts beside (spherical and free joints: for small e). The sum of
/// all controllers is cut at the effort limits of the tree's degrees of freedom. Only degrees of freedom with a gain are
/// driven; the torque that inverse dynamics finds for others is left out.
/// Tests: tests/simulate/forces/controller_test.cpp
#pragma once
#include <limits>
#include <vector>

#include "axode/simulate/forces/trajectory.hpp"

namespace axode {

struct Controller {
  enum class Kind : std::uint8_t { pd, computed_torque };
  Kind kind = Kind::pd;
  /// By velocity: pd [N m/rad, N m s/rad], [N/m, N s/m]; computed_torque [1/s^2, 1/s]. Both 0: not
  /// driven.
  std::vector<double> kp, kd;
  Trajectory reference;
  bool gravity_compensation = false;                       ///< of pd
  double from = -std::numeric_limits<double>::infinity();  ///< on in [from, until) [s]
  double until = std::numeric_limits<double>::infinity();
};

/// The same gains for all degrees of freedom but those of free joints, holding `q`.
Controller pd_controller(const Tree& tree, double kp, double kd, std::vector<double> q);
/// Error dynamics of the given natural frequency [rad/s] and damping ratio in all degrees of freedom.
Controller computed_torque_controller(const Tree& tree, double frequency, double damping_ratio,
                                      Trajectory reference);

/// The smallest time > t at which the controller or its reference switches, or infinity.
double next_switch(const Controller& controller, double t) noexcept;

}  // namespace axode
