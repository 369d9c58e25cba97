#include "cli/mechanism_recorder.hpp"

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

MechanismRecorder::MechanismRecorder(MechanismSystem& system, std::vector<PointName> points,
                                     int parts, OpenRun open_run)
    : rows(titles(system.mechanism(), points)),
      system_(system),
      points_(std::move(points)),
      parts_(parts),
      open_run_(std::move(open_run)) {
  if (open_run_) sampler_.emplace(system);
  for (const PointName& point : points_) paths.push_back({point.name, {}});
}

void MechanismRecorder::take(const MechanismSample& s) {
  const MechanismReading r = reading_of(
      system_,
      {s.t, {s.q.begin(), s.q.end()}, {s.v.begin(), s.v.end()}, {s.a.begin(), s.a.end()}, {}});
  if (first_poses.empty()) first_poses = r.poses;
  turns_.next(system_.mechanism(), s.t, r.coordinates);
  is_row_ = samples_++ % parts_ == 0;
  row_of(s, r);
  if (is_row_) {
    keep_row();
    record(s);
  } else if (sampler_) {
    sampler_->skip(s);
    for (const auto& [to, from] : {std::pair{&q_, s.q}, std::pair{&v_, s.v}, std::pair{&a_, s.a}})
      to->assign(from.begin(), from.end());
    last_ = s;
  }
}

void MechanismRecorder::keep_last() {
  if (samples_ == 0 || is_row_) return;
  keep_row();
  last_.q = q_, last_.v = v_, last_.a = a_, last_.lambda = {};
  record(last_);
}

void MechanismRecorder::finish(double t, std::string_view summary) {
  if (!open_run_) return;
  if (!writer_) writer_.emplace(open_run_());
  writer_->finish(t, summary);
}

void MechanismRecorder::row_of(const MechanismSample& s, const MechanismReading& r) {
  const Mechanism& m = system_.mechanism();
  std::vector<double>& row = row_;
  row.assign(1, s.t);
  for (const TimeValue& x : turns_.last()) {
    row.push_back(x.value);
    row.push_back(x.rate);
  }
  for (std::size_t k = 0; k < points_.size(); ++k) {
    const Vec3<double> p = r.poses[points_[k].body] * points_[k].local;
    if (is_row_) paths[k].points.push_back(p);
    for (int axis = 0; axis < (m.is_planar ? 2 : 3); ++axis) row.push_back(p[axis]);
  }
  for (const double energy : {s.kinetic, s.potential, s.work}) row.push_back(energy);
}

void MechanismRecorder::keep_row() {
  rows.row(row_);
  last.assign(turns_.last().begin(), turns_.last().end());
  ++count;
}

void MechanismRecorder::record(const MechanismSample& s) {
  if (!sampler_) return;
  if (!writer_) writer_.emplace(open_run_());
  writer_->sample(sampler_->take(s));
}

}  // namespace axode::cli
