/// The largest magnitude in a list of numbers: the maximum norm that steps and iterations are judged by.
/// Tests: tests/linalg/largest_test.cpp
#pragma once
#include <cmath>
#include <cstddef>
#include <span>

namespace axode::detail {

/// max |x_i| / scale_i and its index in `where`, which is left alone where all are zero; infinity if a
/// number is not finite. Without a scale each is 1.
inline double largest(std::span<const double> x, std::span<const double> scale,
                      int& where) noexcept {
  double most = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double size = !std::isfinite(x[i]) ? HUGE_VAL
                        : scale.empty()      ? std::abs(x[i])
                                             : std::abs(x[i]) / scale[i];
    if (size > most) {
      most = size;
      where = static_cast<int>(i);
    }
  }
  return most;
}
inline double largest(std::span<const double> x, int& where) noexcept {
  return largest(x, {}, where);
}
inline double largest(std::span<const double> x) noexcept {
  int where = 0;
  return largest(x, {}, where);
}

}  // namespace axode::detail
