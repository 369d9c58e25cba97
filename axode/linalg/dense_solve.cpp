#include "axode/linalg/dense_solve.hpp"

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>

namespace axode {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Map<const RowMajor> view(const DenseMatrix<double>& A) {
  return {A.values.data(), A.rows, A.columns};
}

}  // namespace

std::vector<double> solve_linear(const DenseMatrix<double>& A, std::span<const double> b) {
  std::vector<double> x(A.rows);
  Eigen::Map<Eigen::VectorXd>(x.data(), A.rows) = Eigen::MatrixXd(view(A)).partialPivLu().solve(
      Eigen::Map<const Eigen::VectorXd>(b.data(), A.rows));
  return x;
}

PivotedQr pivoted_qr(const DenseMatrix<double>& A) {
  const int n = std::min(A.rows, A.columns);
  PivotedQr result{zero_matrix(n, A.columns), std::vector<int>(A.columns)};
  for (int k = 0; k < A.columns; ++k) result.column[k] = k;
  if (n == 0) return result;
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(view(A));
  Eigen::Map<RowMajor>(result.R.values.data(), n, A.columns) =
      qr.matrixQR().topRows(n).triangularView<Eigen::Upper>();
  for (int k = 0; k < A.columns; ++k) result.column[k] = qr.colsPermutation().indices()[k];
  return result;
}

}  // namespace axode
