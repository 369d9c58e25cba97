// Which points and vectors the bodies of a mechanism share.
#include "axode/mechanism/coordinates/detail/natural_elements.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "axode/core/error.hpp"
#include "tests/mechanism/natural_cases.hpp"

namespace axode::test::natural_elements {
namespace {

using namespace natural;
using detail::NaturalModel;

int count(const NaturalModel& m, bool is_point, bool fixed) {
  return static_cast<int>(std::count_if(m.basics.begin(), m.basics.end(), [&](const auto& b) {
    return !b.dropped && b.is_point == is_point && b.fixed == fixed;
  }));
}

/// Three bodies on one pin, told by two joints: one point, whichever joint is told first.
TEST(NaturalElements, SeveralBodiesShareOnePoint) {
  const Mechanism m = MechanismBuilder("pin", Space::planar)
                          .body("a")
                          .body("b")
                          .body("c")
                          .body("d")
                          .joint("1", PairType::revolute, "a", "b", at({1, 1, 0}))
                          .joint("2", PairType::revolute, "c", "d", at({1, 1, 0}))
                          .joint("3", PairType::revolute, "b", "c", at({1, 1, 0}))
                          .joint("A", PairType::revolute, "world", "a", at({0, 0, 0}))
                          .build();
  const NaturalModel model = detail::natural_model(m);
  const auto pin = std::find_if(model.basics.begin(), model.basics.end(),
                                [](const auto& b) { return !b.dropped && !b.fixed; });
  ASSERT_NE(pin, model.basics.end());
  EXPECT_EQ(pin->uses.size(), 4u);
  EXPECT_EQ(count(model, true, true), 1);
  // b, c and d have one more point each, of our choice; a has A and the pin.
  EXPECT_EQ(count(model, true, false), 4);
}

/// Parallel axes of a body are one vector, also when told with opposite signs.
TEST(NaturalElements, ParallelAxesAreOneVector) {
  const Mechanism m = MechanismBuilder("planar_in_space")
                          .body("a")
                          .body("b")
                          .body("c")
                          .joint("1", PairType::revolute, "world", "a", at({0, 0, 0}, {0, 0, 1}))
                          .joint("2", PairType::revolute, "a", "b", at({1, 0, 0}, {0, 0, -1}))
                          .joint("3", PairType::revolute, "b", "c", at({2, 1, 0}, {0, 0, 1}))
                          .joint("4", PairType::revolute, "c", "world", at({3, 0, 0}, {0, 0, 1}))
                          .build();
  const NaturalModel model = detail::natural_model(m);
  EXPECT_EQ(count(model, false, true), 1);
  EXPECT_EQ(count(model, false, false), 0);
  // Four-bar in space: points 2 and 3, two conditions each link [mobility 1, one redundant].
  const MechanismSystem s = natural_system(m);
  EXPECT_EQ(s.equations().numbers(), 6);
  EXPECT_EQ(s.constraints(), 6);
}

TEST(NaturalElements, WhatCannotBeSharedIsClosedByEquations) {
  // The far end of bar b would be at two points of bar a.
  PairGeometry second;
  second.points = {Spot(0, 1, 0), Spot(1, 0, 0)};
  const Mechanism m = MechanismBuilder("twice", Space::planar)
                          .body("a")
                          .body("b")
                          .joint("1", PairType::revolute, "a", "b", at({1, 0, 0}))
                          .joint("2", PairType::revolute, "a", "b", second)
                          .build();
  const NaturalModel model = detail::natural_model(m);
  ASSERT_EQ(model.remarks.size(), 1u);
  EXPECT_NE(model.remarks[0].find("joint 2"), std::string::npos);
}

TEST(NaturalElements, WeldedBodiesAreOne) {
  const Mechanism m = MechanismBuilder("welded")
                          .body("a", {1, {0, 0, 1}, {1, 1, 1, 0, 0, 0}})
                          .body("b", {3, {0, 0, 3}, {1, 1, 1, 0, 0, 0}})
                          .body("base")
                          .joint("w", PairType::weld, "a", "b", at({0, 0, 2}))
                          .joint("g", PairType::weld, "base", "world", at({0, 0, 0}))
                          .joint("s", PairType::spherical, "base", "a", at({0, 0, 0}))
                          .build();
  const NaturalModel model = detail::natural_model(m);
  EXPECT_EQ(model.element_of, (std::vector<int>{0, 1, 1, 0}));
  EXPECT_EQ(model.elements[1].inertia.mass, 4);
  EXPECT_NEAR(model.elements[1].inertia.com.z, 2.5, 1e-15);
  EXPECT_EQ(count(model, true, true), 1);
}

TEST(NaturalElements, WeldsThatContradictAreRefused) {
  const auto welded = [](double z) {
    PairGeometry second;
    second.points = {Spot(0, 0, 1), Spot(0, 0, z)};
    return MechanismBuilder("welded")
        .body("a")
        .body("b")
        .joint("first", PairType::weld, "a", "b", at({0, 0, 2}))
        .joint("second", PairType::weld, "a", "b", second)
        .joint("s", PairType::spherical, "world", "a", at({0, 0, 0}))
        .build();
  };
  EXPECT_NO_THROW(detail::natural_model(welded(1)));
  try {
    detail::natural_model(welded(1.5));
    FAIL() << "accepted";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("first"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("second"), std::string::npos) << e.what();
  }
}

TEST(NaturalElements, SlidersOnTheGroundKeepTheirAttitude) {
  const Mechanism m =
      MechanismBuilder("slider_crank", Space::planar)
          .body("crank")
          .body("rod")
          .body("slider")
          .joint("A", PairType::revolute, "world", "crank", at({0, 0, 0}))
          .joint("1", PairType::revolute, "crank", "rod", at({1, 1, 0}))
          .joint("2", PairType::revolute, "rod", "slider", at({3, 0, 0}))
          .joint("x", PairType::prismatic, "world", "slider", at({3, 0, 0}, {1, 0, 0}))
          .build();
  EXPECT_TRUE(detail::natural_model(m).elements[3].translates);
  const MechanismSystem s = natural_system(m);
  EXPECT_EQ(s.equations().numbers(), 4);
  EXPECT_EQ(s.constraints(), 3);
}

TEST(NaturalElements, BaseOfArrows) {
  NaturalModel model;
  model.elements.resize(2);
  const auto add = [&](const Vec3<double>& local, bool is_point) {
    return detail::add_basic(model, {1, local}, is_point, "");
  };
  const int origin = add({0, 0, 0}, true);
  const int u = add({0, 0, 1}, false), far = add({0, 0, 2}, true), off = add({1, 0, 0}, true);
  const detail::NaturalArrows arrows = detail::choose_base(model, 1);
  EXPECT_EQ(arrows.origin, origin);
  ASSERT_EQ(arrows.base.size(), 2u);
  EXPECT_EQ(arrows.base[0].head, u);  // its length is told once for all who share it
  EXPECT_EQ(arrows.base[1].head, off);
  ASSERT_EQ(arrows.dependent.size(), 1u);
  EXPECT_EQ(arrows.dependent[0].head, far);
  EXPECT_NEAR(norm(detail::outside(arrows.base, {1, 2, 3}) - Vec3<double>{0, 2, 0}), 0, 1e-15);
}

}  // namespace
}  // namespace axode::test::natural_elements
