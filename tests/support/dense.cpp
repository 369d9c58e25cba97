#include "tests/support/dense.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace axode::test {

Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

double independence(const Eigen::MatrixXd& A) {
  return std::sqrt(symmetric_eigenvalues(A.transpose() * A).minCoeff());
}

Eigen::MatrixXd projector(const Eigen::MatrixXd& A) {
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(A);
  const Eigen::MatrixXd Q = qr.householderQ() * Eigen::MatrixXd::Identity(A.rows(), A.cols());
  return Q * Q.transpose();
}

LeastSquares least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> qr(A.rows(), A.cols());
  qr.setThreshold(1e-11);
  qr.compute(A);
  const Eigen::VectorXd x = qr.solve(b);
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> pivots(A);
  const Eigen::Index rank = qr.rank();
  const auto pivot = [&](Eigen::Index k) {
    return std::abs(pivots.matrixQR()(k, k)) / std::max(1e-300, pivots.maxPivot());
  };
  return {x, (A * x - b).norm(), static_cast<int>(rank), rank > 0 ? pivot(rank - 1) : 1,
          rank < std::min(A.rows(), A.cols()) ? pivot(rank) : 0};
}

SvdRotation nearest_rotation_by_svd(const Eigen::Matrix3d& A) {
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Eigen::Matrix3d U = svd.matrixU(), V = svd.matrixV();
  const double sign = (U * V.transpose()).determinant() < 0 ? -1 : 1;
  return {U * Eigen::Vector3d(1, 1, sign).asDiagonal() * V.transpose(),
          svd.singularValues()(1) + sign * svd.singularValues()(2)};
}

}  // namespace axode::test
