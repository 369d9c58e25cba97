/// The root of a function between two points where its signs differ [Chandrupatla].
///
/// Inverse quadratic interpolation where that is safe, else bisection; smooth functions take about
/// 8 evaluations to 1e-12.
/// Tests: tests/integrate/detail/root_test.cpp
#pragma once
#include <algorithm>
#include <cmath>

namespace axode {

/// The first point known to lie at the root or on b's side of it, no further than `tolerance` from
/// a point of a's side. f(a) = fa and f(b) = fb have different signs; fb may be 0.
template <class Function>
double find_root(Function&& f, double a, double b, double fa, double fb, double tolerance) {
  const auto after = [&](double value) { return fa > 0 ? !(value > 0) : !(value < 0); };
  double x1 = b, f1 = fb, x2 = a, f2 = fa, t = 0.5;
  while (std::abs(x1 - x2) > tolerance) {
    const double x = x1 + t * (x2 - x1), fx = f(x);
    if (x == x1 || x == x2) break;  // no number in between
    double x3 = x1, f3 = f1;
    if (after(fx) != after(f1)) x3 = x2, f3 = f2, x2 = x1, f2 = f1;
    x1 = x, f1 = fx;
    const double xi = (x1 - x2) / (x3 - x2), phi = (f1 - f2) / (f3 - f2);
    const bool smooth = phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi;
    t = smooth ? f1 / (f2 - f1) * f3 / (f2 - f3) +
                     (x3 - x1) / (x2 - x1) * f1 / (f3 - f1) * f2 / (f3 - f2)
               : 0.5;
    const double least = 0.5 * tolerance / std::abs(x2 - x1);
    t = least < 0.5 ? std::clamp(t, least, 1 - least) : 0.5;
  }
  return after(f1) ? x1 : x2;
}

}  // namespace axode
