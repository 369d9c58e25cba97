// The factors of system_jacobian.hpp as matrices, each block by its own formula: nothing here is
// shared with the sweeps, so that the one checks the other.
#include "axode/kinematics/system_jacobian.hpp"
#include "axode/lie/adjoint.hpp"
#include "axode/model/joint_map.hpp"

namespace axode {

namespace {

template <class S>
DenseMatrix<S> zeros(int rows, int columns) {
  return {rows, columns, std::vector<S>(std::size_t(rows) * columns, S(0))};
}
template <class S>
void put(DenseMatrix<S>& M, int block_row, int block_column, const Mat6<S>& block) {
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) M(6 * block_row + i, 6 * block_column + j) = block(i, j);
}
/// diag(R, I), or diag(R^T, I).
template <class S>
Mat6<S> angular_block(const Mat3<S>& R) {
  return {R, {}, {}, Mat3<S>::identity()};
}
template <class S>
SE3<S> shift(const Vec3<S>& r) {
  return {{}, r};
}

template <Rep rep, class S>
Mat6<S> block_of_A(const SystemJacobian<rep, S>& J, int i, int j) {
  const SE3<S>&C_i = J.poses->T_WB[i], &C_j = J.poses->T_WB[j];
  if constexpr (rep == Rep::body) return Ad_matrix(inverse(C_i) * C_j);
  if constexpr (rep == Rep::hybrid) return Ad_matrix(shift(C_j.p - C_i.p));
  if constexpr (rep == Rep::mixed)
    return angular_block(transpose(C_i.R.matrix)) * Ad_matrix(shift(C_j.p - C_i.p));
  if constexpr (rep == Rep::spatial) {
    if (J.factors == SpatialFactors::body_screws) return Ad_matrix(C_j);
    if (J.factors == SpatialFactors::hybrid_screws) return Ad_matrix(shift(C_j.p));
    return Ad_matrix(C_j) * Ad_matrix(inverse(detail::cast<S>(J.zero_poses[j])));
  }
}

/// Block (i, i) and (i, p) of A^-1, up to the sign of the latter.
template <Rep rep, class S>
Mat6<S> block_of_inverse(const SystemJacobian<rep, S>& J, int i, int j) {
  const SE3<S>&C_i = J.poses->T_WB[i], &C_j = J.poses->T_WB[j];
  if constexpr (rep == Rep::mixed)
    return Ad_matrix(shift(C_j.p - C_i.p)) * angular_block(C_j.R.matrix);
  if constexpr (rep == Rep::spatial) {
    if (J.factors == SpatialFactors::body_screws) return Ad_matrix(inverse(C_i));
    if (J.factors == SpatialFactors::hybrid_screws) return Ad_matrix(shift(-C_i.p));
    return Ad_matrix(detail::cast<S>(J.zero_poses[i])) * Ad_matrix(inverse(C_i));
  }
  return block_of_A(J, i, j);
}

template <Rep rep, class S>
Vec6<S> column_of_X(const SystemJacobian<rep, S>& J, int i, int k) {
  const SE3<S>& C = J.poses->T_WB[i];
  const Vec6<S>& screw = J.poses->screws[k];
  if constexpr (rep == Rep::body) return screw;
  if constexpr (rep == Rep::spatial) {
    if (J.factors == SpatialFactors::body_screws) return screw;
    if (J.factors == SpatialFactors::zero_reference)
      return Ad_matrix(detail::cast<S>(J.zero_poses[i])) * screw;
  }
  return Ad_matrix(SE3<S>{C.R, {}}) * screw;
}

}  // namespace

template <Rep rep, class S>
DenseMatrix<S> dense_A(const SystemJacobian<rep, S>& J) {
  const int n = J.tree->size();
  DenseMatrix<S> A = zeros<S>(6 * n, 6 * n);
  for (int i = 0; i < n; ++i)
    for (int j = i; j >= 0; j = J.tree->links[j].parent) put(A, i, j, block_of_A(J, i, j));
  return A;
}

template <Rep rep, class S>
DenseMatrix<S> dense_A_inverse(const SystemJacobian<rep, S>& J) {
  const int n = J.tree->size();
  DenseMatrix<S> A = zeros<S>(6 * n, 6 * n);
  for (int i = 0; i < n; ++i) {
    put(A, i, i, block_of_inverse(J, i, i));
    const int p = J.tree->links[i].parent;
    if (p >= 0) put(A, i, p, -block_of_inverse(J, i, p));
  }
  return A;
}

template <Rep rep, class S>
DenseMatrix<S> dense_X(const SystemJacobian<rep, S>& J) {
  const int n = J.tree->size();
  DenseMatrix<S> X = zeros<S>(6 * n, J.tree->nv);
  for (int i = 0; i < n; ++i) {
    const Link& link = J.tree->links[i];
    for (int k = link.v; k < link.v + link.nv; ++k) {
      const Vec6<S> screw = column_of_X(J, i, k);
      for (int r = 0; r < 6; ++r) X(6 * i + r, k) = screw[r];
    }
  }
  return X;
}

template DenseMatrix<double> dense_A(const SystemJacobian<Rep::body, double>&);
template DenseMatrix<double> dense_A_inverse(const SystemJacobian<Rep::body, double>&);
template DenseMatrix<double> dense_X(const SystemJacobian<Rep::body, double>&);
template DenseMatrix<double> dense_A(const SystemJacobian<Rep::spatial, double>&);
template DenseMatrix<double> dense_A_inverse(const SystemJacobian<Rep::spatial, double>&);
template DenseMatrix<double> dense_X(const SystemJacobian<Rep::spatial, double>&);
template DenseMatrix<double> dense_A(const SystemJacobian<Rep::hybrid, double>&);
template DenseMatrix<double> dense_A_inverse(const SystemJacobian<Rep::hybrid, double>&);
template DenseMatrix<double> dense_X(const SystemJacobian<Rep::hybrid, double>&);
template DenseMatrix<double> dense_A(const SystemJacobian<Rep::mixed, double>&);
template DenseMatrix<double> dense_A_inverse(const SystemJacobian<Rep::mixed, double>&);
template DenseMatrix<double> dense_X(const SystemJacobian<Rep::mixed, double>&);
}  // namespace axode
