#include "axode/simulate/systems/tree_system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "axode/lie/adjoint.hpp"

namespace axode {

namespace {

/// Friction has its own, smooth law in simulations (forces.hpp).
constexpr Effects effects{.friction = false};

/// Nothing that moves is beyond this [rad/s, m/s]: a solution that is has diverged.
constexpr double fastest = 1e9;

bool all_below(std::span<const double> numbers, double bound) {
  return std::all_of(numbers.begin(), numbers.end(),
                     [=](double x) { return std::abs(x) <= bound; });
}

bool acts(const Tree& tree, const Forces& forces) {
  const auto loses = [&](const Dof& dof) {
    return dof.damping != 0 || (forces.friction.on && dof.friction != 0) ||
           (forces.stops.on && (std::isfinite(dof.lower) || std::isfinite(dof.upper)));
  };
  return std::any_of(tree.dofs.begin(), tree.dofs.end(), loses) || !forces.springs.empty() ||
         !forces.joint_forces.empty() || !forces.wrenches.empty() || !forces.points.empty() ||
         !forces.controllers.empty() || !forces.contacts.empty();
}

}  // namespace

LieGroup configuration_group(const Tree& tree) {
  std::vector<char> follows(tree.links.size(), 0);
  for (const Coupling& c : tree.couplings) follows[c.follower] = 1;
  LieGroup group;
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    if (follows[i]) continue;
    if (link.map == JointMap::quaternion)
      group.so3();
    else if (link.map != JointMap::free)
      group.real(link.nv);
    else if (link.velocity == Rep::body)
      group.se3();
    else if (link.velocity == Rep::spatial)
      group.se3_left();
    else
      group.so3_left().real(3);
  }
  return group;
}

TreeSystem::TreeSystem(const Tree& tree, const Forces& forces)
    : tree_(&tree),
      forces_(&forces),
      configuration_(configuration_group(tree)),
      expansion_(tree),
      engine_(tree),
      work_(tree, forces),
      poses_(tree),
      motion_(tree),
      bodies_{poses_.T_WB, motion_.twists},
      q_(tree.nq),
      v_(tree.nv),
      a_(tree.nv),
      tau_(tree.nv),
      rest_(tree.nv),
      zero_(tree.nv),
      wrenches_(tree.links.size()),
      reduced_force_(expansion_.size()),
      form_(tree),
      momenta_(tree.links.size()),
      momenta_before_(tree.links.size()) {
  losses_ = acts(tree, forces);
  group_ = configuration_;
  group_.real(configuration_.nv + (losses_ ? 1 : 0));
  std::vector<int> coupling(tree.links.size(), -1);
  for (std::size_t k = 0; k < tree.couplings.size(); ++k)
    coupling[tree.couplings[k].follower] = static_cast<int>(k);
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    if (coupling[i] < 0) {
      for (int k = 0; k < link.nq; ++k) independent_q_.push_back(link.q + k);
    } else {
      const Coupling& c = tree.couplings[coupling[i]];
      followers_.push_back({link.q, tree.links[c.leader].q, c.ratio, c.offset});
    }
  }
}

void TreeSystem::expand_state(std::span<const double> q, std::span<const double> v) {
  for (std::size_t k = 0; k < independent_q_.size(); ++k) q_[independent_q_[k]] = q[k];
  for (const Follower& f : followers_) q_[f.q] = f.ratio * q_[f.leader] + f.offset;
  if (expansion_.coupled())
    expand(expansion_, v, v_);
  else
    std::copy(v.begin(), v.end(), v_.begin());
  bodies_known_ = false;
}

void TreeSystem::set_state(std::span<const double> q, std::span<const double> v) {
  std::copy(q.begin(), q.end(), q_.begin());
  std::copy(v.begin(), v.end(), v_.begin());
  bodies_known_ = false;
}

std::vector<double> TreeSystem::reduce_state(const State<double>& state) const {
  std::vector<double> x;
  for (const int k : independent_q_) x.push_back(state.q[k]);
  for (const int k : expansion_.velocity) x.push_back(state.v[k]);
  x.resize(group_.nx, 0.);
  return x;
}

const BodyMotion& TreeSystem::bodies() {
  if (!bodies_known_) {
    poses<double>(*tree_, q_, poses_);
    twists<Rep::body, double>(*tree_, poses_, v_, motion_);
    bodies_known_ = true;
  }
  return bodies_;
}

const Poses<double>& TreeSystem::poses_now() { return bodies(), poses_; }
const Motion<Rep::body>& TreeSystem::motion_now() { return bodies(), motion_; }

double TreeSystem::stored_energy_now(double t) {
  return losses_ ? stored_energy(*tree_, *forces_, t, q_, bodies(), work_) : 0;
}

std::span<const Wrench<Rep::body>> TreeSystem::external() const {
  if (work_.needs_bodies) return wrenches_;
  return {};
}

void TreeSystem::evaluate_forces(double t) {
  std::fill(tau_.begin(), tau_.end(), 0.);
  if (!losses_) return;
  if (work_.needs_bodies) {
    bodies();
    std::fill(wrenches_.begin(), wrenches_.end(), Wrench<Rep::body>{});
  }
  add_forces(*tree_, *forces_, t, q_, v_, bodies_, work_, tau_, wrenches_);
}

double TreeSystem::power() const {
  double sum = 0;
  for (std::size_t k = 0; k < v_.size(); ++k)
    sum += (tau_[k] - tree_->dofs[k].damping * v_[k]) * v_[k];
  if (work_.needs_bodies)
    for (std::size_t i = 0; i < wrenches_.size(); ++i)
      sum += pairing(wrenches_[i], motion_.twists[i]);
  return sum;
}

bool TreeSystem::solve_accelerations() {
  const ForwardOutcome found =
      forward_dynamics(engine_, q_, v_, tau_, a_, {.effects = effects, .external = external()});
  singular_ = found.singular_body;
  return found.ok();
}

bool TreeSystem::evaluate(double t) {
  singular_ = -1;
  evaluate_forces(t);
  return solve_accelerations();
}

bool TreeSystem::acceleration(double t, std::span<const double> q, std::span<const double> v,
                              std::span<double> a) {
  constexpr double largest = std::numeric_limits<double>::max();
  if (!all_below(q, largest) || !all_below(v, fastest)) return false;
  expand_state(q, v);
  if (!evaluate(t)) return false;
  for (std::size_t k = 0; k < a.size(); ++k) a[k] = a_[expansion_.velocity[k]];
  return true;
}

bool TreeSystem::rate(double t, std::span<const double> x, std::span<double> rate) {
  const std::size_t nq = configuration_.nx, nv = configuration_.nv;
  const auto v = x.subspan(nq, nv);
  if (!acceleration(t, x.first(nq), v, rate.subspan(nv, nv))) return false;
  std::copy(v.begin(), v.end(), rate.begin());
  if (losses_) rate[2 * nv] = power();
  return true;
}

bool TreeSystem::factorize_mass() {
  if (factored_ && std::equal(q_.begin(), q_.end(), mass_q_.begin())) return true;
  if (mass_.size() == 0 && tree_->nv > 0) {
    mass_ = PathMatrix<double>(*tree_);
    if (expansion_.coupled()) reduced_ = full_matrix(expansion_.size());
    mass_q_.resize(q_.size());
  }
  mass_matrix(engine_, q_, mass_, effects);
  PathMatrix<double>* M = &mass_;
  if (expansion_.coupled()) {
    reduce(expansion_, mass_, reduced_);
    M = &reduced_;
  }
  const MassOutcome found = factorize(*M);
  factored_ = found.ok();
  if (!factored_) {
    const int velocity = expansion_.velocity[found.singular_velocity];
    for (int i = 0; i < tree_->size(); ++i)
      if (tree_->links[i].v <= velocity) singular_ = i;
    return false;
  }
  std::copy(q_.begin(), q_.end(), mass_q_.begin());
  return true;
}

bool TreeSystem::solve_mass(std::span<const double> q, std::span<double> r) {
  expand_state(q, std::span<const double>(zero_).first(configuration_.nv));
  if (!factorize_mass()) return false;
  solve<double>(expansion_.coupled() ? reduced_ : mass_, r);
  return true;
}

}  // namespace axode
