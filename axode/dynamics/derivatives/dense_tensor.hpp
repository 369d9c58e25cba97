/// Numbers with three indices, such as second derivatives or those of a matrix.
///
/// All n^3 of them are stored, the last index running fastest: 8 MB at n = 100, 8 GB at n = 1000.
/// Tests: tests/dynamics/derivatives/dense_tensor_test.cpp
#pragma once
#include <string>
#include <vector>

#include "axode/core/error.hpp"

namespace axode {

template <class S = double>
struct DenseTensor {
  DenseTensor() = default;
  /// All zero. Throws LimitError above n = 1000: 8 GB.
  explicit DenseTensor(int n) : size(n) {
    const std::size_t m = n;
    if (n > 1000)
      throw LimitError("it would have " + std::to_string(n) + "^3 entries", "dense tensor",
                       "take one direction at a time");
    values = std::vector<S>(m * m * m, S(0));
  }
  const S& operator()(int i, int j, int k) const noexcept { return values[index(i, j, k)]; }
  S& operator()(int i, int j, int k) noexcept { return values[index(i, j, k)]; }
  std::size_t index(int i, int j, int k) const noexcept {
    const std::size_t n = size;
    return (std::size_t(i) * n + j) * n + k;
  }

  int size = 0;
  std::vector<S> values;
};

}  // namespace axode
