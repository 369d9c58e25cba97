// Formulas against numbers: sums, products and derivatives have the values of those of numbers at
// random points; equal formulas are recognised; texts are those that a person writes.
#include "axode/lie/formula.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "tests/support/errors.hpp"

namespace axode::test::formulas {
namespace {

const std::vector<FormulaSymbol> symbols{
    {"phi", R"(\varphi)", "phi"}, {"1.x", "x_{1}", "n1_x"}, {"y", "y", "y"}, {"L", "L", "L", true}};
const Formula phi = Formula::symbol(0), x = Formula::symbol(1), y = Formula::symbol(2),
              L = Formula::symbol(3);

/// A random formula and a function with the same value.
struct Pair {
  Formula formula;
  std::function<double(std::span<const double>)> number;
};
Pair random_pair(std::mt19937& random, int depth) {
  std::uniform_real_distribution<double> number(-2, 2);
  std::uniform_int_distribution<int> pick(0, 3);
  if (depth == 0) {
    const int kind = pick(random), s = pick(random), r = pick(random);
    const double a = number(random), b = number(random);
    const Formula angle = Formula(a) * Formula::symbol(s) + Formula::symbol(r) + Formula(b);
    const auto value = [=](auto v) { return a * v[s] + v[r] + b; };
    if (kind == 0) return {sin(angle), [=](auto v) { return std::sin(value(v)); }};
    if (kind == 1) return {cos(angle), [=](auto v) { return std::cos(value(v)); }};
    return {angle, value};
  }
  const Pair a = random_pair(random, depth - 1), b = random_pair(random, depth - 1);
  if (pick(random) < 2)
    return {a.formula * b.formula, [=](auto v) { return a.number(v) * b.number(v); }};
  return {a.formula - b.formula, [=](auto v) { return a.number(v) - b.number(v); }};
}

std::string text(const Formula& f, FormulaStyle style = FormulaStyle::text) {
  return written(f, symbols, style);
}

}  // namespace

TEST(Formula, HasTheValuesOfNumbers) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int n = 0; n < 200; ++n) {
    const Pair pair = random_pair(random, n % 3);
    std::vector<double> at(4);
    for (double& v : at) v = number(random);
    const double expected = pair.number(at);
    EXPECT_NEAR(value(pair.formula, at), expected, 1e-12 * (1 + std::abs(expected)));
    for (int s = 0; s < 4; ++s) {
      const auto along = [&](double h) {
        std::vector<double> moved = at;
        moved[s] += h;
        return pair.number(moved);
      };
      const double h = 1e-3;
      const double slope = (8 * (along(h) - along(-h)) - (along(2 * h) - along(-2 * h))) / (12 * h);
      EXPECT_NEAR(value(derivative(pair.formula, s), at), slope, 1e-7 * (1 + std::abs(slope)));
    }
  }
}

TEST(Formula, EqualOnesAreRecognised) {
  EXPECT_EQ((x + y) * (x - y), x * x - y * y);
  EXPECT_TRUE((sin(phi) * y - y * sin(phi)).is_zero());
  EXPECT_EQ(sin(-phi - x), -sin(phi + x));
  EXPECT_EQ(cos(-phi), cos(phi));
  EXPECT_EQ(sin(phi + Formula(pi<double> / 2)), cos(phi));
  EXPECT_EQ(cos(phi - Formula(pi<double> / 2)), sin(phi));
  EXPECT_EQ(cos(phi + Formula(3 * pi<double>)), -cos(phi));
  EXPECT_EQ(cos(Formula(pi<double> / 2)), Formula(0));
}

TEST(Formula, IsWrittenAsAPersonWrites) {
  EXPECT_EQ(text(L * cos(phi + y) * Formula(-2) + x - Formula(3)), "1.x - 2 L cos(phi + y) - 3");
  EXPECT_EQ(text(Formula(2) * x * x * y), "2 * 1.x^2 y");
  EXPECT_EQ(text(Formula(2.5) * L * sin(Formula(2) * phi), FormulaStyle::latex),
            R"(2.5 L \sin\left(2 \varphi\right))");
  EXPECT_EQ(text(Formula(1e-7) * x, FormulaStyle::latex), R"(1 \cdot 10^{-7} x_{1})");
  EXPECT_EQ(text(Formula(1e-7) * x * x * cos(phi), FormulaStyle::python), "1e-07*n1_x**2*cos(phi)");
  EXPECT_EQ(text(Formula()), "0");
}

TEST(Formula, ProductsOfLongSumsStayProducts) {
  ProductSum f;
  f.add_product(1, {x - y, x - y});
  f.add_product(-1, {L, L});
  EXPECT_EQ(written(f, symbols, FormulaStyle::text), "(1.x - y)^2 - L^2");
  EXPECT_EQ(written(f, symbols, FormulaStyle::python), "(n1_x - y)**2 - L**2");
  EXPECT_EQ(written(derivative(f, 1), symbols, FormulaStyle::text), "2 * 1.x - 2 y");
  EXPECT_EQ(written(scaled(f, Formula(3)), symbols, FormulaStyle::text), "3 (1.x - y)^2 - 3 L^2");
  f.add_product(1, {Formula(), x});
  EXPECT_EQ(f.products.size(), 2u);
}

TEST(Formula, NoiseOfRoundingIsLeftOut) {
  EXPECT_EQ(without_noise(x + Formula(1e-16) * y), x);
  EXPECT_EQ(without_noise(Formula(1e-16) * y), Formula(1e-16) * y);
}

TEST(Formula, AnglesAreSumsOfSymbols) {
  expect_says(message([] { sin(x * y); }), "sums of symbols");
  expect_says(message([] { cos(sin(x)); }), "sums of symbols");
}

}  // namespace axode::test::formulas
