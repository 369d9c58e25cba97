#include <cmath>

#include "axode/mechanism/terms.inl"

namespace axode {

/// Everything that depends on time and position.
void MechanismSystem::place_stages(double t, std::span<const double> q) {
  t_ = t;
  const auto number = [&](int x) { return q[static_cast<std::size_t>(x)]; };
  for (std::size_t d = 0; d < drivers_.size(); ++d)
    drivers_[d] = eq_.mechanism.drivers[d].motion(t);
  for (std::size_t s = 0; s < scalars_.size(); ++s) {
    double value = eq_.scalars[s].constant;
    for (const Scalar::Part& part : eq_.scalars[s].parts) value += part.factor * number(part.x);
    scalars_[s] = {value, 0};
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = eq_.nodes[i];
    if (node.kind == Node::Kind::fixed) nodes_[i].at = node.local;
    if (node.kind == Node::Kind::coordinates)
      nodes_[i].at = {number(node.x), number(node.x + 1), node.size == 3 ? number(node.x + 2) : 0};
  }
  place_bodies(q);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = eq_.nodes[i];
    if (node.kind != Node::Kind::on_body) continue;
    const BodyNow& body = bodies_[static_cast<std::size_t>(node.body)];
    const Vec3<double>& reference = eq_.bodies[static_cast<std::size_t>(node.body)].reference;
    nodes_[i].at = node.is_point ? body.p + body.R * (node.local - reference) : body.R * node.local;
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (eq_.nodes[i].kind != Node::Kind::combination) continue;
    nodes_[i].at = {};
    for (const Node::Part& part : eq_.nodes[i].parts)
      nodes_[i].at += part.factor * nodes_[static_cast<std::size_t>(part.node)].at;
  }
}

void MechanismSystem::place(double t, std::span<const double> q) {
  all_bodies_ = false;
  place_stages(t, q);
}

/// The same with the frames of all bodies, also those that no equation needs.
void MechanismSystem::place_all(double t, std::span<const double> q) {
  all_bodies_ = true;
  place_stages(t, q);
}

/// Everything that depends on velocity, after place.
void MechanismSystem::move(std::span<const double> v) {
  const auto rate_of = [&](int k) { return v[static_cast<std::size_t>(k)]; };
  for (std::size_t s = 0; s < scalars_.size(); ++s) {
    scalars_[s].rate = 0;
    for (const Scalar::Part& part : eq_.scalars[s].parts)
      scalars_[s].rate += part.factor * rate_of(part.v);
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = eq_.nodes[i];
    nodes_[i].velocity = nodes_[i].bias = {};
    if (node.kind == Node::Kind::coordinates)
      nodes_[i].velocity = {rate_of(node.v), rate_of(node.v + 1),
                            node.size == 3 ? rate_of(node.v + 2) : 0};
  }
  move_bodies(v);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = eq_.nodes[i];
    if (node.kind != Node::Kind::on_body) continue;
    const BodyNow& body = bodies_[static_cast<std::size_t>(node.body)];
    const Vec3<double> s = node.is_point ? nodes_[i].at - body.p : nodes_[i].at;
    const Vec3<double> turned = cross(body.omega, s);
    nodes_[i].velocity = node.is_point ? body.linear + turned : turned;
    const Vec3<double> a = cross(body.alpha, s) + cross(body.omega, turned);
    nodes_[i].bias = node.is_point ? body.bias + a : a;
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (eq_.nodes[i].kind == Node::Kind::combination)
      for (const Node::Part& part : eq_.nodes[i].parts) {
        const NodeNow& from = nodes_[static_cast<std::size_t>(part.node)];
        nodes_[i].velocity += part.factor * from.velocity;
        nodes_[i].bias += part.factor * from.bias;
      }
}

}  // namespace axode
