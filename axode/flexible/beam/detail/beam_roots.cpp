#include "axode/flexible/beam/detail/beam_roots.hpp"

#include <cmath>
#include <numbers>

namespace axode {

namespace {

/// sum of (-4)^n z^(4n+k) / (4n+k)!: the products of circular and hyperbolic functions that cancel
/// for small z are multiples of it.
double alternating(double z, int k) {
  double term = 1, sum = 0;
  for (int i = 1; i <= k; ++i) term *= z / i;
  for (int n = k; sum + term != sum; n += 4) {
    sum += term;
    term *= -4 * z * z * z * z / ((n + 1.0) * (n + 2.0) * (n + 3.0) * (n + 4.0));
  }
  return sum;
}

/// The products of the equations; beyond z = 1 all divided by cosh z.
struct Products {
  double one_plus, one_minus;  ///< 1 + c ch, 1 - c ch
  double sum, difference;      ///< s ch + c sh, s ch - c sh
  double cos_cosh, sin_sinh;
};
Products products(double z) {
  if (z <= 1) {
    const double cc = alternating(z, 0);
    return {1 + cc, 4 * alternating(z, 4), 2 * alternating(z, 1), 4 * alternating(z, 3),
            cc,     2 * alternating(z, 2)};
  }
  const double c = std::cos(z), s = std::sin(z), t = std::tanh(z), one = 1 / std::cosh(z);
  return {one + c, one - c, s + c * t, s - c * t, c, s * t};
}

/// The change of sign of f in [a, b], with f of this sign on the left. The ends are not evaluated:
/// roots may lie on them.
template <class F>
double bisect(double a, double b, bool positive_left, const F& f) {
  for (;;) {
    const double middle = a + (b - a) / 2;
    if (middle <= a || middle >= b) return middle;
    (f(middle) > 0) == positive_left ? a = middle : b = middle;
  }
}
bool odd(int number) { return number % 2 != 0; }

/// tan z = tanh z: clamped and pinned; pinned and free.
double equal_tangents(int number) {
  if (number == 0) return 0;
  return bisect(number * std::numbers::pi, (number + 0.5) * std::numbers::pi, odd(number),
                [](double z) { return products(z).difference; });
}

/// Clamped, a tip that cannot turn and carries a mass.
double clamped_guided(int number, double mass) {
  if (number == 0) return 0;
  const auto held = [](double z) { return products(z).one_minus; };
  const double low = number == 1 ? 0
                                 : bisect((number - 1) * std::numbers::pi,
                                          number * std::numbers::pi, odd(number - 1), held);
  return bisect(low, number * std::numbers::pi, !odd(number), [mass](double z) {
    const Products p = products(z);
    return mass * z * p.one_minus - p.sum;
  });
}
double pinned_guided(int number, double mass) {
  return bisect(equal_tangents(number - 1), (number - 0.5) * std::numbers::pi, !odd(number),
                [mass](double z) {
                  const Products p = products(z);
                  return mass * z * p.difference - 2 * p.cos_cosh;
                });
}

double clamped_equation(double z, const TipRatios& tip) {
  const Products p = products(z);
  const double n = tip.mass * z, k = tip.inertia * z * z * z;
  return p.one_plus - n * p.difference - k * p.sum + n * k * p.one_minus;
}
double pinned_equation(double z, const TipRatios& tip) {
  const Products p = products(z);
  const double n = tip.mass * z, k = tip.inertia * z * z * z;
  return -p.difference - 2 * n * p.sin_sinh - 2 * k * p.cos_cosh + n * k * p.difference;
}

}  // namespace

double clamped_root(int number, const TipRatios& tip) {
  const auto equation = [&](double inertia) {
    return [&tip, inertia](double z) { return clamped_equation(z, {tip.mass, inertia}); };
  };
  const double held = equal_tangents(number - 1);
  const double no_inertia = bisect(held, number * std::numbers::pi, odd(number), equation(0));
  if (tip.inertia == 0) return no_inertia;
  const double low = clamped_guided(number - 1, tip.mass);
  return bisect(low, no_inertia, odd(number), equation(tip.inertia));
}

double pinned_root(int number, const TipRatios& tip) {
  const auto equation = [&](double inertia) {
    return [&tip, inertia](double z) { return pinned_equation(z, {tip.mass, inertia}); };
  };
  const double no_inertia = bisect(number * std::numbers::pi, (number + 0.5) * std::numbers::pi,
                                   !odd(number), equation(0));
  if (tip.inertia == 0) return no_inertia;
  return bisect(pinned_guided(number, tip.mass), no_inertia, !odd(number), equation(tip.inertia));
}

double rod_root(int number, double ratio) {
  if (ratio == 0) return (number - 0.5) * std::numbers::pi;
  return bisect((number - 1) * std::numbers::pi, (number - 0.5) * std::numbers::pi, odd(number),
                [ratio](double z) { return std::cos(z) - ratio * z * std::sin(z); });
}

double clamped_one_minus_sigma(double z, double mass_ratio) {
  const double n = mass_ratio * z;
  if (z <= 2) {
    const auto f = duncan_functions(z);
    return 1 - (f[3] + n * f[2]) / (f[0] + n * f[3]);
  }
  const double c = std::cos(z), s = std::sin(z);
  return (std::exp(-z) * (1 - n) + c + s + n * (c - s)) /
         (std::cosh(z) + c + n * (std::sinh(z) - s));
}

double pinned_tip_sinh(double z, double mass_ratio) {
  const double n = mass_ratio * z;
  return (std::cos(z) - n * std::sin(z)) / (1 / std::tanh(z) + n);
}

std::array<double, 4> duncan_functions(double z) {
  const double z4 = z * z * z * z;
  std::array<double, 4> result{};
  double first = 1;
  for (int k = 0; k < 4; ++k) {
    double term = first, sum = 0;
    for (int n = k; sum + term != sum; n += 4) {
      sum += term;
      term *= z4 / ((n + 1.0) * (n + 2.0) * (n + 3.0) * (n + 4.0));
    }
    result[k] = sum;
    first *= z / (k + 1);
  }
  return result;
}

}  // namespace axode
