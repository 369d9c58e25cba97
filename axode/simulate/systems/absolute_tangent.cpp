// Tangent matrices of AbsoluteSystem, block by block: the entries are always added in the same
// order.
#include <algorithm>

#include "axode/lie/adjoint.hpp"
#include "axode/model/any_scalar/joint_map.hpp"
#include "axode/model/joint_map.hpp"
#include "axode/simulate/systems/absolute_system.hpp"

namespace axode {
namespace {

void add_block(SparseAssembly& m, int row, int column, const Mat6<double>& block) {
  for (int c = 0; c < 6; ++c)
    for (int r = 0; r < 6; ++r) m.add(row + r, column + c, block(r, c));
}
/// ad_transpose(X, W) as matrix on X.
Mat6<double> wrench_product(const Vec6<double>& W) {
  const Mat3<double> torque = skew(W.angular), force = skew(W.linear);
  return {torque, force, force, {}};
}
}  // namespace

void AbsoluteSystem::body_tangent(int i, const TangentScale& scale, SparseAssembly& m) {
  const Mat6<double>& M = inertias_[i];
  const Vec6<double> V = twists_[i].six();
  Mat6<double> block = scale.identity * Mat6<double>::identity() + scale.mass * M;
  // -d(ad(V)^T M V)/dV
  block = block - scale.damping * (transpose(ad_matrix(V)) * M + wrench_product(M * V));
  // A body that turns by d sees gravity change by (R^T g) x d.
  const Vec3<double> fall = inverse_times(poses_[i].R, joints_.gravity);
  const Mat6<double> weight{{}, {}, skew(fall), {}};
  block = block - scale.stiffness * (M * weight);
  add_block(m, 6 * i, 6 * i, block);
}

void AbsoluteSystem::screw_slope(int j, std::span<const double> q, int k, Vec6<double>* screws) {
  const Link& link = joints_.links[j];
  unit_[link.v + k] = 1;
  const double* direction = unit_.data();
  joint_screw_derivatives<double>(joints_, j, q.data() + joint_x(), {&direction, 1}, 1, screws);
  unit_[link.v + k] = 0;
}

void AbsoluteSystem::joint_tangent(int j, const ConstrainedPoint& p, const TangentScale& scale,
                                   SparseAssembly& m) {
  const Link& link = joints_.links[j];
  JointNow& now = now_[j];
  const int v0 = joint_v() + link.v, row = group_.nv + 6 * j;
  Vec6<double> lambda;
  for (int k = 0; k < 6; ++k) lambda[k] = p.lambda[6 * j + k];
  const bool slopes = (scale.stiffness != 0 || scale.rate != 0) && !has_constant_screws(link);
  for (int k = 0; k < link.nv; ++k) {
    const Dof& dof = joints_.dofs[link.v + k];
    Vec6<double>* slope = now.screws + link.nv;
    std::fill_n(slope, link.nv, Vec6<double>{});
    if (slopes) screw_slope(j, p.q, k, now.screws);
    Vec6<double> column = -now.screws[k];
    for (int n = 0; n < link.nv; ++n) {
      double entry = -scale.stiffness * dot(slope[n], lambda);
      if (n == k) entry += scale.identity + scale.mass * dof.armature + scale.damping * dof.damping;
      m.add(v0 + n, v0 + k, entry);
      column -= slope[n] * (scale.rate * p.v[v0 + n]);
    }
    for (int r = 0; r < 6; ++r) {
      m.add(v0 + k, row + r, -now.screws[k][r]);
      m.add(row + r, v0 + k, column[r]);
    }
  }
}

void AbsoluteSystem::closure_tangent(int j, const ConstrainedPoint& p, const TangentScale& scale,
                                     SparseAssembly& m) {
  const JointNow& now = now_[j];
  const int P = joints_.links[j].parent, C = child_[j], row = group_.nv + 6 * j;
  const Mat6<double> one = Mat6<double>::identity(), X = Ad_matrix(inverse(now.R));
  const Mat6<double> turn = scale.rate * ad_matrix(X * twist(P));  // of the carried twist
  Vec6<double> lambda;
  for (int k = 0; k < 6; ++k) lambda[k] = p.lambda[6 * j + k];
  if (C >= 0) {
    add_block(m, 6 * C, row, one);
    add_block(m, row, 6 * C, one - turn);
  }
  if (P >= 0) {
    add_block(m, 6 * P, row, -transpose(X));
    add_block(m, row, 6 * P, (turn - one) * X);
    const Mat6<double> L = scale.stiffness * (transpose(X) * wrench_product(lambda));
    add_block(m, 6 * P, 6 * P, -(L * X));
    if (C >= 0) add_block(m, 6 * P, 6 * C, L);
  }
}

void AbsoluteSystem::tangent(const ConstrainedPoint& p, const TangentScale& scale,
                             SparseAssembly& m) {
  move(p.q, p.v);
  for (int i = 0; i < bodies_; ++i) body_tangent(i, scale, m);
  for (int j = 0; j < joints_.size(); ++j) {
    joint_tangent(j, p, scale, m);
    closure_tangent(j, p, scale, m);
  }
  if (slopes_.add) {
    std::ranges::fill(stiffness_, 0.0);
    std::ranges::fill(damping_, 0.0);
    slopes_.add(p.t, tree_q(p.q), tree_v(p.v), stiffness_, damping_);
  }
  for (std::size_t e = 0; e < stiffness_.size(); ++e)
    m.add(joint_v() + slopes_.entries[e].row, joint_v() + slopes_.entries[e].column,
          scale.stiffness * stiffness_[e] + scale.damping * damping_[e]);
  for (std::size_t c = 0; c < joints_.couplings.size(); ++c) {
    const Coupling& coupling = joints_.couplings[c];
    const int row = group_.nv + 6 * joints_.size() + static_cast<int>(c);
    const int f = joint_v() + joints_.links[coupling.follower].v;
    const int l = joint_v() + joints_.links[coupling.leader].v;
    m.add(row, f, 1);
    m.add(f, row, 1);
    m.add(row, l, -coupling.ratio);
    m.add(l, row, -coupling.ratio);
  }
}

}  // namespace axode
