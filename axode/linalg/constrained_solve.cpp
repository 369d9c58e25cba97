#include "axode/linalg/constrained_solve.hpp"

#include <algorithm>
#include <cmath>

#include "axode/core/finite.hpp"
#include "axode/linalg/largest.hpp"

namespace axode {

using detail::largest;

void ConstrainedSolve::forget() {
  matrix_ = {};
  lu_ = {};
  most_.clear();
}

/// delta: a trillionth of the inertia a coordinate has, or of some small part of the largest. eps:
/// by what a row of J moves, (sum J^2)^2 / sum (J^2 W): the heavy coordinates in it, since light
/// ones may be held by other rows. Rows that vanish, as those of angles do where rods lie in a line,
/// are measured by the most they have moved before: else they would be held there.
void ConstrainedSolve::assemble(const SparseRows& W, const SparseRows& J) {
  constexpr double relative_delta = 1e-12, light = 1e-3;
  const int n = W.rows, m = J.rows;
  diagonal_.assign(n, 0.0);
  matrix_.begin(n + m);
  for (int i = 0; i < n; ++i)
    for (int e = W.start[i]; e < W.start[i + 1]; ++e) {
      const int j = W.column[e];
      matrix_.add(i, j, W.value[e]);
      if (i == j) diagonal_[i] = std::abs(W.value[e]);
    }
  double heaviest = largest(diagonal_);
  if (!(heaviest > 0)) heaviest = 1;
  for (int i = 0; i < n; ++i) {
    diagonal_[i] = std::max(diagonal_[i], light * heaviest);
    matrix_.add(i, i, relative_delta * diagonal_[i]);
  }
  scale_.assign(m, 0.0);
  for (int i = 0; i < m; ++i) {
    double squares = 0, inertia = 0;
    for (int e = J.start[i]; e < J.start[i + 1]; ++e) {
      const int j = J.column[e];
      const double x = J.value[e];
      matrix_.add(n + i, j, x);
      matrix_.add(j, n + i, x);
      squares += x * x;
      inertia += x * x * diagonal_[j];
    }
    if (squares > 0) scale_[i] = squares * squares / inertia;
  }
  if (!remembers) most_.clear();
  most_.resize(m, 0.0);
  std::ranges::transform(scale_, most_, most_.begin(),
                         [](double a, double b) { return std::max(a, b); });
  double strongest = largest(scale_);
  if (!(strongest > 0)) strongest = 1 / heaviest;
  for (int i = 0; i < m; ++i) {
    const double eps = relative_eps * std::max(most_[i], 1e-6 * strongest);
    matrix_.add(n + i, n + i, -(penalty > 0 ? 1 / penalty : eps));
  }
  matrix_.end();
}

bool ConstrainedSolve::factor(const SparseRows& W, const SparseRows& J) {
  W_ = &W;
  J_ = &J;
  if (W.rows + J.rows == 0) return true;  // welded to the world
  assemble(W, J);
  return all_finite(matrix_.matrix.value) && lu_.factor(matrix_.matrix);
}

/// right_ = (f - W a - J^T lambda, c - J a), and its largest parts in relation to the terms. Where
/// forces balance, a and J a are the rounding of what the forces alone would do, and forces of
/// redundant rows may be the rounding of large ones that cancel: parts of those count as terms.
void ConstrainedSolve::residual(std::span<const double> f, std::span<const double> c,
                                std::span<const double> a, std::span<const double> lambda,
                                Outcome& outcome) {
  constexpr double noise = 1e-4;
  const std::size_t n = W_->rows, m = J_->rows;
  const std::span<double> force = std::span(right_).first(n), rows = std::span(right_).subspan(n);
  W_->multiply(a, wa_);
  std::ranges::fill(push_, 0.0);
  J_->add_transposed(lambda, push_);
  for (std::size_t i = 0; i < n; ++i) force[i] = f[i] - wa_[i] - push_[i];
  double c_scale = std::max(largest(c), floor), pushes = 0;
  for (std::size_t i = 0; i < m; ++i) {
    double sum = c[i], size = 0, free = 0;
    for (int e = J_->start[i]; e < J_->start[i + 1]; ++e) {
      const std::size_t j = J_->column[e];
      const double x = J_->value[e] * a[j];
      sum -= x;
      size += std::abs(x);
      free += std::abs(J_->value[e] * f[j]) / diagonal_[j];
      pushes = std::max(pushes, std::abs(J_->value[e] * lambda[i]));
    }
    rows[i] = sum;
    c_scale = std::max({c_scale, size, noise * free});
    if (scale_[i] > 0)
      pushes = std::max(pushes, std::max(std::abs(c[i]), floor / noise) / scale_[i]);
  }
  const double f_scale = std::max({largest(f), largest(wa_), largest(push_), noise * pushes});
  outcome.force = largest(force, outcome.worst_force);
  outcome.constraint = largest(rows, outcome.worst_row);
  if (outcome.force > 0) outcome.force /= f_scale;
  if (outcome.constraint > 0) outcome.constraint /= c_scale;
}

ConstrainedSolve::Outcome ConstrainedSolve::solve(std::span<const double> f,
                                                  std::span<const double> c, std::span<double> a,
                                                  std::span<double> lambda) {
  const std::size_t n = W_->rows, m = J_->rows;
  right_.resize(n + m);
  wa_.resize(n);
  push_.resize(n);
  std::ranges::copy(f, right_.begin());
  std::ranges::copy(c, right_.begin() + W_->rows);
  std::ranges::fill(a, 0.0);
  std::ranges::fill(lambda, 0.0);
  Outcome outcome;
  outcome.finite = n + m == 0;
  if (outcome.finite) return outcome;
  double before = HUGE_VAL;
  for (outcome.iterations = 1; outcome.iterations <= max_iterations; ++outcome.iterations) {
    lu_.solve(right_);
    for (std::size_t i = 0; i < n; ++i) a[i] += right_[i];
    for (std::size_t i = 0; i < m; ++i) lambda[i] += right_[n + i];
    residual(f, c, a, lambda, outcome);
    const double now = std::max(outcome.force, outcome.constraint);
    outcome.finite = std::isfinite(now);
    const bool stagnates = outcome.iterations > 2 && now > 0.5 * before;
    if (!outcome.finite || now <= tolerance || stagnates) break;
    before = now;
  }
  return outcome;
}

SparseRows transposed(const SparseRows& A) {
  SparseRows result;
  result.begin(A.columns, A.rows);
  for (int i = 0; i < A.rows; ++i)
    for (int e = A.start[i]; e < A.start[i + 1]; ++e) result.add(A.column[e], i, A.value[e]);
  result.end();
  return result;
}

double multipliers_of_force(const SparseRows& J, std::span<const double> force,
                            std::span<double> lambda) {
  SparseRows identity;
  identity.begin(J.rows, J.rows);
  for (int i = 0; i < J.rows; ++i) identity.add(i, i, 1);
  identity.end();
  const SparseRows across = transposed(J);
  ConstrainedSolve solve;
  if (!solve.factor(identity, across)) return HUGE_VAL;
  std::vector<double> zero(J.rows, 0.0), least(J.rows), move(J.columns);
  const ConstrainedSolve::Outcome outcome = solve.solve(zero, force, least, move);
  if (!outcome.finite) return HUGE_VAL;
  std::ranges::copy(least, lambda.begin());
  return outcome.constraint;
}

void least_norm(const SparseRows& J, std::span<double> lambda) {
  std::vector<double> force(J.columns, 0.0), least(lambda.size());
  J.add_transposed(lambda, force);
  if (multipliers_of_force(J, force, least) < 1e-9) std::ranges::copy(least, lambda.begin());
}

}  // namespace axode
