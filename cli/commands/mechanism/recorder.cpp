#include "cli/commands/mechanism/recorder.hpp"

#include <utility>

namespace axode::cli {

namespace {

std::vector<std::string> titles(const Mechanism& m, std::span<const PointName> points) {
  std::vector<std::string> all{"time [s]"};
  for (const MechanismCoordinate& c : m.coordinates) {
    const char* unit = c.is_angle ? "rad" : "m";
    all.push_back(fmt::format("{} [{}]", c.name, unit));
    all.push_back(fmt::format("{}' [{}/s]", c.name, unit));
  }
  for (const PointName& point : points)
    for (int k = 0; k < (m.is_planar ? 2 : 3); ++k)
      all.push_back(fmt::format("{}.{} [m]", point.name, "xyz"[k]));
  for (const char* energy : {"kinetic [J]", "potential [J]", "work [J]"}) all.emplace_back(energy);
  return all;
}

}  // namespace

MechanismRecorder::MechanismRecorder(MechanismSystem& system, std::vector<PointName> points)
    : rows(titles(system.mechanism(), points)), system_(system), points_(std::move(points)) {
  for (const PointName& point : points_) paths.push_back({point.name, {}});
}

void MechanismRecorder::take(const Sample& s) {
  poses_.resize(system_.mechanism().bodies.size());
  system_.poses(s.q, poses_);
  if (first_poses.empty()) first_poses = poses_;
  keep_row(s);
}

void MechanismRecorder::keep_row(const Sample& s) {
  row_.assign(1, s.t);
  for (const TimeValue& x : s.coordinates) {
    row_.push_back(x.value);
    row_.push_back(x.rate);
  }
  for (std::size_t k = 0; k < points_.size(); ++k) {
    const Vec3<double> p = poses_[points_[k].body] * points_[k].local;
    paths[k].points.push_back(p);
    for (int axis = 0; axis < (system_.mechanism().is_planar ? 2 : 3); ++axis)
      row_.push_back(p[axis]);
  }
  for (const double energy : {s.kinetic, s.potential, s.work}) row_.push_back(energy);
  rows.row(row_);
  last.assign(s.coordinates.begin(), s.coordinates.end());
}

}  // namespace axode::cli
