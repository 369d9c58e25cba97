#include "axode/mechanism/description/named_points.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "axode/mechanism/description/builder.hpp"
#include "tests/support/errors.hpp"

namespace axode::test::named_points {
namespace {

Mechanism rod() {
  return MechanismBuilder("rod", Space::planar)
      .body("rod", Inertia<double>{2, {.5, 0, 0}, {.zz = .3}})
      .point("tip", {1, 0, 0})
      .point("middle", {.5, 0, 0})
      .joint("A", PairType::revolute, "world", "rod", {.points = {{{0, 0, 0}, {0, 0, 0}}}})
      .build();
}

TEST(NamedPoints, ByNameInTheOrderRequested) {
  const Mechanism m = rod();
  const std::vector<std::string> names{"rod.middle", "rod.tip"};
  const std::vector<PointName> points = points_named(m, names);
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0].local.x, .5);
  EXPECT_EQ(points[1].body, 1);
  EXPECT_EQ(all_points(m).size(), 2U);
}

TEST(NamedPoints, ErrorsNameWhatExists) {
  const Mechanism m = rod();
  const std::vector<std::string> wrong{"rod.top"}, twice{"rod.tip", "rod.tip"};
  expect_says(message([&] { points_named(m, wrong); }), "there are: rod.tip, rod.middle");
  expect_says(message([&] { points_named(m, twice); }), "given twice");
}

/// A rod that turns about the origin: p = (cos, sin), p' = w (-sin, cos), p'' = alpha x p - w^2 p.
TEST(NamedPoints, MotionOnACircle) {
  constexpr double angle = .7, w = 3, alpha = 5;
  const PointName tip = all_points(rod())[0];
  std::vector<SE3<double>> poses(2);
  poses[1].R = exp(Vec3<double>{0, 0, angle});
  std::vector<Twist<Rep::hybrid>> twists(2);
  twists[1].angular = {0, 0, w};
  std::vector<Vec6<double>> rates(2);
  rates[1].angular = {0, 0, alpha};
  const double c = std::cos(angle), s = std::sin(angle);
  const Vec3<double> p = position_of(tip, poses), v = velocity_of(tip, poses, twists),
                     a = acceleration_of(tip, poses, twists, rates);
  EXPECT_NEAR(p.x, c, 1e-15);
  EXPECT_NEAR(p.y, s, 1e-15);
  EXPECT_NEAR(v.x, -w * s, 1e-14);
  EXPECT_NEAR(v.y, w * c, 1e-14);
  EXPECT_NEAR(a.x, -alpha * s - w * w * c, 1e-13);
  EXPECT_NEAR(a.y, alpha * c - w * w * s, 1e-13);
}

}  // namespace
}  // namespace axode::test::named_points
