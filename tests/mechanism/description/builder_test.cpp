#include "axode/mechanism/description/builder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/errors.hpp"

namespace axode::test::builder {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string refused(const MechanismBuilder& b) {
  return message([&] { b.build(); });
}
void says(const MechanismBuilder& b, const std::string& words) { expect_says(refused(b), words); }

MechanismBuilder planar() {
  return MechanismBuilder("m", Space::planar)
      .body("a", {1, {.5, 0, 0}, {0, 0, .1, 0, 0, 0}})
      .point("tip", {1, 0, 0})
      .pose(planar_pose(0, 0, .3))
      .body("b")
      .pose(planar_pose(1, .5, -.2));
}
MechanismBuilder spatial() {
  return MechanismBuilder("m")
      .body("a")
      .vector("u", {0, 0, 2})
      .pose({exp(Vec3<double>{0, 0, .5}), {1, 2, 3}})
      .body("b")
      .pose({exp(Vec3<double>{.5, 0, 0}), {0, 1, 0}});
}
std::vector<SE3<double>> reference(const Mechanism& m) {
  std::vector<SE3<double>> poses;
  for (const MechanismBody& body : m.bodies) poses.push_back(body.pose);
  return poses;
}

TEST(MechanismBuilder, TheGroundIsBodyZeroAndGravityHasADefault) {
  const Mechanism m = planar().build();
  ASSERT_EQ(m.bodies.size(), 3U);
  EXPECT_EQ(m.bodies[0].name, world_name);
  EXPECT_EQ(m.bodies[0].pose, SE3<double>{});
  EXPECT_EQ(m.gravity, (Vec3<double>{0, -9.81, 0}));
  EXPECT_EQ(spatial().build().gravity, (Vec3<double>{0, 0, -9.81}));
}

TEST(MechanismBuilder, PlacesInTheWorldBecomeLocalOnBothBodies) {
  const Mechanism m = spatial()
                          .joint("J", PairType::cylindrical, "a", "b",
                                 {.at = Vec3{1., 1., 1.}, .axis = Vec3{0., 3., 4.}})
                          .build();
  const MechanismJoint& j = m.joints[0];
  for (std::size_t k = 0; k < 2; ++k) {
    const SE3<double>& T = m.bodies[j.body[k]].pose;
    EXPECT_LT(max_abs(T * j.point[k] - Vec3<double>{1, 1, 1}), 1e-15);
    EXPECT_LT(max_abs(T.R * j.axis[k] - Vec3<double>{0, .6, .8}), 1e-15);
    EXPECT_NEAR(dot(j.axis[k], j.zero[k]), 0, 1e-15);
    EXPECT_NEAR(norm(j.zero[k]), 1, 1e-15);
  }
  // The axes differ on the bodies, so the reference has angle zero; and it has distance zero.
  EXPECT_NEAR(measure(m, 0, reference(m)), 0, 1e-15);
  EXPECT_NEAR(measure(m, 1, reference(m)), 0, 1e-15);
}

TEST(MechanismBuilder, EqualAttitudesHaveAngleZero) {
  const Mechanism m = spatial()
                          .joint("J", PairType::revolute, "world", "a",
                                 {.at = Vec3{1., 2., 3.}, .axis = Vec3{0., 0., 1.}})
                          .build();
  EXPECT_NEAR(measure(m, 0, reference(m)), .5, 1e-15);
}

TEST(MechanismBuilder, CoordinatesOfJointsAreNamed) {
  const PairGeometry at{.at = Vec3{0., 0., 0.}, .axis = Vec3{0., 0., 1.}};
  const Mechanism m = spatial()
                          .joint("h", PairType::helical, "a", "b",
                                 {.at = Vec3{0., 0., 0.}, .axis = Vec3{0., 0., 1.}, .pitch = .1})
                          .joint("c", PairType::cylindrical, "a", "b", at)
                          .joint("p", PairType::planar, "a", "b", at)
                          .joint("u", PairType::universal, "a", "b",
                                 {.at = Vec3{0., 0., 0.}, .axes = {{{0, 0, 1}, {1, 0, 0}}}})
                          .distance("d", {"a", {0, 0, 0}}, {"b", {0, 0, 0}})
                          .build();
  const char* names[] = {"h.angle", "h.distance", "c.distance", "c.angle",  "p.x",
                         "p.y",     "p.angle",    "u.angle",    "u.angle2", "d"};
  ASSERT_EQ(m.coordinates.size(), std::size(names));
  for (std::size_t i = 0; i < std::size(names); ++i) {
    EXPECT_EQ(m.coordinates[i].name, names[i]);
    EXPECT_EQ(m.coordinates[i].is_angle, m.coordinates[i].name.find("angle") != std::string::npos);
  }
  EXPECT_EQ(coordinate_of(m, 2, 2), 6);
}

/// What is not said is that of the reference: attitude of welds and slides, length of rods.
TEST(MechanismBuilder, JointsKeepTheReference) {
  const Mechanism m = spatial()
                          .joint("w", PairType::weld, "a", "b")
                          .joint("s", PairType::prismatic, "world", "a",
                                 {.at = Vec3{0., 0., 0.}, .axis = Vec3{0., 0., 1.}})
                          .joint("r", PairType::rod, "a", "b", {.points = {{{0, 0, 0}, {0, 0, 0}}}})
                          .build();
  const SE3<double>&a = m.bodies[1].pose, &b = m.bodies[2].pose;
  const MechanismJoint& w = m.joints[0];
  EXPECT_LT(max_abs(a * w.point[0] - b * w.point[1]), 1e-15);
  EXPECT_LT(max_abs(a.R * w.axis[0] - b.R * w.axis[1]), 1e-15);
  EXPECT_LT(max_abs(a.R * w.zero[0] - b.R * w.zero[1]), 1e-15);
  EXPECT_NEAR(m.joints[1].angle, .5, 1e-15);
  EXPECT_NEAR(m.joints[2].value, std::sqrt(1. + 1 + 9), 1e-15);
}

TEST(MechanismBuilder, PlanarSlidesKeepTheAngleOfTheirAxes) {
  const auto slide = [](const PairGeometry& g) {
    return planar().joint("s", PairType::prismatic, "a", "b", g).build().joints[0];
  };
  EXPECT_NEAR(slide({.at = Vec3{1., 1., 0.}, .axis = Vec3{1., 1., 0.}}).angle, -.5, 1e-15);
  const MechanismJoint s =
      slide({.points = {{"tip", {0, 0, 0}}}, .axes = {{{0, 1, 0}, {1, 0, 0}}}});
  EXPECT_NEAR(s.angle, std::acos(0), 1e-15);
  const MechanismJoint t =
      slide({.points = {{"tip", {0, 0, 0}}}, .axes = {{{1, 0, 0}, Spot{}}}, .angle = .7});
  EXPECT_NEAR(t.axis[1].x, std::cos(.7), 1e-15);
  EXPECT_NEAR(t.axis[1].y, -std::sin(.7), 1e-15);
}

TEST(MechanismBuilder, GearsBetweenBodiesGetACarrier) {
  const Mechanism m =
      planar()
          .joint("g", PairType::gear, "a", "b", {.points = {{{0, 0, 0}, {0, 0, 0}}}, .ratio = .5})
          .build();
  ASSERT_EQ(m.bodies.size(), 4U);
  EXPECT_EQ(m.bodies[3].name, "g.carrier");
  ASSERT_EQ(m.joints.size(), 2U);
  EXPECT_EQ(m.joints[0].name, "g.i");
  EXPECT_EQ(m.joints[1].body, (std::array<int, 2>{3, 2}));
  ASSERT_EQ(m.couplings.size(), 1U);
  EXPECT_NEAR(m.couplings[0].constant, -.2 + .5 * .3, 1e-15);  // as the reference shows them
}

TEST(MechanismBuilder, TransmissionsAndCablesAreCouplings) {
  const Mechanism m =
      planar()
          .joint("A", PairType::revolute, "world", "a", {.at = Vec3{0., 0., 0.}})
          .joint("S", PairType::prismatic, "world", "b",
                 {.at = Vec3{0., 0., 0.}, .axis = Vec3{1., 0., 0.}})
          .rack_pinion("rp", "A", "S", .1, .3)
          .cable("c", {{"a", "tip"}, {"world", {3, 0, 0}}, {"world", {3, 4, 0}}, {"b", {0, 0, 0}}},
                 9)
          .couple("sum", {{"A.angle", 2}, {"S.distance", -1}}, .7)
          .build();
  ASSERT_EQ(m.couplings.size(), 3U);
  EXPECT_EQ(m.couplings[0].parts[0].coordinate, 1);
  EXPECT_EQ(m.couplings[0].parts[1].factor, .1);
  EXPECT_EQ(m.couplings[1].parts.size(), 2U);
  EXPECT_EQ(m.couplings[1].constant, 9 - 4);
  EXPECT_EQ(m.coordinates[2].name, "c.1");
  EXPECT_EQ(m.couplings[2].constant, .7);
}

/// Rates and accelerations of coordinates are the derivatives of their values along a motion.
TEST(MechanismBuilder, CoordinatesAreMeasuredInMotion) {
  const Mechanism m = spatial()
                          .joint("c", PairType::cylindrical, "a", "b",
                                 {.at = Vec3{0., 0., 0.}, .axis = Vec3{0., 0., 1.}})
                          .joint("u", PairType::universal, "a", "b",
                                 {.at = Vec3{0., 0., 0.}, .axes = {{{0, 0, 1}, {1, 0, 0}}}})
                          .distance("d", {"a", {1, 0, 0}}, {"b", {0, 2, 0}})
                          .component("x", {"a", {1, 0, 0}}, {"b", {0, 2, 0}}, {1, 1, 0})
                          .build();
  // Body b turns about a fixed axis by 2 t + t^2/2 and moves by (t, t^2, 0); a turns by -t.
  const auto poses = [&](double t) {
    std::vector<SE3<double>> T = reference(m);
    T[1].R = exp(Vec3<double>{0, -t, 0}) * T[1].R;
    T[2].R = exp(Vec3<double>{0, .6, .8} * (2 * t + t * t / 2)) * T[2].R;
    T[2].p += Vec3<double>{t, t * t, 0};
    return T;
  };
  std::vector<Twist<Rep::hybrid>> twists(3);
  std::vector<Vec6<double>> rates(3);
  twists[1].angular = {0, -1, 0};
  twists[2].angular = {0, 1.2, 1.6};
  twists[2].linear = {1, 0, 0};
  rates[2] = {{0, .6, .8}, {0, 2, 0}};
  const double h = 1e-3;
  for (int c = 0; c < static_cast<int>(m.coordinates.size()); ++c) {
    const TimeValue x = measure(m, c, poses(0), twists, rates);
    const double minus = measure(m, c, poses(-h)), plus = measure(m, c, poses(h));
    EXPECT_EQ(x.value, measure(m, c, poses(0)));
    EXPECT_NEAR(x.rate, (plus - minus) / (2 * h), 1e-4) << m.coordinates[c].name;
    EXPECT_NEAR(x.acceleration, (plus - 2 * x.value + minus) / (h * h), 1e-4)
        << m.coordinates[c].name;
  }
}

TEST(MechanismBuilder, RefusesBadBodies) {
  says(planar().body("a"), "body 'a': the name is taken");
  says(planar().body(""), "the name is empty");
  says(planar().body("c", {-1}), "mass is negative");
  says(planar().body("c").pose({exp(Vec3<double>{.1, 0, 0}), {}}), "leaves the plane");
  says(planar().body("c").point("p", {0, 0, 1}), "off the plane");
  says(planar().body("c").point("p", {0, nan, 0}), "not finite");
  says(planar().body("world").pose(planar_pose(1, 0, 0)), "the world has no pose");
  says(spatial().body("c", {1, {}, Sym3<double>::diagonal({1, 1, -1})}), "body 'c'");
  says(spatial().gravity({0, nan, 0}), "gravity is not finite");
}

TEST(MechanismBuilder, RefusesBadJoints) {
  const PairGeometry at{.at = Vec3{0., 0., 0.}, .axis = Vec3{0., 0., 1.}};
  const auto one = [&](PairType type, const PairGeometry& g) {
    return spatial().joint("J", type, "a", "b", g);
  };
  says(spatial().joint("J", PairType::revolute, "a", "a", at), "joint 'J': it joins body 'a'");
  says(spatial().joint("J", PairType::revolute, "a", "z", at), "no body 'z'");
  says(one(PairType::revolute, at).joint("J", PairType::weld, "a", "b"), "the name is taken");
  says(one(PairType::revolute, {}), "does not say where");
  says(one(PairType::revolute, {.at = Vec3{0., 0., 0.}}), "needs an axis");
  says(one(PairType::revolute, {.at = Vec3{0., 0., 0.}, .axis = Vec3{0., 0., 0.}}), "length zero");
  says(one(PairType::revolute, {.at = Vec3{0., 0., nan}, .axis = Vec3{0., 0., 1.}}), "not finite");
  says(one(PairType::revolute, {.at = Vec3{0., 0., 0.}, .axes = {{"v", "u"}}}), "no vector 'v'");
  says(one(PairType::universal, {.at = Vec3{0., 0., 0.}, .axes = {{{0, 0, 1}, {0, 0, 1}}}}),
       "not at 90");
  says(one(PairType::rolling, at), "not holonomic");
  says(one(PairType::helical, at), "pitch is not said");
  says(one(PairType::rod, {.points = {{{0, 0, 0}, {0, 0, 0}}}, .value = 0.}), "its length is 0");
  says(planar().joint("J", PairType::universal, "a", "b", at), "moves in space");
  says(planar().joint("J", PairType::revolute, "a", "b",
                      {.at = Vec3{0., 0., 0.}, .axis = Vec3{1., 0., 0.}}),
       "its axis is not z");
  for (const PairGeometry& back : {PairGeometry{.at = Vec3{0., 0., 0.}, .axis = Vec3{0., 0., -1.}},
                                   {.at = Vec3{0., 0., 0.}, .axes = {{{0, 0, -1}, {0, 0, -1}}}},
                                   {.at = Vec3{0., 0., 0.}, .axes = {{{0, 0, 1}, {0, 0, -1}}}}})
    says(planar().joint("J", PairType::revolute, "a", "b", back),
         "its axis is not z, that of planar mechanisms; leave the axis out; to count an angle the "
         "other way, exchange the bodies");
  says(planar().joint("J", PairType::rolling, "a", "b",
                      {.at = Vec3{0., 0., 0.}, .axis = Vec3{1., 0., 0.}, .value = -1.}),
       "its radius is -1");
}

TEST(MechanismBuilder, RefusesBadDriversAndForces) {
  const auto pin = planar().joint("A", PairType::revolute, "world", "a", {.at = Vec3{0., 0., 0.}});
  const auto with = [&](auto&& add) {
    MechanismBuilder b = pin;
    add(b);
    return b;
  };
  says(with([](auto& b) { b.drive("B.angle", constant_in_time(0)); }), "there are: A.angle");
  says(with([](auto& b) {
         b.drive("A.angle", constant_in_time(0)).drive("A.angle", constant_in_time(1));
       }),
       "driven twice");
  says(with([](auto& b) { b.drive("A.angle", constant_in_time(nan)); }), "not finite");
  says(with([](auto& b) { b.force("A.angle", {.stiffness = -1}); }), "stiffness is negative");
  says(with([](auto& b) { b.spring({"a", {0, 0, 0}}, {"a", "tip"}, {}); }), "both its ends");
  says(with([](auto& b) { b.load({"a", {0, 0, 0}}, {.force = {0, 0, 1}}); }), "leaves the plane");
  says(with([](auto& b) { b.start("A.angle", nan); }), "not finite");
  says(with([](auto& b) { b.couple("c", {{"A.angle", 0}}); }), "factor");
  says(with([](auto& b) { b.cable("c", {{"a", "tip"}}); }), "two points");
}

}  // namespace
}  // namespace axode::test::builder
