#include "axode/flexible/tree/builder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "axode/core/error.hpp"
#include "tests/flexible/reference_chains.hpp"
#include "tests/support/errors.hpp"

namespace axode::test::flexible_builder {
namespace {

constexpr Material aluminium{70e9, 26e9, 2700};
const Section upper_section{.0035, 1.482916666666669e-05, 2.0929166666666693e-05,
                            2.6101446428571434e-05};
const Section fore_section{.002016, 4.705792e-06, 5.973632e-06, 7.90102146031746e-06};

Beam uniform(double length, const Section& section) {
  return {length, aluminium, section_numbers(section), section_numbers(section)};
}
const SE3<> quarter_turns{{Mat3<>::rows({0, 1, 0}, {0, 0, 1}, {1, 0, 0})}, {0, 0, .5}};

/// The arm of the reference vectors, its modes made for masses outboard.
FlexibleBuilder arm4() {
  FlexibleBuilder arm("arm4");
  arm.rotation(SectionRotation::xyz)
      .rigid("column", "world", {}, {150, {0, 0, .25}, Sym3<>::diagonal({10, 10, 12})})
      .beam("upper", "column", quarter_turns, uniform(4, upper_section), {.outboard_mass = true})
      .beam("fore", "upper", {}, uniform(3, fore_section), {.outboard_mass = true})
      .rigid("hand", "fore", {}, {20, {.35, 0, 0}, Sym3<>::diagonal({.2, .9, .8})});
  return arm;
}

TEST(FlexibleBuilder, MeetsTheReferenceArm) {
  const FlexibleTree built = arm4().build(), reference = reference_chain("arm4");
  ASSERT_EQ(built.size, 16);
  ASSERT_EQ(built.size, reference.size);
  EXPECT_NEAR(built.links[1].boundary_y.tip_mass, 36.3296, 1e-12);
  EXPECT_EQ(built.links[1].boundary_y.tip_inertia, 0);
  EXPECT_NEAR(built.links[2].boundary_z.tip_mass, 20, 1e-12);
  for (std::size_t k = 0; k < built.stiffness.size(); ++k)
    EXPECT_NEAR(built.stiffness[k], reference.stiffness[k], 1e-11 * 6.2e6);
  EXPECT_EQ(built.coordinate_names[4], "upper.torsion1");
  EXPECT_EQ(built.coordinate_names[15], "fore.bend_z2");
}

/// By hand: a mass at a lever beyond a bent joint, and the inertia of a rod.
TEST(FlexibleBuilder, OutboardInertiaIsThatOfTheReferencePose) {
  const double right = std::numbers::pi / 2;
  const auto tree = [&](double q) {
    return FlexibleBuilder("t")
        .beam("a", "world", {}, uniform(2, fore_section),
              {.outboard_mass = true, .outboard_inertia = true})
        .rigid("b", "a", {}, {3, {.5, 0, 0}, Sym3<>::diagonal({.1, .2, .3})})
        .payload("a", {7, {}, {}}, 1.0)  // not at the tip
        .reference("b", q)
        .build();
  };
  const FlexibleLink straight = tree(0).links[0], bent = tree(right).links[0];
  EXPECT_NEAR(straight.boundary_y.tip_mass, 3, 1e-14);
  EXPECT_NEAR(straight.boundary_y.tip_inertia, .3 + 3 * .25, 1e-14);
  EXPECT_NEAR(straight.boundary_z.tip_inertia, .2 + 3 * .25, 1e-14);
  EXPECT_NEAR(straight.boundary_x.tip_inertia, .1, 1e-14);
  EXPECT_NEAR(bent.boundary_z.tip_inertia, .1, 1e-14);
  EXPECT_NEAR(bent.boundary_x.tip_inertia, .2 + 3 * .25, 1e-14);
  EXPECT_NEAR(bent.boundary_y.tip_inertia, .3 + 3 * .25, 1e-14);
}

TEST(FlexibleBuilder, OutboardBeamsAreRods) {
  const FlexibleTree tree = FlexibleBuilder("t")
                                .beam("a", "world", {}, uniform(2, fore_section))
                                .beam("b", "a", {}, uniform(3, fore_section))
                                .build();
  const Inertia<> rod = outboard_inertia(tree, 0, {0, 0});
  const double mass = 2700 * .002016 * 3;
  EXPECT_NEAR(rod.mass, mass, 1e-12);
  EXPECT_NEAR(rod.com.x, 1.5, 1e-13);
  EXPECT_NEAR(about_origin(rod).zz, mass * 3 + 2700 * 5.973632e-06 * 3, 1e-11);
  EXPECT_NEAR(about_origin(rod).xx, 2700 * (4.705792e-06 + 5.973632e-06) * 3, 1e-11);
}

TEST(FlexibleBuilder, JointsDampingAndStations) {
  const FlexibleTree tree = FlexibleBuilder("t")
                                .gravity({0, 0, 0})
                                .stiffening()
                                .beam("a", "world", {}, uniform(2, fore_section), {.torsion = 0})
                                .revolute({0, 3, 4})
                                .damping(.01, .2, 1e-4)
                                .hub({5, {}, {}})
                                .rigid("slide", "a", {}, {1, {}, {}})
                                .prismatic({1, 0, 0})
                                .station(.5)
                                .rigid("screw", "slide", {}, {1, {}, {}})
                                .helical({0, 0, 1}, .1)
                                .payload("screw", {1, {}, {}})
                                .build();
  EXPECT_EQ(tree.joints, 3);
  EXPECT_EQ(tree.size, 7);
  EXPECT_NEAR(tree.links[0].axis.y, .6, 1e-15);
  EXPECT_EQ(tree.links[0].rigid.mass, 5);
  EXPECT_EQ(tree.links[1].station, .5);
  EXPECT_EQ(tree.links[2].pitch, .1);
  EXPECT_EQ(tree.links[3].coordinate, -1);
  EXPECT_TRUE(tree.stiffening);
  EXPECT_GT(tree.damping[3 * 7 + 3], 0);
  EXPECT_EQ(tree.damping[0], 0);
}

template <class F>
void says(const F& f, const std::string& words) {
  expect_says(message(f), words);
}

TEST(FlexibleBuilder, RefusesWhatCannotBe) {
  const auto with = [](const ModeRequest& modes) {
    FlexibleBuilder("t").beam("a", "world", {}, uniform(2, fore_section), modes).build();
  };
  says([] { arm4().rigid("x", "elbow", {}, {}).build(); }, "there is no parent 'elbow'");
  says([] { arm4().rigid("x", "fore", {}, {}).station(3.1).build(); }, "not on 'fore'");
  says([] { arm4().rigid("x", "hand", {}, {}).station(.1).build(); }, "which is not a beam");
  says([] { arm4().reference("elbow", 1).build(); }, "there is no joint 'elbow'");
  says([] { arm4().reference("fore", NAN).build(); }, "finite");
  says([] { arm4().rigid("fore", "hand", {}, {}).build(); }, "two links of this name");
  says([] { arm4().rigid("world", "hand", {}, {}).build(); }, "is the name of the inertial frame");
  says([] { FlexibleBuilder("t").fixed(); }, "no link yet");
  says([&] { with({.torsion = -1}); }, "-1 modes");
  says([&] { with({.y = {ModeBoundary::Root::clamped, -1, 0}}); }, "tip mass or inertia is -1");
  says(
      [&] {
        with({.given = {{ModeDirection::bend_y, polynomial_shape(2, {0, 1}), 0}}});
      },
      "link 'a'");
  says([] { arm4().rigid("x", "world", {}, {}).revolute({0, 0, 0}).build(); }, "axis");
}

}  // namespace
}  // namespace axode::test::flexible_builder
