#include "axode/flexible/tree/tree_facts.hpp"

#include <gtest/gtest.h>

#include <string_view>

#include "tests/flexible/random_flexible_tree.hpp"
#include "tests/flexible/reference_chains.hpp"
#include "tests/support/errors.hpp"

namespace axode::test::flexible_tree_facts {

TEST(FlexibleTreeFacts, UnitsAndPlacesFollowTheNames) {
  RandomFlexible by;
  for (int trial = 0; trial < 10; ++trial) {
    const FlexibleTree tree = random_flexible_tree(by, 5, SectionRotation::zyx, false);
    for (int c = 0; c < tree.size; ++c) {
      const std::string& name = tree.coordinate_names[c];
      if (c < tree.joints) {
        EXPECT_EQ(tree.links[link_named(tree, name)].joint == FlexibleLink::Joint::prismatic,
                  std::string_view(unit_of(tree, c)) == "m");
        continue;
      }
      const ModePlace place = mode_place(tree, c);
      const FlexibleLink& link = tree.links[place.link];
      EXPECT_EQ(link.first_mode + static_cast<int>(place.mode), c);
      EXPECT_TRUE(name.starts_with(link.name + "." +
                                   std::string(axode::name(link.modes[place.mode].direction))))
          << name;
      const bool twists = name.find(".torsion") != std::string::npos;
      EXPECT_EQ(std::string_view(unit_of(tree, c)), twists ? "rad" : "m");
      EXPECT_EQ(std::string_view(force_unit_of(tree, c)), twists ? "N m" : "N");
    }
    expect_says(message([&] { (void)unit_of(tree, tree.size); }), "there is no elastic coordinate");
    expect_says(message([&] { (void)mode_place(tree, -1); }), "there is no elastic coordinate -1");
  }
}

TEST(FlexibleTreeFacts, ExactModesAreOrthogonal) {
  const FlexibleTree tree = reference_chain("arm4");
  for (const FlexibleLink& link : tree.links) {
    EXPECT_GE(mass_of(link), link.rigid.mass);
    if (!link.beam) continue;
    const Orthogonality found = orthogonality(link);
    EXPECT_LT(found.mass, 0.5);
    EXPECT_LT(found.stiffness, 0.5);
  }
}

}  // namespace axode::test::flexible_tree_facts
