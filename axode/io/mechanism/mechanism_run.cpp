#include "axode/io/mechanism/mechanism_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "axode/lie/rotation.hpp"
#include "axode/mechanism/dynamics/reactions.hpp"
#include "axode/version.hpp"

namespace axode {

RunMetadata run_metadata(const Mechanism& mechanism) {
  RunMetadata result;
  result.axode_version = version;
  result.model_name = mechanism.name;
  for (const MechanismCoordinate& c : mechanism.coordinates) {
    const std::string unit = c.is_angle ? "rad" : "m";
    result.q_names.push_back(c.name);
    result.q_units.push_back(unit);
    result.v_units.push_back(unit + "/s");
    result.a_units.push_back(unit + "/s^2");
    result.tau_units.emplace_back(c.is_angle ? "N m" : "N");
  }
  result.v_names = result.q_names;
  RunExtra poses{"poses", {}, {}}, reactions{"reactions", {}, {}};
  const auto add = [](RunExtra& to, const std::string& name, const char* part, const char* unit) {
    to.names.push_back(name + "." + part);
    to.units.emplace_back(unit);
  };
  for (std::size_t b = 1; b < mechanism.bodies.size(); ++b) {
    for (const char* part : {"qw", "qx", "qy", "qz"})
      add(poses, mechanism.bodies[b].name, part, "");
    for (const char* part : {"x", "y", "z"}) add(poses, mechanism.bodies[b].name, part, "m");
  }
  for (const MechanismJoint& joint : mechanism.joints) {
    for (const char* part : {"tx", "ty", "tz"}) add(reactions, joint.name, part, "N m");
    for (const char* part : {"fx", "fy", "fz"}) add(reactions, joint.name, part, "N");
  }
  result.extras = {
      std::move(poses), std::move(reactions), {"violation", {"position", "velocity"}, {"", "1/s"}}};
  return result;
}

RunSample MechanismSampler::take(const Sample& s) {
  poses(s);
  for (std::vector<double>* const list : {&q_, &v_, &a_, &extras_}) list->clear();
  for (const TimeValue& x : s.coordinates) {
    q_.push_back(x.value);
    v_.push_back(x.rate);
    a_.push_back(x.acceleration);
  }
  for (std::size_t b = 1; b < poses_.size(); ++b) {
    const Quaternion<double> e = to_quaternion(poses_[b].R);
    const Vec3<double>& p = poses_[b].p;
    extras_.insert(extras_.end(), {e.w, e.v.x, e.v.y, e.v.z, p.x, p.y, p.z});
  }
  add_reactions(s);
  add_violation(s);
  return {s.t, q_, v_, a_, s.tau, s.kinetic, s.potential, 0, s.work, extras_};
}

std::span<const SE3<double>> MechanismSampler::poses(const Sample& s) {
  poses_.resize(system_->mechanism().bodies.size());
  system_->poses(s.q, poses_);
  return poses_;
}

std::span<const Twist<Rep::hybrid>> MechanismSampler::twists(const Sample& s) {
  poses_.resize(system_->mechanism().bodies.size());
  twists_.resize(poses_.size());
  system_->motion(s.q, s.v, poses_, twists_);
  return twists_;
}

std::span<const Vec3<double>> MechanismSampler::positions(const Sample& s) {
  poses(s);
  positions_.clear();
  for (const PointName& point : points_) positions_.push_back(position_of(point, poses_));
  return positions_;
}

void MechanismSampler::add_reactions(const Sample& s) {
  const Mechanism& m = system_->mechanism();
  const ReactionsResult r = reactions(*system_, s.t, s.q, s.v, s.a);
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  const std::size_t first = extras_.size();
  extras_.resize(first + 6 * m.joints.size(), r.consistent ? 0 : unknown);
  for (const JointReaction& joint : r.joints) {
    if (!r.consistent) break;
    double* const to = &extras_[first + 6 * std::size_t(joint.joint)];
    for (int k = 0; k < 3; ++k) {
      to[k] = joint.torque[k];
      to[3 + k] = joint.force[k];
    }
  }
}

void MechanismSampler::add_violation(const Sample& s) {
  std::vector<double> rows(system_->constraints());
  const auto largest = [&] {
    double most = 0;
    for (const double x : rows) most = std::isnan(x) ? x : std::max(most, std::abs(x));
    return most;
  };
  system_->position(s.t, s.q, rows);
  extras_.push_back(largest());
  system_->velocity(s.t, s.q, s.v, rows);
  extras_.push_back(largest());
}

}  // namespace axode
