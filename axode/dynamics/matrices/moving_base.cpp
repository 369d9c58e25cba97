#include "axode/dynamics/matrices/moving_base.hpp"

#include <algorithm>
#include <array>

#include "axode/core/error.hpp"
#include "axode/kinematics/any_scalar/motion.hpp"
#include "axode/lie/adjoint.hpp"
#include "axode/lie/dual.hpp"

namespace axode {

namespace detail {

/// The body twist of the base from its velocity in some form, V = K nu, and dK/dt.
template <class S>
struct ToBodyTwist {
  Mat6<S> K, K_inverse, K_rate;
  bool singular = false;
};

template <class S>
constexpr Mat6<S> block_diagonal(const Mat3<S>& angular, const Mat3<S>& linear) noexcept {
  return {angular, {}, {}, linear};
}

template <class S>
ToBodyTwist<S> to_body_twist(Rep form, const SE3<S>& T_WB, const Vec6<S>& V) noexcept {
  const Mat3<S>& R = T_WB.R.matrix;
  const Mat3<S> Rt = transpose(R), one = Mat3<S>::identity(), Rt_rate = -(skew(V.angular) * Rt);
  // V = Ad_C^-1 V^s = diag(R^T, R^T) V^h = diag(I, R^T) V^m  [MuellerKin Table 3]
  // d/dt Ad_C^-1 = -ad_V Ad_C^-1, d/dt R^T = -w~ R^T
  switch (form) {
    case Rep::spatial: {
      const Mat6<S> K = Ad_matrix(inverse(T_WB));
      return {K, Ad_matrix(T_WB), -(ad_matrix(V) * K)};
    }
    case Rep::hybrid:
      return {block_diagonal(Rt, Rt), block_diagonal(R, R), block_diagonal(Rt_rate, Rt_rate)};
    case Rep::mixed:
      return {block_diagonal(one, Rt), block_diagonal(one, R), block_diagonal({}, Rt_rate)};
    case Rep::body:
      break;
  }
  return {Mat6<S>::identity(), Mat6<S>::identity(), Mat6<S>{}};
}

/// Inverse by elimination; rows change places lane by lane. Returns whether a pivot vanished.
template <class S>
bool invert(Mat6<S> A, Mat6<S>& result) noexcept {
  result = Mat6<S>::identity();
  bool singular = false;
  for (int k = 0; k < 6; ++k) {
    for (int r = k + 1; r < 6; ++r) {
      const auto larger = abs(A(r, k)) > abs(A(k, k));
      for (Mat6<S>* M : {&A, &result})
        for (int c = 0; c < 6; ++c) {
          const S upper = (*M)(k, c), lower = (*M)(r, c);
          (*M)(k, c) = select(larger, lower, upper);
          (*M)(r, c) = select(larger, upper, lower);
        }
    }
    singular = singular || any_of(!(abs(A(k, k)) > S(Real<S>(1e4) * epsilon<S>)));
    const S factor = S(1) / A(k, k);
    for (Mat6<S>* M : {&A, &result})
      for (int c = 0; c < 6; ++c) (*M)(k, c) *= factor;
    for (int r = 0; r < 6; ++r) {
      if (r == k) continue;
      const S by = A(r, k);
      for (int c = 0; c < 6; ++c) {
        A(r, c) -= by * A(k, c);
        result(r, c) -= by * result(k, c);
      }
    }
  }
  return singular;
}

template <class S>
Mat6<S> from_columns(const Vec6<S>* columns) noexcept {
  Mat6<S> M;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) M(i, j) = columns[j][i];
  return M;
}

/// Of the tree's own base velocity: K = S, the screws of the free joint.
template <class S>
ToBodyTwist<S> own_to_body_twist(const Tree& tree, const Poses<S>& poses, In<S> v) noexcept {
  const Link& link = tree.links[0];
  std::array<Vec6<S>, 12> screws;
  std::copy_n(poses.screws.begin(), 6, screws.begin());
  ToBodyTwist<S> result{from_columns(screws.data()), {}, {}};
  const Mat6<S>& K = result.K;
  if (link.map == JointMap::free)  // K is the matrix of some Ad: [R 0; p~R R]
    result.K_inverse = {transpose(K.aa), {}, transpose(K.la), transpose(K.ll)};
  else
    result.singular = invert(K, result.K_inverse);
  if (has_constant_screws(link)) return result;
  const std::array<const S*, 1> velocity{v.data()};
  joint_screw_derivatives<S>(tree, 0, poses.q.data(), velocity, 1, screws.data());
  result.K_rate = from_columns(screws.data() + 6);
  return result;
}

/// K_old Y = K_new.
template <class S>
BaseChange<S> change_between(const ToBodyTwist<S>& old_form,
                             const ToBodyTwist<S>& new_form) noexcept {
  // v = Y nu  [TraversaroSaccon (76), (79)]; from K_old' Y + K_old Y' = K_new' its rate
  const Mat6<S> Y = old_form.K_inverse * new_form.K;
  return {Y, new_form.K_inverse * old_form.K,
          old_form.K_inverse * (new_form.K_rate - old_form.K_rate * Y),
          old_form.singular || new_form.singular};
}

template <class S>
Vec6<S> first_six(In<S> x) noexcept {
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}
/// Copies x to the result, but for its first six numbers.
template <class S>
void write(const Vec6<S>& base, In<S> x, Out<S> result) noexcept {
  if (result.data() != x.data()) std::copy(x.begin() + 6, x.end(), result.begin() + 6);
  for (int k = 0; k < 6; ++k) result[k] = base[k];
}

}  // namespace detail

template <class S>
BaseChange<S> base_change(const SE3<S>& T_WB, const Twist<Rep::body, S>& V, Rep old_form,
                          Rep new_form) noexcept {
  return detail::change_between(detail::to_body_twist(old_form, T_WB, V.six()),
                                detail::to_body_twist(new_form, T_WB, V.six()));
}

template <class S>
BaseChange<S> base_change(const Tree& tree, const Poses<S>& poses, In<S> v, Rep form) noexcept {
  const Vec6<S> V = detail::relative_twist(tree.links[0], poses.screws.data(), v.data());
  return detail::change_between(detail::own_to_body_twist(tree, poses, v),
                                detail::to_body_twist(form, poses.T_WB[0], V));
}

template <class S>
BaseChange<S> inverse(const BaseChange<S>& change) noexcept {
  return {change.Y_inverse, change.Y, -(change.Y_inverse * change.Y_rate * change.Y_inverse),
          change.singular};
}

template <class S>
void change_velocity(const BaseChange<S>& change, In<S> v, Out<S> nu) noexcept {
  detail::write<S>(change.Y_inverse * detail::first_six<S>(v), v, nu);
}

template <class S>
void change_acceleration(const BaseChange<S>& change, In<S> nu, In<S> a, Out<S> result) noexcept {
  const Vec6<S> rest = detail::first_six<S>(a) - change.Y_rate * detail::first_six<S>(nu);
  detail::write<S>(change.Y_inverse * rest, a, result);
}

template <class S>
void change_force(const BaseChange<S>& change, In<S> force, Out<S> result) noexcept {
  detail::write<S>(transpose(change.Y) * detail::first_six<S>(force), force, result);
}

template <class S>
void change_jacobian(const BaseChange<S>& change, Out<Vec6<S>> columns) noexcept {
  // J' = J Y  [TraversaroSaccon (75)]
  const Mat6<S> J = detail::from_columns(columns.data()) * change.Y;
  for (int j = 0; j < 6; ++j)
    for (int i = 0; i < 6; ++i) columns[j][i] = J(i, j);
}

template <class S>
void change_mass_matrix(const BaseChange<S>& change, PathMatrix<S>& M) noexcept {
  const Mat6<S> Yt = transpose(change.Y);
  Mat6<S> base;
  for (int k = 0; k < 6; ++k)
    for (int j = 0; j <= k; ++j) base(k, j) = base(j, k) = M.row(k)[k - j];
  base = Yt * base * change.Y;
  for (int k = 0; k < 6; ++k)
    for (int j = 0; j <= k; ++j) M.row(k)[k - j] = base(k, j);
  for (int k = 6; k < M.size(); ++k) {
    int root = k;
    while (M.parent[root] >= 0) root = M.parent[root];
    if (root != 0) continue;                  // a body on the world, beside the base
    S* end = M.row(k) + M.row_length(k) - 1;  // velocity 0, before it 1, ...
    Vec6<S> x;
    for (int j = 0; j < 6; ++j) x[j] = *(end - j);
    x = Yt * x;
    for (int j = 0; j < 6; ++j) *(end - j) = x[j];
  }
}

namespace detail {
/// A becomes A Y, or Y^T A, in the first six columns or rows.
template <class S>
void times_Y(const Mat6<S>& Y, DenseMatrix<S>& A) noexcept {
  const Mat6<S> Yt = transpose(Y);
  for (int i = 0; i < A.rows; ++i) {
    Vec6<S> x;
    for (int j = 0; j < 6; ++j) x[j] = A(i, j);
    x = Yt * x;
    for (int j = 0; j < 6; ++j) A(i, j) = x[j];
  }
}
template <class S>
void Y_transpose_times(const Mat6<S>& Y, DenseMatrix<S>& A) noexcept {
  const Mat6<S> Yt = transpose(Y);
  for (int j = 0; j < A.columns; ++j) {
    Vec6<S> x;
    for (int i = 0; i < 6; ++i) x[i] = A(i, j);
    x = Yt * x;
    for (int i = 0; i < 6; ++i) A(i, j) = x[i];
  }
}
}  // namespace detail

template <class S>
void change_mass_matrix(const BaseChange<S>& change, DenseMatrix<S>& M) noexcept {
  detail::times_Y(change.Y, M);
  detail::Y_transpose_times(change.Y, M);
}

template <class S>
void change_coriolis_matrix(const BaseChange<S>& change, const DenseMatrix<S>& M,
                            DenseMatrix<S>& C) noexcept {
  // C' = Y^T (C Y + M dY/dt)  [TraversaroSaccon sec. 9, corrected: docs/errata.md]
  detail::times_Y(change.Y, C);
  const Mat6<S> rate_t = transpose(change.Y_rate);
  for (int i = 0; i < C.rows; ++i) {
    Vec6<S> x;
    for (int j = 0; j < 6; ++j) x[j] = M(i, j);
    x = rate_t * x;
    for (int j = 0; j < 6; ++j) C(i, j) += x[j];
  }
  detail::Y_transpose_times(change.Y, C);
}

template <class S>
void force_of_joints(In<S> tau, Out<S> force) noexcept {
  // S tau  [TraversaroSaccon (80)]
  std::copy(tau.begin(), tau.end(), force.begin() + 6);
  std::fill_n(force.begin(), 6, S(0));
}

template <class S>
MovingBaseDynamics<S>::MovingBaseDynamics(const Tree& tree)
    : nu((check_free_base(tree, "MovingBaseDynamics"), tree.nv)),
      M(tree),
      coriolis(nu.size()),
      gravity(nu.size()),
      composite(tree),
      recursion(tree),
      zero(nu.size(), S(0)),
      acceleration(nu.size(), S(0)) {}

template <class S>
void moving_base_dynamics(const Tree& tree, const Poses<S>& poses, In<S> v, Rep form,
                          MovingBaseDynamics<S>& result, const Effects& effects) noexcept {
  // M nu' + C nu + G = S tau + sum J_k^T f_k, the left-hand side  [TraversaroSaccon (80)]
  result.change = base_change(tree, poses, v, form);
  change_velocity<S>(result.change, v, result.nu);
  composite_inertias(tree, poses, result.composite);
  mass_matrix(tree, result.composite, result.M, effects);
  change_mass_matrix(result.change, result.M);
  // C nu is what is left at nu' = 0, where the tree's own velocities have the rate dY/dt nu.
  const Vec6<S> rate = result.change.Y_rate * detail::first_six<S>(result.nu);
  for (int k = 0; k < 6; ++k) result.acceleration[k] = rate[k];
  Effects moving = effects, resting = no_effects;
  moving.gravity = false;
  resting.gravity = effects.gravity;
  inverse_dynamics<Rep::body, S>(tree, poses, v, result.acceleration, result.recursion,
                                 result.coriolis, {}, moving);
  inverse_dynamics<Rep::body, S>(tree, poses, result.zero, result.zero, result.recursion,
                                 result.gravity, {}, resting);
  change_force<S>(result.change, result.coriolis, result.coriolis);
  change_force<S>(result.change, result.gravity, result.gravity);
}

bool has_free_base(const Tree& tree) noexcept {
  return tree.size() > 0 && tree.links[0].parent < 0 &&
         tree.bodies[0].joint_type == JointType::free;
}

void check_free_base(const Tree& tree, const char* where) {
  if (!has_free_base(tree))
    throw Error("the first body" +
                    (tree.bodies.empty() ? std::string() : " '" + tree.bodies[0].name + "'") +
                    " does not move freely in the world",
                tree.name.empty() ? where : where + (" of '" + tree.name + "'"),
                "give it a free joint to the world");
}

MovingBaseDynamics<double> moving_base_dynamics(const Tree& tree, In<double> q, In<double> v,
                                                Rep form, const Effects& effects) {
  MovingBaseDynamics<double> result(tree);
  check_velocity(tree, v);
  moving_base_dynamics<double>(tree, poses(tree, q), v, form, result, effects);
  return result;
}

template BaseChange<double> base_change(const SE3<double>&, const Twist<Rep::body, double>&, Rep,
                                        Rep) noexcept;
template BaseChange<double> base_change(const Tree&, const Poses<double>&, In<double>,
                                        Rep) noexcept;
template BaseChange<double> inverse(const BaseChange<double>&) noexcept;
template void change_velocity(const BaseChange<double>&, In<double>, Out<double>) noexcept;
template void change_acceleration(const BaseChange<double>&, In<double>, In<double>,
                                  Out<double>) noexcept;
template void change_force(const BaseChange<double>&, In<double>, Out<double>) noexcept;
template void change_jacobian(const BaseChange<double>&, Out<Vec6<double>>) noexcept;
template void change_mass_matrix(const BaseChange<double>&, PathMatrix<double>&) noexcept;
template void change_mass_matrix(const BaseChange<double>&, DenseMatrix<double>&) noexcept;
template void change_coriolis_matrix(const BaseChange<double>&, const DenseMatrix<double>&,
                                     DenseMatrix<double>&) noexcept;
template void force_of_joints<double>(In<double>, Out<double>) noexcept;
template struct MovingBaseDynamics<double>;
template void moving_base_dynamics(const Tree&, const Poses<double>&, In<double>, Rep,
                                   MovingBaseDynamics<double>&, const Effects&) noexcept;

template BaseChange<Dual<double>> base_change(const SE3<Dual<double>>&,
                                              const Twist<Rep::body, Dual<double>>&, Rep,
                                              Rep) noexcept;
template BaseChange<Dual<double>> base_change(const Tree&, const Poses<Dual<double>>&,
                                              In<Dual<double>>, Rep) noexcept;
template BaseChange<Dual<double>> inverse(const BaseChange<Dual<double>>&) noexcept;
template void change_velocity(const BaseChange<Dual<double>>&, In<Dual<double>>,
                              Out<Dual<double>>) noexcept;
template void change_acceleration(const BaseChange<Dual<double>>&, In<Dual<double>>,
                                  In<Dual<double>>, Out<Dual<double>>) noexcept;
template void change_force(const BaseChange<Dual<double>>&, In<Dual<double>>,
                           Out<Dual<double>>) noexcept;
template void change_jacobian(const BaseChange<Dual<double>>&, Out<Vec6<Dual<double>>>) noexcept;
template void change_mass_matrix(const BaseChange<Dual<double>>&,
                                 PathMatrix<Dual<double>>&) noexcept;
template void change_mass_matrix(const BaseChange<Dual<double>>&,
                                 DenseMatrix<Dual<double>>&) noexcept;
template void change_coriolis_matrix(const BaseChange<Dual<double>>&,
                                     const DenseMatrix<Dual<double>>&,
                                     DenseMatrix<Dual<double>>&) noexcept;
template void force_of_joints<Dual<double>>(In<Dual<double>>, Out<Dual<double>>) noexcept;
template struct MovingBaseDynamics<Dual<double>>;
template void moving_base_dynamics(const Tree&, const Poses<Dual<double>>&, In<Dual<double>>, Rep,
                                   MovingBaseDynamics<Dual<double>>&, const Effects&) noexcept;

}  // namespace axode
