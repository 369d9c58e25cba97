#include "axode/simulate/forces/contact_force.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "axode/core/error.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/models/force_run.hpp"

namespace axode::test::contact_force_test {
namespace {

Shape collision(Shape::Kind kind, const Vec3<double>& size, const SE3<double>& at = {}) {
  Shape shape;
  shape.kind = kind;
  shape.collision = true;
  shape.size = size;
  shape.pose = at;
  return shape;
}
/// A body of 2 kg that slides along x and z without turning; the gravity may be tilted.
Tree slider(const Shape& shape, const Vec3<double>& gravity = {0, 0, -9.81}) {
  return TreeBuilder("slider")
      .gravity(gravity)
      .body("lift")
      .joint("z", prismatic({.axis = {0, 0, 1}}))
      .body("block", {.mass = 2})
      .on("lift")
      .joint("x", prismatic({.axis = {1, 0, 0}}))
      .shape(shape)
      .build();
}
Shape ball(double radius) { return collision(Shape::Kind::sphere, {radius, 0, 0}); }

TEST(ContactForce, RestsWhereTheForceBearsTheWeight) {
  const Tree tree = slider(ball(.1));
  Forces forces;
  forces.contacts.push_back(ground_contact(tree, {"block"}, {.dissipation = 5}));
  ForceRun run(tree, forces);
  State<double> x{{.1, 0}, {0, 0}};
  run.run(x, 0, 4, 20000);
  EXPECT_NEAR(.1 - x.q[0], std::pow(2 * 9.81 / 1e5, 2. / 3), 1e-9);
  EXPECT_NEAR(x.v[0], 0, 1e-8);
}

/// The depth obeys m v dv = -k x^n (1 + c v) dx, so that v/c - log(1 + c v)/c^2 is the same before and
/// after: restitution to all orders, about 1 - 2/3 c v.
double restitution(double c, double v) {
  const auto G = [c](double u) { return u / c - std::log1p(c * u) / (c * c); };
  double low = 0, high = std::min(1.0, .999999 / (c * v));
  for (int i = 0; i < 200; ++i) {
    const double e = .5 * (low + high);
    (G(-e * v) < G(v) ? low : high) = e;
  }
  return low;
}

TEST(ContactForce, BouncesAsHuntAndCrossleySay) {
  const Tree tree = slider(ball(.1), {0, 0, 0});
  for (const double exponent : {1.5, 1.2})
    for (const double v : {.1, .5, 2.}) {
      Forces forces;
      forces.contacts.push_back(
          ground_contact(tree, {"block"}, {.exponent = exponent, .dissipation = .4}));
      ForceRun run(tree, forces);
      State<double> x{{.1, 0}, {-v, 0}};
      run.run(x, 0, .2, 20000);
      EXPECT_GT(x.q[0], .1);
      EXPECT_NEAR(x.v[0] / v, restitution(.4, v), 1e-6) << v;
      if (v < .2) {
        EXPECT_NEAR(x.v[0] / v, 1 - 2. / 3 * .4 * v, 1e-3);
      }
    }
}

TEST(ContactForce, BlocksSlideToRestAndStay) {
  const Tree tree = slider(collision(Shape::Kind::box, {.4, .3, .2}));
  Forces forces;
  const ContactLaw law{.stiffness = 1e6, .dissipation = 5, .friction = .3, .width = 1e-2};
  forces.contacts.push_back(ground_contact(tree, {"block"}, law));
  EXPECT_EQ(forces.contacts[0].balls.size(), 8u);
  ForceRun run(tree, forces);
  const double depth = std::pow(2 * 9.81 / (4 * 1e6), 2. / 3);
  State<double> x{{.1 - depth, 0}, {0, 1.5}};
  run.run(x, 0, 2, 20000);
  // Distance of v' = -mu g v / sqrt(v^2 + w^2) from v0 to 0.
  const double v0 = 1.5, w = law.width, root = std::sqrt(v0 * v0 + w * w);
  const double distance = (.5 * v0 * root + .5 * w * w * std::asinh(v0 / w)) / (.3 * 9.81);
  EXPECT_NEAR(x.q[1], distance, 1e-8);
  EXPECT_NEAR(distance, v0 * v0 / (2 * .3 * 9.81), 2e-4);
  EXPECT_NEAR(x.v[1], 0, 1e-12);  // level ground: no creep is left
  const double before = x.q[1];
  run.run(x, 2, 4, 20000);
  EXPECT_NEAR(x.q[1], before, 1e-12);
}

TEST(ContactForce, CreepsOnSlopesAsStated) {
  const double slope = .2, mu = .5, w = 1e-3;
  const Tree tree = slider(ball(.1), {9.81 * std::sin(slope), 0, -9.81 * std::cos(slope)});
  Forces forces;
  forces.contacts.push_back(
      ground_contact(tree, {"block"}, {.dissipation = 5, .friction = mu, .width = w}));
  ForceRun run(tree, forces);
  State<double> x{{.099, 0}, {0, 0}};
  run.run(x, 0, 2, 60000);
  const double tangent = std::tan(slope);
  EXPECT_NEAR(x.v[1], w * tangent / std::sqrt(mu * mu - tangent * tangent), 1e-9);
}

TEST(ContactForce, MovingPlanesFeelTheReaction) {
  // Two free bodies, a ball above a plate: forces and moments sum to nothing.
  const Inertia<double> inertia{
      .mass = 1, .com = {}, .about_com = Sym3<double>::diagonal({1, 1, 1})};
  const Tree tree = TreeBuilder("two")
                        .body("plate", inertia)
                        .joint("a", free_joint())
                        .body("ball", inertia)
                        .joint("b", free_joint())
                        .build();
  Forces forces;
  const Vec3<double> normal = normalized(Vec3<double>{.1, .2, 1});
  forces.contacts.push_back({{0, {0, 0, .1}, normal}, {{1, {.1, 0, 0}, .2}}, {}});
  ForceRun run(tree, forces);
  std::vector<double> q = neutral(tree);
  q[7 + 6] = .25;
  const std::vector<double> v{.1, .2, .3, 0, .1, -.2, .3, -.4, .5, .6, -.7, -.8};
  const auto sum = run.sum(0, q, v);
  Vec6<double> total{};
  for (std::size_t i = 0; i < 2; ++i)
    total = total + Ad_inverse_transpose(run.poses_.T_WB[i], sum.wrenches[i].six());
  EXPECT_GT(norm(sum.wrenches[1].linear), 10);
  EXPECT_LT(max_abs(total), 1e-10);
}

TEST(ContactForce, ShapesBecomeBalls) {
  const SE3<double> at = translation(Vec3<double>{1, 2, 3});
  const Tree tree = slider(collision(Shape::Kind::capsule, {.1, .6, 0}, at));
  const auto ends = contact_balls(tree, {"block"});
  ASSERT_EQ(ends.size(), 2u);
  EXPECT_EQ(ends[1].centre, (Vec3<double>{1, 2, 3.3}));
  EXPECT_EQ(ends[0].radius, .1);
  const auto rims = contact_balls(tree, 1, collision(Shape::Kind::cylinder, {.5, 2, 0}));
  EXPECT_EQ(rims.size(), 24u);
  for (const Ball& point : rims) {
    EXPECT_NEAR(std::hypot(point.centre.x, point.centre.y), .5, 1e-15);
    EXPECT_EQ(std::abs(point.centre.z), 1);
  }
  expect_says(message([&] { contact_balls(tree, {"lift"}); }), "no collision shape");
  expect_says(message([&] { contact_balls(tree, 1, collision(Shape::Kind::mesh, {})); }),
              "mesh cannot touch");
  Forces forces;
  forces.contacts.push_back(ground_contact(tree, {"block"}, {.exponent = .5}));
  expect_says(message([&] { ForceWork(tree, forces); }), "the exponent is 0.5");
  forces.contacts[0] = {{-1, {}, {0, 0, 2}}, {}, {}};
  expect_says(message([&] { ForceWork(tree, forces); }), "not a unit vector");
}

}  // namespace
}  // namespace axode::test::contact_force_test
