/// Formulations of one mechanism side by side: what is compared, and how much it differs.
/// Tests: tests/cli/mechanism_test.py
#pragma once
#include <algorithm>

#include "axode/mechanism/equations/operation_count.hpp"
#include "cli/commands/mechanism/mechanism.hpp"

namespace axode::cli {

/// One formulation at one configuration.
struct Compared {
  std::string name, problem;
  int numbers = 0, equations = 0, nonzeros = 0, terms = 0;
  JacobianOperations count;  ///< of one Jacobian
  double microseconds = 0;   ///< of equations and Jacobian
  MechanismReading reading;
  std::vector<bool> free;                               ///< by trace: moves with drivers held
  std::string freedoms;                                 ///< what is free, for the user
  double position = 0, velocity = 0, acceleration = 0;  ///< relative differences to the first
  bool agrees(double tolerance) const {
    return std::max({position, velocity, acceleration}) <= tolerance;  // false if not a number
  }
};

/// What is compared: points fixed to bodies, enough to tell their attitude, and coordinates.
struct Traces {
  std::vector<PointName> points;  ///< of each body the origin and one along each axis, then joints
  double size = 0;                ///< of the mechanism [m]
};
Traces traces_of(const Mechanism& m, std::span<const SE3<double>> poses);
/// By trace, points and then coordinates: whether motions that the equations leave move it.
std::vector<bool> free_traces(MechanismSystem& system, const MechanismState& state,
                              const Traces& traces);
/// Bodies of which the equations leave something free.
std::vector<std::string> free_bodies(const Mechanism& m, const std::vector<bool>& free);
/// Differences of what is determined, relative to the size and to the fastest of it.
void set_differences(const Mechanism& m, const Traces& traces, const std::vector<bool>& free,
                     const MechanismReading& first, Compared& c);

}  // namespace axode::cli
