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
    : rows(titles(system.mechanism(), points)),
      sampler_(system, std::move(points)),
      axes_(system.mechanism().is_planar ? 2 : 3) {
  for (const PointName& point : sampler_.points()) paths.push_back({point.name, {}});
}

void MechanismRecorder::take(const Sample& s) {
  row_.assign(1, s.t);
  for (const TimeValue& x : s.coordinates) {
    row_.push_back(x.value);
    row_.push_back(x.rate);
  }
  const std::span<const Vec3<double>> positions = sampler_.positions(s);
  for (std::size_t k = 0; k < positions.size(); ++k) {
    paths[k].points.push_back(positions[k]);
    for (int axis = 0; axis < axes_; ++axis) row_.push_back(positions[k][axis]);
  }
  if (first_poses.empty()) {
    const std::span<const SE3<double>> poses = sampler_.poses(s);
    first_poses.assign(poses.begin(), poses.end());
  }
  for (const double energy : {s.kinetic, s.potential, s.work}) row_.push_back(energy);
  rows.row(row_);
  last.assign(s.coordinates.begin(), s.coordinates.end());
}

}  // namespace axode::cli
