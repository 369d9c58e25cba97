#include "axode/engine/energy.hpp"

#include <algorithm>

#include "axode/engine/detail/start.hpp"

namespace axode {
namespace {

const Motion<Rep::body>& twists_at(Engine& e, const Poses<double>& at, In<double> v) {
  auto& motion = e.recursions.get<Motion<Rep::body>>(*e.tree);
  twists(*e.tree, at, v, motion);
  return motion;
}

const Composite<double>& inertias_at(Engine& e, In<double> q) {
  auto& composite = e.recursions.get<Composite<double>>(*e.tree);
  composite_inertias(*e.tree, engine::all_poses(e, q), composite);
  return composite;
}
const Composite<double>& momenta_at(Engine& e, In<double> q, In<double> v) {
  auto& composite = e.recursions.get<Composite<double>>(*e.tree);
  composite_momenta<double>(*e.tree, engine::all_poses(e, q), v, composite);
  return composite;
}

MassSums<double>& sums_of(Engine& e) { return e.recursions.get<MassSums<double>>(*e.tree); }

}  // namespace

Energy energy(Engine& e, In<double> q, In<double> v) {
  const Poses<double>& at = engine::all_poses(e, q);
  return {kinetic_energy(*e.tree, twists_at(e, at, v)), armature_energy<double>(*e.tree, v),
          potential_energy(*e.tree, at)};
}
double kinetic_energy(Engine& e, In<double> q, In<double> v) {
  return kinetic_energy(*e.tree, twists_at(e, engine::all_poses(e, q), v));
}
double potential_energy(Engine& e, In<double> q, const Springs& springs) {
  const Poses<double>& at = engine::all_poses(e, q);
  return potential_energy(*e.tree, at) + potential_energy(*e.tree, at, springs);
}
Power<> power(Engine& e, In<double> q, In<double> v, In<double> tau, const EngineOptions& options) {
  return power<double>(*e.tree, twists_at(e, engine::all_poses(e, q), v), v, tau, options.external,
                       options.effects);
}

void gravity_forces(Engine& e, In<double> q, Out<double> forces) {
  std::ranges::fill(e.forces, 0.0);
  constexpr Effects gravity{.armature = false, .damping = false, .friction = false};
  inverse_dynamics(e, q, e.forces, e.forces, forces, {.effects = gravity});
}
void spring_forces(Engine& e, In<double> q, const Springs& springs, Out<double> forces) {
  std::ranges::fill(forces, 0.0);
  add_spring_forces(*e.tree, engine::all_poses(e, q), springs, forces);
}

Momentum<Rep::spatial> spatial_momentum(Engine& e, In<double> q, In<double> v) {
  return spatial_momentum(*e.tree, momenta_at(e, q, v));
}
Momentum<Rep::hybrid> centroidal_momentum(Engine& e, In<double> q, In<double> v) {
  return centroidal_momentum(*e.tree, momenta_at(e, q, v));
}
void centroidal_momentum_matrix(Engine& e, In<double> q, Out<Momentum<Rep::hybrid>> columns) {
  centroidal_momentum_matrix<double>(*e.tree, inertias_at(e, q), columns);
}
Wrench<Rep::hybrid> centroidal_momentum_rate(Engine& e, In<double> q, In<double> v, In<double> a) {
  auto& composite = e.recursions.get<Composite<double>>(*e.tree);
  composite_motion<double>(*e.tree, engine::all_poses(e, q), v, a, composite, {}, no_effects);
  return centroidal_momentum_rate(*e.tree, composite);
}
AverageVelocity<> average_velocity(Engine& e, In<double> q, In<double> v) {
  return average_velocity(*e.tree, momenta_at(e, q, v));
}
Inertia<double> locked_inertia(Engine& e, In<double> q) {
  return locked_inertia(*e.tree, inertias_at(e, q));
}

Vec3<double> centre_of_mass(Engine& e, In<double> q, int body) {
  MassSums<double>& sums = sums_of(e);
  mass_moments(*e.tree, engine::all_poses(e, q), sums);
  return centre_of_mass(sums, body);
}
Vec3<double> centre_of_mass_velocity(Engine& e, In<double> q, In<double> v, int body) {
  MassSums<double>& sums = sums_of(e);
  const Poses<double>& at = engine::all_poses(e, q);
  mass_momenta(*e.tree, at, twists_at(e, at, v), sums);
  return centre_of_mass_velocity(sums, body);
}
Vec3<double> centre_of_mass_acceleration(Engine& e, In<double> q, In<double> v, In<double> a,
                                         int body) {
  MassSums<double>& sums = sums_of(e);
  const Poses<double>& at = engine::all_poses(e, q);
  auto& motion = e.recursions.get<Motion<Rep::body>>(*e.tree);
  accelerations(*e.tree, at, v, a, motion);
  mass_forces(*e.tree, at, motion, sums);
  return centre_of_mass_acceleration(sums, body);
}
void centre_of_mass_jacobian(Engine& e, In<double> q, Out<Vec3<double>> columns, int body) {
  MassSums<double>& sums = sums_of(e);
  const Poses<double>& at = engine::all_poses(e, q);
  mass_moments(*e.tree, at, sums);
  centre_of_mass_jacobian<double>(*e.tree, at, sums, columns, body);
}

}  // namespace axode
