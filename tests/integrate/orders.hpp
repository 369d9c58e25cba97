/// The order of a method, measured.
#pragma once
#include <gtest/gtest.h>

#include "tests/integrate/test_systems.hpp"

namespace axode::test {

/// The error at `duration` with a step of duration/n; make(h) gives the stepper.
template <class System, class Make>
double error_with(System& system, In1 start, In1 exact, double duration, int n, Make&& make) {
  auto stepper = make(duration / n);
  stepper.start(system, 0, start);
  EXPECT_EQ(run_to(stepper, system, duration), StepVerdict::ok);
  EXPECT_EQ(stepper.time(), duration);
  EXPECT_EQ(stepper.statistics().steps, n);
  return distance(system.configuration(), stepper.state(), exact);
}

/// The order between n and 2 n steps.
template <class System, class Make>
double measured_order(System& system, In1 start, In1 exact, double duration, int n, Make&& make) {
  const double coarse = error_with(system, start, exact, duration, n, make);
  const double fine = error_with(system, start, exact, duration, 2 * n, make);
  return std::log2(coarse / fine);
}

}  // namespace axode::test
