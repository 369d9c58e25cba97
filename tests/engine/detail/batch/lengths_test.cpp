// The number of states by the lengths of arrays, and which of them is named when they do not fit.
#include "axode/engine/detail/batch/lengths.hpp"

#include <gtest/gtest.h>

#include "tests/support/errors.hpp"

namespace axode::test::lengths_test {
namespace {

using batch::count_states;

TEST(Lengths, TellHowManyStatesThereAre) {
  EXPECT_EQ(count_states("f", {{"q", 21, 7}, {"v", 18, 6}}), 3);
  EXPECT_EQ(count_states("f", {{"q", 0, 7}, {"v", 0, 6}}), 0);
  EXPECT_EQ(count_states("f", {{"q", 0, 0}, {"T_WB", 24, 12}}), 2);  // no coordinates
  EXPECT_EQ(count_states("f", {{"q", 0, 0}, {"v", 0, 0}}), 0);
}

TEST(Lengths, ThatDoNotFitAreNamed) {
  EXPECT_EQ(message([] {
              count_states("f", {{"q", 20, 7}, {"v", 18, 6}});
            }),
            "f: q has 20 numbers; give 7 for each state");
  EXPECT_EQ(message([] {
              count_states("f", {{"q", 21, 7}, {"v", 21, 6}});
            }),
            "f: v has 21 numbers; give 6 for each state: there are 3");
  EXPECT_EQ(message([] {
              count_states("f", {{"q", 0, 7}, {"v", 6, 6}});
            }),
            "f: v has 6 numbers; give 6 for each state: there are 0");
  EXPECT_EQ(message([] {
              count_states("f", {{"q", 3, 0}, {"T_WB", 24, 12}});
            }),
            "f: q has 3 numbers; give 0 for each state: there are 2");
}

}  // namespace
}  // namespace axode::test::lengths_test
