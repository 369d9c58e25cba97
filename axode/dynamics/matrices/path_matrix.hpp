/// A symmetric matrix with the sparsity of a tree: entry (k, j) is zero unless one of the two
/// velocities stands on the path from the root to the other.
///
/// Row k holds its entries along the path from k to the root, M(k, k), M(k, parent(k)), ..., one
/// after the other: sum of depths numbers instead of nv^2. Mass matrices have this form, and so
/// have their factors M = L^T D L with L of unit diagonal, found without fill-in by going from the
/// leaves to the root. Since the row of parent(k) continues along the same path, all loops run over
/// contiguous numbers. O(sum depth^2) to factorize, O(sum depth) to solve.
/// Tests: tests/dynamics/matrices/path_matrix_test.cpp
#pragma once
#include <vector>

#include "axode/dynamics/outcome.hpp"
#include "axode/kinematics/system_jacobian.hpp"
#include "axode/model/tree.hpp"

namespace axode {

template <class S = double>
struct PathMatrix {
  /// All entries zero. Throws LimitError if the paths hold more than 2^31 entries in all.
  explicit PathMatrix(const Tree& tree);
  PathMatrix() = default;
  int size() const noexcept { return static_cast<int>(parent.size()); }
  /// The row of velocity k: first the diagonal, then the velocities parent(k), ... to the root.
  S* row(int k) noexcept { return values.data() + first[k]; }
  const S* row(int k) const noexcept { return values.data() + first[k]; }
  int row_length(int k) const noexcept {
    const std::size_t i = k;
    return static_cast<int>(first[i + 1] - first[i]);
  }

  std::vector<int> parent;         ///< by velocity: the one before it on its path, or -1
  std::vector<std::size_t> first;  ///< by velocity: where its row starts; one more for the end
  std::vector<S> values;
  /// By velocity: size of the numbers that M(k, k) is the sum of, which tells its rounding errors.
  /// Where it is less than M(k, k), as zero, that counts instead. mass_matrix writes it.
  std::vector<S> scale;
  std::vector<S> diagonal, response;  ///< scratch of factorize
};
/// A matrix whose paths are given, all entries zero: `parent` by row, less than the row, or -1.
PathMatrix<double> path_matrix(std::vector<int> parent);
/// A matrix of n rows whose entries may all differ from zero: each velocity on the path of the next.
PathMatrix<double> full_matrix(int n);

/// The velocity before each on the path to the root, -1 at the root. Joints without degrees of freedom are
/// passed over.
std::vector<int> parent_velocities(const Tree& tree);
namespace detail {
/// `parent` and `first` of a PathMatrix.
void path_pattern(const Tree& tree, std::vector<int>& parent, std::vector<std::size_t>& first);
}  // namespace detail

/// Replaces M by its factors: row k holds D(k), then L(k, j) for j on its path. The
/// outcome names the velocity nearest a leaf at which M is found not to be positive definite: D(k) = n^T M n, n the
/// motion of all degrees of freedom when k moves by 1 and those beyond follow freely, is then no more than the
/// rounding errors 16 epsilon sum n_j^2 scale_j. The factors are of no use in that case. Does not
/// allocate, as all the following.
template <class S>
MassOutcome factorize(PathMatrix<S>& M) noexcept;
/// x becomes M^-1 x, from the factors.
template <class S>
void solve(const PathMatrix<S>& factors, Out<S> x) noexcept;
/// x becomes L^-T x, the first half of it: then x^T D^-1 x = x^T M^-1 x of the x before.
template <class S>
void solve_transpose(const PathMatrix<S>& factors, Out<S> x) noexcept;
/// X becomes M^-1 X, all its columns at once, from the factors.
template <class S>
void solve_columns(const PathMatrix<S>& factors, DenseMatrix<S>& X) noexcept;
/// Writes M x, of the matrix itself; x and result must not overlap.
template <class S>
void multiply(const PathMatrix<S>& M, In<S> x, Out<S> result) noexcept;

/// All entries.
template <class S>
DenseMatrix<S> dense(const PathMatrix<S>& M);
/// M^-1 from the factors, all entries. The result must have nv rows and columns.
template <class S>
void inverse(const PathMatrix<S>& factors, DenseMatrix<S>& result) noexcept;

}  // namespace axode
