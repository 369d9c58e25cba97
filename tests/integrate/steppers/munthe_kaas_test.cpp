#include "axode/integrate/steppers/munthe_kaas.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "axode/core/error.hpp"
#include "tests/integrate/stepper_checks.hpp"
#include "tests/support/near.hpp"
#include "tests/support/sanitized.hpp"

namespace axode::test::munthe_kaas {

template <class System>
auto fixed(const System& system, int order) {
  return
      [&system, order](double h) { return MuntheKaas(system.group(), order, {.step = h}, false); };
}

// Steps for which all errors are asymptotic and above rounding.
constexpr int steps_of_order[] = {0, 1600, 200, 200, 200, 100};

TEST(MuntheKaas, OrdersOnTheHeavyTop) {
  HeavyTop top = HeavyTop::of_terze();
  const Reals start = HeavyTop::start_of_terze(), exact = long_solution(top, start, 0.1, 50000);
  for (int order = 1; order <= 5; ++order)
    EXPECT_NEAR(measured_order(top, start, exact, 0.1, steps_of_order[order], fixed(top, order)),
                order, 0.1);
}

TEST(MuntheKaas, OrdersOnFreeBodies) {
  using Form = RigidBody::Form;
  constexpr int steps[] = {0, 1600, 320, 320, 640, 270};
  for (const Form form : {Form::body, Form::spatial, Form::product}) {
    RigidBody body{.form = form};
    const Reals start = body.start({{3, 1, 4}, {1, -0.5, 0.3}});
    const Reals exact = long_solution(body, start, 2, 40000);
    for (int order = 1; order <= 5; ++order)
      EXPECT_NEAR(measured_order(body, start, exact, 2, steps[order], fixed(body, order)), order,
                  0.1);
  }
}

TEST(MuntheKaas, SpecialCasesOfStepper) {
  const LieGroup group = HeavyTop::free().group();
  for (int order = 1; order <= 5; ++order) {
    SCOPED_TRACE(order);
    check_stepper(MuntheKaas(group, order, {.step = 0.01}, false));
    check_stepper(MuntheKaas(group, order, {.rtol = 1e-5, .atol = 1e-7}));
  }
  EXPECT_THROW(MuntheKaas(group, 6, {}), Error);
  EXPECT_THROW(MuntheKaas(group, 4, {}, false), Error);
}

// Dense output is of order 4 for order 5, else 3 (or of the method's order, if that is lower).
TEST(MuntheKaas, OrderOfDenseOutput) {
  HeavyTop top = HeavyTop::free();
  for (int order = 2; order <= 5; ++order) {
    const double coarse =
        dense_error(top, start_of_free(), 2, 20, fixed(top, order), fixed(top, 5));
    const double fine = dense_error(top, start_of_free(), 2, 40, fixed(top, order), fixed(top, 5));
    EXPECT_GT(std::log2(coarse / fine), std::max(order - 1, 2) - 0.1) << order;
  }
}

TEST(MuntheKaas, ErrorFollowsTheTolerance) {
  HeavyTop top = HeavyTop::of_terze();
  const Reals start = HeavyTop::start_of_terze(), exact = long_solution(top, start, 0.2, 50000);
  for (const int order : {2, 3, 4, 5}) {
    double before = 0;
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      MuntheKaas stepper(top.group(), order, {.rtol = tolerance, .atol = tolerance});
      stepper.start(top, 0, start);
      ASSERT_EQ(run_to(stepper, top, 0.2), StepVerdict::ok);
      const double error = distance(top.configuration(), stepper.state(), exact) / 150;
      EXPECT_LT(error, 300 * tolerance) << order << " " << tolerance;
      if (before > 0) {
        EXPECT_LT(error, before / 20) << order;
        EXPECT_GT(error, before / 1000) << order;
      }
      before = error;
      EXPECT_LT(stepper.statistics().rejected, stepper.statistics().steps / 5 + 5);
    }
  }
}

// A constant body twist is integrated exactly on SE(3), whatever the step; SO(3) x R^3 bends.
TEST(MuntheKaas, ScrewMotionIsExactOnSE3Only) {
  struct Screw {
    RigidBody::Form form;
    LieGroup space;
    Vec6<double> V{{0.3, 0.8, -0.4}, {1, 0.5, 2}};
    const LieGroup& group() const { return space; }
    bool rate(double, In1 x, Out1 r) {
      RigidBody::put_six(r, V);
      if (form == RigidBody::Form::product) put_vec(r, 3, turn_at(x) * V.linear);
      return true;
    }
  };
  Screw right{RigidBody::Form::body, LieGroup().se3()};
  Screw product{RigidBody::Form::product, LieGroup().so3().real(3)};
  const Reals start{1, 0, 0, 0, 0, 0, 0};
  const SE3<double> exact = exp(2.0 * right.V);
  for (int order = 1; order <= 5; ++order) {
    MuntheKaas a(right.group(), order, {.step = 0.5}, false);
    MuntheKaas b(product.group(), order, {.step = 0.5}, false);
    a.start(right, 0, start);
    b.start(product, 0, start);
    ASSERT_EQ(run_to(a, right, 2), StepVerdict::ok);
    ASSERT_EQ(run_to(b, product, 2), StepVerdict::ok);
    expect_near(RigidBody::pose(a.state()), exact, 4e-15);
    EXPECT_GT(norm(vec_at(b.state(), 4) - exact.p), order == 5 ? 1e-7 : 1e-6);
  }
}

TEST(MuntheKaas, StiffnessBeyondTheSmallestStepIsTold) {
  Decay decay{1e9};
  MuntheKaas stepper(decay.group(), 5, {.rtol = 1e-8, .atol = 1e-12, .min_step = 1e-3});
  stepper.start(decay, 0, Reals{1});
  EXPECT_EQ(run_to(stepper, decay, 1), StepVerdict::step_underflow);
  EXPECT_EQ(stepper.state()[0], 1);
}

TEST(MuntheKaas, LastRateIsTheFirstOfTheNextStep) {
  Decay decay;
  for (int order = 1; order <= 5; ++order) {
    MuntheKaas stepper(decay.group(), order, {.step = 0.1}, false);
    stepper.start(decay, 0, Reals{1});
    ASSERT_EQ(run_to(stepper, decay, 1), StepVerdict::ok);
    const int per_step[] = {0, 1, 2, 3, 6, 6};
    EXPECT_EQ(stepper.statistics().rates, 10 * per_step[order] + 1);
  }
}

// Beside the rates a step of order 5 on 14 numbers costs far below a microsecond.
TEST(MuntheKaas, LittleWorkBesideTheRates) {
  struct Still {
    LieGroup space = LieGroup().real(14);
    const LieGroup& group() const { return space; }
    bool rate(double, In1 x, Out1 r) {
      for (std::size_t i = 0; i < 14; ++i) r[i] = -x[i];
      return true;
    }
  } system;
  MuntheKaas stepper(system.group(), 5, {.rtol = 1e-6, .max_step = 1e-3});
  stepper.start(system, 0, Reals(14, 1.0));
  double best = INFINITY;
  for (int round = 0; round < 20; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 1000; ++i) stepper.advance(system, 1e9);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    best = std::min(best, time.count() / 1000);
  }
  record("microseconds_per_step", 1e6 * best);
  if (is_release()) {
    EXPECT_LT(best, 1e-6);
  }
}

}  // namespace axode::test::munthe_kaas
