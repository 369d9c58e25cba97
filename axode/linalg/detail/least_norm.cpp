#include <algorithm>
#include <cmath>

#include "axode/linalg/largest.hpp"
#include "axode/linalg/rank.hpp"

namespace axode {

using detail::largest;

namespace {

/// mu relative to squared rows: what J has in common with redundant rows is told from rounding.
constexpr double least_damping = 1e-12;
/// Rows this small against the largest have nothing to say.
constexpr double rounding = 1e-14;
/// Beyond this condition a square J counts as singular.
constexpr double worst_condition = 1e11;

}  // namespace

double row_norm(const SparseRows& J) noexcept {
  double result = 0;
  for (int i = 0; i < J.rows; ++i) {
    double sum = 0;
    for (int k = J.start[i]; k < J.start[i + 1]; ++k) sum += std::abs(J.value[k]);
    result = std::max(result, sum);
  }
  return result;
}

SparseRows rows_of(const SparseRows& J, std::span<const int> keep) {
  SparseRows result;
  result.begin(static_cast<int>(keep.size()), J.columns);
  for (std::size_t n = 0; n < keep.size(); ++n)
    for (int k = J.start[keep[n]]; k < J.start[keep[n] + 1]; ++k)
      result.add(static_cast<int>(n), J.column[k], J.value[k]);
  result.end();
  return result;
}

SparseRows bordered(const SparseRows& J, std::span<const double> row,
                    std::span<const double> column) {
  SparseRows result;
  result.begin(J.rows + (row.empty() ? 0 : 1), J.columns + (column.empty() ? 0 : 1));
  for (int i = 0; i < J.rows; ++i) {
    for (int k = J.start[i]; k < J.start[i + 1]; ++k) result.add(i, J.column[k], J.value[k]);
    if (!column.empty() && column[i] != 0) result.add(i, J.columns, column[i]);
  }
  for (std::size_t j = 0; j < row.size(); ++j) result.add(J.rows, static_cast<int>(j), row[j]);
  result.end();
  return result;
}

void LeastNorm::factor(const SparseRows& J, double damping) {
  if (J.start != J_.start || J.column != J_.column || J.columns != J_.columns) {
    square_ = {};
    augmented_ = {};
    square_lu_ = {};
    augmented_lu_ = {};
    J_.rows = J.rows;
    J_.columns = J.columns;
    J_.start = J.start;
    J_.column = J.column;
  }
  J_.value = J.value;
  const std::size_t size = J.rows + J.columns;
  work_.resize(size);
  left_.resize(size);
  part_.resize(size);
  squares_.assign(J.rows, 0);
  for (int i = 0; i < J.rows; ++i) {
    for (int k = J.start[i]; k < J.start[i + 1]; ++k) squares_[i] += J.value[k] * J.value[k];
  }
  const double whole = J.rows > 0 ? *std::ranges::max_element(squares_) : 0;
  for (int i = 0; i < J.rows; ++i) {
    if (squares_[i] > rounding * rounding * whole) continue;
    // An equation that is met wherever bodies go, but for rounding, which must not count as a row.
    for (int k = J.start[i]; k < J.start[i + 1]; ++k) J_.value[k] = 0;
    squares_[i] = 1;
  }
  // The damping of a user is the same for all rows: those that vanish here stay harmless.
  if (damping > 0 && J.rows > 0) std::ranges::fill(squares_, *std::ranges::max_element(squares_));
  regular_ = damping == 0 && factor_square();
  if (!regular_) factor_augmented(std::max(damping, least_damping));
}

bool LeastNorm::factor_square() {
  if (J_.rows != J_.columns || J_.rows == 0) return false;
  square_.begin(J_.rows);
  if (!square_.ready) square_.entries.reserve(J_.column.size());
  for (int i = 0; i < J_.rows; ++i)
    for (int k = J_.start[i]; k < J_.start[i + 1]; ++k) square_.add(i, J_.column[k], J_.value[k]);
  square_.end();
  if (!square_lu_.factor(square_.matrix)) return false;
  // A right hand side without structure meets the smallest singular value nearly surely.
  std::uint32_t random = 12345;
  for (int i = 0; i < J_.rows; ++i) {
    random = random * 1664525U + 1013904223U;
    const double r = (random >> 16U) % 2U == 0 ? 1.0 : -0.7;
    work_[i] = r * std::sqrt(squares_[i]);
  }
  const std::span<double> x(work_.data(), J_.rows);
  square_lu_.solve(x);
  const double size = largest(x);
  return std::isfinite(size) && size < worst_condition;
}

void LeastNorm::factor_augmented(double damping) {
  const int n = J_.columns;
  // Growth of damping until the pivots are regular: ends, as the matrix is quasi-definite.
  for (double mu = damping;; mu *= 100) {
    augmented_.begin(n + J_.rows);
    for (int j = 0; j < n; ++j) augmented_.add(j, j, 1);
    for (int i = 0; i < J_.rows; ++i) {
      augmented_.add(n + i, n + i, -mu * squares_[i]);
      for (int k = J_.start[i]; k < J_.start[i + 1]; ++k) {
        augmented_.add(n + i, J_.column[k], J_.value[k]);
        augmented_.add(J_.column[k], n + i, J_.value[k]);
      }
    }
    augmented_.end();
    has_augmented_ = augmented_lu_.factor(augmented_.matrix);
    if (has_augmented_ || mu > 1) return;
  }
}

void LeastNorm::step(std::span<const double> b, std::span<double> x) {
  if (regular_) {
    std::copy(b.begin(), b.end(), x.begin());
    square_lu_.solve(x);
    return;
  }
  if (!has_augmented_) {
    std::fill(x.begin(), x.end(), 0.0);
    return;
  }
  const std::size_t n = J_.columns;
  std::fill_n(work_.begin(), n, 0.0);
  std::copy(b.begin(), b.end(), work_.begin() + J_.columns);
  augmented_lu_.solve(work_);
  std::copy_n(work_.begin(), n, x.begin());
}

double LeastNorm::solve(std::span<const double> b, std::span<double> x) {
  const std::span<double> left(left_.data(), b.size()), part(part_.data(), x.size());
  std::fill(x.begin(), x.end(), 0.0);
  std::copy(b.begin(), b.end(), left.begin());
  double remains = largest(left), before = HUGE_VAL;
  for (int pass = 0; pass < (regular_ ? 2 : 30) && remains > 0; ++pass) {
    step(left, part);
    const double change = largest(part);
    // Improvement of what is rounding would only add to it.
    if (!(change < 0.9 * before)) break;
    before = change;
    for (std::size_t j = 0; j < x.size(); ++j) x[j] += part[j];
    J_.multiply(x, left);
    for (std::size_t i = 0; i < b.size(); ++i) left[i] = b[i] - left[i];
    remains = largest(left);
    if (change <= 1e-15 * largest(x)) break;
  }
  return remains;
}

double LeastNorm::solve_transposed(std::span<const double> f, std::span<double> y) {
  if (!has_augmented_ || regular_) factor_augmented(least_damping);
  regular_ = false;
  std::ranges::fill(y, 0.0);
  // What redundant rows let free in y is rounding by mu: taken out, and the rest mended.
  double remains = 0;
  for (int pass = 0; pass < 2 && has_augmented_; ++pass) {
    remains = improve_transposed(f, y);
    remove_free(y);
  }
  return remains;
}

/// Adds to y until J^T y = f; returns what is left.
double LeastNorm::improve_transposed(std::span<const double> f, std::span<double> y) {
  const std::size_t n = J_.columns;
  std::vector<double> left(n);
  double before = HUGE_VAL;
  for (int pass = 0; pass < 30; ++pass) {
    std::ranges::fill(part_, 0.0);
    J_.add_transposed(y, std::span<double>(part_.data(), n));
    for (std::size_t j = 0; j < n; ++j) left[j] = f[j] - part_[j];
    std::ranges::copy(left, work_.begin());
    std::fill(work_.begin() + J_.columns, work_.end(), 0.0);
    augmented_lu_.solve(work_);
    double change = 0;
    for (std::size_t i = 0; i < y.size(); ++i) change = std::max(change, std::abs(work_[n + i]));
    if (!(change < 0.9 * before) || change <= 1e-15 * largest(y)) break;
    before = change;
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += work_[n + i];
  }
  return largest(left);
}

/// y without what J^T does not see, by fitting D y to J x.
void LeastNorm::remove_free(std::span<double> y) {
  std::vector<double> b(y.size()), x(J_.columns);
  for (std::size_t i = 0; i < y.size(); ++i) b[i] = squares_[i] * y[i];
  solve(b, x);
  J_.multiply(x, b);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = b[i] / squares_[i];
}

}  // namespace axode
