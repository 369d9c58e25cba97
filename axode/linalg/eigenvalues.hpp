/// Eigenvalues of dense matrices of any size: A x = w B x symmetric, and A x = w x real.
///
/// Matrices are row by row, n x n. The border to Eigen's solvers, whose headers stay in the source.
/// Cost O(n^3); for analyses, not for evaluation loops. Small matrices of fixed size:
/// symmetric_eigen.hpp.
/// Tests: tests/linalg/eigenvalues_test.cpp
#pragma once
#include <complex>
#include <vector>

namespace axode {

struct SymmetricModes {
  bool solved = false;          ///< false: B is not positive definite, or a number is not finite
  std::vector<double> values;   ///< rising
  std::vector<double> vectors;  ///< vector k at k n, with x^T B x = 1
};
/// A x = w B x, A symmetric, B symmetric and positive definite; lower triangles are read. Throws
/// Error if sizes do not fit.
SymmetricModes symmetric_modes(const std::vector<double>& A, const std::vector<double>& B, int n);

/// A x = w x, A symmetric; the lower triangle is read. Throws Error if sizes do not fit.
SymmetricModes symmetric_modes(const std::vector<double>& A, int n);

struct GeneralModes {
  bool solved = false;  ///< false: no convergence, or a number is not finite
  std::vector<std::complex<double>>
      values;  ///< pairs stand together, positive imaginary part first
  std::vector<std::complex<double>> vectors;  ///< vector k at k n, of unit length
};
/// A x = w x of a real matrix. Throws Error if sizes do not fit.
GeneralModes general_modes(const std::vector<double>& A, int n);

/// An eigenvalue of x' = A x: a motion exp(eigenvalue t).
struct Oscillation {
  std::complex<double> eigenvalue{};  ///< [1/s]
  double frequency = 0;               ///< |eigenvalue| [rad/s], the natural frequency
  double damping_ratio = 0;  ///< -real part / |eigenvalue|: 1 does not oscillate, < 0 grows
};
/// All eigenvalues of A, n x n, by rising magnitude, of a pair the one with positive imaginary part first;
/// empty if they are not found (general_modes). Throws Error if sizes do not fit.
std::vector<Oscillation> oscillations(const std::vector<double>& A, int n);

}  // namespace axode
