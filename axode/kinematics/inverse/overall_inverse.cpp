#include "axode/kinematics/inverse/overall_inverse.hpp"

#include <algorithm>

#include "axode/lie/adjoint.hpp"
#include "axode/lie/dual.hpp"
#include "axode/model/joint_map.hpp"

namespace axode {

namespace {

template <class S>
Vec6<S> in_body_axes(const SE3<S>& T_WB, const Vec6<S>& a) noexcept {
  return {inverse_times(T_WB.R, a.angular), inverse_times(T_WB.R, a.linear)};
}
/// Hybrid twist of a mixed one; the same for accelerations.
template <class S>
Vec6<S> hybrid(const SE3<S>& T_WB, const Vec6<S>& a) noexcept {
  return {T_WB.R * a.angular, a.linear};
}

/// The pose of the parent, that of the world for -1.
template <class S>
SE3<S> parent_pose(const Poses<S>& poses, int p) noexcept {
  return p < 0 ? SE3<S>{} : poses.T_WB[p];
}

/// (A^-1 V)_i in the body frame: the twist of body i in its parent.
template <Rep rep, class S>
Vec6<S> relative_twist(const Poses<S>& poses, int i, int p, Vec6<S> V, Vec6<S> V_p) noexcept {
  const SE3<S>& T = poses.T_WB[i];
  if constexpr (rep == Rep::body) return V - Ad_inverse(poses.T_PB[i], V_p);
  if constexpr (rep == Rep::spatial) return Ad_inverse(T, V - V_p);
  const SE3<S> T_p = parent_pose(poses, p);
  if constexpr (rep == Rep::mixed) V = hybrid(T, V), V_p = hybrid(T_p, V_p);
  V_p.linear += cross(T_p.p - T.p, V_p.angular);
  return in_body_axes(T, V - V_p);
}

/// S_i a_i + S'_i v_i in the body frame, from twists, accelerations and U = S_i v_i.
template <Rep rep, class S>
Vec6<S> relative_acceleration(const Poses<S>& poses, int i, int p, Vec6<S> V, Vec6<S> V_p,
                              Vec6<S> A, Vec6<S> A_p, const Vec6<S>& U) noexcept {
  const SE3<S>& T = poses.T_WB[i];
  if constexpr (rep == Rep::body) return A - Ad_inverse(poses.T_PB[i], A_p) + ad(U, V);
  if constexpr (rep == Rep::spatial) return Ad_inverse(T, A - A_p) - ad(Ad_inverse(T, V), U);
  const SE3<S> T_p = parent_pose(poses, p);
  if constexpr (rep == Rep::mixed) {
    V = hybrid(T, V), V_p = hybrid(T_p, V_p);
    A = hybrid(T, A), A_p = hybrid(T_p, A_p);
  }
  A_p.linear += cross(T_p.p - T.p, A_p.angular) + cross(V_p.linear - V.linear, V_p.angular);
  const Vec3<S> w = inverse_times(T.R, V.angular);
  return in_body_axes(T, A - A_p) - Vec6<S>{cross(w, U.angular), cross(w, U.linear)};
}

/// Least squares of one joint: sum S_k x_k = rhs, by Gram-Schmidt in the modified order, which with
/// the right-hand side carried along is as good as Householder's. Adds to the result.
template <class S>
void solve_joint(const Tree& tree, int joint, const Vec6<S>* screws, Vec6<S> rhs, S* x,
                 OverallInverse<S>& result, S& squares) noexcept {
  const Link& link = tree.links[joint];
  const int m = link.nv;
  // Sizes are seen beside those of the constant screws: in coordinates of the first kind a screw may
  // vanish, and what is left of it is rounding.
  double whole = 0;
  for (int k = 0; k < m; ++k) {
    const Vec6<double>& X = tree.screws[link.v + k];
    whole = std::max(whole, std::sqrt(dot(X, X)));
  }
  std::array<Vec6<S>, 6> q;
  std::array<std::array<S, 6>, 6> R{};
  std::array<S, 6> z{};
  std::array<bool, 6> found{};
  std::copy(screws, screws + m, q.begin());
  for (int k = 0; k < m; ++k) {
    const S size = sqrt(dot(q[k], q[k]));
    found[k] = all_of(size > S(static_cast<Real<S>>(1e4 * epsilon<S> * whole)));
    if (!found[k]) {
      ++result.undetermined;
      if (result.joint < 0) result.joint = joint;
      continue;
    }
    R[k][k] = size;
    q[k] = q[k] / size;
    for (int l = k + 1; l < m; ++l) {
      R[k][l] = dot(q[k], q[l]);
      q[l] -= q[k] * R[k][l];
    }
    z[k] = dot(q[k], rhs);
    rhs -= q[k] * z[k];
  }
  squares += dot(rhs, rhs);
  for (int k = m - 1; k >= 0; --k) {
    x[k] = S(0);
    if (!found[k]) continue;
    S sum = z[k];
    for (int l = k + 1; l < m; ++l) sum -= R[k][l] * x[l];
    x[k] = sum / R[k][k];
  }
}

}  // namespace

template <Rep rep, class S>
OverallInverse<S> joint_velocities(const Tree& tree, const Poses<S>& poses,
                                   In<Twist<rep, S>> twists, Out<S> v) noexcept {
  OverallInverse<S> result;
  S squares(0);
  for (int i = 0; i < tree.size(); ++i) {
    const Link& link = tree.links[i];
    const int p = link.parent;
    const Vec6<S> V_p = p < 0 ? Vec6<S>{} : twists[p].six();
    const Vec6<S> relative = relative_twist<rep>(poses, i, p, twists[i].six(), V_p);
    solve_joint(tree, i, poses.screws.data() + link.v, relative, v.data() + link.v, result,
                squares);
  }
  if (any_of(squares > S(0))) result.residual = sqrt(squares);
  return result;
}

template <Rep rep, class S>
OverallInverse<S> joint_accelerations(const Tree& tree, const Poses<S>& poses,
                                      In<Twist<rep, S>> twists,
                                      In<Acceleration<rep, S>> accelerations, In<S> v, Out<S> a) {
  OverallInverse<S> result;
  S squares(0);
  for (int i = 0; i < tree.size(); ++i) {
    const Link& link = tree.links[i];
    const int p = link.parent, m = link.nv;
    std::array<Vec6<S>, 12> screws;  // S and S'
    std::copy_n(poses.screws.data() + link.v, m, screws.begin());
    const std::array<const S*, 1> velocity{v.data()};
    joint_screw_derivatives<S>(tree, i, poses.q.data(), velocity, 1, screws.data());
    Vec6<S> U = Vec6<S>{}, bias = Vec6<S>{};
    for (int k = 0; k < m; ++k) {
      U += screws[k] * v[link.v + k];
      bias += screws[m + k] * v[link.v + k];
    }
    const Vec6<S> V_p = p < 0 ? Vec6<S>{} : twists[p].six();
    const Vec6<S> A_p = p < 0 ? Vec6<S>{} : accelerations[p].six();
    const Vec6<S> relative = relative_acceleration<rep>(poses, i, p, twists[i].six(), V_p,
                                                        accelerations[i].six(), A_p, U);
    solve_joint(tree, i, screws.data(), relative - bias, a.data() + link.v, result, squares);
  }
  if (any_of(squares > S(0))) result.residual = sqrt(squares);
  return result;
}

template OverallInverse<double> joint_velocities<Rep::body>(const Tree&, const Poses<double>&,
                                                            In<Twist<Rep::body, double>>,
                                                            Out<double>) noexcept;
template OverallInverse<double> joint_accelerations<Rep::body>(const Tree&, const Poses<double>&,
                                                               In<Twist<Rep::body, double>>,
                                                               In<Acceleration<Rep::body, double>>,
                                                               In<double>, Out<double>);
template OverallInverse<double> joint_velocities<Rep::spatial>(const Tree&, const Poses<double>&,
                                                               In<Twist<Rep::spatial, double>>,
                                                               Out<double>) noexcept;
template OverallInverse<double> joint_accelerations<Rep::spatial>(
    const Tree&, const Poses<double>&, In<Twist<Rep::spatial, double>>,
    In<Acceleration<Rep::spatial, double>>, In<double>, Out<double>);
template OverallInverse<double> joint_velocities<Rep::hybrid>(const Tree&, const Poses<double>&,
                                                              In<Twist<Rep::hybrid, double>>,
                                                              Out<double>) noexcept;
template OverallInverse<double> joint_accelerations<Rep::hybrid>(
    const Tree&, const Poses<double>&, In<Twist<Rep::hybrid, double>>,
    In<Acceleration<Rep::hybrid, double>>, In<double>, Out<double>);
template OverallInverse<double> joint_velocities<Rep::mixed>(const Tree&, const Poses<double>&,
                                                             In<Twist<Rep::mixed, double>>,
                                                             Out<double>) noexcept;
template OverallInverse<double> joint_accelerations<Rep::mixed>(
    const Tree&, const Poses<double>&, In<Twist<Rep::mixed, double>>,
    In<Acceleration<Rep::mixed, double>>, In<double>, Out<double>);
template OverallInverse<Dual<double>> joint_velocities<Rep::body>(
    const Tree&, const Poses<Dual<double>>&, In<Twist<Rep::body, Dual<double>>>,
    Out<Dual<double>>) noexcept;
template OverallInverse<Dual<double>> joint_accelerations<Rep::body>(
    const Tree&, const Poses<Dual<double>>&, In<Twist<Rep::body, Dual<double>>>,
    In<Acceleration<Rep::body, Dual<double>>>, In<Dual<double>>, Out<Dual<double>>);
template OverallInverse<Dual<double>> joint_velocities<Rep::spatial>(
    const Tree&, const Poses<Dual<double>>&, In<Twist<Rep::spatial, Dual<double>>>,
    Out<Dual<double>>) noexcept;
template OverallInverse<Dual<double>> joint_accelerations<Rep::spatial>(
    const Tree&, const Poses<Dual<double>>&, In<Twist<Rep::spatial, Dual<double>>>,
    In<Acceleration<Rep::spatial, Dual<double>>>, In<Dual<double>>, Out<Dual<double>>);
template OverallInverse<Dual<double>> joint_velocities<Rep::hybrid>(
    const Tree&, const Poses<Dual<double>>&, In<Twist<Rep::hybrid, Dual<double>>>,
    Out<Dual<double>>) noexcept;
template OverallInverse<Dual<double>> joint_accelerations<Rep::hybrid>(
    const Tree&, const Poses<Dual<double>>&, In<Twist<Rep::hybrid, Dual<double>>>,
    In<Acceleration<Rep::hybrid, Dual<double>>>, In<Dual<double>>, Out<Dual<double>>);
template OverallInverse<Dual<double>> joint_velocities<Rep::mixed>(
    const Tree&, const Poses<Dual<double>>&, In<Twist<Rep::mixed, Dual<double>>>,
    Out<Dual<double>>) noexcept;
template OverallInverse<Dual<double>> joint_accelerations<Rep::mixed>(
    const Tree&, const Poses<Dual<double>>&, In<Twist<Rep::mixed, Dual<double>>>,
    In<Acceleration<Rep::mixed, Dual<double>>>, In<Dual<double>>, Out<Dual<double>>);
}  // namespace axode
