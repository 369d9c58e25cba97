#include <array>
#include <cmath>

#include "axode/simulate/forces/expression.hpp"

namespace axode {

namespace {

using Code = Expression::Code;

/// f(x) with the slope f'(x); where x does not change the slope, which may be infinite, does not count.
double chain(double, double f, double) { return f; }
Dual<double> chain(const Dual<double>& x, double f, double slope) {
  return {f, x.dual == 0 ? 0 : slope * x.dual};
}
double real(double x) { return x; }
double real(const Dual<double>& x) { return x.real; }

double power(double a, double b) { return std::pow(a, b); }
Dual<double> power(const Dual<double>& a, const Dual<double>& b) {
  const double f = std::pow(a.real, b.real);
  double slope = 0;
  if (a.dual != 0) slope += b.real * std::pow(a.real, b.real - 1) * a.dual;
  if (b.dual != 0) slope += f * std::log(a.real) * b.dual;
  return {f, slope};
}

template <class S>
S of_one(Code code, const S& a) {
  const double x = real(a);
  switch (code) {
    case Code::negate:
      return -a;
    case Code::sin:
      return chain(a, std::sin(x), std::cos(x));
    case Code::cos:
      return chain(a, std::cos(x), -std::sin(x));
    case Code::tan: {
      const double f = std::tan(x);
      return chain(a, f, 1 + f * f);
    }
    case Code::asin:
      return chain(a, std::asin(x), 1 / std::sqrt(1 - x * x));
    case Code::acos:
      return chain(a, std::acos(x), -1 / std::sqrt(1 - x * x));
    case Code::atan:
      return chain(a, std::atan(x), 1 / (1 + x * x));
    case Code::sqrt:
      return chain(a, std::sqrt(x), 0.5 / std::sqrt(x));
    case Code::exp:
      return chain(a, std::exp(x), std::exp(x));
    case Code::log:
      return chain(a, std::log(x), 1 / x);
    case Code::abs:
      return x < 0 ? -a : a;
    case Code::sign:
      return S(x > 0 ? 1.0 : x < 0 ? -1.0 : x);  // NaN stays
    case Code::step:
      return S(x >= 0 ? 1.0 : x < 0 ? 0.0 : x);
    default: {
      const double f = std::tanh(x);
      return chain(a, f, 1 - f * f);
    }
  }
}

template <class S>
S of_two(Code code, const S& a, const S& b) {
  const double x = real(a), y = real(b);
  switch (code) {
    case Code::add:
      return a + b;
    case Code::subtract:
      return a - b;
    case Code::multiply:
      return a * b;
    case Code::divide:
      return a / b;
    case Code::power:
      return power(a, b);
    case Code::atan2: {
      const double f = std::atan2(x, y), r2 = x * x + y * y;
      return chain(a, f, y / r2) + chain(b, 0, -x / r2);
    }
    case Code::min:
      return min(a, b);
    case Code::max:
      return max(a, b);
    case Code::less:
      return S(x < y ? 1.0 : 0.0);
    case Code::less_equal:
      return S(x <= y ? 1.0 : 0.0);
    case Code::greater:
      return S(x > y ? 1.0 : 0.0);
    case Code::greater_equal:
      return S(x >= y ? 1.0 : 0.0);
    case Code::equal:
      return S(x == y ? 1.0 : 0.0);
    default:
      return S(x != y ? 1.0 : 0.0);
  }
}

}  // namespace

template <class S>
S value(const Expression& expression, double t, std::span<const S> q,
        std::span<const S> v) noexcept {
  std::array<S, max_expression_depth> stack;
  std::size_t size = 0;
  for (const Expression::Step& step : expression.program) {
    if (step.code == Code::number) {
      stack[size++] = S(step.value);
    } else if (step.code == Code::time) {
      stack[size++] = S(t);
    } else if (step.code == Code::position) {
      stack[size++] = q[step.index];
    } else if (step.code == Code::velocity) {
      stack[size++] = v[step.index];
    } else if (step.code <= Code::tanh) {
      stack[size - 1] = of_one(step.code, stack[size - 1]);
    } else if (step.code == Code::choose) {
      size -= 2;
      stack[size - 1] = real(stack[size - 1]) != 0 ? stack[size] : stack[size + 1];
    } else {
      --size;
      stack[size - 1] = of_two(step.code, stack[size - 1], stack[size]);
    }
  }
  return size > 0 ? stack[size - 1] : S(0);
}
template double value(const Expression&, double, std::span<const double>,
                      std::span<const double>) noexcept;
template Dual<double> value(const Expression&, double, std::span<const Dual<double>>,
                            std::span<const Dual<double>>) noexcept;

}  // namespace axode
