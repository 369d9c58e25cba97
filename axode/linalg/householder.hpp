/// Householder reflections 1 - f u u^T of columns of numbers, f = 2 / |u|^2, without storage of their own.
/// Tests: tests/linalg/householder_test.cpp
#pragma once
#include <cmath>

namespace axode {

/// sum x_i^2 of first <= i < last.
inline double squares(const double* x, int first, int last) noexcept {
  double sum = 0;
  for (int i = first; i < last; ++i) sum += x[i] * x[i];
  return sum;
}

/// Makes the Householder vector u of x[first..last) in its place and returns 2 / |u|^2; `head` is
/// the number that the reflection leaves at `first`.
inline double make_reflection(double* x, int first, int last, double& head) noexcept {
  const double length = std::sqrt(squares(x, first, last));
  head = x[first] > 0 ? -length : length;
  if (!(length > 0)) return 0;
  const double factor = 1 / (head * (head - x[first]));
  x[first] -= head;
  return factor;
}
/// x - f u (u^T x), of the numbers first..last).
inline void reflect(const double* u, double factor, int first, int last, double* x) noexcept {
  double sum = 0;
  for (int i = first; i < last; ++i) sum += u[i] * x[i];
  sum *= factor;
  for (int i = first; i < last; ++i) x[i] -= sum * u[i];
}

}  // namespace axode
