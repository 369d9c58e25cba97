#include "axode/flexible/tree/flexible_tree.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "axode/core/error.hpp"
#include "tests/flexible/branched_tree.hpp"
#include "tests/flexible/reference_chains.hpp"

namespace axode::test::flexible_tree {

TEST(FlexibleTree, NumbersJointsFirstThenModesByLink) {
  const FlexibleTree tree = reference_chain("arm4");
  EXPECT_EQ(tree.joints, 4);
  EXPECT_EQ(tree.size, 16);
  EXPECT_EQ(tree.links[1].first_mode, 4);
  EXPECT_EQ(tree.links[2].first_mode, 10);
  EXPECT_EQ(tree.coordinate_names[0], "link1");
  EXPECT_EQ(tree.coordinate_names[4], "link2.torsion1");
  EXPECT_EQ(tree.coordinate_names[7], "link2.bend_y2");
  EXPECT_EQ(tree.coordinate_names[15], "link3.bend_z2");
  EXPECT_EQ(link_named(tree, "link3"), 2);
  EXPECT_THROW(link_named(tree, "link5"), Error);
}
TEST(FlexibleTree, StiffnessIsTheReferenceOne) {
  for (const std::string name : {"arm4", "planar2", "pendulum1_3d_tipmassmodes"}) {
    const std::vector<double> K = flat(read_json("flexible/params_" + name + ".json")["K"]);
    const FlexibleTree tree = reference_chain(name);
    ASSERT_EQ(K.size(), tree.stiffness.size());
    double size = 0;
    for (const double k : K) size = std::max(size, std::abs(k));
    for (std::size_t i = 0; i < K.size(); ++i)
      EXPECT_NEAR(tree.stiffness[i], K[i], 1e-12 * size) << name;
  }
}
/// D = alpha M + beta K of the beam alone, and 2 zeta sqrt(k m) on the diagonal.
TEST(FlexibleTree, DampingIsOfTheLinkAlone) {
  FlexibleTree tree = reference_chain("pendulum1");
  tree.links[0].damping_ratio = .02;
  const FlexibleTree modal = complete(tree);
  tree.links[0].damping_ratio = 0;
  tree.links[0].damping_mass = 3;
  tree.links[0].damping_stiffness = 1e-3;
  const FlexibleTree rayleigh = complete(tree);
  const std::size_t n = tree.size;
  for (std::size_t k = 1; k < n; ++k) {
    const double stiffness = tree.stiffness[k * n + k];
    const double mass = (rayleigh.damping[k * n + k] - 1e-3 * stiffness) / 3;
    EXPECT_GT(mass, 0);
    EXPECT_NEAR(modal.damping[k * n + k], .04 * std::sqrt(stiffness * mass), 1e-12 * stiffness);
  }
  EXPECT_EQ(modal.damping[0], 0);
}
TEST(FlexibleTree, KnowsItsChildren) {
  const FlexibleTree tree = branched_tree(SectionRotation::zyx, false);
  EXPECT_EQ(tree.links[1].children, (std::vector<int>{2, 3}));
  EXPECT_EQ(tree.links[4].coordinate, -1);
}
TEST(FlexibleTree, RefusesWhatCannotBe) {
  using Change = std::function<void(FlexibleTree&)>;
  const std::pair<const char*, Change> wrong[] = {
      {"no links", [](FlexibleTree& t) { t.links.clear(); }},
      {"has no name", [](FlexibleTree& t) { t.links[1].name.clear(); }},
      {"two links of this name", [](FlexibleTree& t) { t.links[2].name = "link1"; }},
      {"parent does not come before", [](FlexibleTree& t) { t.links[1].parent = 1; }},
      {"axis has length",
       [](FlexibleTree& t) {
         t.links[1].axis = {0, 0, 2};
       }},
      {"mass is -1", [](FlexibleTree& t) { t.links[0].rigid.mass = -1; }},
      {"damping of -0.1", [](FlexibleTree& t) { t.links[1].damping_ratio = -.1; }},
      {"station 4.1 m", [](FlexibleTree& t) { t.links[2].station = 4.1; }},
      {"rigid link has modes", [](FlexibleTree& t) { t.links[1].beam.reset(); }},
      {"two coordinates are called", [](FlexibleTree& t) { t.links[3].name = "link2.bend_y1"; }},
      {"does not turn about y",
       [](FlexibleTree& t) { t.links[1].boundary_z.root = ModeBoundary::Root::pinned; }},
      {"inertia is negative", [](FlexibleTree& t) { t.links[0].rigid.about_origin.xx = -1; }},
      {"not finite", [](FlexibleTree& t) { t.links[1].mount.p.x = std::nan(""); }},
  };
  for (const auto& [message, change] : wrong) {
    FlexibleTree tree = reference_chain("arm4");
    change(tree);
    try {
      complete(tree);
      ADD_FAILURE() << message;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
      EXPECT_FALSE(error.remedy().empty());
    }
  }
}

}  // namespace axode::test::flexible_tree
