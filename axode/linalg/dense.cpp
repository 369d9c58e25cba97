#include "axode/linalg/dense.hpp"

#include <algorithm>
#include <cmath>

namespace axode {

DenseMatrix<double> zero_matrix(int rows, int columns) {
  return {rows, columns, std::vector<double>(std::size_t(rows) * columns, 0.0)};
}

DenseMatrix<double> transpose(const DenseMatrix<double>& A) {
  DenseMatrix<double> result = zero_matrix(A.columns, A.rows);
  for (int i = 0; i < A.rows; ++i)
    for (int j = 0; j < A.columns; ++j) result(j, i) = A(i, j);
  return result;
}

DenseMatrix<double> operator+(const DenseMatrix<double>& A, const DenseMatrix<double>& B) {
  DenseMatrix<double> C = A;
  for (std::size_t k = 0; k < C.values.size(); ++k) C.values[k] += B.values[k];
  return C;
}

DenseMatrix<double> operator-(const DenseMatrix<double>& A, const DenseMatrix<double>& B) {
  DenseMatrix<double> C = A;
  for (std::size_t k = 0; k < C.values.size(); ++k) C.values[k] -= B.values[k];
  return C;
}

DenseMatrix<double> operator*(const DenseMatrix<double>& A, const DenseMatrix<double>& B) {
  DenseMatrix<double> C = zero_matrix(A.rows, B.columns);
  for (int i = 0; i < A.rows; ++i)
    for (int k = 0; k < A.columns; ++k)
      if (A(i, k) != 0)
        for (int j = 0; j < B.columns; ++j) C(i, j) += A(i, k) * B(k, j);
  return C;
}

std::vector<double> operator*(const DenseMatrix<double>& A, std::span<const double> x) {
  std::vector<double> result(A.rows);
  multiply(A.values, x, result);
  return result;
}

void multiply(std::span<const double> A, std::span<const double> x, std::span<double> y) noexcept {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = dot(A.subspan(i * x.size(), x.size()), x);
}

double dot(std::span<const double> a, std::span<const double> b) noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double norm(std::span<const double> a) noexcept { return std::sqrt(dot(a, a)); }

double max_abs(std::span<const double> a) noexcept {
  double largest = 0;
  for (const double x : a) largest = std::max(largest, std::abs(x));
  return largest;
}

}  // namespace axode
