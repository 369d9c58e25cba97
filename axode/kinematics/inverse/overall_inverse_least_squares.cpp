// Least squares of overall_inverse.hpp. Behind each body, what is known is a set of rows F x = z on
// its twist x (body representation). With x = Ad x_p + S v the rows are triangularised in v, which
// leaves rows on x_p for the parent: QR factorisation of the weighted J, along the tree.
#include <algorithm>
#include <cmath>
#include <string>

#include "axode/core/error.hpp"
#include "axode/kinematics/inverse/overall_inverse.hpp"
#include "axode/lie/adjoint.hpp"
#include "axode/linalg/householder.hpp"

namespace axode {

namespace {

/// Up to two bodies' rows, on the velocities of a joint, a twist and the right-hand side.
using Rows = std::array<std::array<double, 13>, 12>;

using Column = std::array<double, 12>;
Column column_of(const Rows& M, int column) noexcept {
  Column x;
  for (int r = 0; r < 12; ++r) x[r] = M[r][column];
  return x;
}

double tail_norm(const Rows& M, int row, int column) noexcept {
  return std::sqrt(squares(column_of(M, column).data(), row, 6));
}

/// Householder reflection of the rows from `row` on, after which `column` is zero below `row`.
void reflect_rows(Rows& M, int row, int rows, int column, int columns) noexcept {
  Column u = column_of(M, column);
  double head = 0;
  const double factor = make_reflection(u.data(), row, rows, head);
  if (factor == 0) return;
  for (int c = column + 1; c < columns; ++c) {
    Column x = column_of(M, c);
    reflect(u.data(), factor, row, rows, x.data());
    for (int r = row; r < rows; ++r) M[r][c] = x[r];
  }
  M[row][column] = head;
  for (int r = row + 1; r < rows; ++r) M[r][column] = 0;
}

void check_weights(const Tree& tree, In<Vec6<double>> weights) {
  if (!weights.empty() && std::ssize(weights) != tree.size())
    throw Error("there are " + std::to_string(weights.size()) + " weights for " +
                    std::to_string(tree.size()) + " bodies",
                "least_squares_velocities", "give six numbers for each body, or none at all");
  for (std::size_t i = 0; i < weights.size(); ++i)
    for (int k = 0; k < 6; ++k)
      if (!(weights[i][k] >= 0) || !is_finite(weights[i][k]))
        throw Error("weight " + std::to_string(weights[i][k]), "body '" + tree.bodies[i].name + "'",
                    "weights are finite and not negative; zero leaves a component out");
}

/// The twist in representation rep of the body twist e_k, as columns of V^rep = K V^body.
template <Rep rep>
Mat6<double> to_representation(const SE3<double>& T) noexcept {
  if constexpr (rep == Rep::body) return Mat6<double>::identity();
  if constexpr (rep == Rep::spatial) return Ad_matrix(T);
  if constexpr (rep == Rep::hybrid) return {T.R.matrix, {}, {}, T.R.matrix};
  if constexpr (rep == Rep::mixed) return {Mat3<double>::identity(), {}, {}, T.R.matrix};
}

/// The rows of a body's own measurement; what has no weight is not looked at.
template <Rep rep>
void measure(const SE3<double>& T_WB, const Vec6<double>& twist, const Vec6<double>* weight,
             std::array<std::array<double, 7>, 6>& rows, double& scale) noexcept {
  const Mat6<double> K = to_representation<rep>(T_WB);
  double squares = 0;
  for (int r = 0; r < 6; ++r) {
    const double w = weight ? std::sqrt((*weight)[r]) : 1;
    for (int c = 0; c < 6; ++c) {
      rows[r][c] = w * K(r, c);
      squares += rows[r][c] * rows[r][c];
    }
    rows[r][6] = w > 0 ? w * twist[r] : 0;
  }
  scale = std::sqrt(squares);
}

/// Rows of body i on (v_i, x_p): [F S, F Ad, z].
Rows joint_rows(const Link& link, const Poses<double>& poses, int i,
                const std::array<std::array<double, 7>, 6>& knowledge) noexcept {
  Rows M{};
  for (int r = 0; r < 6; ++r) {
    const auto& F = knowledge[r];
    const Vec6<double> row{{F[0], F[1], F[2]}, {F[3], F[4], F[5]}};
    for (int k = 0; k < link.nv; ++k) M[r][k] = dot(row, poses.screws[link.v + k]);
    const Vec6<double> on_parent = Ad_inverse_transpose(poses.T_PB[i], row);
    for (int c = 0; c < 6; ++c) M[r][link.nv + c] = on_parent[c];
    M[r][link.nv + 6] = F[6];
  }
  return M;
}

/// Eliminates the velocities of joint i from its rows; returns how many rows that took.
int eliminate(const Tree& tree, int i, double tolerance, Rows& M, LeastSquaresWork& work,
              OverallInverse<double>& result) noexcept {
  const Link& link = tree.links[i];
  const int m = link.nv;
  int row = 0;
  for (int k = 0; k < m; ++k) {
    const Vec6<double>& screw = tree.screws[link.v + k];  // poses.screws may vanish
    const double least = tolerance * work.scale[i] * std::sqrt(dot(screw, screw));
    const bool open = row == 6 || tail_norm(M, row, k) <= least;
    work.undetermined[link.v + k] = open;
    if (open) {
      ++result.undetermined;
      result.joint = i;  // bodies come in descending order
      continue;
    }
    reflect_rows(M, row, 6, k, m + 7);
    work.rows[link.v + row].pivot = k;
    ++row;
  }
  for (int r = 0; r < m; ++r) {
    LeastSquaresWork::Row& saved = work.rows[link.v + r];
    if (r >= row) {
      saved.pivot = -1;
      continue;
    }
    for (int k = 0; k < m; ++k) saved.velocity[k] = M[r][k];
    for (int c = 0; c < 6; ++c) saved.parent[c] = M[r][m + c];
    saved.rhs = M[r][m + 6];
  }
  return row;
}

/// Adds rows first..5 of M, that are on the parent's twist alone, to what the parent knows. Returns
/// the sum of the squares no twist can mend.
double hand_over(const Rows& M, int first, int m,
                 std::array<std::array<double, 7>, 6>& knowledge) noexcept {
  Rows both{};
  for (int r = 0; r < 6; ++r) std::copy_n(knowledge[r].begin(), 7, both[r].begin());
  for (int r = first; r < 6; ++r) std::copy_n(M[r].begin() + m, 7, both[6 + r - first].begin());
  const int rows = 12 - first;
  for (int c = 0; c < 6; ++c) reflect_rows(both, c, rows, c, 7);
  for (int r = 0; r < 6; ++r) std::copy_n(both[r].begin(), 7, knowledge[r].begin());
  return squares(column_of(both, 6).data(), 6, rows);
}

/// From the ground outwards: velocities and twists. The twists replace the rows' right-hand sides.
void substitute(const Tree& tree, const Poses<double>& poses, LeastSquaresWork& work,
                Out<double> v) noexcept {
  for (int i = 0; i < tree.size(); ++i) {
    const Link& link = tree.links[i];
    Vec6<double> x{};
    if (link.parent >= 0)
      for (int c = 0; c < 6; ++c) x[c] = work.knowledge[link.parent][c][6];
    for (int k = 0; k < link.nv; ++k) v[link.v + k] = 0;
    for (int r = link.nv - 1; r >= 0; --r) {
      const LeastSquaresWork::Row& row = work.rows[link.v + r];
      if (row.pivot < 0) continue;
      double sum = row.rhs;
      for (int c = 0; c < 6; ++c) sum -= row.parent[c] * x[c];
      for (int k = row.pivot + 1; k < link.nv; ++k) sum -= row.velocity[k] * v[link.v + k];
      v[link.v + row.pivot] = sum / row.velocity[row.pivot];
    }
    Vec6<double> own = Ad_inverse(poses.T_PB[i], x);
    for (int k = link.v; k < link.v + link.nv; ++k) own += poses.screws[k] * v[k];
    for (int c = 0; c < 6; ++c) work.knowledge[i][c][6] = own[c];
  }
}

}  // namespace

LeastSquaresWork::LeastSquaresWork(const Tree& tree)
    : knowledge(tree.size()), scale(tree.size()), rows(tree.nv), undetermined(tree.nv) {}

template <Rep rep>
OverallInverse<double> least_squares_velocities(const Tree& tree, const Poses<double>& poses,
                                                In<Twist<rep>> twists, In<Vec6<double>> weights,
                                                LeastSquaresWork& work, Out<double> v,
                                                const LeastSquaresOptions& options) {
  check_weights(tree, weights);
  OverallInverse<double> result;
  double squares = 0;
  for (int i = 0; i < tree.size(); ++i)
    measure<rep>(poses.T_WB[i], twists[i].six(), weights.empty() ? nullptr : &weights[i],
                 work.knowledge[i], work.scale[i]);
  for (int i = tree.size() - 1; i >= 0; --i) {
    const Link& link = tree.links[i];
    Rows M = joint_rows(link, poses, i, work.knowledge[i]);
    const int used = eliminate(tree, i, options.rank_tolerance, M, work, result);
    if (link.parent < 0) {  // the world rests: what is left of the right-hand side stays
      const double rest = tail_norm(M, used, link.nv + 6);
      squares += rest * rest;
    } else {
      squares += hand_over(M, used, link.nv, work.knowledge[link.parent]);
      // Kept though the rows may be gone: it tells rounding errors from knowledge.
      double& scale = work.scale[link.parent];
      scale = std::max(scale, work.scale[i]);
    }
  }
  substitute(tree, poses, work, v);
  result.residual = std::sqrt(squares);
  return result;
}

template OverallInverse<double> least_squares_velocities<Rep::body>(
    const Tree&, const Poses<double>&, In<Twist<Rep::body>>, In<Vec6<double>>, LeastSquaresWork&,
    Out<double>, const LeastSquaresOptions&);
template OverallInverse<double> least_squares_velocities<Rep::spatial>(
    const Tree&, const Poses<double>&, In<Twist<Rep::spatial>>, In<Vec6<double>>, LeastSquaresWork&,
    Out<double>, const LeastSquaresOptions&);
template OverallInverse<double> least_squares_velocities<Rep::hybrid>(
    const Tree&, const Poses<double>&, In<Twist<Rep::hybrid>>, In<Vec6<double>>, LeastSquaresWork&,
    Out<double>, const LeastSquaresOptions&);
template OverallInverse<double> least_squares_velocities<Rep::mixed>(
    const Tree&, const Poses<double>&, In<Twist<Rep::mixed>>, In<Vec6<double>>, LeastSquaresWork&,
    Out<double>, const LeastSquaresOptions&);
}  // namespace axode
