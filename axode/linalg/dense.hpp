/// Dense matrices of any size, with the few operations that analyses need.
///
/// Plain loops; for matrices of fixed size see vec3.hpp and vec6.hpp, for decompositions
/// singular_values.hpp, dense_solve.hpp and eigenvalues.hpp. Sizes are not checked.
/// Tests: tests/linalg/dense_test.cpp
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace axode {

/// A matrix as people look at it.
template <class S = double>
struct DenseMatrix {
  int rows = 0, columns = 0;
  std::vector<S> values;  ///< row by row
  const S& operator()(int i, int j) const { return values[i * columns + j]; }
  S& operator()(int i, int j) { return values[i * columns + j]; }
  std::span<const S> row(int i) const {
    return {values.data() + i * columns, std::size_t(columns)};
  }
  std::span<S> row(int i) { return {values.data() + i * columns, std::size_t(columns)}; }
};

DenseMatrix<double> zero_matrix(int rows, int columns);
DenseMatrix<double> transpose(const DenseMatrix<double>& A);
DenseMatrix<double> operator+(const DenseMatrix<double>& A, const DenseMatrix<double>& B);
DenseMatrix<double> operator-(const DenseMatrix<double>& A, const DenseMatrix<double>& B);
/// Zeros of A cost nothing.
DenseMatrix<double> operator*(const DenseMatrix<double>& A, const DenseMatrix<double>& B);
std::vector<double> operator*(const DenseMatrix<double>& A, std::span<const double> x);
/// y = A x, without allocation; A row by row.
void multiply(std::span<const double> A, std::span<const double> x, std::span<double> y) noexcept;

double dot(std::span<const double> a, std::span<const double> b) noexcept;
/// sqrt(sum a_i^2).
double norm(std::span<const double> a) noexcept;
/// The largest |a_i|, 0 of no numbers; NaN is passed over.
double max_abs(std::span<const double> a) noexcept;

}  // namespace axode
