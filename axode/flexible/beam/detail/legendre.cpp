#include "axode/flexible/beam/detail/legendre.hpp"

#include <cmath>
#include <numbers>

#include "axode/core/error.hpp"

namespace axode {

namespace {

/// From f_n, n = 0 .. size, f_0' known apart: integrals (f_(n+1) - f_(n-1)) / (2 (2n + 1)).
std::vector<double> integrated(const std::vector<double>& f, double zeroth) {
  std::vector<double> result(f.size() - 1);
  for (std::size_t n = 0; n < result.size(); ++n)
    result[n] = n == 0 ? zeroth : (f[n + 1] - f[n - 1]) / (2 * (2 * static_cast<double>(n) + 1));
  return result;
}
/// D_(n+1) = D_(n-1) + 2 (2n + 1) f_n: derivatives of the polynomials from the polynomials.
std::vector<double> derived(const std::vector<double>& f) {
  std::vector<double> result(f.size(), 0.0);
  for (std::size_t n = 1; n < f.size(); ++n)
    result[n] = (n > 1 ? result[n - 2] : 0.0) + 2 * (2 * static_cast<double>(n) - 1) * f[n - 1];
  return result;
}

}  // namespace

LegendreTable legendre_table(int count, double s) {
  const std::size_t size = count;
  std::vector<double> P(size + 2, 1.0);
  const double y = 2 * s - 1;
  P[1] = y;
  for (std::size_t k = 1; k + 1 < P.size(); ++k) {
    const auto n = static_cast<double>(k);
    P[k + 1] = ((2 * n + 1) * y * P[k] - n * P[k - 1]) / (n + 1);
  }
  LegendreTable table;
  auto& [twice, once, value, first, second] = table.rows;
  once = integrated(P, s);
  twice = integrated(once, s * s / 2);
  value = P;
  first = derived(P);
  second = derived(first);
  for (std::vector<double>& row : table.rows) row.resize(size);
  return table;
}

GaussRule gauss_rule(int points) {
  if (points < 1) throw Error("no points", "gauss_rule", "ask for one or more");
  GaussRule rule;
  rule.x.reserve(points);
  rule.weight.reserve(points);
  const double n = points;
  for (int i = 0; i < points; ++i) {
    double y = -std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5)), slope = 0;
    for (int step = 0; step < 8; ++step) {  // quadratic from a close start: 4 are enough
      double before = 1, P = y;
      for (int k = 1; k < points; ++k) {
        const double next = ((2.0 * k + 1) * y * P - k * before) / (k + 1.0);
        before = P;
        P = next;
      }
      slope = n * (before - y * P) / ((1 - y) * (1 + y));
      y -= P / slope;
    }
    rule.x.push_back((1 + y) / 2);
    rule.weight.push_back(1 / ((1 - y) * (1 + y) * slope * slope));
  }
  return rule;
}

GaussRule composite_rule(int panels, int points) {
  const GaussRule one = gauss_rule(points);
  GaussRule rule;
  const std::size_t size = one.x.size() * panels;
  rule.x.reserve(size);
  rule.weight.reserve(size);
  for (int panel = 0; panel < panels; ++panel)
    for (std::size_t i = 0; i < one.x.size(); ++i) {
      rule.x.push_back((panel + one.x[i]) / panels);
      rule.weight.push_back(one.weight[i] / panels);
    }
  return rule;
}

}  // namespace axode
