#include "axode/simulate/forces/control.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "axode/mechanism/description/builder.hpp"
#include "tests/support/errors.hpp"

namespace axode::test::control {
namespace {

using List = std::vector<double>;

/// Counts its calls; the force is the time and the sum of q and v.
Control counting(int& calls, double interval = 0) {
  return {[&calls](double t, std::span<const double> q, std::span<const double> v,
                   std::span<double> force) {
            ++calls;
            force[0] = t;
            force[1] = q[0] + v[0];
          },
          interval,
          {}};
}

TEST(Control, IsEvaluatedOnceForEachState) {
  int calls = 0;
  ControlForce force(counting(calls), 2, 0, 1);
  const List q{1}, v{2};
  for (const double t : {.1, .2, .1, .2}) {
    const auto tau = force.at(t, q, v);
    EXPECT_EQ(tau[0], t);
    EXPECT_EQ(tau[1], 3);
  }
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(force.next_switch(0), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(force.saved(.2).empty());
}

TEST(Control, SampledOnesHoldTheForceOfTheStateSeen) {
  int calls = 0;
  ControlForce force(counting(calls, .25), 2, 1, 1);
  const List q{1}, v{2}, other{9};
  force.see(q, v);
  for (const double t : {1., 1.1, 1.2}) {
    const auto tau = force.at(t, other, other);
    EXPECT_EQ(tau[0], 1);
    EXPECT_EQ(tau[1], 3);
  }
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(force.next_switch(1), 1.25);
  EXPECT_TRUE(force.is_awaited(std::nextafter(1.25, 0)));
  EXPECT_FALSE(force.is_awaited(1.25));
  force.see(other, v);
  EXPECT_EQ(force.at(1.3, q, v)[1], 11);
  EXPECT_EQ(force.at(1.2, q, v)[1], 3);  // a sample before
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(force.next_switch(1.75), std::numeric_limits<double>::infinity());
}

TEST(Control, ContinuesWithTheForceThatWasHeld) {
  int calls = 0, more = 0;
  const List q{1}, v{2}, other{9};
  ControlForce first(counting(calls, .25), 2, 0, 1), second(counting(more, .25), 2, 0, 1);
  first.see(q, v);
  first.at(.1, q, v);
  second.see(other, other);
  second.load(.1, first.saved(.1));
  EXPECT_EQ(second.at(.2, other, other)[1], 3);
  EXPECT_EQ(more, 0);
  EXPECT_EQ(second.at(.25, other, other)[1], 3);  // of the state seen last
  EXPECT_EQ(more, 1);
  const List few{1, 2};
  expect_says(message([&] { second.load(.1, few); }), "another control");
}

TEST(Control, RefusesIntervalsThatAreNone) {
  int calls = 0;
  for (const double wrong :
       {-1., std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    expect_says(message([&] { ControlForce(counting(calls, wrong), 2, 0, 1); }),
                "not a length of time");
  expect_says(message([&] { ControlForce(counting(calls, 1e-12), 2, 0, 1); }), "1e7");
  expect_says(message([&] { ControlForce(counting(calls, 1e-3), 2, 1e15, 1); }), "rounding");
}

TEST(Control, PdOfCoordinates) {
  const Mechanism m =
      MechanismBuilder("rod", Space::planar)
          .body("rod", Inertia<double>{2, {.5, 0, 0}, {.zz = .3}})
          .joint("A", PairType::revolute, "world", "rod", {.points = {{{0, 0, 0}, {0, 0, 0}}}})
          .build();
  const Control pd = pd_control(m, {0}, {1.5}, 10, 2);
  const List x{1}, rate{3};
  List force(1);
  pd.force(0, x, rate, force);
  EXPECT_EQ(force[0], 10 * .5 - 2 * 3);
  expect_says(message([&] { pd_control(m, {0}, {}, 10, 2); }), "one target for each");
  expect_says(message([&] { pd_control(m, {0}, {1}, -1, 2); }), "gain is negative");
}

}  // namespace
}  // namespace axode::test::control
