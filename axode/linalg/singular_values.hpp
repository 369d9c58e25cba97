/// Singular values and vectors of dense matrices: A = U diag(sigma) V^T.
///
/// The border to Eigen's Jacobi rotations and, from 100 rows and columns on, divide and conquer, which take half a
/// minute to compile: here, once. Values are good to 2e-14 of the largest one, of large matrices to 1e-12. Cost
/// O(m n^2), n the smaller side: 2000 x 2000 values in seconds; for analyses, not for evaluation loops. A non-finite A has NaN as values
/// and unit vectors.
/// Tests: tests/linalg/singular_values_test.cpp
#pragma once
#include <span>
#include <vector>

#include "axode/linalg/dense.hpp"

namespace axode {

/// All min(rows, columns) singular values, largest first.
std::vector<double> singular_values(const DenseMatrix<double>& A);

/// The largest and the smallest singular value of `count` vectors `a` of `length` numbers, at most as many as these,
/// by rotating them until they are orthogonal (one-sided Jacobi). Overwrites them, does not allocate.
struct ExtremeSingularValues {
  double largest = 0, smallest = 0;
};
ExtremeSingularValues extreme_singular_values(double* a, int count, int length) noexcept;

/// Which singular vectors: min(rows, columns) of them, or an orthonormal basis of the whole space.
enum class Vectors { none, thin, full };

struct SingularDecomposition {
  std::vector<double> values;       ///< largest first
  DenseMatrix<double> left, right;  ///< vector k is row k; none: no rows
};
SingularDecomposition singular_decomposition(const DenseMatrix<double>& A, Vectors left,
                                             Vectors right);

/// x of least norm that minimises |A x - b|. Singular values below `tolerance` times the largest
/// count as zero.
std::vector<double> least_squares(const DenseMatrix<double>& A, std::span<const double> b,
                                  double tolerance = 1e-14);

}  // namespace axode
