#include "axode/simulate/forces/forces.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "axode/simulate/forces/detail/force_terms.hpp"

namespace axode {

namespace {

/// By velocity: its coordinate, or -1 where the joint has a quaternion.
std::vector<int> coordinates(const Tree& tree) {
  std::vector<int> result(tree.nv, -1);
  for (const Link& link : tree.links)
    for (int k = 0; k < link.nv; ++k)
      if (link.map != JointMap::quaternion && link.map != JointMap::free)
        result[link.v + k] = link.q + k;
  return result;
}

/// By velocity: inertia of the degrees of freedom wanted, at the neutral configuration, others free: the force
/// that accelerates it by 1, coupled joints moving together. Zero where there is none. O(n) for each.
std::vector<double> free_inertias(const Tree& tree, const std::vector<bool>& wanted) {
  std::vector<double> result(tree.nv, 0), tau(tree.nv, 0), a(tau);
  const std::vector<double> q = neutral(tree), v(tree.nv, 0);
  Engine engine(tree);
  for (std::size_t k = 0; k < result.size(); ++k) {
    if (!wanted[k]) continue;
    tau[k] = 1;
    const ForwardOutcome found =
        forward_dynamics(engine, q, v, tau, a, {.effects = {.gravity = false}});
    tau[k] = 0;
    if (a[k] > 0 && (found.ok() || std::isfinite(1 / a[k]))) result[k] = 1 / a[k];
  }
  return result;
}

void prepare_stops(const Tree& tree, const Forces& forces, const std::vector<int>& q,
                   ForceScratch& scratch) {
  std::vector<bool> wanted(tree.nv, false);
  for (std::size_t k = 0; k < wanted.size(); ++k)
    wanted[k] = forces.stops.on && q[k] >= 0 &&
                (std::isfinite(tree.dofs[k].lower) || std::isfinite(tree.dofs[k].upper));
  if (std::find(wanted.begin(), wanted.end(), true) == wanted.end()) return;
  const std::vector<double> inertia = free_inertias(tree, wanted);
  const double omega = 2 * pi<double> * forces.stops.frequency;
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    if (!wanted[k]) continue;
    const bool given = !forces.stops.stiffness.empty();
    const double stiffness = given ? forces.stops.stiffness[k] : inertia[k] * omega * omega;
    const double damping = 2 * forces.stops.damping_ratio * std::sqrt(stiffness * inertia[k]);
    scratch.stops.push_back(
        {q[k], static_cast<int>(k), tree.dofs[k].lower, tree.dofs[k].upper, stiffness, damping});
  }
}

bool any_function(const Forces& forces) {
  const auto has = [](const auto& items, const auto& test) {
    return std::any_of(items.begin(), items.end(), test);
  };
  return has(forces.joint_forces, [](const JointForce& f) { return is_function(f.force); }) ||
         has(forces.points, [](const PointForce& f) { return is_function(f.force); }) ||
         has(forces.wrenches, [&](const BodyForce& f) { return has(f.wrench, is_function); });
}

}  // namespace

ForceWork::ForceWork(const Tree& tree, const Forces& forces) {
  check_forces(tree, forces);
  scratch = std::make_unique<ForceScratch>(tree);
  needs_bodies = !forces.wrenches.empty() || !forces.points.empty() || !forces.contacts.empty();
  const std::vector<int> q = coordinates(tree);
  for (const JointSpringDamper& spring : forces.springs)
    scratch->spring_q.push_back(q[spring.velocity]);
  for (int k = 0; forces.friction.on && k < tree.nv; ++k)
    if (tree.dofs[k].friction != 0) scratch->rubs.push_back({k, tree.dofs[k].friction});
  prepare_stops(tree, forces, q, *scratch);
  scratch->has_functions = any_function(forces);
  for (const Controller& c : forces.controllers)
    if (c.kind == Controller::Kind::computed_torque || c.gravity_compensation)
      if (!scratch->engine) scratch->engine.emplace(tree);
}
ForceWork::~ForceWork() = default;
ForceWork::ForceWork(ForceWork&&) noexcept = default;
ForceWork& ForceWork::operator=(ForceWork&&) noexcept = default;

void add_forces(const Tree& tree, const Forces& forces, double t, In<double> q, In<double> v,
                const BodyMotion& bodies, ForceWork& work, Out<double> tau,
                Out<Wrench<Rep::body, double>> wrenches) {
  const SignalArguments<double> state{.t = laws::seen_time(forces, t, work), .q = q, .v = v};
  laws::add_joint_terms<double>(forces, *work.scratch, state, tau);
  laws::add_controllers<double>(tree, forces, *work.scratch, work.scratch->control, state, tau);
  laws::add_body_terms<double>(forces, {bodies.T_WB, bodies.twists}, state, wrenches);
}

double next_discontinuity(const Forces& forces, double t) noexcept {
  double next = std::numeric_limits<double>::infinity();
  const auto consider = [&](const auto& item) { next = std::min(next, next_switch(item, t)); };
  for (const JointForce& force : forces.joint_forces) consider(force.force);
  for (const PointForce& force : forces.points) consider(force.force);
  for (const BodyForce& force : forces.wrenches)
    for (const Signal& signal : force.wrench) consider(signal);
  for (const Controller& controller : forces.controllers) consider(controller);
  return next;
}

}  // namespace axode
