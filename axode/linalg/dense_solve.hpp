/// Linear equations and QR of dense matrices of any size.
///
/// For analyses, cost O(n^3). Symmetric positive definite matrices: linalg/cholesky.hpp; least
/// squares: singular_values.hpp.
/// Tests: tests/linalg/dense_solve_test.cpp
#pragma once
#include <span>
#include <vector>

#include "axode/linalg/dense.hpp"

namespace axode {

/// x with A x = b, by LU with row pivots; not finite if A is singular.
std::vector<double> solve_linear(const DenseMatrix<double>& A, std::span<const double> b);

/// A P = Q R, by Householder reflections with column pivots.
struct PivotedQr {
  DenseMatrix<double> R;    ///< upper triangle, min(rows, columns) rows, |R_kk| falling
  std::vector<int> column;  ///< column k of A P is this one of A
};
PivotedQr pivoted_qr(const DenseMatrix<double>& A);

}  // namespace axode
