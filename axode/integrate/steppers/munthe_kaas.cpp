#include "axode/integrate/steppers/munthe_kaas.hpp"

#include <cassert>

#include "axode/integrate/dense_output.hpp"

namespace axode {

MuntheKaas::MuntheKaas(const LieGroup& of, int order, const StepOptions& options, bool adaptive)
    : group(of), method(&tableau(order)), real_group(is_real(of)) {
  check_options(options, adaptive, "MuntheKaas");
  size = {options, adaptive, 0, StepControl::of_order(method->error_power), {}};
  const std::size_t nx = group.nx, nv = group.nv;
  for (std::vector<double>* numbers : {&x, &x_before, &trial}) numbers->resize(nx);
  for (std::vector<double>* numbers : {&theta, &rate}) numbers->resize(nv);
  k.resize(std::size_t(method->stages) * nv);
  scratch.resize(3 * nv);
}

std::span<double> MuntheKaas::stage(int i) noexcept {
  const std::size_t n = group.nv;
  return {k.data() + std::size_t(i) * n, n};
}

double MuntheKaas::estimate(double h) noexcept {
  const std::span<double> error(scratch.data(), group.nv);
  combine(method->stages, method->e.data(), h, k.data(), group.nv, nullptr, error.data());
  return error_norm(group, size.options, x, trial, error);
}

void MuntheKaas::accept(double end, double h) noexcept {
  std::swap(x_before, x);
  std::swap(x, trial);
  if (real_group) {
    const std::span<const double> last = stage(method->stages - 1);
    std::copy(last.begin(), last.end(), rate.begin());
  }
  t = end;
  h_before = h;
}

void MuntheKaas::interpolate(double at, std::span<double> result) const noexcept {
  if (at >= t || !(t > t_before)) {
    std::copy(x.begin(), x.end(), result.begin());
    return;
  }
  const std::size_t n = group.nv;
  const double s = std::max(0.0, (at - t_before) / (t - t_before)), h = h_before;
  const int last = method->stages - 1;
  const std::span<double> way(scratch.data(), n), theta_at(scratch.data() + n, n);
  const std::span<double> quartic(scratch.data() + 2 * n, n);
  combine(last, method->a[last].data(), h, k.data(), group.nv, nullptr, way.data());
  hermite(way, {k.data(), n}, {k.data() + std::size_t(last) * n, n}, h, s, theta_at);
  if (method->order == 5) {
    combine(method->stages, method->dense.data(), h, k.data(), group.nv, nullptr, quartic.data());
    const double bump = s * s * (1 - s) * (1 - s);
    for (std::size_t i = 0; i < n; ++i) theta_at[i] += bump * quartic[i];
  }
  plus(group, x_before, theta_at, result);
}

void MuntheKaas::save(std::vector<double>& numbers) const {
  numbers.assign({t, rate_known ? 1.0 : 0.0});
  size.save(numbers);
  numbers.insert(numbers.end(), x.begin(), x.end());
  numbers.insert(numbers.end(), rate.begin(), rate.end());
}

void MuntheKaas::restore(std::span<const double> numbers) {
  check_saved(numbers, 2 + StepSize::saved + x.size() + rate.size(), "MuntheKaas::load");
  t = t_before = numbers[0];
  h_before = 0;
  rate_known = numbers[1] != 0;
  numbers = size.load(numbers.subspan(2));
  std::copy_n(numbers.begin(), x.size(), x.begin());
  std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(x.size()), rate.size(), rate.begin());
}

}  // namespace axode
