/// Linear systems of constrained motion, with redundant equations and coordinates without inertia:
///
///   [W J^T; J 0] (a, lambda) = (f, c)
///
/// factored as [W + delta, J^T; J, -eps] by KLU, which is regular even where rows of J depend on
/// each other, and refined against the true matrix. That is the augmented Lagrangian iteration with
/// penalty 1/eps [GarciaBayo ch. 5]: a converges to the exact one by eps/(eps + s) per iteration, s
/// the least eigenvalue of J W^-1 J^T that is not zero. Directions with s << eps are free: a
/// mechanism passes its singular positions in them.
/// Residuals are reported: they tell equations that cannot be met and forces on nothing.
/// Cost: one sparse factorisation, then 2 to 3 solutions, O(n) for loops in a row.
/// Tests: tests/linalg/constrained_solve_test.cpp
#pragma once
#include <span>
#include <vector>

#include "axode/linalg/sparse.hpp"
#include "axode/linalg/sparse_rows.hpp"

namespace axode {

class ConstrainedSolve {
 public:
  /// Of a solution, relative to the largest terms of any row.
  struct Outcome {
    bool finite = false;
    double force = 0, constraint = 0;    ///< residuals
    int worst_force = 0, worst_row = 0;  ///< where they are
    int iterations = 0;
  };
  /// eps relative to the diagonal of J W^-1 J^T; or the penalty itself [kg], if > 0.
  double relative_eps = 1e-8, penalty = 0;
  /// Whether it is the largest since forget(): rows that vanish let go then.
  bool remembers = true;
  int max_iterations = 30;
  double tolerance = 1e-14;
  /// Of c: below it all is rounding, as at rest.
  double floor = 0;

  /// Patterns have changed.
  void forget();
  /// Pivots are chosen again at the next factorization; what it remembers stays.
  void choose_pivots() { lu_ = {}; }
  /// The largest diagonals of J W^-1 J^T so far, by row; empty before the first factorization.
  const std::vector<double>& remembered() const noexcept { return most_; }
  void remember(std::span<const double> largest) { most_.assign(largest.begin(), largest.end()); }
  /// W n x n, J m x n; both must stay as they are until the last solve. Returns false if a degree of freedom
  /// has neither inertia nor equation in spite of delta, or numbers are not finite.
  bool factor(const SparseRows& W, const SparseRows& J);
  Outcome solve(std::span<const double> f, std::span<const double> c, std::span<double> a,
                std::span<double> lambda);

 private:
  void assemble(const SparseRows& W, const SparseRows& J);
  void residual(std::span<const double> f, std::span<const double> c, std::span<const double> a,
                std::span<const double> lambda, Outcome& outcome);
  const SparseRows* W_ = nullptr;
  const SparseRows* J_ = nullptr;
  SparseAssembly matrix_;
  SparseLu lu_;
  std::vector<double> diagonal_, right_, wa_, push_, scale_, most_;
};

/// Vectors that span the null space of a matrix, orthonormal, `count` of `columns` numbers each: by
/// projecting random vectors until one depends on the others. Cost: count + 1 solutions.
struct NullBasis {
  int columns = 0, count = 0;
  std::vector<double> vectors;
};
NullBasis null_basis(const SparseRows& A);
/// `count` components by which vectors of the basis are told apart best (pivoted elimination): of
/// the null space of J independent velocities, of that of J^T rows that may be left out. Rising.
/// `worst`: the least pivot, 1 at best.
std::vector<int> independent_components(const NullBasis& basis, double* worst = nullptr);
SparseRows transposed(const SparseRows& A);
/// Takes from lambda what J^T does not see: that of least norm with the same forces J^T lambda.
void least_norm(const SparseRows& J, std::span<double> lambda);
/// The lambda of least norm with J^T lambda = force. Returns what is left of the force, relative to
/// its largest terms: infinity where numbers are not finite, lambda then stays as it is.
double multipliers_of_force(const SparseRows& J, std::span<const double> force,
                            std::span<double> lambda);

}  // namespace axode
