#include <cmath>

#include "axode/mechanism/equations/detail/terms.hpp"

namespace axode {

void MechanismSystem::add_node_force(int node, const Vec3<double>& force,
                                     std::span<double> Q) const noexcept {
  to_node(node, force, detail::all_components, [&](int v, double x) { Q[v] += x; });
}

void MechanismSystem::add_couple(int body, const Vec3<double>& torque,
                                 std::span<double> Q) const noexcept {
  const BodyNow& now = bodies_[body];
  for (int c = now.first; c < now.first + now.count; ++c) {
    const Column& column = columns_[c];
    if (column.axis < 0) Q[column.v] += dot(column.omega, torque);
  }
}

/// Weight, springs, loads and forces on coordinates.
void MechanismSystem::add_applied(double t, std::span<double> Q) {
  const Mechanism& m = eq_.mechanism;
  for (std::size_t b = 1; b < m.bodies.size(); ++b)
    if (eq_.loads.weight[b] >= 0)
      add_node_force(eq_.loads.weight[b], m.gravity * m.bodies[b].inertia.mass, Q);
  for (std::size_t i = 0; i < m.springs.size(); ++i) {
    const PointSpring& spring = m.springs[i];
    const auto [n0, n1] = eq_.loads.springs[i];
    const Arrow arrow{n1, n0};
    const Vec3<double> d = at(arrow);
    const double length = norm(d);
    if (length == 0) continue;  // no direction: no force that could be meant
    const Vec3<double> u = d / length;
    double push =
        -spring.stiffness * (length - spring.length) - spring.damping * dot(u, rate(arrow));
    if (spring.force) push += spring.force(t);
    add_node_force(n1, u * push, Q);
    add_node_force(n0, u * -push, Q);
  }
  for (std::size_t i = 0; i < m.loads.size(); ++i) {
    const BodyLoad& load = m.loads[i];
    Vec6<double> sum{load.torque, load.force};
    if (load.varying) sum = sum + load.varying(t);
    add_node_force(eq_.loads.loads[i], sum.linear, Q);
    if (max_abs(sum.angular) > 0) add_couple(load.body, without_idle(load.body, sum.angular), Q);
  }
  for (std::size_t i = 0; i < m.coordinate_forces.size(); ++i) {
    const CoordinateForce& force = m.coordinate_forces[i];
    const std::size_t s = eq_.loads.coordinate_forces[i];
    double sum =
        -force.stiffness * (scalars_[s].value - force.rest) - force.damping * scalars_[s].rate;
    if (force.force) sum += force.force(t);
    for (const Scalar::Part& part : eq_.scalars[s].parts) Q[part.v] += part.factor * sum;
  }
}

void MechanismSystem::forces(double t, std::span<const double> q, std::span<const double> v,
                             std::span<double> Q) {
  place(t, q);
  move(v);
  for (double& x : Q) x = 0;
  evaluate_control(t);
  add_applied(t, Q);
  add_idle_forces(Q);
  // What bodies need at a = 0: J alpha + w x J w, m r'' of the centre of mass
  // [MuellerDyn (48)-(50)].
  for (std::size_t b = 1; b < bodies_.size(); ++b) {
    if (!eq_.mass_by_motion[b]) continue;
    const BodyNow& now = bodies_[b];
    const Inertia<double>& inertia = eq_.mechanism.bodies[b].inertia;
    const auto times_inertia = [&](const Vec3<double>& w) {
      return now.R * (inertia.about_com.matrix() * inverse_times(now.R, w));
    };
    const Vec3<double> couple =
        times_inertia(now.alpha) + cross(now.omega, times_inertia(now.omega));
    const Vec3<double> force = now.bias * inertia.mass;
    for (int c = now.first; c < now.first + now.count; ++c) {
      const Column& column = columns_[c];
      Q[column.v] -= dot(column.linear, force) + dot(column.omega, couple);
    }
  }
}

double MechanismSystem::kinetic_energy(std::span<const double> q, std::span<const double> v) {
  place(t_, q);
  double sum = 0;
  mass_entries([&](int i, int j, double x) { sum += x * v[i] * v[j]; });
  return sum / 2;
}

double MechanismSystem::potential_energy(double t, std::span<const double> q) {
  place(t, q);
  const Mechanism& m = eq_.mechanism;
  double sum = 0;
  for (std::size_t b = 1; b < m.bodies.size(); ++b)
    if (eq_.loads.weight[b] >= 0)
      sum -= m.bodies[b].inertia.mass * dot(m.gravity, nodes_[eq_.loads.weight[b]].at);
  for (std::size_t i = 0; i < m.springs.size(); ++i) {
    const auto [n0, n1] = eq_.loads.springs[i];
    const double stretch = norm(at({n1, n0})) - m.springs[i].length;
    sum += m.springs[i].stiffness * stretch * stretch / 2;
  }
  for (std::size_t i = 0; i < m.coordinate_forces.size(); ++i) {
    const std::size_t s = eq_.loads.coordinate_forces[i];
    const double stretch = scalars_[s].value - m.coordinate_forces[i].rest;
    sum += m.coordinate_forces[i].stiffness * stretch * stretch / 2;
  }
  return sum;
}

}  // namespace axode
