#include "axode/integrate/steppers/mechanical_step.hpp"

#include <gtest/gtest.h>

#include "axode/core/error.hpp"
#include "tests/integrate/test_systems.hpp"

namespace axode::test::mechanical_step {

TEST(MechanicalStep, PartsOfTheState) {
  const HeavyTop top = HeavyTop::free();
  MechanicalStep step(top.group(), top.configuration(), {.step = 0.1}, "test");
  step.start(2, Reals{1, 0, 0, 0, 5, 6, 7, 8});
  EXPECT_EQ(step.q().size(), 4u);
  EXPECT_EQ(step.v()[2], 7);
  EXPECT_TRUE(step.has_extra());
  step.trial = step.x;
  step.add_extra(Reals{0, 0, 0, 0, 0, 0, 10}, 0.1);
  EXPECT_EQ(step.trial[7], 9);
  step.accept(2.1, 0.1);
  EXPECT_EQ(step.t, 2.1);
  EXPECT_EQ(step.x[7], 9);
  EXPECT_EQ(step.x_before[7], 8);
}

TEST(MechanicalStep, MisuseIsTold) {
  const LieGroup small = LieGroup().real(1);
  EXPECT_THROW(MechanicalStep(small, small, {.step = 0.1}, "test"), Error);
  EXPECT_THROW(MechanicalStep(LieGroup().real(2), small, {}, "test"), Error);
}

}  // namespace axode::test::mechanical_step
