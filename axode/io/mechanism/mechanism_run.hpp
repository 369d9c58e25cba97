/// Runs of mechanisms as run files have them.
///
/// q, v, a are the coordinates the mechanism has by name, whatever it was formulated in, with angles
/// that go on over full turns; tau the forces of their drivers and of a control. Beside them, as extras:
///   poses       of all bodies but the world: quaternion (w, x, y, z) and position
///   reactions   of all joints: torque and force on body j, world axes, about the joint's point there
///   violation   largest part of Phi and of Phi_q v + Phi_t
/// Cost: that of `reactions` for each sample.
/// Tests: tests/io/mechanism/mechanism_run_test.cpp
#pragma once
#include <span>
#include <utility>
#include <vector>

#include "axode/io/run/run_file.hpp"
#include "axode/mechanism/description/named_points.hpp"
#include "axode/simulate/run/simulate.hpp"

namespace axode {

/// Names and units, the mechanism's name and Axode's version.
RunMetadata run_metadata(const Mechanism& mechanism);

/// What samples of a simulation say of the bodies; valid until the next sample.
class MechanismSampler {
 public:
  /// `points` are those to follow.
  explicit MechanismSampler(MechanismSystem& system, std::vector<PointName> points = {})
      : system_(&system), points_(std::move(points)) {}
  /// The sample of a run file, of a sample with its coordinates, as observers get it. Reactions that
  /// are not determined are NaN.
  RunSample take(const Sample& sample);

  const std::vector<PointName>& points() const noexcept { return points_; }
  /// Of all bodies.
  std::span<const SE3<double>> poses(const Sample& sample);
  std::span<const Twist<Rep::hybrid>> twists(const Sample& sample);
  /// Of the points, in the world [m].
  std::span<const Vec3<double>> positions(const Sample& sample);

 private:
  void add_violation(const Sample& sample);
  void add_reactions(const Sample& sample);

  MechanismSystem* system_;
  std::vector<PointName> points_;
  std::vector<Vec3<double>> positions_;
  std::vector<SE3<double>> poses_;
  std::vector<Twist<Rep::hybrid>> twists_;
  std::vector<double> q_, v_, a_, extras_;
};

}  // namespace axode
