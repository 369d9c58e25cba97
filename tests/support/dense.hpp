/// Decompositions by Eigen as references for tests; compiled once, in dense.cpp.
#pragma once
#include <Eigen/Core>

namespace axode::test {

/// Ascending.
Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A);
/// Smallest singular value: how independent the columns are.
double independence(const Eigen::MatrixXd& A);
/// The orthogonal projector on the span of independent columns.
Eigen::MatrixXd projector(const Eigen::MatrixXd& A);

struct LeastSquares {
  Eigen::VectorXd solution;
  double residual;
  int rank;
  double smallest_pivot;  ///< that counts for the rank, relative to the largest
  double
      largest_no_pivot;  ///< that does not count: of the size of rounding errors if rank is clear
};
/// min |A x - b| by orthogonal factorisation with column pivoting; the shortest x of all such.
LeastSquares least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

struct SvdRotation {
  Eigen::Matrix3d R;
  double gap;  ///< sum of the two smaller singular values, the last with the sign of det A
};
/// The rotation nearest to A by its singular value decomposition.
SvdRotation nearest_rotation_by_svd(const Eigen::Matrix3d& A);

}  // namespace axode::test
