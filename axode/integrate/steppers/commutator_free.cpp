#include "axode/integrate/steppers/commutator_free.hpp"

#include <utility>

#include "axode/integrate/dense_output.hpp"

namespace axode {

CommutatorFree::CommutatorFree(LieGroup of, const StepOptions& options, bool adaptive)
    : group(std::move(of)) {
  check_options(options, adaptive, "CommutatorFree");
  size = {options, adaptive, 0, StepControl::of_order(4), {}};
  const std::size_t nx = group.nx, nv = group.nv;
  for (std::vector<double>* numbers : {&x, &x_before, &trial, &middle}) numbers->resize(nx);
  for (std::vector<double>& numbers : k) numbers.resize(nv);
  scratch.resize(3 * nv);
}

void CommutatorFree::move(const std::vector<double>& from, const std::array<double, 4>& w, double h,
                          std::vector<double>& result) noexcept {
  const std::size_t n = group.nv;
  std::fill_n(scratch.begin(), n, 0.0);
  for (std::size_t j = 0; j < 4; ++j)
    if (w[j] != 0)  // a rate not yet known may be NaN
      for (std::size_t i = 0; i < n; ++i) scratch[i] += h * w[j] * k[j][i];
  plus(group, from, {scratch.data(), n}, result);
}

double CommutatorFree::estimate(double h) noexcept {
  const std::size_t n = group.nv;
  for (std::size_t i = 0; i < n; ++i) scratch[i] = 0.1 * h * (k[3][i] - k[4][i]);
  return error_norm(group, size.options, x, trial, {scratch.data(), n});
}

void CommutatorFree::interpolate(double at, std::span<double> result) const noexcept {
  if (at >= t || !(t > t_before)) {
    std::copy(x.begin(), x.end(), result.begin());
    return;
  }
  const double s = std::max(0.0, (at - t_before) / (t - t_before));
  hermite_state(group, x_before, x, k[0], k[4], h_before, s, scratch, result);
}

void CommutatorFree::save(std::vector<double>& numbers) const {
  numbers.assign({t, rate_known ? 1.0 : 0.0});
  size.save(numbers);
  numbers.insert(numbers.end(), x.begin(), x.end());
  numbers.insert(numbers.end(), k[4].begin(), k[4].end());
}

void CommutatorFree::restore(std::span<const double> numbers) {
  check_saved(numbers, 2 + StepSize::saved + x.size() + k[4].size(), "CommutatorFree::load");
  t = t_before = numbers[0];
  rate_known = numbers[1] != 0;
  numbers = size.load(numbers.subspan(2));
  std::copy_n(numbers.begin(), x.size(), x.begin());
  std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(x.size()), k[4].size(), k[4].begin());
}

}  // namespace axode
