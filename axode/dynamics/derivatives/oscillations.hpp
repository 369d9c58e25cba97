/// Natural frequencies and damping of linearized equations x' = A x, of any kind of model.
///
/// A motion along an eigenvector of A is exp(eigenvalue t): a pair of eigenvalues is an oscillation, a real
/// one a decay or growth. Cost O(n^3).
/// Tests: tests/dynamics/derivatives/oscillations_test.cpp
#pragma once
#include <complex>
#include <vector>

#include "axode/linalg/dense.hpp"

namespace axode {

struct Oscillation {
  std::complex<double> eigenvalue{};  ///< [1/s]
  double frequency = 0;               ///< |eigenvalue| [rad/s], the natural frequency
  double damping_ratio = 0;  ///< -real part / |eigenvalue|: 1 does not oscillate, < 0 grows
};

/// Of all eigenvalues of A by rising magnitude, of a pair the one with positive imaginary part first; empty if
/// they are not found. Throws Error if A is not square.
std::vector<Oscillation> oscillations(const DenseMatrix<double>& A);

}  // namespace axode
