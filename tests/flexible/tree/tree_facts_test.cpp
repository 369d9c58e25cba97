#include "axode/flexible/tree/tree_facts.hpp"

#include <gtest/gtest.h>

#include <string_view>

#include "axode/flexible/beam/ritz_modes.hpp"
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
    expect_says(message([&] { (void)unit_of(tree, tree.size); }), "there is no coordinate");
    expect_says(message([&] { (void)mode_place(tree, -1); }), "there is no elastic coordinate -1");
  }
}

TEST(FlexibleTreeFacts, ModesOfALinkWithItsBoundaryAreOrthogonal) {
  FlexibleTree tree = reference_chain("arm4");
  int elastic = 0;
  for (FlexibleLink& link : tree.links) {
    EXPECT_GE(mass_of(link), link.rigid.mass);
    if (!link.beam) continue;
    ++elastic;
    link.modes = ritz_modes(*link.beam, ModeDirection::bend_y, 3, link.boundary_y);
    for (const BeamMode& mode : ritz_modes(*link.beam, ModeDirection::bend_z, 2, link.boundary_z))
      link.modes.push_back(mode);
    EXPECT_LT(orthogonality(link).mass, 1e-8);
    EXPECT_LT(orthogonality(link).stiffness, 1e-8);
    link.modes.push_back(link.modes[0]);  // its own repetition: cosine 1
    EXPECT_NEAR(orthogonality(link).mass, 1, 1e-12);
  }
  EXPECT_GT(elastic, 0);
}

}  // namespace axode::test::flexible_tree_facts
