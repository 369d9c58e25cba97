#include "axode/simulate/systems/deflection_watch.hpp"

#include <gtest/gtest.h>

#include "axode/core/error.hpp"
#include "tests/simulate/flexible_runs.hpp"
#include "tests/support/errors.hpp"

namespace axode::test::deflection_watch {
namespace {

TEST(DeflectionWatch, KnowsTheTipOfEachLink) {
  const FlexibleTree tree = reference_chain("pendulum1");
  const DeflectionWatch watch(tree, .1);
  // The first clamped-free mode is 2 at the tip, with slope .917670 (reference vectors); L = 3.
  const std::vector<double> q{1.5, .06, 0};
  EXPECT_NEAR(watch.largest(0, q).displacement, .06 * 2 / 3, 1e-12);
  EXPECT_NEAR(watch.largest(0, q).rotation, .06 * .9176703231150232, 1e-12);
}

TEST(DeflectionWatch, TellsOncePerLinkWithTime) {
  const FlexibleTree tree = reference_chain("arm4");
  DeflectionWatch watch(tree, .1);
  std::vector<double> q(16);
  q[0] = 3;  // joints may turn as they like
  watch.look(0, q);
  EXPECT_TRUE(watch.warnings().empty());
  q[4] = .2;  // torsion of link 2
  watch.look(1.5, q);
  watch.look(1.6, q);
  ASSERT_EQ(watch.warnings().size(), 1U);
  expect_says(watch.warnings()[0], "at t = 1.5 s: deflections of link 'link2'");
  expect_says(watch.warnings()[0], "a section turns by 0.2 rad");
  q[4] = 0;
  q[12] = .3;  // bending of link 3
  watch.look(2, q);
  ASSERT_EQ(watch.warnings().size(), 2U);
  expect_says(watch.warnings()[1], "link3");
}

TEST(DeflectionWatch, SavedItGoesOn) {
  const FlexibleTree tree = reference_chain("arm4");
  DeflectionWatch watch(tree, .1), other(tree, .1);
  std::vector<double> q(16);
  q[12] = .3;
  watch.look(1, q);
  q[4] = .2;
  watch.look(2, q);
  other.load(watch.saved());
  EXPECT_EQ(other.warnings(), watch.warnings());
  ASSERT_EQ(other.warnings().size(), 2U);
  expect_says(other.warnings()[0], "at t = 1 s: deflections of link 'link3'");
  EXPECT_THROW(other.load(std::vector<double>(2)), Error);
}

TEST(DeflectionWatch, RigidLinksHaveNone) {
  FlexibleTree tree = reference_chain("arm4");
  const DeflectionWatch watch(tree, .1);
  const std::vector<double> q(16, 1.);
  EXPECT_EQ(watch.largest(0, q).displacement, 0);
}

}  // namespace
}  // namespace axode::test::deflection_watch
