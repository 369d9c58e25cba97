/// What a run of a mechanism leaves: samples as rows of numbers, and the columns of axode.Run.
#pragma once
#include "axode/simulate/run/simulate.hpp"
#include "src/mechanism/mechanism.hpp"

namespace axode::python::mechanisms {

/// A point of a body, by "body.point".
struct PointName {
  std::string name;
  int body = 0;
  Vec3<double> local{};
};
/// Throws Error naming what exists; none for None.
std::vector<PointName> points_named(const Mechanism& m, nb::handle names);

/// Samples as rows of numbers; coordinates of angles go on over full turns.
class Recorder {
 public:
  Recorder(MechanismSystem& system, std::span<const PointName> points, bool bodies)
      : system_(system),
        points_(points),
        bodies_(bodies),
        poses_(system.mechanism().bodies.size()),
        twists_(poses_.size()) {}
  void take(const Sample& s);
  std::vector<double> t, q, v, a, lambda, kinetic, potential, work, coordinates, coordinate_rates,
      places, body_poses, body_twists;

 private:
  void keep_bodies();
  MechanismSystem& system_;
  std::span<const PointName> points_;
  bool bodies_;
  std::vector<SE3<double>> poses_;
  std::vector<Twist<Rep::hybrid>> twists_;
};

/// {name: (values, labels, units)}.
nb::dict columns_of(const PySystem& py, const Recorder& r, std::span<const PointName> points);

}  // namespace axode::python::mechanisms
