/// Linear equations J x = b with rows that may depend on others and unknowns that may be free.
///
///   least change   x = J^T (J J^T + mu 1)^-1 b,  repeated on what is left of b
///   multipliers    y = (J J^T + mu 1)^-1 J f,    repeated on what is left of f
///   rank           rows rotated into a triangle one after the other [GeorgeHeath1980]; what comes
///                  out as zero depends on earlier rows
///
/// Both solutions are those of minimum norm (multipliers: times the norms of their rows), by the
/// quasi-definite matrix [1 J^T; J -mu] and KLU, so that redundant rows do no harm; a square regular
/// J is factored itself. Cost: that of the fill, O(n) for chains of loops; singular values, where
/// asked for, O(n^3).
/// Tests: tests/linalg/rank_test.cpp
#pragma once
#include <span>
#include <vector>

#include "axode/linalg/sparse.hpp"
#include "axode/linalg/sparse_rows.hpp"

namespace axode {

/// The largest sum of the absolute entries of a row: a bound of singular values, good to sqrt(n).
double row_norm(const SparseRows& J) noexcept;
/// A copy without some rows (`keep` in order).
SparseRows rows_of(const SparseRows& J, std::span<const int> keep);
/// A copy with one more row and/or column of these entries; empty: none.
SparseRows bordered(const SparseRows& J, std::span<const double> row,
                    std::span<const double> column);

/// Factors of J, kept for several right hand sides and, as the pattern stays, for new values.
class LeastNorm {
 public:
  /// `damping`: mu relative to the largest squared row of J; 0: the smallest that redundant rows
  /// allow, each by its own norm, or J itself if it is square and regular.
  void factor(const SparseRows& J, double damping = 0);
  /// x of least norm with J x = b, or nearest to it. Returns what is left: the largest |b - J x|.
  double solve(std::span<const double> b, std::span<double> x);
  /// y of least norm with J^T y = f, or nearest to it. Returns the largest |f - J^T y|. A square
  /// regular J is factored anew.
  double solve_transposed(std::span<const double> f, std::span<double> y);
  /// One damped step, without repeating: x = J^T (J J^T + mu 1)^-1 b.
  void step(std::span<const double> b, std::span<double> x);
  /// Whether J itself was factored: the solution is unique and exists.
  bool is_regular() const noexcept { return regular_; }

 private:
  bool factor_square();
  void factor_augmented(double damping);
  double improve_transposed(std::span<const double> f, std::span<double> y);
  void remove_free(std::span<double> y);
  SparseRows J_;  ///< pattern and values of the last call
  SparseAssembly square_, augmented_;
  SparseLu square_lu_, augmented_lu_;
  bool regular_ = false, has_augmented_ = false;
  std::vector<double> squares_, work_, left_, part_;
};

struct [[nodiscard]] RankResult {
  int rows = 0, columns = 0, rank = 0;
  /// Relative to the norm of J: what was taken as different from zero and what was not; their ratio
  /// tells how sure the rank is. Singular values (small matrices) or rows of the triangle.
  double smallest_kept = 0, largest_dropped = 0;
  std::vector<int> redundant;  ///< rows that depend on earlier ones
  int nullity() const noexcept { return columns - rank; }
};
/// Rows are compared by direction: each is divided by its norm first.
RankResult matrix_rank(const SparseRows& J, double tolerance = 1e-8);

/// All singular values, largest first, of J as it is. Throws LimitError above 2000 rows or columns.
std::vector<double> singular_values(const SparseRows& J);
/// Orthonormal basis of J x = 0, up to 300 unknowns; beyond independent vectors of unit length.
std::vector<std::vector<double>> null_space(const SparseRows& J, double tolerance = 1e-8);

/// J_row = sum factor_k J_{rows_k}.
struct RowDependence {
  int row = 0;
  struct Part {
    int row = 0;
    double factor = 0;
  };
  std::vector<Part> parts;
};
/// What each redundant row is made of: which equations are redundant together.
std::vector<RowDependence> row_dependences(const SparseRows& J, const RankResult& rank);

}  // namespace axode
