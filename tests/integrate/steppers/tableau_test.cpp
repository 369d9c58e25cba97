#include "axode/integrate/steppers/tableau.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "axode/core/error.hpp"

namespace axode::test::tableau {

using Stages = std::array<double, 7>;

/// Sums over the trees of each order up to 5 minus what they must be [HairerOde II.2], for weights
/// b.
std::vector<double> conditions(const Tableau& m, const Stages& b, int order) {
  const auto through = [&](const Stages& y) {
    Stages r{};
    for (std::size_t i = 0; i < 7; ++i)
      for (std::size_t j = 0; j < 6; ++j) r[i] += m.a[i][j] * y[j];
    return r;
  };
  const auto product = [](const Stages& u, const Stages& v) {
    Stages r{};
    for (std::size_t i = 0; i < 7; ++i) r[i] = u[i] * v[i];
    return r;
  };
  const auto total = [&](const Stages& y) {
    double sum = 0;
    for (std::size_t i = 0; i < 7; ++i) sum += b[i] * y[i];
    return sum;
  };
  Stages one{};
  one.fill(1);
  const Stages c = m.c, c2 = product(c, c), c3 = product(c2, c);
  const Stages ac = through(c), ac2 = through(c2), aac = through(ac);
  std::vector<double> r{total(one) - 1};
  if (order >= 2) r.push_back(total(c) - 1. / 2);
  if (order >= 3) r.insert(r.end(), {total(c2) - 1. / 3, total(ac) - 1. / 6});
  if (order >= 4)
    r.insert(r.end(), {total(c3) - 1. / 4, total(product(c, ac)) - 1. / 8, total(ac2) - 1. / 12,
                       total(aac) - 1. / 24});
  if (order >= 5)
    r.insert(r.end(), {total(product(c3, c)) - 1. / 5, total(product(c2, ac)) - 1. / 10,
                       total(product(c, ac2)) - 1. / 15, total(product(c, aac)) - 1. / 30,
                       total(product(ac, ac)) - 1. / 20, total(through(c3)) - 1. / 20,
                       total(through(product(c, ac))) - 1. / 40, total(through(ac2)) - 1. / 60,
                       total(through(aac)) - 1. / 120});
  return r;
}

Stages end_weights(const Tableau& m) {
  Stages b{};
  std::copy_n(m.a[m.stages - 1].begin(), 6, b.begin());
  return b;
}

TEST(Tableau, ConditionsOfOrderHold) {
  for (int order = 1; order <= 5; ++order) {
    const Tableau& m = axode::tableau(order);
    EXPECT_EQ(m.order, order);
    for (const double defect : conditions(m, end_weights(m), order)) EXPECT_NEAR(defect, 0, 1e-15);
    EXPECT_EQ(m.c[m.stages - 1], 1);
    for (std::size_t i = 0; i < 7; ++i) {
      double sum = 0;
      for (const double a : m.a[i]) sum += a;
      EXPECT_NEAR(sum, m.c[i], 4e-15) << order;
    }
  }
  EXPECT_THROW(axode::tableau(0), Error);
  EXPECT_THROW(axode::tableau(6), Error);
}

// b - e is a method of order k - 1, so that the estimate is of size h^k; not of order k.
TEST(Tableau, ErrorEstimatesHaveTheirOrder) {
  for (int order = 1; order <= 5; ++order) {
    const Tableau& m = axode::tableau(order);
    Stages other = end_weights(m);
    for (std::size_t i = 0; i < 7; ++i) other[i] -= m.e[i];
    const int k = m.error_power;
    for (const double defect : conditions(m, other, k - 1)) EXPECT_NEAR(defect, 0, 1e-15);
    double most = 0;
    const std::vector<double> here = conditions(m, end_weights(m), k);
    const std::vector<double> there = conditions(m, other, k);
    for (std::size_t i = 0; i < here.size(); ++i)
      most = std::max(most, std::abs(here[i] - there[i]));
    EXPECT_GT(most, 1e-4);
  }
}

TEST(Tableau, DenseWeightsVanishOnLinearRates) {
  const Tableau& m = axode::tableau(5);
  double sum = 0, first = 0, second = 0;
  for (std::size_t i = 0; i < 7; ++i) {
    sum += m.dense[i];
    first += m.dense[i] * m.c[i];
    second += m.dense[i] * m.c[i] * m.c[i];
  }
  EXPECT_NEAR(sum, 0, 1e-14);
  EXPECT_NEAR(first, 0, 1e-14);
  EXPECT_NEAR(second, 0, 1e-14);
}

TEST(Combine, AddsTheRates) {
  const std::vector<double> k{1, 2, 10, 20, 100, 200}, w{1, 0.5, 0.25}, base{7, 8};
  std::vector<double> out(2);
  combine(3, w.data(), 2, k.data(), 2, base.data(), out.data());
  EXPECT_EQ(out, (std::vector<double>{7 + 2 * 31., 8 + 2 * 62.}));
  combine(2, w.data(), 1, k.data(), 2, nullptr, out.data());
  EXPECT_EQ(out, (std::vector<double>{6, 12}));
}

}  // namespace axode::test::tableau
