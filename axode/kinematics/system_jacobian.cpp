#include "axode/kinematics/system_jacobian.hpp"

#include "axode/lie/adjoint.hpp"
#include "axode/lie/dual.hpp"
#include "axode/model/joint_map.hpp"

namespace axode {

namespace {

/// Body, hybrid and mixed: the pose of the body in its parent, or of its origin in world axes. The
/// twist of the parent goes on to the body by its Ad^-1.
template <Rep rep, class S>
SE3<S> step(const SystemJacobian<rep, S>& J, int i, int p) noexcept {
  if constexpr (rep == Rep::body) return J.poses->T_PB[i];
  return {{}, J.poses->T_WB[i].p - J.poses->T_WB[p].p};
}

/// Spatial: the pose whose Ad takes X_i, in the chosen factors, to J_i.
template <class S>
SE3<S> screw_frame(const SystemJacobian<Rep::spatial, S>& J, int i) noexcept {
  const SE3<S>& T = J.poses->T_WB[i];
  if (J.factors == SpatialFactors::body_screws) return T;
  if (J.factors == SpatialFactors::hybrid_screws) return {{}, T.p};
  return T * inverse(detail::cast<S>(J.zero_poses[i]));
}

/// Mixed: the angular part between body and world axes.
template <class S>
Vec6<S> to_hybrid(const SE3<S>& T_WB, const Vec6<S>& a) noexcept {
  return {T_WB.R * a.angular, a.linear};
}
template <class S>
Vec6<S> to_mixed(const SE3<S>& T_WB, const Vec6<S>& a) noexcept {
  return {inverse_times(T_WB.R, a.angular), a.linear};
}

/// Column k of X, that is a screw of joint i.
template <Rep rep, class S>
Vec6<S> factor_screw(const SystemJacobian<rep, S>& J, int i, int k) noexcept {
  const Vec6<S>& screw = J.poses->screws[k];
  const SE3<S>& T = J.poses->T_WB[i];
  if constexpr (rep == Rep::body) return screw;
  if constexpr (rep == Rep::spatial) {
    if (J.factors == SpatialFactors::body_screws) return screw;
    if (J.factors == SpatialFactors::zero_reference)
      return Ad(detail::cast<S>(J.zero_poses[i]), screw);
  }
  return {T.R * screw.angular, T.R * screw.linear};
}

}  // namespace

template <Rep rep, class S>
SystemJacobian<rep, S>::SystemJacobian(const Tree& tree_, const Poses<S>& poses_,
                                       SpatialFactors factors_)
    : tree(&tree_), poses(&poses_), factors(factors_) {
  if (rep != Rep::spatial || factors != SpatialFactors::zero_reference) return;
  for (const Link& link : tree->links)
    zero_poses.push_back(link.parent < 0 ? link.B : zero_poses[link.parent] * link.B);
}

template <Rep rep, class S>
void apply_A(const SystemJacobian<rep, S>& J, Out<Vec6<S>> x) noexcept {
  for (int i = 0; i < J.tree->size(); ++i) {
    const int p = J.tree->links[i].parent;
    if constexpr (rep == Rep::spatial) {
      x[i] = Ad(screw_frame(J, i), x[i]);
      if (p >= 0) x[i] += x[p];
    } else {
      if (p >= 0) {
        Vec6<S> V_p = x[p];
        if constexpr (rep == Rep::mixed) V_p = to_hybrid(J.poses->T_WB[p], V_p);
        x[i] += Ad_inverse(step(J, i, p), V_p);
      }
      if constexpr (rep == Rep::mixed) x[i] = to_mixed(J.poses->T_WB[i], x[i]);
    }
  }
}

template <Rep rep, class S>
void solve_A(const SystemJacobian<rep, S>& J, Out<Vec6<S>> x) noexcept {
  for (int i = J.tree->size() - 1; i >= 0; --i) {  // inwards: the parent's twist is still whole
    const int p = J.tree->links[i].parent;
    if constexpr (rep == Rep::spatial) {
      if (p >= 0) x[i] -= x[p];
      x[i] = Ad_inverse(screw_frame(J, i), x[i]);
    } else {
      if constexpr (rep == Rep::mixed) x[i] = to_hybrid(J.poses->T_WB[i], x[i]);
      if (p < 0) continue;
      Vec6<S> V_p = x[p];
      if constexpr (rep == Rep::mixed) V_p = to_hybrid(J.poses->T_WB[p], V_p);
      x[i] -= Ad_inverse(step(J, i, p), V_p);
    }
  }
}

template <Rep rep, class S>
void apply_A_transpose(const SystemJacobian<rep, S>& J, Out<Vec6<S>> y) noexcept {
  for (int i = J.tree->size() - 1; i >= 0; --i) {
    const int p = J.tree->links[i].parent;
    if constexpr (rep == Rep::spatial) {
      if (p >= 0) y[p] += y[i];
      y[i] = Ad_transpose(screw_frame(J, i), y[i]);
    } else {
      // diag(R, I) is orthogonal: its transposed inverse is itself.
      if constexpr (rep == Rep::mixed) y[i] = to_hybrid(J.poses->T_WB[i], y[i]);
      if (p < 0) continue;
      Vec6<S> W_p = Ad_inverse_transpose(step(J, i, p), y[i]);
      if constexpr (rep == Rep::mixed) W_p = to_mixed(J.poses->T_WB[p], W_p);
      y[p] += W_p;
    }
  }
}

template <Rep rep, class S>
void solve_A_transpose(const SystemJacobian<rep, S>& J, Out<Vec6<S>> y) noexcept {
  for (int i = 0; i < J.tree->size(); ++i) {
    const int p = J.tree->links[i].parent;
    if constexpr (rep == Rep::spatial) {
      y[i] = Ad_inverse_transpose(screw_frame(J, i), y[i]);
      if (p >= 0) y[p] -= y[i];
    } else {
      if (p >= 0) {
        Vec6<S> W_p = Ad_inverse_transpose(step(J, i, p), y[i]);
        if constexpr (rep == Rep::mixed) W_p = to_mixed(J.poses->T_WB[p], W_p);
        y[p] -= W_p;
      }
      if constexpr (rep == Rep::mixed) y[i] = to_mixed(J.poses->T_WB[i], y[i]);
    }
  }
}

template <Rep rep, class S>
void apply_X(const SystemJacobian<rep, S>& J, In<S> v, Out<Vec6<S>> result) noexcept {
  for (int i = 0; i < J.tree->size(); ++i) {
    const Link& link = J.tree->links[i];
    Vec6<S> sum{{S(0), S(0), S(0)}, {S(0), S(0), S(0)}};
    for (int k = link.v; k < link.v + link.nv; ++k) sum += factor_screw(J, i, k) * v[k];
    result[i] = sum;
  }
}

template <Rep rep, class S>
void apply_X_transpose(const SystemJacobian<rep, S>& J, In<Vec6<S>> y, Out<S> result) noexcept {
  for (int i = 0; i < J.tree->size(); ++i) {
    const Link& link = J.tree->links[i];
    for (int k = link.v; k < link.v + link.nv; ++k) result[k] = dot(factor_screw(J, i, k), y[i]);
  }
}

template struct SystemJacobian<Rep::body, double>;
template void apply_A(const SystemJacobian<Rep::body, double>&, Out<Vec6<double>>) noexcept;
template void solve_A(const SystemJacobian<Rep::body, double>&, Out<Vec6<double>>) noexcept;
template void apply_A_transpose(const SystemJacobian<Rep::body, double>&,
                                Out<Vec6<double>>) noexcept;
template void solve_A_transpose(const SystemJacobian<Rep::body, double>&,
                                Out<Vec6<double>>) noexcept;
template void apply_X(const SystemJacobian<Rep::body, double>&, In<double>,
                      Out<Vec6<double>>) noexcept;
template void apply_X_transpose(const SystemJacobian<Rep::body, double>&, In<Vec6<double>>,
                                Out<double>) noexcept;
template struct SystemJacobian<Rep::spatial, double>;
template void apply_A(const SystemJacobian<Rep::spatial, double>&, Out<Vec6<double>>) noexcept;
template void solve_A(const SystemJacobian<Rep::spatial, double>&, Out<Vec6<double>>) noexcept;
template void apply_A_transpose(const SystemJacobian<Rep::spatial, double>&,
                                Out<Vec6<double>>) noexcept;
template void solve_A_transpose(const SystemJacobian<Rep::spatial, double>&,
                                Out<Vec6<double>>) noexcept;
template void apply_X(const SystemJacobian<Rep::spatial, double>&, In<double>,
                      Out<Vec6<double>>) noexcept;
template void apply_X_transpose(const SystemJacobian<Rep::spatial, double>&, In<Vec6<double>>,
                                Out<double>) noexcept;
template struct SystemJacobian<Rep::hybrid, double>;
template void apply_A(const SystemJacobian<Rep::hybrid, double>&, Out<Vec6<double>>) noexcept;
template void solve_A(const SystemJacobian<Rep::hybrid, double>&, Out<Vec6<double>>) noexcept;
template void apply_A_transpose(const SystemJacobian<Rep::hybrid, double>&,
                                Out<Vec6<double>>) noexcept;
template void solve_A_transpose(const SystemJacobian<Rep::hybrid, double>&,
                                Out<Vec6<double>>) noexcept;
template void apply_X(const SystemJacobian<Rep::hybrid, double>&, In<double>,
                      Out<Vec6<double>>) noexcept;
template void apply_X_transpose(const SystemJacobian<Rep::hybrid, double>&, In<Vec6<double>>,
                                Out<double>) noexcept;
template struct SystemJacobian<Rep::mixed, double>;
template void apply_A(const SystemJacobian<Rep::mixed, double>&, Out<Vec6<double>>) noexcept;
template void solve_A(const SystemJacobian<Rep::mixed, double>&, Out<Vec6<double>>) noexcept;
template void apply_A_transpose(const SystemJacobian<Rep::mixed, double>&,
                                Out<Vec6<double>>) noexcept;
template void solve_A_transpose(const SystemJacobian<Rep::mixed, double>&,
                                Out<Vec6<double>>) noexcept;
template void apply_X(const SystemJacobian<Rep::mixed, double>&, In<double>,
                      Out<Vec6<double>>) noexcept;
template void apply_X_transpose(const SystemJacobian<Rep::mixed, double>&, In<Vec6<double>>,
                                Out<double>) noexcept;
template struct SystemJacobian<Rep::body, Dual<double>>;
template void apply_A(const SystemJacobian<Rep::body, Dual<double>>&,
                      Out<Vec6<Dual<double>>>) noexcept;
template void solve_A(const SystemJacobian<Rep::body, Dual<double>>&,
                      Out<Vec6<Dual<double>>>) noexcept;
template void apply_A_transpose(const SystemJacobian<Rep::body, Dual<double>>&,
                                Out<Vec6<Dual<double>>>) noexcept;
template void solve_A_transpose(const SystemJacobian<Rep::body, Dual<double>>&,
                                Out<Vec6<Dual<double>>>) noexcept;
template void apply_X(const SystemJacobian<Rep::body, Dual<double>>&, In<Dual<double>>,
                      Out<Vec6<Dual<double>>>) noexcept;
template void apply_X_transpose(const SystemJacobian<Rep::body, Dual<double>>&,
                                In<Vec6<Dual<double>>>, Out<Dual<double>>) noexcept;
template struct SystemJacobian<Rep::spatial, Dual<double>>;
template void apply_A(const SystemJacobian<Rep::spatial, Dual<double>>&,
                      Out<Vec6<Dual<double>>>) noexcept;
template void solve_A(const SystemJacobian<Rep::spatial, Dual<double>>&,
                      Out<Vec6<Dual<double>>>) noexcept;
template void apply_A_transpose(const SystemJacobian<Rep::spatial, Dual<double>>&,
                                Out<Vec6<Dual<double>>>) noexcept;
template void solve_A_transpose(const SystemJacobian<Rep::spatial, Dual<double>>&,
                                Out<Vec6<Dual<double>>>) noexcept;
template void apply_X(const SystemJacobian<Rep::spatial, Dual<double>>&, In<Dual<double>>,
                      Out<Vec6<Dual<double>>>) noexcept;
template void apply_X_transpose(const SystemJacobian<Rep::spatial, Dual<double>>&,
                                In<Vec6<Dual<double>>>, Out<Dual<double>>) noexcept;
template struct SystemJacobian<Rep::hybrid, Dual<double>>;
template void apply_A(const SystemJacobian<Rep::hybrid, Dual<double>>&,
                      Out<Vec6<Dual<double>>>) noexcept;
template void solve_A(const SystemJacobian<Rep::hybrid, Dual<double>>&,
                      Out<Vec6<Dual<double>>>) noexcept;
template void apply_A_transpose(const SystemJacobian<Rep::hybrid, Dual<double>>&,
                                Out<Vec6<Dual<double>>>) noexcept;
template void solve_A_transpose(const SystemJacobian<Rep::hybrid, Dual<double>>&,
                                Out<Vec6<Dual<double>>>) noexcept;
template void apply_X(const SystemJacobian<Rep::hybrid, Dual<double>>&, In<Dual<double>>,
                      Out<Vec6<Dual<double>>>) noexcept;
template void apply_X_transpose(const SystemJacobian<Rep::hybrid, Dual<double>>&,
                                In<Vec6<Dual<double>>>, Out<Dual<double>>) noexcept;
template struct SystemJacobian<Rep::mixed, Dual<double>>;
template void apply_A(const SystemJacobian<Rep::mixed, Dual<double>>&,
                      Out<Vec6<Dual<double>>>) noexcept;
template void solve_A(const SystemJacobian<Rep::mixed, Dual<double>>&,
                      Out<Vec6<Dual<double>>>) noexcept;
template void apply_A_transpose(const SystemJacobian<Rep::mixed, Dual<double>>&,
                                Out<Vec6<Dual<double>>>) noexcept;
template void solve_A_transpose(const SystemJacobian<Rep::mixed, Dual<double>>&,
                                Out<Vec6<Dual<double>>>) noexcept;
template void apply_X(const SystemJacobian<Rep::mixed, Dual<double>>&, In<Dual<double>>,
                      Out<Vec6<Dual<double>>>) noexcept;
template void apply_X_transpose(const SystemJacobian<Rep::mixed, Dual<double>>&,
                                In<Vec6<Dual<double>>>, Out<Dual<double>>) noexcept;
}  // namespace axode
