// Householder reflections of columns of numbers, and walks along two paths of a tree.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

namespace axode::detail {

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
inline void reflect(const double* u, double factor, int first, int last, double* x) noexcept {
  double sum = 0;
  for (int i = first; i < last; ++i) sum += u[i] * x[i];
  sum *= factor;
  for (int i = first; i < last; ++i) x[i] -= sum * u[i];
}

/// Calls take(k) for the velocities on the paths that end at a and b, towards the root; `parent` is
/// that of a PathMatrix.
template <class Take>
void for_paths(const std::vector<int>& parent, int a, int b, Take&& take) noexcept {
  while (a >= 0 || b >= 0) {
    const int k = std::max(a, b);
    take(k);
    if (a == k) a = parent[k];
    if (b == k) b = parent[k];
  }
}

}  // namespace axode::detail
