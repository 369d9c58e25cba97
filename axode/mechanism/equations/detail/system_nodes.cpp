#include <algorithm>
#include <cmath>

#include "axode/mechanism/equations/detail/terms.hpp"

namespace axode {

/// Everything that depends on time and position.
void MechanismSystem::place_stages(double t, std::span<const double> q, bool all) {
  t_ = t;
  const auto number = [&](int x) { return q[x]; };
  for (std::size_t d = 0; d < drivers_.size(); ++d)
    drivers_[d] = eq_.mechanism.drivers[d].motion(t);
  if (is_placed_ && all_bodies_ == all && std::ranges::equal(q, placed_q_)) return;
  all_bodies_ = all;
  is_placed_ = false;
  for (std::size_t s = 0; s < scalars_.size(); ++s) {
    double value = eq_.scalars[s].constant;
    for (const Scalar::Part& part : eq_.scalars[s].parts) value += part.factor * number(part.x);
    scalars_[s] = {value, 0};
  }
  for (const CoordinateNode& c : coordinate_nodes_)
    nodes_[c.node].at = {number(c.x), number(c.x + 1), c.size == 3 ? number(c.x + 2) : 0};
  place_bodies(q);
  for (const BodyNode& node : body_nodes_) {
    const BodyNow& body = bodies_[node.body];
    const Vec3<double> arm = body.R * node.arm;
    nodes_[node.node].at = node.is_point ? body.p + arm : arm;
  }
  for (const int i : combinations_) nodes_[i].at = {};
  for (const CombinationPart& part : combination_parts_)
    nodes_[part.node].at += part.factor * nodes_[part.from].at;
  placed_q_.assign(q.begin(), q.end());
  is_placed_ = true;
}

void MechanismSystem::place(double t, std::span<const double> q) { place_stages(t, q, false); }

/// The same with the frames of all bodies, also those that no equation needs.
void MechanismSystem::place_all(double t, std::span<const double> q) { place_stages(t, q, true); }

/// Everything that depends on velocity, after place.
void MechanismSystem::move(std::span<const double> v) {
  const auto rate_of = [&](int k) { return v[k]; };
  for (std::size_t s = 0; s < scalars_.size(); ++s) {
    scalars_[s].rate = 0;
    for (const Scalar::Part& part : eq_.scalars[s].parts)
      scalars_[s].rate += part.factor * rate_of(part.v);
  }
  for (const CoordinateNode& c : coordinate_nodes_)
    nodes_[c.node].velocity = {rate_of(c.v), rate_of(c.v + 1), c.size == 3 ? rate_of(c.v + 2) : 0};
  move_bodies(v);
  for (const BodyNode& node : body_nodes_) {
    NodeNow& now = nodes_[node.node];
    const BodyNow& body = bodies_[node.body];
    const Vec3<double> s = node.is_point ? now.at - body.p : now.at;
    const Vec3<double> turned = cross(body.omega, s);
    now.velocity = node.is_point ? body.linear + turned : turned;
    const Vec3<double> a = cross(body.alpha, s) + cross(body.omega, turned);
    now.bias = node.is_point ? body.bias + a : a;
  }
  for (const int i : combinations_) {
    NodeNow& now = nodes_[i];
    now.velocity = now.bias = {};
  }
  for (const CombinationPart& part : combination_parts_) {
    const NodeNow& from = nodes_[part.from];
    NodeNow& now = nodes_[part.node];
    now.velocity += part.factor * from.velocity;
    now.bias += part.factor * from.bias;
  }
}

}  // namespace axode
