#include "axode/simulate/forces/signal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "axode/core/error.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/errors.hpp"

namespace axode::test::signal_test {
namespace {

double at(const Signal& signal, double t) {
  return value<double>(signal, SignalArguments<double>{.t = t, .q = {}, .v = {}});
}
constexpr double never = std::numeric_limits<double>::infinity();

TEST(Signal, SamplesAreHeldOrJoined) {
  const Signal hold = samples({1, 2, 4}, {10, 20, 0}, Between::hold);
  EXPECT_EQ(at(hold, 0), 10);
  EXPECT_EQ(at(hold, 1.9), 10);
  EXPECT_EQ(at(hold, 2), 20);
  EXPECT_EQ(at(hold, 9), 0);
  const Signal line = samples({1, 2, 4}, {10, 20, 0});
  EXPECT_EQ(at(line, 0), 10);
  EXPECT_DOUBLE_EQ(at(line, 1.5), 15);
  EXPECT_DOUBLE_EQ(at(line, 3), 10);
  EXPECT_EQ(at(line, 5), 0);
  EXPECT_EQ(next_switch(line, 0), 1);
  EXPECT_EQ(next_switch(line, 1), 2);
  EXPECT_EQ(next_switch(line, 2.5), 4);
  EXPECT_EQ(next_switch(line, 4), never);
  EXPECT_EQ(at(samples({3}, {7}, Between::cubic), 1), 7);
}

TEST(Signal, CubicIsTheNaturalSpline) {
  // Natural splines reproduce lines, and sin on [0, pi], whose second derivative is 0 at both ends, to
  // h^4 5/384 max|f''''|.
  const Signal line = samples({0, 1, 3, 4}, {1, 3, 7, 9}, Between::cubic);
  for (double t = 0; t <= 4; t += .1) EXPECT_NEAR(at(line, t), 1 + 2 * t, 1e-14);
  std::vector<double> times, values;
  const int n = 20;
  for (int i = 0; i <= n; ++i) {
    times.push_back(M_PI * i / n);
    values.push_back(std::sin(times.back()));
  }
  values.back() = 0;
  const Signal wave = samples(times, values, Between::cubic);
  for (double t = 0; t < 3.14; t += .01)
    EXPECT_NEAR(at(wave, t), std::sin(t), 5.0 / 384 * std::pow(M_PI / n, 4) * 1.01);
  EXPECT_EQ(next_switch(wave, -1), 0);
  EXPECT_EQ(next_switch(wave, 1), times.back());
}

TEST(Signal, FunctionsAreDifferentiatedByDifferences) {
  const Signal f = SignalFunction([](double t, auto q, auto v) { return t * q[0] * q[0] + v[0]; });
  EXPECT_TRUE(is_function(f));
  const std::vector<double> q{3}, v{2}, more{3 + 1e-5}, less{3 - 1e-5};
  EXPECT_DOUBLE_EQ(value<double>(f, SignalArguments<double>{.t = .5, .q = q, .v = v}), 6.5);
  const std::vector<Dual<double>> qd{{3, 1}}, vd{{2, 0}};
  const auto slope = value<Dual<double>>(f, {.t = .5,
                                             .q = qd,
                                             .v = vd,
                                             .q_minus = less,
                                             .v_minus = v,
                                             .q_plus = more,
                                             .v_plus = v,
                                             .h = 1e-5});
  EXPECT_NEAR(slope.dual, 3, 1e-9);
  EXPECT_NEAR(slope.real, 6.5, 1e-9);
}

TEST(Signal, ExpressionsAndConstants) {
  const Tree tree = TreeBuilder("one").body("b", {.mass = 1}).joint("j", prismatic({})).build();
  const Signal f = compile_expression(tree, "step(t - 2) * 5");
  EXPECT_EQ(at(f, 1), 0);
  EXPECT_EQ(at(f, 2), 5);
  EXPECT_EQ(next_switch(f, 0), 2);
  EXPECT_EQ(next_switch(f, 2), never);
  EXPECT_TRUE(is_zero(Signal{}));
  EXPECT_FALSE(is_zero(f));
  EXPECT_EQ(next_switch(Signal(3), 0), never);
  EXPECT_EQ(count_allocations([&] { at(f, 1); }), 0);
}

TEST(Signal, RefusesBadSamples) {
  expect_says(message([] { samples({1, 2}, {1}); }), "2 times and 1 values");
  expect_says(message([] { samples({1, 1}, {1, 2}); }), "not after the one before");
  expect_says(message([] { samples({0, 1}, {1, std::nan("")}); }), "not finite");
  EXPECT_THROW(samples({}, {}), Error);
}

}  // namespace
}  // namespace axode::test::signal_test
