#include "axode/mechanism/rank.hpp"

#include <algorithm>
#include <cmath>

#include "axode/error.hpp"
#include "axode/lie/eigen.hpp"
#include "axode/mechanism/row_triangle.hpp"

namespace axode {
namespace {

constexpr int dense_limit = 300;
constexpr int value_limit = 2000;
/// Redundant rows of large matrices are told by earlier ones up to this number.
constexpr std::size_t exchange_limit = 200;

using Matrix = Eigen::MatrixXd;

bool is_small(const SparseRows& J) { return std::max(J.rows, J.columns) <= dense_limit; }

Matrix dense(const SparseRows& J, bool is_scaled) {
  Matrix A = Matrix::Zero(J.rows, J.columns);
  for (int i = 0; i < J.rows; ++i)
    for (int k = J.start[i]; k < J.start[i + 1]; ++k) A(i, J.column[k]) = J.value[k];
  if (!is_scaled || A.size() == 0) return A;
  const Eigen::VectorXd norms = A.rowwise().norm();
  for (int i = 0; i < J.rows; ++i) {
    // Rows of nothing but rounding are none.
    const bool counts = norms[i] > 1e-14 * norms.maxCoeff();
    A.row(i) *= counts ? 1 / norms[i] : 0;
  }
  return A;
}

/// What each row has that earlier ones have not, by Gram-Schmidt done twice.
std::vector<double> new_in_rows(const Matrix& A, double tolerance) {
  Matrix Q(A.cols(), std::min(A.rows(), A.cols()));
  Eigen::Index count = 0;
  std::vector<double> result;
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    Eigen::VectorXd x = A.row(i).transpose();
    for (int pass = 0; pass < 2; ++pass)
      x -= Q.leftCols(count) * (Q.leftCols(count).transpose() * x);
    result.push_back(x.norm());
    if (result.back() > tolerance && count < Q.cols()) Q.col(count++) = x / result.back();
  }
  return result;
}

void dense_rank(const SparseRows& J, double tolerance, RankResult& result) {
  const Matrix A = dense(J, true);
  if (A.size() == 0) {
    for (int i = 0; i < J.rows; ++i) result.redundant.push_back(i);
    return;
  }
  const Eigen::VectorXd sigma = Eigen::BDCSVD<Matrix>(A).singularValues();
  const double limit = tolerance * sigma[0];
  for (const double s : sigma) {
    const double relative = sigma[0] > 0 ? s / sigma[0] : 0;
    if (s > limit) {
      ++result.rank;
      result.smallest_kept = relative;
    } else {
      result.largest_dropped = std::max(result.largest_dropped, relative);
    }
  }
  const std::vector<double> fresh = new_in_rows(A, limit);
  std::vector<int> order(J.rows);
  for (int i = 0; i < J.rows; ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](int i) { return fresh[i]; });
  order.resize(J.rows - result.rank);
  std::ranges::sort(order);
  result.redundant = order;
}

}  // namespace

RankResult matrix_rank(const SparseRows& J, double tolerance) {
  RankResult result;
  result.rows = J.rows;
  result.columns = J.columns;
  if (is_small(J)) {
    dense_rank(J, tolerance, result);
    return result;
  }
  const RowTriangle triangle = row_triangle(J, tolerance);
  result.rank = J.rows - static_cast<int>(triangle.redundant.size());
  result.smallest_kept = triangle.smallest_kept;
  result.largest_dropped = triangle.largest_dropped;
  result.redundant = triangle.redundant;
  if (result.redundant.size() <= exchange_limit)
    result.redundant = last_of_dependent(row_dependences(J, result), tolerance);
  return result;
}

std::vector<double> singular_values(const SparseRows& J) {
  if (std::max(J.rows, J.columns) > value_limit)
    throw LimitError("singular values of a matrix of " + std::to_string(J.rows) + " x " +
                         std::to_string(J.columns),
                     "singular_values", "use matrix_rank");
  const Matrix A = dense(J, false);
  if (A.size() == 0) return {};
  const Eigen::VectorXd sigma = Eigen::BDCSVD<Matrix>(A).singularValues();
  return {sigma.begin(), sigma.end()};
}

std::vector<std::vector<double>> null_space(const SparseRows& J, double tolerance) {
  std::vector<std::vector<double>> result;
  if (!is_small(J)) return triangle_null_space(row_triangle(J, tolerance), J.columns);
  Matrix V = Matrix::Identity(J.columns, J.columns);
  Eigen::Index rank = 0;
  if (J.rows > 0 && J.columns > 0) {
    const Eigen::BDCSVD<Matrix> svd(dense(J, true), Eigen::ComputeFullV);
    const Eigen::VectorXd& sigma = svd.singularValues();
    while (rank < sigma.size() && sigma[rank] > tolerance * sigma[0]) ++rank;
    V = svd.matrixV();
  }
  for (Eigen::Index k = rank; k < J.columns; ++k)
    result.emplace_back(V.col(k).begin(), V.col(k).end());
  return result;
}

std::vector<RowDependence> row_dependences(const SparseRows& J, const RankResult& rank) {
  std::vector<int> keep;
  for (int i = 0; i < J.rows; ++i)
    if (!std::ranges::binary_search(rank.redundant, i)) keep.push_back(i);
  std::vector<RowDependence> result;
  if (rank.redundant.empty()) return result;
  LeastNorm solver;
  solver.factor(rows_of(J, keep));
  std::vector<double> f(J.columns), y(keep.size());
  for (const int row : rank.redundant) {
    std::ranges::fill(f, 0.0);
    double norm = 0;
    for (int k = J.start[row]; k < J.start[row + 1]; ++k) {
      f[J.column[k]] = J.value[k];
      norm = std::max(norm, std::abs(J.value[k]));
    }
    RowDependence dependence{.row = row, .parts = {}};
    if (norm > 0) solver.solve_transposed(f, y);
    double largest = 0;
    for (const double x : y) largest = std::max(largest, std::abs(x));
    for (std::size_t n = 0; n < keep.size() && norm > 0; ++n)
      if (std::abs(y[n]) > 1e-9 * largest) dependence.parts.push_back({keep[n], y[n]});
    result.push_back(dependence);
  }
  return result;
}

}  // namespace axode
