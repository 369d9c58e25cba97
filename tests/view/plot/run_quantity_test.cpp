#include "axode/view/plot/run_quantity.hpp"

#include <gtest/gtest.h>

#include "axode/core/error.hpp"
#include "tests/support/errors.hpp"

namespace axode::test::run_quantity_test {
namespace {

Clip example() {
  Clip clip;
  clip.times = {0, 1};
  clip.series = {{"q",
                  {"elbow", "ball[0]", "ball[1]", "a,b"},
                  {"rad", "rad", "rad", "m"},
                  {1, 2, 3, 4, 5, 6, 7, 8}},
                 {"kinetic", {"kinetic"}, {"J"}, {1, 2}},
                 {"potential", {"potential"}, {"J"}, {10, 8}},
                 {"stored", {"stored"}, {"J"}, {0, 0.5}},
                 {"work", {"work"}, {"J"}, {0, -0.75}}};
  return clip;
}
std::vector<std::string> names_of(const PlotQuantity& quantity) {
  std::vector<std::string> names;
  for (const PlotColumn& column : quantity.columns) names.push_back(column.name);
  return names;
}
using Names = std::vector<std::string>;
using Values = std::vector<double>;

TEST(RunQuantity, PicksColumnsByName) {
  const Clip clip = example();
  EXPECT_EQ(names_of(quantity_named(clip, "q")), (Names{"elbow", "ball[0]", "ball[1]", "a,b"}));
  EXPECT_EQ(names_of(quantity_named(clip, "q:elbow")), Names{"elbow"});
  // A joint stands for all its coordinates; a name may hold the comma that parts names.
  EXPECT_EQ(names_of(quantity_named(clip, "q:ball,elbow")), (Names{"ball[0]", "ball[1]", "elbow"}));
  EXPECT_EQ(names_of(quantity_named(clip, "q:a,b")), Names{"a,b"});
  EXPECT_EQ(column_values(clip, quantity_named(clip, "q:ball").columns[1]), (Values{3, 7}));
}

TEST(RunQuantity, SumsEnergies) {
  const Clip clip = example();
  EXPECT_EQ(names_of(quantity_named(clip, "energy")),
            (Names{"kinetic", "potential", "stored", "total", "work"}));
  EXPECT_EQ(column_values(clip, quantity_named(clip, "total").columns[0]), (Values{11, 10.5}));
}

TEST(RunQuantity, DriftIsEnergyLessWork) {
  Clip clip = example();
  add_drift(clip, true);
  EXPECT_EQ(column_values(clip, quantity_named(clip, "drift").columns[0]), (Values{0, 0.25}));
  clip = example();
  add_drift(clip, false);
  EXPECT_EQ(column_values(clip, quantity_named(clip, "drift").columns[0]), (Values{0, -0.25}));
}

TEST(RunQuantity, FindsColumnsOfAnotherRunByName) {
  const PlotColumn elbow = quantity_named(example(), "q:elbow").columns[0];
  Clip other;
  other.times = {0};
  other.series = {{"q", {"wrist", "elbow"}, {"rad", "rad"}, {1, 2}}};
  EXPECT_EQ(column_values(other, elbow), Values{2});
  other.series[0].units[1] = "m";
  EXPECT_TRUE(column_values(other, elbow).empty());
}

TEST(RunQuantity, RefusesUnknownNamesWithThoseThatExist) {
  const Clip clip = example();
  EXPECT_EQ(message([&] { quantity_named(clip, "Q"); }).substr(0, 35),
            "there is no quantity 'Q' in the run");
  EXPECT_NE(message([&] { quantity_named(clip, "q:elbo"); }).find("did you mean 'elbow'?"),
            std::string::npos);
}

}  // namespace
}  // namespace axode::test::run_quantity_test
