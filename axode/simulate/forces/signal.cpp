#include "axode/simulate/forces/signal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "axode/core/error.hpp"
#include "axode/simulate/forces/detail/spline_slopes.hpp"

namespace axode {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<double> natural_slopes(const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<double> steps;
  for (std::size_t i = 1; i < y.size(); ++i) steps.push_back(y[i] - y[i - 1]);
  return detail::spline_slopes(x, steps, detail::SplineEnds::natural);
}

double value_of(const Samples& f, double t) noexcept {
  const auto after = std::upper_bound(f.times.begin(), f.times.end(), t);
  if (after == f.times.begin()) return f.values.front();
  const std::size_t i = (after - f.times.begin()) - 1;
  if (after == f.times.end() || f.between == Between::hold) return f.values[i];
  const double h = f.times[i + 1] - f.times[i], u = (t - f.times[i]) / h, w = 1 - u;
  if (f.between == Between::linear) return w * f.values[i] + u * f.values[i + 1];
  return w * w * ((1 + 2 * u) * f.values[i] + u * h * f.slopes[i]) +
         u * u * ((1 + 2 * w) * f.values[i + 1] - w * h * f.slopes[i + 1]);
}

double next_of(const std::vector<double>& times, double t) noexcept {
  const auto after = std::upper_bound(times.begin(), times.end(), t);
  if (after == times.end()) return infinity;
  return *after;
}

double function_value(const SignalFunction& f, const SignalArguments<double>& at) {
  return f(at.t, at.q, at.v);
}
Dual<double> function_value(const SignalFunction& f, const SignalArguments<Dual<double>>& at) {
  const double minus = f(at.t, at.q_minus, at.v_minus), plus = f(at.t, at.q_plus, at.v_plus);
  return {0.5 * (minus + plus), (plus - minus) / (2 * at.h)};
}

}  // namespace

Samples samples(std::vector<double> times, std::vector<double> values, Between between) {
  if (times.size() != values.size() || times.empty())
    throw Error(fmt::format("{} times and {} values", times.size(), values.size()), "samples",
                "give one value for each time, at least one");
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!std::isfinite(times[i]) || !std::isfinite(values[i]))
      throw Error(fmt::format("sample {} is not finite", i), "samples", "give finite numbers");
    if (i > 0 && !(times[i] > times[i - 1]))
      throw Error(fmt::format("time {} is not after the one before", i), "samples",
                  "sort the times, each once");
  }
  Samples result{std::move(times), std::move(values), between, {}};
  if (between == Between::cubic) result.slopes = natural_slopes(result.times, result.values);
  return result;
}

bool is_zero(const Signal& signal) noexcept {
  const double* constant = std::get_if<double>(&signal.form);
  return constant && *constant == 0;
}
bool is_function(const Signal& signal) noexcept {
  return std::holds_alternative<SignalFunction>(signal.form);
}

template <class S>
S value(const Signal& signal, const SignalArguments<S>& at) {
  if (const double* constant = std::get_if<double>(&signal.form)) return S(*constant);
  if (const Samples* form = std::get_if<Samples>(&signal.form)) return S(value_of(*form, at.t));
  if (const Expression* form = std::get_if<Expression>(&signal.form))
    return value<S>(*form, at.t, at.q, at.v);
  return function_value(*std::get_if<SignalFunction>(&signal.form), at);
}
template double value(const Signal&, const SignalArguments<double>&);
template Dual<double> value(const Signal&, const SignalArguments<Dual<double>>&);

double next_switch(const Signal& signal, double t) noexcept {
  if (const Samples* form = std::get_if<Samples>(&signal.form)) {
    if (form->between != Between::cubic) return next_of(form->times, t);
    // The spline is smooth inside; its slope jumps where it meets the constant values.
    return t < form->times.front() ? form->times.front()
                                   : (t < form->times.back() ? form->times.back() : infinity);
  }
  if (const Expression* form = std::get_if<Expression>(&signal.form))
    return next_of(form->switch_times, t);
  return infinity;
}

}  // namespace axode
