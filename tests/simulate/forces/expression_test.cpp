#include "axode/simulate/forces/expression.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "axode/core/error.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/errors.hpp"

namespace axode::test::expression_test {
namespace {

Tree arm() {
  return TreeBuilder("arm")
      .body("upper", {.mass = 1})
      .joint("shoulder", revolute({.axis = {0, 1, 0}}))
      .body("lower", {.mass = 1})
      .on("upper")
      .joint("elbow.left", revolute({.axis = {0, 1, 0}}))
      .body("hand", {.mass = 1})
      .on("lower")
      .joint("wrist", spherical({0, 0, 0}))
      .build();
}
constexpr double t0 = .7;
const std::vector<double> q0{.4, -1.3, 1, 0, 0, 0}, v0{.9, -.2, .1, .2, .3};

double at(const std::string& text, double t = t0) {
  const Tree tree = arm();
  return value<double>(compile_expression(tree, text), t, q0, v0);
}

TEST(Expression, Values) {
  EXPECT_DOUBLE_EQ(at("20*sin(2*pi*t) - 3*v[elbow.left]"), 20 * std::sin(2 * M_PI * t0) + .6);
  EXPECT_DOUBLE_EQ(at("q[shoulder] + 10*q[wrist.0] + 100*v[wrist.2]"), .4 + 10 + 30);
  EXPECT_EQ(at("2 + 3*4 - 6/3 - 1"), 11);
  EXPECT_EQ(at("-2^2"), -4);
  EXPECT_EQ(at("2^3^2"), 512);
  EXPECT_EQ(at("2^-1"), .5);
  EXPECT_EQ(at("- - 3 * (1 - -1)"), 6);
  EXPECT_EQ(at(" 1e-3*1.5E3 + .5 "), 2);
  EXPECT_EQ(at("1 < 2 ? 3 : 4"), 3);
  EXPECT_EQ(at("t >= 1 ? 3 : t < .5 ? 4 : 5"), 5);
  EXPECT_EQ(at("(1 == 1) + (1 != 1) + (2 > 1) + (2 <= 1)"), 2);
  EXPECT_EQ(at("step(t - 1) + 10*step(1 - t) + 100*sign(-t) + 1000*step(0)"), 910);
  EXPECT_DOUBLE_EQ(at("atan2(1, -1) + tan(.3) + asin(.2) + acos(.2) + atan(2)"),
                   std::atan2(1, -1) + std::tan(.3) + std::asin(.2) + std::acos(.2) + std::atan(2));
  EXPECT_DOUBLE_EQ(at("sqrt(2) + exp(1) + log(3) + abs(-4) + min(t, 9) + max(t, 9) + pow(t, 3)"),
                   std::sqrt(2) + std::exp(1) + std::log(3) + 4 + t0 + 9 + t0 * t0 * t0);
  EXPECT_DOUBLE_EQ(at("tanh(t) * g"), std::tanh(t0) * 9.81);
  EXPECT_TRUE(std::isnan(at("sqrt(-t)")));
}

TEST(Expression, DerivativesAreExact) {
  const Tree tree = arm();
  using D = Dual<double>;
  for (const char* text :
       {"sin(q[shoulder])*cos(2*q[shoulder]) + tan(q[shoulder])",
        "asin(q[shoulder]) - acos(q[shoulder])",
        "atan(3*q[shoulder]) + tanh(q[shoulder])/exp(q[shoulder])",
        "log(q[shoulder])*sqrt(q[shoulder])",
        "q[shoulder]^3 + 2^q[shoulder] + q[shoulder]^q[shoulder]",
        "abs(-q[shoulder]) + abs(q[shoulder])", "atan2(q[shoulder], 1 - q[shoulder]^2)",
        "max(q[shoulder], .1) + min(q[shoulder], .1)", "q[shoulder] > 0 ? q[shoulder]^2 : 7",
        "pow(q[shoulder], 2.5) - step(q[shoulder])"}) {
    const Expression f = compile_expression(tree, text);
    const auto moved = [&](double x) {
      std::vector<double> q = q0;
      q[0] += x;
      return value<double>(f, t0, q, v0);
    };
    const auto slope = [&](double h) { return (moved(h) - moved(-h)) / (2 * h); };
    const double reference = (4 * slope(5e-4) - slope(1e-3)) / 3;
    std::vector<D> q(q0.begin(), q0.end()), v(v0.begin(), v0.end());
    q[0].dual = 1;
    const D result = value<D>(f, t0, q, v);
    EXPECT_DOUBLE_EQ(result.real, moved(0)) << text;
    EXPECT_NEAR(result.dual, reference, 1e-9 * std::max(1.0, std::abs(reference))) << text;
  }
}

TEST(Expression, ConstantDirectionsHaveNoInfiniteSlope) {
  const Tree tree = arm();
  using D = Dual<double>;
  std::vector<D> q(q0.begin(), q0.end()), v(v0.begin(), v0.end());
  q[0].dual = 1;
  const Expression f = compile_expression(tree, "sqrt(t) + t^.5 + asin(1 - t)");
  EXPECT_EQ(value<D>(f, 0, q, v).dual, 0);
}

TEST(Expression, TellsWhereItSwitchesInTime) {
  const Tree tree = arm();
  const auto times = [&](const char* text) { return compile_expression(tree, text).switch_times; };
  EXPECT_EQ(times("step(t - 2) - step(t - 3) + step(t - 2)"), (std::vector<double>{2, 3}));
  EXPECT_EQ(times("t < 1.5 ? 1 : 0"), std::vector<double>{1.5});
  EXPECT_EQ(times("abs(2*t - 1) + max(t, 4)"), (std::vector<double>{.5, 4}));
  EXPECT_EQ(times("sign(q[shoulder]) + sin(t) + step(sin(t))"), std::vector<double>{});
  for (const char* text : {"step(3*t - 1)", "step(t/7 - 1/3)", "sign(.1*t - .07)", "t*1.1 < .3"}) {
    const Expression f = compile_expression(tree, text);
    ASSERT_EQ(f.switch_times.size(), 1u) << text;
    const double t = f.switch_times[0];
    const auto value_at = [&](double x) { return value<double>(f, x, q0, v0); };
    EXPECT_EQ(value_at(t - 16 * epsilon<double> * t), value_at(t - 1)) << text;
    EXPECT_TRUE(value_at(t) == value_at(t + 1) || value_at(std::nextafter(t, 9)) == value_at(t + 1))
        << text;
  }
}

TEST(Expression, ErrorsNameTheColumn) {
  const auto says = [](const std::string& text, const std::string& words) {
    expect_says(message([&] { at(text); }), words);
  };
  says("2 + foo(3)", "column 5: 'foo' is neither");
  says("2 +", "column 4: the expression ends");
  says("2 + * 3", "column 5: a value is needed");
  says("(1 + 2", "column 7: ')' is missing");
  says("atan2(1)", "column 8: ',' is missing");
  says("1 2", "column 3: this is not part");
  says("q[elbo]", "column 3");
  says("q[wrist]", "has 4 coordinates");
  says("v[wrist.3]", "none of the 3 degrees of freedom");
  says("q[shoulder", "']' is missing");
  says("1e999", "not a finite number");
  says("", "column 1: the expression ends");
  says("t ? 1", "':' is missing");
}

TEST(Expression, HostileTextsEndInErrors) {
  const Tree tree = arm();
  const auto repeated = [](const std::string& text, int n) {
    std::string result;
    for (int i = 0; i < n; ++i) result += text;
    return result;
  };
  for (const std::string& text :
       {repeated("(", 4000), repeated("-", 4000) + "1", repeated("2^", 2000) + "2",
        repeated("1+(", 1000), repeated("sin(", 1000), repeated("t?", 2000), repeated("1", 5000)})
    EXPECT_THROW(compile_expression(tree, text), Error) << text.substr(0, 8);
  EXPECT_EQ(at(repeated("1+", 2000) + "1"), 2001);
  // Numbers that wait on the stack are limited; just below the limit it works.
  std::string deep = "t";
  for (int i = 0; i < max_expression_depth - 1; ++i) deep.insert(0, "t+(").append(")");
  EXPECT_NEAR(at(deep), t0 * max_expression_depth, 1e-12);
  EXPECT_THROW(at("t+(" + deep + ")"), LimitError);
  std::mt19937_64 random(1);
  const std::string letters = "tq[]()+-*/^?:,<>=!0.1e sinabpow\x80";
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (std::size_t n = random() % 24; n > 0; --n) text += letters[random() % letters.size()];
    try {
      value<double>(compile_expression(tree, text), t0, q0, v0);
    } catch (const Error&) {  // most are no expressions
    }
  }
}

TEST(Expression, EvaluatesWithoutAllocation) {
  const Tree tree = arm();
  const Expression f = compile_expression(tree, "20*sin(2*pi*t) - 3*v[shoulder]*(t > 1 ? 2 : 3)");
  double sum = 0;
  EXPECT_EQ(count_allocations([&] { sum += value<double>(f, t0, q0, v0); }), 0);
  EXPECT_EQ(dof_index(tree, "wrist.1"), 3);
  EXPECT_EQ(dof_index(tree, "elbow.left"), 1);
  EXPECT_THROW(dof_index(tree, "wrist"), Error);
}

}  // namespace
}  // namespace axode::test::expression_test
