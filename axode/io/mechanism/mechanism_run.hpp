/// Runs of mechanisms as run files have them.
///
/// q, v, a are the coordinates the mechanism has by name, whatever it was formulated in, with angles
/// that go on over full turns; tau the forces of their drivers. Beside them, as extras:
///   poses       of all bodies but the world: quaternion (w, x, y, z) and position
///   reactions   of all joints: torque and force on body j, world axes, about the joint's point there
///   violation   largest part of Phi and of Phi_q v + Phi_t
/// Cost: that of `reactions` for each sample.
/// Tests: tests/io/mechanism/mechanism_run_test.cpp
#pragma once
#include <vector>

#include "axode/io/run/run_file.hpp"
#include "axode/simulate/run/simulate.hpp"

namespace axode {

/// Names and units, the mechanism's name and Axode's version.
RunMetadata run_metadata(const Mechanism& mechanism);

/// Turns samples of a simulation into those of a run.
class MechanismSampler {
 public:
  explicit MechanismSampler(MechanismSystem& system) : system_(&system) {}
  /// Of a sample with its coordinates, as observers get it; valid until the next. Reactions that
  /// cannot be told are NaN.
  RunSample take(const Sample& sample);

 private:
  void add_violation(const Sample& sample);
  void add_reactions(const Sample& sample);

  MechanismSystem* system_;
  std::vector<SE3<double>> poses_;
  std::vector<double> q_, v_, a_, tau_, extras_;
};

}  // namespace axode
