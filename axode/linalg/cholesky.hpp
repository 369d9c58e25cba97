/// Cholesky factorization of small dense matrices in place, naming the row where it fails.
///
/// A = U^T U by rows; only the upper half is read and written, the diagonal of U as its inverses. Rows are
/// taken off all below at once, so that no addition waits for another. Cost n^3/6 products.
/// Tests: tests/linalg/cholesky_test.cpp
#pragma once
#include <span>

namespace axode {

struct [[nodiscard]] CholeskyOutcome {
  int failed_row = -1;  ///< whose pivot is not positive or not finite; -1: factored
  bool ok() const noexcept { return failed_row < 0; }
};
/// Replaces the upper half of A by U. Pivots below `least`, if that is positive, count as it.
CholeskyOutcome cholesky(std::span<double> a, int size, double least = 0) noexcept;
/// x := (U^T U)^-1 x.
void cholesky_solve(std::span<const double> factor, int size, std::span<double> x) noexcept;

}  // namespace axode
