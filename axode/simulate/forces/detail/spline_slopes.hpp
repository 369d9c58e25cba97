// Slopes of cubic splines at their points.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace axode::detail {

enum class SplineEnds : bool { natural, at_rest };  ///< no second derivative, no slope

/// Of the spline through points at places x whose values differ by `steps`, with h_i = x_(i+1) - x_i
/// and rises r_i = step_i / h_i:
///   h_i s_(i-1) + 2 (h_(i-1) + h_i) s_i + h_(i-1) s_(i+1) = 3 (h_i r_(i-1) + h_(i-1) r_i)
///   natural   2 s_0 + s_1 = 3 r_0, alike at the other end          at rest   s_0 = s_n = 0
/// by elimination.
inline std::vector<double> spline_slopes(std::span<const double> x, std::span<const double> steps,
                                         SplineEnds ends) {
  const std::size_t n = x.size();
  std::vector<double> s(n, 0), above(n, 0);
  if (n < 2) return s;
  const auto h = [&](std::size_t i) { return x[i + 1] - x[i]; };
  const auto rise = [&](std::size_t i) { return steps[i] / h(i); };
  if (ends == SplineEnds::natural) {
    above[0] = 0.5;
    s[0] = 1.5 * rise(0);
  }
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double pivot = 2 * (h(i - 1) + h(i)) - h(i) * above[i - 1];
    above[i] = h(i - 1) / pivot;
    s[i] = (3 * (h(i) * rise(i - 1) + h(i - 1) * rise(i)) - h(i) * s[i - 1]) / pivot;
  }
  if (ends == SplineEnds::natural) s[n - 1] = (3 * rise(n - 2) - s[n - 2]) / (2 - above[n - 2]);
  for (std::size_t i = n - 1; i-- > 0;) s[i] -= above[i] * s[i + 1];
  return s;
}

}  // namespace axode::detail
