#include "axode/linalg/rank.hpp"

#include <algorithm>
#include <cmath>

#include "axode/core/error.hpp"
#include "axode/linalg/detail/row_triangle.hpp"
#include "axode/linalg/singular_values.hpp"

namespace axode {
namespace {

constexpr int dense_limit = 300;
constexpr int value_limit = 2000;
/// Redundant rows of large matrices are told by earlier ones up to this number.
constexpr std::size_t exchange_limit = 200;

bool is_small(const SparseRows& J) { return std::max(J.rows, J.columns) <= dense_limit; }

DenseMatrix<double> dense(const SparseRows& J, bool is_scaled) {
  DenseMatrix<double> A = zero_matrix(J.rows, J.columns);
  for (int i = 0; i < J.rows; ++i)
    for (int k = J.start[i]; k < J.start[i + 1]; ++k) A(i, J.column[k]) = J.value[k];
  if (!is_scaled) return A;
  std::vector<double> norms(J.rows);
  for (int i = 0; i < J.rows; ++i) norms[i] = norm(A.row(i));
  // Rows of nothing but rounding are none.
  const double least = 1e-14 * max_abs(norms);
  for (int i = 0; i < J.rows; ++i)
    for (double& a : A.row(i)) a *= norms[i] > least ? 1 / norms[i] : 0;
  return A;
}

/// What each row has that earlier ones have not, by Gram-Schmidt done twice.
std::vector<double> new_in_rows(DenseMatrix<double> A, double tolerance) {
  std::vector<int> basis;  // rows of A that became unit vectors
  std::vector<double> result;
  for (int i = 0; i < A.rows; ++i) {
    const std::span<double> x = A.row(i);
    for (int pass = 0; pass < 2; ++pass)
      for (const int k : basis) {
        const double along = dot(A.row(k), x);
        for (int j = 0; j < A.columns; ++j) x[j] -= along * A(k, j);
      }
    result.push_back(norm(x));
    if (!(result.back() > tolerance) || std::ssize(basis) == A.columns) continue;
    for (double& a : x) a /= result.back();
    basis.push_back(i);
  }
  return result;
}

void dense_rank(const SparseRows& J, double tolerance, RankResult& result) {
  const DenseMatrix<double> A = dense(J, true);
  if (A.values.empty()) {
    for (int i = 0; i < J.rows; ++i) result.redundant.push_back(i);
    return;
  }
  const std::vector<double> sigma = singular_values(A);
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
  return singular_values(dense(J, false));
}

std::vector<std::vector<double>> null_space(const SparseRows& J, double tolerance) {
  std::vector<std::vector<double>> result;
  if (!is_small(J)) return triangle_null_space(row_triangle(J, tolerance), J.columns);
  const auto [sigma, none, V] =
      singular_decomposition(dense(J, true), Vectors::none, Vectors::full);
  int rank = 0;
  while (rank < std::ssize(sigma) && sigma[rank] > tolerance * sigma[0]) ++rank;
  for (int k = rank; k < J.columns; ++k) result.emplace_back(V.row(k).begin(), V.row(k).end());
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
