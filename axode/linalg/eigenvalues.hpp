/// Eigenvalues of dense matrices of any size: A x = w B x symmetric, and A x = w x real.
///
/// The border to Eigen's solvers, whose headers stay in the source.
/// Cost O(n^3); for analyses, not for evaluation loops. Small matrices of fixed size:
/// symmetric_eigen.hpp.
/// Tests: tests/linalg/eigenvalues_test.cpp
#pragma once
#include <complex>
#include <vector>

#include "axode/linalg/dense.hpp"

namespace axode {

struct [[nodiscard]] SymmetricModes {
  bool solved = false;          ///< false: B is not positive definite, or a number is not finite
  std::vector<double> values;   ///< rising
  DenseMatrix<double> vectors;  ///< of value k in row k, with x^T B x = 1
};
/// A x = w B x, A symmetric, B symmetric and positive definite; lower triangles are read. Throws
/// Error if sizes do not fit.
SymmetricModes symmetric_modes(const DenseMatrix<double>& A, const DenseMatrix<double>& B);

/// A x = w x, A symmetric; the lower triangle is read. Throws Error if A is not square.
SymmetricModes symmetric_modes(const DenseMatrix<double>& A);

struct [[nodiscard]] GeneralModes {
  bool solved = false;  ///< false: no convergence, or a number is not finite
  std::vector<std::complex<double>>
      values;  ///< pairs stand together, positive imaginary part first
  DenseMatrix<std::complex<double>> vectors;  ///< of value k in row k, of unit length
};
/// A x = w x of a real matrix. Throws Error if A is not square.
GeneralModes general_modes(const DenseMatrix<double>& A);

}  // namespace axode
