#include "axode/simulate/systems/absolute_system.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "axode/core/error.hpp"
#include "axode/model/any_scalar/joint_map.hpp"
#include "axode/model/builder.hpp"
#include "axode/model/joint_map.hpp"
#include "axode/screw/inertia.hpp"

namespace axode {
namespace {

Vec6<double> six(std::span<const double> x, int first) {
  const double* p = x.data() + first;
  return {{p[0], p[1], p[2]}, {p[3], p[4], p[5]}};
}
void add(std::span<double> x, int first, const Vec6<double>& a) {
  for (int k = 0; k < 6; ++k) x[first + k] += a[k];
}

void add_joint(LieGroup& group, const Link& link) {
  if (link.map == JointMap::quaternion) {
    group.so3();
  } else if (link.map == JointMap::free) {
    if (link.velocity == Rep::hybrid)
      group.so3_left().real(3);
    else if (link.velocity == Rep::spatial)
      group.se3_left();
    else
      group.se3();
  } else {
    group.real(link.nv);
  }
}

void check_body(int bodies, int body) {
  if (body < -1 || body >= bodies)
    throw Error("a loop joint is on body " + std::to_string(body) + ", which does not exist",
                "AbsoluteSystem", "give a body's number, or -1 for the world");
}
}  // namespace

AbsoluteSystem::AbsoluteSystem(const Tree& tree, const std::vector<LoopJoint>& loops,
                               AddAbsoluteForces forces, ForceSlopes slopes)
    : joints_(tree),
      bodies_(tree.size()),
      nq_(tree.nq),
      nv_(tree.nv),
      forces_(std::move(forces)),
      slopes_(std::move(slopes)) {
  for (int i = 0; i < bodies_; ++i) {
    child_.push_back(i);
    inertias_.push_back(matrix(tree.bodies[i].inertia));
  }
  for (const LoopJoint& loop : loops) add_loop(loop);
  for (int i = 0; i < bodies_; ++i) group_.se3();
  for (const Link& link : joints_.links) add_joint(group_, link);
  constraints_ = 6 * joints_.size() + static_cast<int>(tree.couplings.size());
  poses_.resize(bodies_);
  twists_.resize(bodies_);
  wrenches_.resize(bodies_);
  now_.resize(joints_.links.size());
  tau_.assign(joints_.nv, 0.0);
  unit_ = tau_;
  for (const ForceSlopes::Entry& e : slopes_.entries)
    if (std::min(e.row, e.column) < 0 || std::max(e.row, e.column) >= nv_)
      throw Error("a slope of the forces is not of the tree's velocities", "AbsoluteSystem",
                  "rows and columns are from 0 to " + std::to_string(nv_ - 1));
  stiffness_.assign(slopes_.entries.size(), 0.0);
  damping_ = stiffness_;
}

void AbsoluteSystem::add_loop(const LoopJoint& loop) {
  check_body(bodies_, loop.body_a);
  check_body(bodies_, loop.body_b);
  if (loop.body_a == loop.body_b)
    throw Error("a loop joint connects a body with itself", "AbsoluteSystem",
                "name two different bodies");
  // The link of a joint is that of a tree of one body.
  const Tree one =
      TreeBuilder().body("b").joint("j", loop.joint, joint_frames(loop.on_a, loop.on_b)).build();
  Link link = one.links[0];
  link.parent = loop.body_a;
  link.q = joints_.nq;
  link.v = joints_.nv;
  joints_.links.push_back(link);
  joints_.bodies.push_back(one.bodies[0]);
  joints_.screws.insert(joints_.screws.end(), one.screws.begin(), one.screws.end());
  joints_.dofs.insert(joints_.dofs.end(), one.dofs.begin(), one.dofs.end());
  joints_.nq += one.nq;
  joints_.nv += one.nv;
  child_.push_back(loop.body_b);
}

SE3<double> AbsoluteSystem::pose(int body) const noexcept {
  return body < 0 ? SE3<double>{} : poses_[body];
}
Vec6<double> AbsoluteSystem::twist(int body) const noexcept {
  return body < 0 ? Vec6<double>{} : twists_[body].six();
}

void AbsoluteSystem::move(std::span<const double> q, std::span<const double> v) {
  for (int i = 0; i < bodies_; ++i) {
    const double* x = q.data() + std::size_t(i) * 7;
    poses_[i] = detail::quaternion_pose(x);
    poses_[i].p = {x[4], x[5], x[6]};
    const Vec6<double> V = six(v, 6 * i);
    twists_[i] = {V.angular, V.linear};
  }
  const double* joint_q = q.data() + joint_x();
  for (int j = 0; j < joints_.size(); ++j) {
    const Link& link = joints_.links[j];
    const SE3<double> D = joint_displacement(joints_, j, joint_q);
    JointNow& now = now_[j];
    now.R = inverse_times(pose(link.parent), pose(child_[j]));
    now.E = inverse_times(link.B * D, now.R);
    joint_screws(joints_, j, joint_q, D, now.screws);
  }
}

bool AbsoluteSystem::apply_forces(double t, std::span<const double> q, std::span<const double> v) {
  std::ranges::fill(tau_, 0.0);
  std::ranges::fill(wrenches_, Wrench<Rep::body>{});
  return !forces_ ||
         forces_(t, tree_q(q), tree_v(v), poses_, twists_, std::span(tau_).first(nv_), wrenches_);
}

void AbsoluteSystem::body_residual(int i, const ConstrainedPoint& p,
                                   std::span<double> force) const {
  const Mat6<double>& M = inertias_[i];
  const Vec6<double> V = twist(i);
  const Vec6<double> fall{{}, inverse_times(poses_[i].R, joints_.gravity)};
  add(force, 6 * i, M * (six(p.a, 6 * i) - fall) - ad_transpose(V, M * V) - wrenches_[i].six());
}

void AbsoluteSystem::joint_residual(int j, const ConstrainedPoint& p,
                                    const ConstrainedResidual& r) const {
  const Link& link = joints_.links[j];
  const JointNow& now = now_[j];
  const int child = child_[j];
  const Vec6<double> lambda = six(p.lambda, 6 * j), phi = log(now.E);
  Vec6<double> rate = twist(child) - Ad_inverse(now.R, twist(link.parent));
  if (child >= 0) add(r.force, 6 * child, lambda);
  if (link.parent >= 0) add(r.force, 6 * link.parent, -Ad_inverse_transpose(now.R, lambda));
  for (int k = 0; k < link.nv; ++k) {
    const std::size_t row = joint_v() + link.v + k;
    const Dof& dof = joints_.dofs[link.v + k];
    r.force[row] += dof.armature * p.a[row] + dof.damping * p.v[row] - tau_[link.v + k] -
                    dot(now.screws[k], lambda);
    rate -= now.screws[k] * p.v[row];
  }
  for (int k = 0; k < 6; ++k) {
    r.position[6 * j + k] = phi[k];
    r.velocity[6 * j + k] = rate[k];
  }
}

void AbsoluteSystem::coupling_residual(std::size_t c, const ConstrainedPoint& p,
                                       const ConstrainedResidual& r) const {
  const Coupling& coupling = joints_.couplings[c];
  const Link& follower = joints_.links[coupling.follower];
  const Link& leader = joints_.links[coupling.leader];
  const std::size_t row = 6 * joints_.links.size() + c;
  const std::size_t f = joint_v() + follower.v, l = joint_v() + leader.v;
  r.position[row] =
      p.q[joint_x() + follower.q] - coupling.ratio * p.q[joint_x() + leader.q] - coupling.offset;
  r.velocity[row] = p.v[f] - coupling.ratio * p.v[l];
  r.force[f] += p.lambda[row];
  r.force[l] -= coupling.ratio * p.lambda[row];
}

bool AbsoluteSystem::residual(const ConstrainedPoint& p, const ConstrainedResidual& r) {
  move(p.q, p.v);
  if (!apply_forces(p.t, p.q, p.v)) return false;
  std::ranges::fill(r.force, 0.0);
  for (int i = 0; i < bodies_; ++i) body_residual(i, p, r.force);
  for (int j = 0; j < joints_.size(); ++j) joint_residual(j, p, r);
  for (std::size_t c = 0; c < joints_.couplings.size(); ++c) coupling_residual(c, p, r);
  return true;
}

void AbsoluteSystem::constraint_rate(const ConstrainedPoint& p, std::span<double> result) {
  move(p.q, p.v);
  std::ranges::fill(result, 0.0);
  const double* velocity = p.v.data() + joint_v();
  for (int j = 0; j < joints_.size(); ++j) {
    const Link& link = joints_.links[j];
    JointNow& now = now_[j];
    const Vec6<double> carried = Ad_inverse(now.R, twist(link.parent));
    Vec6<double> rate = ad(twist(child_[j]) - carried, carried);
    joint_screw_derivatives<double>(joints_, j, p.q.data() + joint_x(), {&velocity, 1}, 1,
                                    now.screws);
    for (int k = 0; k < link.nv; ++k) rate -= now.screws[link.nv + k] * velocity[link.v + k];
    add(result, 6 * j, rate);
  }
}

std::span<const double> AbsoluteSystem::tree_q(std::span<const double> x) const noexcept {
  return x.subspan(joint_x(), nq_);
}
std::span<const double> AbsoluteSystem::tree_v(std::span<const double> v) const noexcept {
  return v.subspan(joint_v(), nv_);
}
std::span<const double> AbsoluteSystem::velocity(std::span<const double> state) const noexcept {
  return state.subspan(group_.nx, group_.nv);
}

bool AbsoluteSystem::acceleration(double t, std::span<const double> state, std::span<double> a,
                                  std::span<double> lambda) {
  return consistent_acceleration(view(*this), t, state.first(group_.nx), velocity(state), a, lambda,
                                 work_);
}

std::vector<double> AbsoluteSystem::joint_forces(double t, std::span<const double> state) {
  const std::span<const double> q = state.first(group_.nx), v = velocity(state);
  move(q, v);
  apply_forces(t, q, v);
  return {tau_.begin(), tau_.begin() + nv_};
}

}  // namespace axode
