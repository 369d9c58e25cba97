// Degrees of freedom without inertia: found, named, and nothing else taken for one.
#include <gtest/gtest.h>

#include "axode/dynamics/forward/forward_dynamics.hpp"
#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/models/random_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::forward_dynamics_singular_test {
namespace {

/// The body found in all three representations; -2 if they differ. Accelerations stay finite.
template <Rep rep>
int found_in(const Tree& tree, const std::vector<double>& q) {
  std::vector<double> v(tree.dofs.size(), .1), tau(tree.dofs.size(), .3), a(tau.size());
  ForwardDynamics<rep> work(tree);
  const ForwardOutcome found = forward_dynamics<rep, double>(tree, poses(tree, q), v, tau, work, a);
  for (const double x : a) EXPECT_TRUE(is_finite(x));
  return found.singular_body;
}
int singular_body(const Tree& tree, const std::vector<double>& q) {
  const int body = found_in<Rep::body>(tree, q);
  const bool same =
      found_in<Rep::spatial>(tree, q) == body && found_in<Rep::hybrid>(tree, q) == body;
  return same ? body : -2;
}

Inertia<double> box(Random& random, double mass, double size) {
  const Vec3<double> a{random.uniform(.01, .1), random.uniform(.01, .1), random.uniform(.01, .1)};
  const Vec3<double> moments = Vec3<double>{a.y + a.z, a.x + a.z, a.x + a.y} * (mass * size * size);
  return {mass, random.vec3(size),
          congruence(random.rotation().matrix, Sym3<double>::diagonal(moments))};
}

TEST(ForwardDynamicsSingular, LeafWithoutMass) {
  TreeBuilder builder;
  builder.body("arm", {1, {.1, 0, 0}, Sym3<double>::diagonal({.1, .1, .1})})
      .joint("shoulder", revolute({}))
      .body("pen")
      .on("arm")
      .joint("slide", prismatic({.axis = {1, 0, 0}}));
  const Tree tree = builder.build();
  EXPECT_EQ(singular_body(tree, {0, 0}), 1);
  const std::string text = message([&] {
    reference::forward_dynamics(tree, std::vector{0., 0.}, std::vector{0., 0.},
                                std::vector{0., 0.});
  });
  expect_says(text, "forward dynamics: joint 'slide'");
  expect_says(text, "body 'pen'");
  expect_says(text, "armature");
  const Tree driven = builder.armature(1e-9).build();
  EXPECT_EQ(singular_body(driven, {0, 0}), -1);
  const std::vector<double> a = reference::forward_dynamics(
      driven, std::vector{0., 0.}, std::vector{0., 0.}, std::vector{0., 3e-9});
  expect_near(a[1], 3.0, 1e-12);
  EXPECT_FALSE(message([&] {
                 reference::forward_dynamics(driven, std::vector{0., 0.}, std::vector{0., 0.},
                                             std::vector{0., 0.}, Rep::body,
                                             {.effects = {.armature = false}});
               }).empty());
}

/// Forces on the degrees of freedom that do have inertia act as if those without were locked.
TEST(ForwardDynamicsSingular, LocksTheFreedom) {
  const auto tree_with = [](const Joint& joint) {
    return TreeBuilder{}
        .body("arm", {1, {.1, 0, 0}, Sym3<double>::diagonal({.1, .1, .1})})
        .joint("shoulder", revolute({}))
        .body("pen")
        .on("arm")
        .joint("slide", joint)
        .build();
  };
  const Tree tree = tree_with(prismatic({.axis = {1, 0, 0}}));
  std::vector<double> a(2);
  ForwardDynamics<Rep::body> work(tree);
  EXPECT_EQ((forward_dynamics<Rep::body, double>(tree, poses(tree, std::vector{.2, .3}),
                                                 std::vector{1., 2.}, std::vector{.7, .4}, work, a)
                 .singular_body),
            1);
  EXPECT_EQ(a[1], 0);
  expect_near(a[0],
              reference::forward_dynamics(tree_with(fixed()), std::vector{.2}, std::vector{1.},
                                          std::vector{.7})[0],
              1e-14);
}

/// Two joints on one axis with a body without mass between: the carried body's inertia about it is
/// used up by the joint beyond. Also far away, light or heavy, with fixed bodies between.
TEST(ForwardDynamicsSingular, TwoJointsOnOneAxis) {
  double worst = 0;
  for_random_cases(300, [&](Random& random) {
    const double far = random.log_uniform(.1, 100), mass = random.log_uniform(1e-9, 1e3);
    const Vec3<double> axis = random.unit(), point = random.vec3(far);
    const Joint joint = random.integer(0, 2) == 0
                            ? prismatic({.axis = axis})
                            : helical({.axis = axis, .point = point, .pitch = .1});
    TreeBuilder builder;
    builder.body("between").joint("first", joint, zero_reference(random.pose(far)));
    builder.body("plate").on("between").joint("bolt", fixed(), zero_reference(random.pose(far)));
    builder.body("load", box(random, mass, 1))
        .on("plate")
        .joint("second", joint, zero_reference(random.pose(far)));
    builder.body("more", box(random, mass, 1))
        .on("load")
        .joint("third", revolute({.axis = random.unit(), .point = random.vec3(far)}),
               zero_reference(random.pose(far)));
    const Tree tree = builder.build();
    const std::vector<double> q = random_coordinates(random, tree);
    EXPECT_EQ(singular_body(tree, q), 0);
    ForwardDynamics<Rep::spatial> work(tree);
    std::vector<double> a(3), rest(3, 0);
    EXPECT_FALSE(
        (forward_dynamics<Rep::spatial, double>(tree, poses(tree, q), rest, rest, work, a).ok()));
    worst = std::max(worst, largest_difference(work.dofs[0].D, 0.0) / work.dofs[0].noise);
  });
  EXPECT_LT(worst, .3);  // rounding of D, of what is taken for rounding
  record("worst_part_of_the_threshold", worst);
}

/// All inertia used up by a free joint; drives on massless bodies in between hide it from view.
TEST(ForwardDynamicsSingular, BeyondDrivenBodiesWithoutMass) {
  for_random_cases(100, [](Random& random) {
    TreeBuilder builder;
    builder.body("root").joint("root", revolute({.axis = random.unit(), .point = random.vec3()}),
                               zero_reference(random.pose()));
    std::string parent = "root";
    const int between = random.integer(0, 12);
    for (int k = 0; k < between; ++k) {
      const std::string name = std::string("b").append(std::to_string(k));
      builder.body(name).on(parent).joint(name,
                                          revolute({.axis = random.unit(), .point = random.vec3()}),
                                          zero_reference(random.pose()));
      builder.armature(random.log_uniform(1e-3, 1e3));
      parent = name;
    }
    builder.body("load", box(random, random.log_uniform(1e-6, 1e3), 1))
        .on(parent)
        .joint("free", free_joint({.at = random.pose()}), zero_reference(random.pose()));
    const Tree tree = builder.build();
    EXPECT_EQ(singular_body(tree, random_coordinates(random, tree)), 0);
  });
}

TEST(ForwardDynamicsSingular, PointsAndRods) {
  const auto on = [](const Joint& joint, const Inertia<double>& inertia) {
    const Tree tree = TreeBuilder{}.body("b", inertia).joint("j", joint).build();
    return singular_body(tree, neutral(tree));
  };
  const Inertia<double> point{1, {.3, .1, 0}, {}};
  EXPECT_EQ(on(revolute({}), point), -1);
  EXPECT_EQ(on(revolute({.axis = {.3, .1, 0}}), point), 0);  // through the point
  EXPECT_EQ(on(spherical(), point), 0);
  EXPECT_EQ(on(free_joint(), point), 0);
  EXPECT_EQ(on(universal({.second = {0, 0, 1}}), {1, {0, 1, 0}, {}}), -1);
  const Inertia<double> rod{1, {0, 0, .5}, Sym3<double>::diagonal({.1, .1, 0})};
  EXPECT_EQ(on(spherical(), rod), 0);
  EXPECT_EQ(on(universal(), rod), -1);
  EXPECT_EQ(on(prismatic({}), {1e-200, {}, {}}), -1);  // not much is not nothing
}

/// Angles at gimbal lock: the three axes lie in a plane.
TEST(ForwardDynamicsSingular, CoordinatesOfAJoint) {
  const Tree tree = TreeBuilder{}
                        .body("ball", {1, {}, Sym3<double>::diagonal({.1, .2, .3})})
                        .joint("socket", spherical({.coordinates = Coordinates::second_kind}))
                        .build();
  EXPECT_EQ(singular_body(tree, {.3, pi<double> / 2, .4}), 0);
  EXPECT_EQ(singular_body(tree, {.3, 1.57, .4}), -1);
  expect_says(message([&] {
                reference::forward_dynamics(tree, std::vector{.3, pi<double> / 2, .4},
                                            std::vector{0., 0., 0.}, std::vector{0., 0., 0.});
              }),
              "quaternion");
}

/// Nothing of this is singular: tiny bodies on large ones, large on tiny, frames far from the body.
TEST(ForwardDynamicsSingular, FindsNoneInOddButRegularTrees) {
  double least = std::numeric_limits<double>::infinity();
  for_random_cases(300, [&](Random& random) {
    TreeBuilder builder;
    std::string parent;
    for (int k = 0; k < 5; ++k) {
      const std::string name = std::string("b").append(std::to_string(k));
      const double size = random.log_uniform(1e-3, 1), mass = random.log_uniform(1e-9, 1e2);
      const SE3<double> far = random.pose(10);
      builder.body(name, transform(inverse(far), box(random, mass, size)));
      if (!parent.empty()) builder.on(parent);
      builder.joint(name, revolute({.axis = random.unit(), .point = random.vec3(size)}),
                    zero_reference(far));
      parent = name;
    }
    const Tree tree = builder.build();
    const std::vector<double> q = random_coordinates(random, tree);
    EXPECT_EQ(singular_body(tree, q), -1);
    ForwardDynamics<Rep::body> work(tree);
    std::vector<double> a(5), rest(5, 0);
    EXPECT_TRUE(
        (forward_dynamics<Rep::body, double>(tree, poses(tree, q), rest, rest, work, a).ok()));
    for (const DofResponse<double>& f : work.dofs) least = std::min(least, f.D / f.noise);
  });
  record("least_multiple_of_the_threshold", least);
}

TEST(ForwardDynamicsSingular, ForgetsTheCallBefore) {
  Tree tree = TreeBuilder{}.body("b").joint("j", revolute({})).build();
  const Poses<double> p = poses(tree, std::vector{0.});
  std::vector<double> a(1), one(1, 1);
  ForwardDynamics<Rep::body> work(tree);
  EXPECT_EQ((forward_dynamics<Rep::body, double>(tree, p, one, one, work, a).singular_body), 0);
  tree.dofs[0].armature = 1;
  EXPECT_TRUE((forward_dynamics<Rep::body, double>(tree, p, one, one, work, a).ok()));
  EXPECT_EQ(a[0], 1);
}

/// What is not a number does not come out as zero.
TEST(ForwardDynamicsSingular, NotANumberStaysOne) {
  const Tree tree = TreeBuilder{}
                        .body("b", {1, {1, 0, 0}, Sym3<double>::diagonal({1, 1, 1})})
                        .joint("j", revolute({}))
                        .build();
  Poses<double> p(tree);
  poses<double>(tree, std::vector{std::nan("")}, p);
  std::vector<double> a(1), one(1, 1);
  ForwardDynamics<Rep::hybrid> work(tree);
  static_cast<void>(forward_dynamics<Rep::hybrid, double>(tree, p, one, one, work, a));
  EXPECT_TRUE(std::isnan(a[0]));
}

}  // namespace
}  // namespace axode::test::forward_dynamics_singular_test
