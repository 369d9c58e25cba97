// What geometric integrators and implicit ones ask of a tree beside its accelerations.
#include <algorithm>
#include <cmath>

#include "axode/dynamics/matrices/path_matrix.hpp"
#include "axode/integrate/steppers/momentum_preserving.hpp"
#include "axode/lie/adjoint.hpp"
#include "axode/simulate/systems/tree_system.hpp"

namespace axode {

namespace {

constexpr Effects smooth_effects{.friction = false};

Vec3<double> vec3(const double* x) { return {x[0], x[1], x[2]}; }
Vec6<double> vec6(const double* x) { return {vec3(x), vec3(x + 3)}; }
void add(double* to, const Vec3<double>& a) { to[0] += a.x, to[1] += a.y, to[2] += a.z; }
void write(double* to, const Vec6<double>& a) {
  for (int i = 0; i < 3; ++i) to[i] = a.angular[i], to[3 + i] = a.linear[i];
}

/// p' = dL/dq + ad_V^T p where V is in the body, minus that where it is in space.
void subtract_transport(const LieGroup& group, const double* v, const double* p, double* rate) {
  for (const LieGroup::Factor& f : group.factors) {
    const double *V = v + f.v, *P = p + f.v;
    switch (f.kind) {
      case LieGroup::Kind::real:
        break;
      case LieGroup::Kind::so3:
        add(rate + f.v, cross(vec3(V), vec3(P)));
        break;
      case LieGroup::Kind::so3_left:
        add(rate + f.v, cross(vec3(P), vec3(V)));
        break;
      case LieGroup::Kind::se3:
      case LieGroup::Kind::se3_left: {
        Vec6<double> carried = ad_transpose(vec6(V), vec6(P));
        if (f.kind == LieGroup::Kind::se3) carried = -carried;
        add(rate + f.v, carried.angular);
        add(rate + f.v + 3, carried.linear);
      }
    }
  }
}

/// Bodies on the world by a free joint: their six degrees of freedom move all they carry as one.
template <class Visit>
void each_floating_root(const Tree& tree, Visit&& visit) {
  for (int i = 0; i < tree.size(); ++i)
    if (tree.links[i].parent < 0 && tree.links[i].map == JointMap::free) visit(i);
}

void sum_inwards(const Tree& tree, std::vector<Vec6<double>>& sums) {
  for (int i = tree.size() - 1; i >= 0; --i)
    if (const int p = tree.links[i].parent; p >= 0) sums[p] = sums[p] + sums[i];
}

}  // namespace

bool TreeSystem::momentum(std::span<const double> q, std::span<const double> v,
                          std::span<double> p) {
  expand_state(q, v);
  poses<double>(*tree_, q_, poses_);
  composite_momenta<double>(*tree_, poses_, v_, form_.composite);
  generalized_momenta<double>(*tree_, form_.composite, v_, rest_, smooth_effects);
  reduce(expansion_, rest_, p);
  return true;
}

bool TreeSystem::lagrangian_rate(double t, std::span<const double> q, std::span<const double> v,
                                 std::span<double> g) {
  expand_state(q, v);
  evaluate_forces(t);
  bodies();
  momentum_rates<double>(*tree_, poses_, v_, tau_, form_, rest_, external(), smooth_effects);
  reduce(expansion_, rest_, g);
  generalized_momenta<double>(*tree_, form_.composite, v_, rest_, smooth_effects);
  reduce(expansion_, rest_, reduced_force_);
  subtract_transport(configuration_, v.data(), reduced_force_.data(), g.data());
  return true;
}

int TreeSystem::carried_size() const noexcept {
  int roots = 0;
  each_floating_root(*tree_, [&](int) { ++roots; });
  return 12 * roots;
}

void TreeSystem::spatial_momenta(std::span<const double> q, std::span<const double> v,
                                 std::vector<Vec6<double>>& momenta) {
  expand_state(q, v);
  bodies();
  for (std::size_t i = 0; i < momenta.size(); ++i)
    momenta[i] = Ad_inverse_transpose(
        poses_.T_WB[i], axode::momentum(tree_->bodies[i].inertia, motion_.twists[i]).six());
}

bool TreeSystem::start_balance(double, std::span<const double> q, std::span<const double> v,
                               std::span<double> carried) {
  spatial_momenta(q, v, momenta_);
  sum_inwards(*tree_, momenta_);
  double* to = carried.data();
  each_floating_root(*tree_, [&](int i) {
    write(to, momenta_[i]);
    std::fill(to + 6, to + 12, 0.);
    to += 12;
  });
  return true;
}

bool TreeSystem::momentum_balance(double t, double h, std::span<const double> q0,
                                  std::span<const double> v0, std::span<const double> q_mid,
                                  std::span<const double> v_mid, std::span<const double> q1,
                                  std::span<const double> v1, std::span<const double> carried,
                                  std::span<double> residual, std::span<double> next) {
  spatial_momenta(q0, v0, momenta_before_);
  std::copy(v_.begin(), v_.end(), rest_.begin());
  spatial_momenta(q1, v1, momenta_);
  std::copy(v_.begin(), v_.end(), a_.begin());
  sum_inwards(*tree_, momenta_before_);
  sum_inwards(*tree_, momenta_);

  expand_state(q_mid, v_mid);
  evaluate_forces(t + h / 2);
  bodies();
  std::vector<Vec6<double>>& W = form_.wrenches;
  for (std::size_t i = 0; i < W.size(); ++i) {
    const Inertia<double>& I = tree_->bodies[i].inertia;
    const Vec3<double> weight = tree_->gravity * I.mass;
    W[i] = {cross(poses_.T_WB[i] * I.com, weight), weight};
    if (work_.needs_bodies) W[i] = W[i] + Ad_inverse_transpose(poses_.T_WB[i], wrenches_[i].six());
  }
  sum_inwards(*tree_, W);

  // In place of the momentum at q0, that carried: its rounding errors do not add up.
  std::copy(carried.begin(), carried.end(), next.begin());
  double* to = next.data();
  each_floating_root(*tree_, [&](int i) {
    momenta_before_[i] = vec6(to);
    double impulse[6];
    write(impulse, W[i] * h);
    for (int k = 0; k < 6; ++k) compensated_add(to[k], to[6 + k], impulse[k]);
    to += 12;
  });
  for (int i = 0; i < tree_->size(); ++i) {
    const Link& link = tree_->links[i];
    const Vec6<double> gap = momenta_[i] - momenta_before_[i] - W[i] * h;
    const Vec6<double> in_body = Ad_transpose(poses_.T_WB[i], gap);
    for (int j = link.v; j < link.v + link.nv; ++j) {
      const std::size_t k = j;
      const Dof& dof = tree_->dofs[k];
      rest_[k] = dot(poses_.screws[k], in_body) + dof.armature * (a_[k] - rest_[k]) -
                 h * (tau_[k] - dof.damping * v_[k]);
    }
  }
  reduce(expansion_, rest_, residual);
  return true;
}

bool TreeSystem::jacobian(double t, std::span<const double> x, std::span<double> rows) {
  const int nv = configuration_.nv, n = group_.nv;
  const std::size_t nq = configuration_.nx;
  if (!derivatives_) {
    derivatives_ = std::make_unique<InverseDynamicsDerivatives<double>>(*tree_);
    force_derivatives_ = std::make_unique<ForceDerivatives>(*tree_);
  }
  expand_state(x.first(nq), x.subspan(nq, nv));
  evaluate_forces(t);
  if (!solve_accelerations()) return false;
  inverse_dynamics_derivatives(engine_, q_, v_, a_, *derivatives_,
                               {.effects = smooth_effects, .external = external()});
  ForceDerivatives& F = *force_derivatives_;
  std::fill(F.by_q.values.begin(), F.by_q.values.end(), 0.);
  std::fill(F.by_v.values.begin(), F.by_v.values.end(), 0.);
  if (losses_) {
    bodies();
    add_force_derivatives(*tree_, *forces_, t, q_, v_, work_, F);
  }
  std::fill(rows.begin(), rows.end(), 0.);
  const auto J = [&](int i, int j) -> double& { return rows[std::size_t(i) * n + j]; };
  if (losses_) {  // of the power, what wrenches do by being held is left out: Newton needs no more
    for (std::size_t k = 0; k < rest_.size(); ++k)
      rest_[k] = tau_[k] - 2 * tree_->dofs[k].damping * v_[k];
    reduce(expansion_, rest_, reduced_force_);
    for (int k = 0; k < tree_->nv; ++k)
      for (int j = 0; j < tree_->nv; ++j) {
        const int column = expansion_.column[j];
        J(2 * nv, column) += v_[k] * expansion_.ratio[j] * F.by_q(k, j);
        J(2 * nv, nv + column) += v_[k] * expansion_.ratio[j] * F.by_v(k, j);
      }
  }
  for (std::size_t k = 0; k < F.by_q.values.size(); ++k) {
    F.by_q.values[k] -= derivatives_->by_q.values[k];
    F.by_v.values[k] -= derivatives_->by_v.values[k];
  }
  if (!factorize_mass()) return false;
  const PathMatrix<double>& M = expansion_.coupled() ? reduced_ : mass_;
  DenseMatrix<double> by_q = expansion_.coupled() ? reduce(expansion_, F.by_q) : F.by_q;
  DenseMatrix<double> by_v = expansion_.coupled() ? reduce(expansion_, F.by_v) : F.by_v;
  solve_columns(M, by_q);
  solve_columns(M, by_v);
  for (int i = 0; i < nv; ++i) {
    J(i, nv + i) = 1;
    for (int j = 0; j < nv; ++j) {
      J(nv + i, j) = by_q(i, j);
      J(nv + i, nv + j) = by_v(i, j);
    }
    if (losses_) J(2 * nv, nv + i) += reduced_force_[i];
  }
  return true;
}

}  // namespace axode
