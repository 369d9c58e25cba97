#include "axode/core/finite.hpp"

#include <algorithm>
#include <cmath>

namespace axode {

bool all_finite(std::span<const double> numbers) noexcept {
  // A finite sum has only finite terms. Independent sums keep the adders busy.
  constexpr std::size_t lanes = 16;
  double sum = 0;
  std::size_t i = 0;
  if (numbers.size() >= lanes) {  // else to add up the sums would take longer than the numbers
    double sums[lanes] = {};
    for (; i + lanes <= numbers.size(); i += lanes)
      for (std::size_t k = 0; k < lanes; ++k) sums[k] += numbers[i + k];
    for (const double s : sums) sum += s;
  }
  for (; i < numbers.size(); ++i) sum += numbers[i];
  if (std::isfinite(sum)) return true;
  return std::ranges::all_of(numbers, [](double x) { return std::isfinite(x); });  // or overflow
}

}  // namespace axode
