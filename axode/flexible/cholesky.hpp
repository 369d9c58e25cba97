/// Cholesky factorization of small dense matrices in place, which tells where it fails.
///
/// A = L L^T by rows; only the lower half is read and written, the diagonal of L as its inverses. Cost n^3/6 products.
/// Tests: tests/flexible/cholesky_test.cpp
#pragma once
#include <span>

namespace axode {

/// The row whose pivot is not positive (or not finite), or -1: factored.
int cholesky(std::span<double> a, int size) noexcept;
/// x := (L L^T)^-1 x.
void cholesky_solve(std::span<const double> factor, int size, std::span<double> x) noexcept;

}  // namespace axode
