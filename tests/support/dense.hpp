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

struct SvdRotation {
  Eigen::Matrix3d R;
  double gap;  ///< sum of the two smaller singular values, the last with the sign of det A
};
/// The rotation nearest to A by its singular value decomposition.
SvdRotation nearest_rotation_by_svd(const Eigen::Matrix3d& A);

}  // namespace axode::test
