// Of munthe_kaas.hpp.
#pragma once

namespace axode {

template <Flow System>
void MuntheKaas::start(System&, double start_time, std::span<const double> start_state) {
  t = t_before = start_time;
  h_before = 0;
  x.assign(start_state.begin(), start_state.end());
  size.restart(t);
  rate_known = false;
}

/// The rate at x, and the first step from there if it is to be chosen.
template <class System>
bool MuntheKaas::first_rate(System& system) {
  ++counts.rates;
  if (!system.rate(t, std::span<const double>(x), std::span<double>(rate))) return false;
  rate_known = true;
  if (!size.adaptive || size.h > 0) return true;
  const double probe = first_probe(group, size.options, x, rate);
  for (std::size_t i = 0; i < theta.size(); ++i) theta[i] = probe * rate[i];
  plus(group, x, theta, trial);
  ++counts.rates;
  const std::span<double> later = stage(1);
  size.h = system.rate(t + probe, std::span<const double>(trial), later)
               ? first_step(group, size.options, method->order, x, rate, later, probe, theta)
               : probe;
  return true;
}

template <class System>
StepVerdict MuntheKaas::attempt(System& system, double end, double h, double& error) {
  const int last = method->stages - 1;
  for (int i = 1; i <= last; ++i) {
    const std::size_t row = i;
    const double* weights = method->a[row].data();
    if (real_group) {
      combine(i, weights, h, k.data(), group.nv, x.data(), trial.data());
    } else {
      combine(i, weights, h, k.data(), group.nv, nullptr, theta.data());
      plus(group, x, theta, trial);
    }
    const std::span<double> out = i == last && !real_group ? std::span<double>(rate) : stage(i);
    ++counts.rates;
    const double at = method->c[row] == 1 ? end : t + method->c[row] * h;
    if (!system.rate(at, std::span<const double>(trial), out)) return StepVerdict::no_rate;
    if (!real_group) inverse_dexp(group, theta, out, stage(i));
  }
  if (size.adaptive) {
    error = estimate(h);
    if (!std::isfinite(error)) return StepVerdict::not_finite;
  }
  return all_finite(trial) && all_finite(stage(last)) ? StepVerdict::ok : StepVerdict::not_finite;
}

template <Flow System>
StepVerdict MuntheKaas::advance(System& system, double t_stop) {
  t_before = t;
  if (!(t_stop > t)) return StepVerdict::ok;
  if (!rate_known && !first_rate(system)) return StepVerdict::no_rate;
  if (!all_finite(rate)) return StepVerdict::not_finite;
  std::copy(rate.begin(), rate.end(), k.begin());
  double end = t, step = 0;
  const StepVerdict verdict = take_step(
      size, counts, t, t_stop, end,
      [&](double at, double h, double& error) { return attempt(system, at, step = h, error); });
  if (verdict == StepVerdict::ok)
    accept(end, step);
  else
    rate_known = false;  // `rate` may be that of a stage
  return verdict;
}

}  // namespace axode
