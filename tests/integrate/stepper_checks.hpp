/// What every stepper must do: continue with the same bits, not allocate, fail with a verdict.
#pragma once
#include <gtest/gtest.h>

#include "tests/integrate/orders.hpp"
#include "tests/support/allocations.hpp"

namespace axode::test {

/// A free body that has no rate, or none that is finite, from a time on.
struct BreakingTop : HeavyTop {
  double until = INFINITY;
  bool gives_nan = false;
  bool spoil(double t, Out1 out) const {
    if (t < until) return true;
    std::fill(out.begin(), out.end(), NAN);
    return gives_nan;
  }
  bool rate(double t, In1 x, Out1 r) { return HeavyTop::rate(t, x, r) && spoil(t, r); }
  bool acceleration(double t, In1 q, In1 v, Out1 a) {
    return HeavyTop::acceleration(t, q, v, a) && spoil(t, a);
  }
  bool lagrangian_rate(double t, In1 q, In1 v, Out1 g) {
    return HeavyTop::lagrangian_rate(t, q, v, g) && spoil(t, g);
  }
  bool momentum_balance(double t, double h, In1 q0, In1 v0, In1 qm, In1 vm, In1 q1, In1 v1,
                        In1 carried, Out1 residual, Out1 next) {
    return HeavyTop::momentum_balance(t, h, q0, v0, qm, vm, q1, v1, carried, residual, next) &&
           spoil(t + 0.5 * h, residual);
  }
};
inline HeavyTop slow_top() { return {{1.0, 2.0, 3.2}, {0.1, 0.2, 0.4}, {0, 0, -9.81}}; }
inline Reals start_of_free() { return {1, 0, 0, 0, 0.5, 2, 1.1, 0}; }

/// Saves after 7 steps; a copy that loads goes the same way, to the last bit.
template <class S>
void check_save_load(const S& fresh) {
  HeavyTop top = slow_top();
  S first = fresh, second = fresh;
  first.start(top, 0.25, start_of_free());
  for (int i = 0; i < 7; ++i) ASSERT_EQ(first.advance(top, 2), StepVerdict::ok);
  std::vector<double> numbers;
  first.save(numbers);
  second.load(top, numbers);
  EXPECT_EQ(second.time(), first.time());
  EXPECT_EQ(second.previous_time(), first.time());
  for (int i = 0; i < 50; ++i) {
    ASSERT_EQ(first.advance(top, 2), StepVerdict::ok);
    ASSERT_EQ(second.advance(top, 2), StepVerdict::ok);
    ASSERT_EQ(first.time(), second.time());
    ASSERT_EQ(Reals(first.state().begin(), first.state().end()),
              Reals(second.state().begin(), second.state().end()));
  }
  Reals a(8), b(8);
  const double middle = 0.3 * first.time() + 0.7 * first.previous_time();
  first.interpolate(middle, a);
  second.interpolate(middle, b);
  EXPECT_EQ(a, b);
  numbers.pop_back();
  EXPECT_ANY_THROW(second.load(top, numbers));
}

template <class S>
void check_no_allocation(const S& fresh) {
  HeavyTop top = slow_top();
  S stepper = fresh;
  stepper.start(top, 0, start_of_free());
  Reals x(8);
  const long count = count_allocations([&] {
    for (int i = 0; i < 20; ++i) stepper.advance(top, 1e3);
    stepper.interpolate(0.5 * (stepper.time() + stepper.previous_time()), x);
  });
  EXPECT_EQ(count, 0);
  EXPECT_EQ(stepper.statistics().steps, 20);
}

/// At the time where the rate ends the stepper stays before it and says why.
template <class S>
void check_failures(const S& fresh) {
  for (const bool gives_nan : {false, true}) {
    BreakingTop top{HeavyTop::free(), 0.105, gives_nan};
    S stepper = fresh;
    stepper.start(top, 0, start_of_free());
    const StepVerdict verdict = run_to(stepper, top, 1);
    EXPECT_EQ(verdict, gives_nan ? StepVerdict::not_finite : StepVerdict::no_rate);
    EXPECT_LE(stepper.time(), 0.105 + 0.0101);  // it may look at the start of a step only
    EXPECT_TRUE(all_finite(stepper.state()));
    top.until = INFINITY;  // and goes on if the system does
    EXPECT_EQ(run_to(stepper, top, 1), StepVerdict::ok);
    EXPECT_EQ(stepper.time(), 1);
    EXPECT_TRUE(all_finite(stepper.state()));
  }
  BreakingTop broken{HeavyTop::free(), 0, true};
  S stepper = fresh;
  stepper.start(broken, 0, start_of_free());
  EXPECT_NE(stepper.advance(broken, 1), StepVerdict::ok);
  EXPECT_EQ(stepper.time(), 0);
}

/// Steps cut at a time land on it exactly, and no step is made beyond it.
template <class S>
void check_landing(const S& fresh) {
  HeavyTop top = HeavyTop::free();
  S stepper = fresh;
  stepper.start(top, 0, start_of_free());
  for (const double stop : {0.0137, 0.5, 0.5, 0.7}) {
    EXPECT_EQ(run_to(stepper, top, stop), StepVerdict::ok);
    EXPECT_EQ(stepper.time(), stop);
  }
  EXPECT_EQ(stepper.advance(top, 0.7), StepVerdict::ok);
  EXPECT_EQ(stepper.time(), 0.7);
}

template <class S>
void check_stepper(const S& fresh) {
  static_assert(Stepper<S, HeavyTop>);
  check_save_load(fresh);
  check_no_allocation(fresh);
  check_failures(fresh);
  check_landing(fresh);
}

/// The largest error of states within the steps, against a much finer run of order 5.
template <class System, class Make, class Fine>
double dense_error(System& system, In1 start, double duration, int n, Make&& make, Fine&& fine) {
  auto stepper = make(duration / n);
  auto exact = fine(duration / (16 * n));
  stepper.start(system, 0, start);
  exact.start(system, 0, start);
  Reals x(start.size());
  double most = 0;
  const double h = duration / (16 * n);
  for (int i = 1; i <= 16 * n; ++i) {
    const double t = i == 16 * n ? duration : i * h;
    EXPECT_EQ(run_to(exact, system, t), StepVerdict::ok);
    while (stepper.time() < t) {
      const StepVerdict verdict = stepper.advance(system, duration);
      EXPECT_EQ(verdict, StepVerdict::ok);
      if (verdict != StepVerdict::ok) return INFINITY;
    }
    stepper.interpolate(t, x);
    most = std::max(most, distance(system.configuration(), x, exact.state()));
  }
  return most;
}

}  // namespace axode::test
