// Expressions in t alone, with their first two derivatives: truncated Taylor series.
#include <array>
#include <cmath>

#include "axode/simulate/forces/expression.hpp"

namespace axode {

namespace {

using Code = Expression::Code;

/// Value, slope and second derivative.
struct Jet {
  double f = 0, d = 0, dd = 0;
};

/// g(x) by its derivatives there; what does not change asks for none of them, as they may be infinite.
Jet chain(const Jet& x, double g, double slope, double bend) {
  if (x.d == 0 && x.dd == 0) return {g};
  return {g, slope * x.d, (x.d == 0 ? 0 : bend * x.d * x.d) + slope * x.dd};
}
Jet times(const Jet& a, const Jet& b) {
  return {a.f * b.f, a.d * b.f + a.f * b.d, a.dd * b.f + 2 * a.d * b.d + a.f * b.dd};
}
Jet over(const Jet& a, const Jet& b) {
  const double f = a.f / b.f, d = (a.d - f * b.d) / b.f;
  return {f, d, (a.dd - 2 * d * b.d - f * b.dd) / b.f};
}

Jet of_one(Code code, const Jet& a) {
  const double x = a.f;
  switch (code) {
    case Code::negate:
      return {-a.f, -a.d, -a.dd};
    case Code::sin:
      return chain(a, std::sin(x), std::cos(x), -std::sin(x));
    case Code::cos:
      return chain(a, std::cos(x), -std::sin(x), -std::cos(x));
    case Code::tan: {
      const double f = std::tan(x), slope = 1 + f * f;
      return chain(a, f, slope, 2 * f * slope);
    }
    case Code::asin: {
      const double w = 1 - x * x, r = std::sqrt(w);
      return chain(a, std::asin(x), 1 / r, x / (w * r));
    }
    case Code::acos: {
      const double w = 1 - x * x, r = std::sqrt(w);
      return chain(a, std::acos(x), -1 / r, -x / (w * r));
    }
    case Code::atan: {
      const double w = 1 / (1 + x * x);
      return chain(a, std::atan(x), w, -2 * x * w * w);
    }
    case Code::sqrt: {
      const double r = std::sqrt(x);
      return chain(a, r, 0.5 / r, -0.25 / (x * r));
    }
    case Code::exp: {
      const double f = std::exp(x);
      return chain(a, f, f, f);
    }
    case Code::log:
      return chain(a, std::log(x), 1 / x, -1 / (x * x));
    case Code::abs:
      return x < 0 ? Jet{-a.f, -a.d, -a.dd} : a;
    case Code::sign:
      return {x > 0 ? 1.0 : x < 0 ? -1.0 : x};  // NaN stays
    case Code::step:
      return {x >= 0 ? 1.0 : x < 0 ? 0.0 : x};
    default: {
      const double f = std::tanh(x), slope = 1 - f * f;
      return chain(a, f, slope, -2 * f * slope);
    }
  }
}

Jet power(const Jet& a, const Jet& b) {
  const double f = std::pow(a.f, b.f);
  if (b.d == 0 && b.dd == 0) {
    // Integer powers have no slope beyond their degree, even at zero.
    const double slope = b.f == 0 ? 0 : b.f * std::pow(a.f, b.f - 1);
    const double bend = b.f == 0 || b.f == 1 ? 0 : b.f * (b.f - 1) * std::pow(a.f, b.f - 2);
    return chain(a, f, slope, bend);
  }
  return of_one(Code::exp, times(b, of_one(Code::log, a)));
}

/// atan2(y, x): its rate (x y' - y x') / r^2.
Jet angle(const Jet& y, const Jet& x) {
  const double r2 = x.f * x.f + y.f * y.f;
  const double n = x.f * y.d - y.f * x.d, dn = x.f * y.dd - y.f * x.dd;
  const double rate = n / r2;
  return {std::atan2(y.f, x.f), rate, (dn - rate * 2 * (x.f * x.d + y.f * y.d)) / r2};
}

Jet of_two(Code code, const Jet& a, const Jet& b) {
  const double x = a.f, y = b.f;
  switch (code) {
    case Code::add:
      return {a.f + b.f, a.d + b.d, a.dd + b.dd};
    case Code::subtract:
      return {a.f - b.f, a.d - b.d, a.dd - b.dd};
    case Code::multiply:
      return times(a, b);
    case Code::divide:
      return over(a, b);
    case Code::power:
      return power(a, b);
    case Code::atan2:
      return angle(a, b);
    case Code::min:
      return y < x ? b : a;
    case Code::max:
      return x < y ? b : a;
    case Code::less:
      return {x < y ? 1.0 : 0.0};
    case Code::less_equal:
      return {x <= y ? 1.0 : 0.0};
    case Code::greater:
      return {x > y ? 1.0 : 0.0};
    case Code::greater_equal:
      return {x >= y ? 1.0 : 0.0};
    case Code::equal:
      return {x == y ? 1.0 : 0.0};
    default:
      return {x != y ? 1.0 : 0.0};
  }
}

}  // namespace

std::array<double, 3> value_in_time(const Expression& expression, double t) noexcept {
  std::array<Jet, max_expression_depth> stack;
  std::size_t size = 0;
  for (const Expression::Step& step : expression.program) {
    if (step.code == Code::number) {
      stack[size++] = {step.value};
    } else if (step.code <= Code::velocity) {  // joints do not move in time alone
      stack[size++] = {t, 1, 0};
    } else if (step.code <= Code::tanh) {
      stack[size - 1] = of_one(step.code, stack[size - 1]);
    } else if (step.code == Code::choose) {
      size -= 2;
      stack[size - 1] = stack[size - 1].f != 0 ? stack[size] : stack[size + 1];
    } else {
      --size;
      stack[size - 1] = of_two(step.code, stack[size - 1], stack[size]);
    }
  }
  if (size == 0) return {};
  const Jet& top = stack[size - 1];
  return {top.f, top.d, top.dd};
}

}  // namespace axode
