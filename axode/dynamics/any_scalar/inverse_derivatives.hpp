// Definitions of inverse_derivatives.hpp; instantiated by inverse_derivatives.cpp.
#pragma once
#include "axode/dynamics/any_scalar/joint_partials.hpp"
#include "axode/dynamics/any_scalar/mass_matrix.hpp"
#include "axode/dynamics/derivatives/inverse_derivatives.hpp"

namespace axode {

template <class S>
InverseDynamicsDerivatives<S>::InverseDynamicsDerivatives(const Tree& tree)
    : tau(tree.nv),
      by_q{tree.nv, tree.nv, std::vector<S>(detail::dense_entries(tree), S(0))},
      by_v(by_q),
      by_a(tree) {}

template <class S>
InverseDerivativesWork<S>::InverseDerivativesWork(const Tree& tree)
    : composite(tree),
      twist_by_q(tree.dofs.size()),
      acceleration_by_q(tree.dofs.size()),
      acceleration_by_v(tree.dofs.size()),
      joint(tree) {}

namespace detail {

/// P and R of the degrees of freedom of joint i, and what their own screws change within it: writes the parts
/// of d tau_m / dq_k that stem from d_k S_m, k and m of this joint.
template <class S>
void motion_changes(const Tree& tree, int i, const Poses<S>& poses, In<S> v, In<S> a,
                    const Vec6<S>& world, InverseDerivativesWork<S>& work,
                    InverseDynamicsDerivatives<S>& d) noexcept {
  const Link& link = tree.links[i];
  const Composite<S>& c = work.composite;
  const std::size_t b = i, p = link.parent;
  const bool root = link.parent < 0, moving = !has_constant_screws(link);
  const Vec6<S> V_p = root ? zero_six<S> : c.twists[p], A_p = root ? world : c.accelerations[p];
  if (moving) joint_partials(tree, i, poses, v, a, work.joint);
  const SE3<S> T = pose_about(c.point, poses.T_WB[b]);
  for (int k = 0; k < link.nv; ++k) {
    const std::size_t g = link.v + k, l = k;
    const Vec6<S>& J = c.screws[g];
    // P_k = [V_p, J_k] + D_k, R_k = [A_p, J_k] + [V_p, P_k] + [V_i, D_k] + E_k, for velocities
    // R_k = [V_p + V_i, J_k] + dU'/dv_k; D_k, E_k of the joint's own screws  [MuellerDyn sec. 6.2]
    Vec6<S> P = ad(V_p, J);
    Vec6<S> R = ad(A_p, J), R_v = ad(V_p + c.twists[b], J);
    if (moving) {
      const Vec6<S> D = Ad(T, work.joint.twist[l]);
      P += D;
      R += ad(c.twists[b], D) + Ad(T, work.joint.acceleration[l]);
      R_v += Ad(T, work.joint.acceleration_by_v[l]);
      // tau_m = S_m^T W changes by d_k S_m, too
      const Vec6<S> W_B = Ad_transpose(T, c.wrenches[b]);
      for (int m = 0; m < link.nv; ++m)
        d.by_q(link.v + m, link.v + k) = dot(work.joint.screws[l][m], W_B);
    } else {
      for (int m = 0; m < link.nv; ++m) d.by_q(link.v + m, link.v + k) = S(0);
    }
    work.twist_by_q[g] = P;
    work.acceleration_by_q[g] = R + ad(V_p, P);
    work.acceleration_by_v[g] = R_v;
  }
}

/// Entries of velocity k of body i with those of its own joint and those above.
template <class S>
void derivative_entries(const Link& link, std::size_t i, int k,
                        const InverseDerivativesWork<S>& work,
                        InverseDynamicsDerivatives<S>& d) noexcept {
  const Composite<S>& c = work.composite;
  const std::size_t g = k;
  const Vec6<S>& J = c.screws[g];
  const CoriolisSum<S>& B = c.coriolis[i];
  const Vec6<S> P = c.inertias[i] * J;
  // j of the same joint: J_j . (M_i R_k + B_i P_k)
  Vec6<S> by_q = c.inertias[i] * work.acceleration_by_q[g] + B * work.twist_by_q[g];
  const Vec6<S> by_v = c.inertias[i] * work.acceleration_by_v[g] + B * J;
  for (int j = link.v; j < link.v + link.nv; ++j) {
    d.by_q(j, k) += dot(c.screws[j], by_q);
    d.by_v(j, k) = dot(c.screws[j], by_v);
  }
  // j above, which the change does not turn: J_j . (M_i R_k + B_i P_k - ad_{J_k}^T W_i)
  by_q -= ad_transpose(J, c.wrenches[i]);
  // k below j, transposed: J_k . (M_i R_j + B_i P_j) = R_j . M_i J_k + P_j . B_i^T J_k
  const Vec3<S> BJ = transpose_times(B.turning, J.angular) + cross(B.momentum, J.linear) * S(2);
  S* mass = d.by_a.row(k);
  for (int j = k; j >= 0; j = d.by_a.parent[j]) {
    const std::size_t h = j;
    // M_jk = J_j^T M_i J_k  [MuellerDyn (81)]
    *mass++ = dot(c.screws[h], P);
    if (j >= link.v) continue;
    d.by_q(j, k) = dot(c.screws[h], by_q);
    d.by_v(j, k) = dot(c.screws[h], by_v);
    d.by_q(k, j) = dot(work.acceleration_by_q[h], P) + dot(work.twist_by_q[h].angular, BJ);
    d.by_v(k, j) = dot(work.acceleration_by_v[h], P) + dot(c.screws[h].angular, BJ);
  }
}

}  // namespace detail

template <class S>
void inverse_dynamics_derivatives(const Tree& tree, const Poses<S>& poses, In<S> v, In<S> a,
                                  InverseDerivativesWork<S>& work,
                                  InverseDynamicsDerivatives<S>& result,
                                  In<Wrench<Rep::body, S>> external,
                                  const Effects& effects) noexcept {
  composite_motion(tree, poses, v, a, work.composite, external, effects);
  const Vec6<S> world{{S(0), S(0), S(0)}, world_acceleration<S>(tree, effects)};
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    detail::motion_changes(tree, static_cast<int>(i), poses, v, a, world, work, result);
    for (int k = link.v; k < link.v + link.nv; ++k) {
      const std::size_t g = k;
      detail::derivative_entries(link, i, k, work, result);
      result.tau[g] = dot(work.composite.screws[g], work.composite.wrenches[i]);
      const auto real = [](double x) { return S(static_cast<Real<S>>(x)); };
      if (effects.damping) result.by_v(k, k) += real(tree.dofs[g].damping);
      if (effects.armature) *result.by_a.row(k) += real(tree.dofs[g].armature);
    }
  }
  add_losses<S>(tree, effects, v, result.tau);
  add_armature<S>(tree, effects, a, result.tau);
}

}  // namespace axode
