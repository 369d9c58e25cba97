#include "axode/linalg/singular_values.hpp"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>

#include "axode/core/finite.hpp"

namespace axode {
namespace {

/// Smaller matrices by Jacobi's rotations: slower, but divide and conquer may lose three digits.
constexpr int jacobi_below = 100;

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The first `count` columns as rows; unit vectors if there are none.
DenseMatrix<double> vectors_of(const Eigen::MatrixXd& columns, int count, int size) {
  DenseMatrix<double> result = zero_matrix(count, size);
  Eigen::Map<Rows> rows(result.values.data(), count, size);
  if (columns.size() == 0)
    rows.setIdentity();
  else
    rows = columns.leftCols(count).transpose();
  return result;
}

}  // namespace

SingularDecomposition singular_decomposition(const DenseMatrix<double>& A, Vectors left,
                                             Vectors right) {
  const int n = std::min(A.rows, A.columns);
  const auto count = [&](Vectors vectors, int size) {
    return vectors == Vectors::full ? size : vectors == Vectors::thin ? n : 0;
  };
  const int lefts = count(left, A.rows), rights = count(right, A.columns);
  SingularDecomposition result;
  if (n == 0 || !all_finite(A.values)) {
    result.values.assign(n, std::numeric_limits<double>::quiet_NaN());
    result.left = vectors_of({}, lefts, A.rows);
    result.right = vectors_of({}, rights, A.columns);
    return result;
  }
  unsigned options = 0;
  if (left != Vectors::none)
    options |= left == Vectors::full ? Eigen::ComputeFullU : Eigen::ComputeThinU;
  if (right != Vectors::none)
    options |= right == Vectors::full ? Eigen::ComputeFullV : Eigen::ComputeThinV;
  Eigen::BDCSVD<Eigen::MatrixXd> svd;
  svd.setSwitchSize(jacobi_below);
  svd.compute(Eigen::Map<const Rows>(A.values.data(), A.rows, A.columns), options);
  result.values.assign(svd.singularValues().begin(), svd.singularValues().end());
  if (lefts > 0) result.left = vectors_of(svd.matrixU(), lefts, A.rows);
  if (rights > 0) result.right = vectors_of(svd.matrixV(), rights, A.columns);
  return result;
}

std::vector<double> singular_values(const DenseMatrix<double>& A) {
  return singular_decomposition(A, Vectors::none, Vectors::none).values;
}

std::vector<double> least_squares(const DenseMatrix<double>& A, std::span<const double> b,
                                  double tolerance) {
  const SingularDecomposition svd = singular_decomposition(A, Vectors::thin, Vectors::thin);
  std::vector<double> x(A.columns, 0.0);
  for (int k = 0; k < std::ssize(svd.values); ++k) {
    if (!(svd.values[k] > tolerance * svd.values[0])) break;
    const double along = dot(svd.left.row(k), b) / svd.values[k];
    for (int i = 0; i < A.columns; ++i) x[i] += along * svd.right(k, i);
  }
  return x;
}

ExtremeSingularValues extreme_singular_values(double* a, int count, int length) noexcept {
  const auto product = [&](int i, int j) {
    double sum = 0;
    for (int k = 0; k < length; ++k) sum += a[i * length + k] * a[j * length + k];
    return sum;
  };
  bool rotated = true;
  for (int sweep = 0; sweep < 40 && rotated; ++sweep) {
    rotated = false;
    for (int i = 0; i < count; ++i)
      for (int j = i + 1; j < count; ++j) {
        const double aa = product(i, i), bb = product(j, j), ab = product(i, j);
        if (std::abs(ab) <= 1e-15 * std::sqrt(aa * bb)) continue;
        rotated = true;
        const double z = (bb - aa) / (2 * ab);
        const double t = (z < 0 ? -1 : 1) / (std::abs(z) + std::sqrt(1 + z * z));
        const double c = 1 / std::sqrt(1 + t * t), s = c * t;
        for (int k = 0; k < length; ++k) {
          const double x = a[i * length + k], y = a[j * length + k];
          a[i * length + k] = c * x - s * y, a[j * length + k] = s * x + c * y;
        }
      }
  }
  double largest = 0, smallest = HUGE_VAL;
  for (int i = 0; i < count; ++i) {
    const double length_of = std::sqrt(product(i, i));
    largest = std::max(largest, length_of), smallest = std::min(smallest, length_of);
  }
  return {largest, smallest};
}

}  // namespace axode
