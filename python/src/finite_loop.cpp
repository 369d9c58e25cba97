/// A pass over results; compiled with full optimization, as it is part of every batch.
#include <span>

namespace axode::python {

bool all_finite(std::span<const double> numbers) noexcept;
bool all_finite(std::span<const double> numbers) noexcept {
  // x - x is zero, or NaN where x is not finite. Independent sums keep the adders busy.
  constexpr std::size_t lanes = 16;
  double sums[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= numbers.size(); i += lanes)
    for (std::size_t k = 0; k < lanes; ++k) sums[k] += numbers[i + k] - numbers[i + k];
  double sum = 0;
  for (; i < numbers.size(); ++i) sum += numbers[i] - numbers[i];
  for (const double s : sums) sum += s;
  return sum == 0;
}

}  // namespace axode::python
