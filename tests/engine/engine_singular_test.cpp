// Degrees of freedom without inertia: found and named as by the functions of dynamics/, and none found in trees
// that are odd, but regular.
#include <gtest/gtest.h>

#include <algorithm>

#include "axode/core/error.hpp"
#include "axode/dynamics/forward/forward_dynamics.hpp"
#include "tests/engine/engine_cases.hpp"
#include "tests/support/near.hpp"

namespace axode::test::engine_singular_test {
namespace {

/// What the engine's functions and forward_dynamics.hpp find: bodies, -1 for none.
struct Verdicts {
  int by_template, forward, inverse_mass, derivatives;
  bool finite = true;  ///< the accelerations
};
Verdicts verdicts(const Tree& tree, const std::vector<double>& q,
                  const engine::Kernels& table = engine::kernels(), const Effects& effects = {}) {
  const std::vector<double> v(tree.dofs.size(), .1), tau(v.size(), .3);
  std::vector<double> a(v.size(), NAN);
  ForwardDynamics<Rep::body> work(tree);
  const ForwardOutcome by_recursion =
      forward_dynamics<Rep::body, double>(tree, poses(tree, q), v, tau, work, a, {}, effects);
  Engine e = engine_with(tree, table);
  const auto body_of = [&](int velocity) {
    for (int i = 0; i < tree.size(); ++i) {
      const Link& link = tree.links[i];
      if (velocity >= link.v && velocity < link.v + link.nv) return i;
    }
    return -1;
  };
  Verdicts found{by_recursion.singular_body, 0, 0, 0};
  found.forward = forward_dynamics(e, q, v, tau, a, {.effects = effects}).singular_body;
  for (const double x : a) found.finite = found.finite && is_finite(x);
  DenseMatrix<double> X{tree.nv, tree.nv, std::vector<double>(v.size() * v.size())};
  found.inverse_mass = body_of(inverse_mass_matrix(e, q, X, effects).singular_velocity);
  ForwardDynamicsDerivatives<double> d(tree);
  found.derivatives = body_of(
      forward_dynamics_derivatives(e, q, v, tau, d, {.effects = effects}).singular_velocity);
  return found;
}
/// All agree on the body, whatever the instruction set.
void expect_found(const Tree& tree, const std::vector<double>& q, int body,
                  const Effects& effects = {}) {
  for (const engine::Kernels* table : kernel_tables()) {
    const Verdicts found = verdicts(tree, q, *table, effects);
    EXPECT_EQ(found.by_template, body);
    EXPECT_EQ(found.forward, body) << table->lanes;
    EXPECT_EQ(found.inverse_mass, body) << table->lanes;
    EXPECT_EQ(found.derivatives, body) << table->lanes;
    EXPECT_TRUE(found.finite);
  }
}

const Inertia<double> arm_inertia{1, {.1, 0, 0}, Sym3<double>::diagonal({.1, .1, .1})};

TEST(EngineSingular, LeafWithoutMassIsLocked) {
  const auto with = [](const Joint& joint) {
    TreeBuilder builder;
    builder.body("arm", arm_inertia)
        .joint("shoulder", revolute({}))
        .body("pen")
        .on("arm")
        .joint("slide", joint);
    return builder;
  };
  TreeBuilder builder = with(prismatic({.axis = {1, 0, 0}}));
  const Tree tree = builder.build();
  expect_found(tree, {.2, .3}, 1);
  for (const engine::Kernels* table : kernel_tables()) {
    Engine e = engine_with(tree, *table);
    std::vector<double> a(2, NAN);
    EXPECT_EQ(forward_dynamics(e, std::vector{.2, .3}, std::vector{1., 2.}, std::vector{.7, .4}, a)
                  .singular_body,
              1);
    EXPECT_EQ(a[1], 0);
    expect_near(a[0],
                reference::forward_dynamics(with(fixed()).build(), std::vector{.2}, std::vector{1.},
                                            std::vector{.7})[0],
                1e-14);
  }
  const Tree driven = builder.armature(1e-9).build();
  expect_found(driven, {.2, .3}, -1);
  expect_found(driven, {.2, .3}, 1, {.armature = false});
}

TEST(EngineSingular, PointsAndRods) {
  const auto expect = [](const Joint& joint, const Inertia<double>& inertia, int body) {
    const Tree tree = TreeBuilder{}.body("b", inertia).joint("j", joint).build();
    expect_found(tree, neutral(tree), body);
  };
  const Inertia<double> point{1, {.3, .1, 0}, {}};
  expect(revolute({}), point, -1);
  expect(revolute({.axis = {.3, .1, 0}}), point, 0);  // through the point
  expect(spherical(), point, 0);
  expect(free_joint(), point, 0);
  expect(universal({.second = {0, 0, 1}}), {1, {0, 1, 0}, {}}, -1);
  const Inertia<double> rod{1, {0, 0, .5}, Sym3<double>::diagonal({.1, .1, 0})};
  expect(spherical(), rod, 0);
  expect(universal(), rod, -1);
  expect(prismatic({}), {1e-200, {}, {}}, -1);  // not much is not nothing
}

/// Angles at gimbal lock: the three axes lie in a plane.
TEST(EngineSingular, CoordinatesOfAJoint) {
  const Tree tree = TreeBuilder{}
                        .body("ball", {1, {}, Sym3<double>::diagonal({.1, .2, .3})})
                        .joint("socket", spherical({.coordinates = Coordinates::second_kind}))
                        .build();
  expect_found(tree, {.3, pi<double> / 2, .4}, 0);
  expect_found(tree, {.3, 1.57, .4}, -1);
}

/// Two joints on one axis with a body without mass between, far away or near, light or heavy.
TEST(EngineSingular, TwoJointsOnOneAxis) {
  for_random_cases(200, [](Random& random) {
    const double far = random.log_uniform(.1, 100), mass = random.log_uniform(1e-9, 1e3);
    const Vec3<double> axis = random.unit(), point = random.vec3(far);
    const Joint joint = random.integer(0, 2) == 0
                            ? prismatic({.axis = axis})
                            : helical({.axis = axis, .point = point, .pitch = .1});
    TreeBuilder builder;
    builder.body("between").joint("first", joint, zero_reference(random.pose(far)));
    builder.body("plate").on("between").joint("bolt", fixed(), zero_reference(random.pose(far)));
    builder.body("load", random_box(random, mass, 1))
        .on("plate")
        .joint("second", joint, zero_reference(random.pose(far)));
    builder.body("more", random_box(random, mass, 1))
        .on("load")
        .joint("third", revolute({.axis = random.unit(), .point = random.vec3(far)}),
               zero_reference(random.pose(far)));
    const Tree tree = builder.build();
    expect_found(tree, random_coordinates(random, tree), 0);
  });
}

/// All inertia used up by a free joint; drives on bodies without mass in between hide it from view.
TEST(EngineSingular, BeyondDrivenBodiesWithoutMass) {
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
    builder.body("load", random_box(random, random.log_uniform(1e-6, 1e3), 1))
        .on(parent)
        .joint("free", free_joint({.at = random.pose()}), zero_reference(random.pose()));
    const Tree tree = builder.build();
    expect_found(tree, random_coordinates(random, tree), 0);
  });
}

/// A body without mass on a ball joint carries one on an axis through the centre of the ball.
TEST(EngineSingular, Gimbals) {
  for (const double far : {.5, 5., 50., 500.})
    for (const bool heavy_ring : {false, true})
      for_random_cases(50, [&](Random& random) {
        const Vec3<double> centre = random.vec3(far);
        TreeBuilder builder;
        builder.body("ring", heavy_ring ? random_box(random, 1, 1) : Inertia<double>{})
            .joint("ball", spherical({.point = centre}));
        builder.body("load", random_box(random, random.log_uniform(1e-3, 1e3), 1))
            .on("ring")
            .joint("axis", revolute({.axis = random.unit(), .point = centre}));
        if (random.integer(0, 1) == 1)
          builder.body("tip", random_box(random, 1, 1))
              .on("load")
              .joint("tip", revolute({.axis = random.unit(), .point = random.vec3(far)}));
        const Tree tree = builder.build();
        expect_found(tree, random_coordinates(random, tree), heavy_ring ? -1 : 0);
      });
}

/// A mass on the axis it turns about, far from the first body.
TEST(EngineSingular, PointOnItsAxisFarOut) {
  for_random_cases(100, [](Random& random) {
    const Vec3<double> axis = random.unit(), point = random.vec3(random.log_uniform(1, 1e3));
    const Tree tree = TreeBuilder{}
                          .body("base", random_box(random, 1, 1))
                          .joint("free", free_joint())
                          .body("bead", {1, axis * random.uniform(-1, 1), {}})
                          .on("base")
                          .joint("spin", revolute({.axis = axis}), body_screws(translation(point)))
                          .build();
    expect_found(tree, random_coordinates(random, tree), 1);
  });
}

/// All inertia is used up by the free joint of a small body far away.
TEST(EngineSingular, NothingLeftFarAway) {
  for_random_cases(100, [](Random& random) {
    const double far = random.log_uniform(1e2, 1e4);
    const Tree tree = TreeBuilder{}
                          .body("root")
                          .joint("root", revolute({.axis = random.unit()}))
                          .body("load", random_box(random, random.uniform(.1, 10), 1e-3))
                          .on("root")
                          .joint("free", free_joint({.at = random.pose(1e-3)}),
                                 body_screws(translation(random.vec3(far))))
                          .build();
    expect_found(tree, random_coordinates(random, tree), 0);
  });
}

/// Sliders on one rail: M is m times whole numbers, and so is the inverse over m.
TEST(EngineSingular, SmallOrLargeAllOver) {
  for (int n = 1; n <= 9; ++n)
    for (const double m : {1e-200, 1e-160, 1e-100, 1e-9, 1., 1e100}) {
      TreeBuilder builder;
      for (int k = 0; k < n; ++k) {
        const std::string name = std::string("b").append(std::to_string(k));
        builder.body(name, {m, {}, {}});
        if (k > 0) builder.on(std::string("b").append(std::to_string(k - 1)));
        builder.joint(name, prismatic({}));
      }
      const Tree tree = builder.build();
      for (const engine::Kernels* table : kernel_tables()) {
        Engine e = engine_with(tree, *table);
        DenseMatrix<double> W{n, n, std::vector<double>(tree.dofs.size() * tree.dofs.size())};
        ASSERT_EQ(inverse_mass_matrix(e, neutral(tree), W).singular_velocity, -1) << n << ' ' << m;
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j) {
            const int expected = i == j ? (i == 0 ? 1 : 2) : std::abs(i - j) == 1 ? -1 : 0;
            EXPECT_NEAR(W(i, j) * m, expected, 1e-13) << n << ' ' << m << ' ' << table->lanes;
          }
      }
    }
}
TEST(EngineSingular, JointsThatAreAsGoodAsLocked) {
  TreeBuilder builder;
  builder.body("first", arm_inertia).joint("first", revolute({})).armature(1e10);
  builder.body("second", arm_inertia).on("first").joint("second", revolute({})).armature(1e300);
  const Tree tree = builder.build();
  for (const engine::Kernels* table : kernel_tables()) {
    Engine e = engine_with(tree, *table);
    DenseMatrix<double> W{2, 2, std::vector<double>(4)};
    EXPECT_EQ(inverse_mass_matrix(e, neutral(tree), W).singular_velocity, -1);
    EXPECT_NEAR(W(0, 0), 1e-10, 1e-18);
    EXPECT_NEAR(W(1, 1) * 1e300, 1, 1e-12);
  }
}

TEST(EngineSingular, SlidesAwayFromZero) {
  const std::vector<double> q{.1, 100, 0};
  expect_found(crane(1e-12), q, 0);
  expect_found(crane(1e-3), q, -1);
  expect_found(crane(1), {.1, 1e9, 0}, 0);
  const Tree tree = crane(1e-3);
  for (const engine::Kernels* table : kernel_tables()) {
    Engine e = engine_with(tree, *table);
    DenseMatrix<double> W{3, 3, std::vector<double>(9)};
    EXPECT_EQ(inverse_mass_matrix(e, q, W).singular_velocity, -1);
    EXPECT_NEAR(W(0, 0), 1e3, 1e-5);
  }
}

/// No number of the state before is left.
TEST(EngineSingular, MatricesAreNoNumbers) {
  const Tree tree = TreeBuilder{}
                        .body("ball", {1, {}, Sym3<double>::diagonal({.1, .2, .3})})
                        .joint("socket", spherical({.coordinates = Coordinates::second_kind}))
                        .body("arm", arm_inertia)
                        .on("ball")
                        .joint("hinge", revolute({.axis = {1, 0, 0}, .point = {0, .2, 0}}))
                        .build();
  const std::vector<double> regular{.3, .2, .4, .1}, v(4, .1), tau(4, .2);
  std::vector<double> locked{.3, pi<double> / 2, .4, .1}, unknown{.3, NAN, .4, .1};
  const auto none_is_finite = [](const DenseMatrix<double>& X) {
    return std::none_of(X.values.begin(), X.values.end(), [](double x) { return is_finite(x); });
  };
  Engine e(tree);
  ForwardDynamicsDerivatives<double> d(tree);
  DenseMatrix<double> W{4, 4, std::vector<double>(16)};
  for (const std::vector<double>& q : {locked, unknown}) {
    EXPECT_EQ(forward_dynamics_derivatives(e, regular, v, tau, d).singular_velocity, -1);
    EXPECT_EQ(inverse_mass_matrix(e, regular, W).singular_velocity, -1);
    EXPECT_GE(forward_dynamics_derivatives(e, q, v, tau, d).singular_velocity, 0);
    EXPECT_GE(inverse_mass_matrix(e, q, W).singular_velocity, 0);
    for (const DenseMatrix<double>* X : {&W, &d.by_q, &d.by_v, &d.by_tau})
      EXPECT_TRUE(none_is_finite(*X));
  }
}

/// In doubt, but regular: losses and wrenches count once.
TEST(EngineSingular, InDoubtWithAllEffects) {
  TreeBuilder builder;
  builder.body("ring", {1e-9, {}, {}}).joint("first", prismatic({}));
  builder.damping(.3).friction(.2).armature(1e-10);
  builder.body("load", arm_inertia).on("ring").joint("second", prismatic({}));
  builder.damping(.4).friction(.1);
  const Tree tree = builder.build();
  const std::vector<double> q{.1, .2}, v{.3, -.4}, tau{.5, .6};
  std::vector<Wrench<Rep::body>> external(2);
  external[0] = {{.1, .2, .3}, {.4, .5, .6}}, external[1] = {{-.1, .3, .2}, {.7, -.5, .9}};
  ForwardDynamics<Rep::body> work(tree);
  std::vector<double> expected(2), a(2);
  EXPECT_TRUE((forward_dynamics<Rep::body, double>(tree, poses(tree, q), v, tau, work, expected,
                                                   external, {})
                   .ok()));
  for (const engine::Kernels* table : kernel_tables()) {
    Engine e = engine_with(tree, *table);
    EXPECT_EQ(forward_dynamics(e, q, v, tau, a, {.external = external}).singular_body, -1);
    for (std::size_t k = 0; k < 2; ++k) expect_near(a[k], expected[k], 1e-6);
  }
}

/// Refused, and again the next time.
TEST(EngineSingular, InversesTooLargeAreRefused) {
  TreeBuilder builder;
  for (int k = 0; k < 46'400; ++k)
    builder.body(std::to_string(k), {1, {}, {}}).joint(std::to_string(k), prismatic({}));
  const Tree tree = builder.build();
  Engine e(tree);
  DenseMatrix<double> none{};
  for (int again = 0; again < 2; ++again)
    EXPECT_THROW(static_cast<void>(inverse_mass_matrix(e, neutral(tree), none)), LimitError);
}

/// Nothing of this is singular: tiny bodies on large ones, large on tiny, frames far from the body.
TEST(EngineSingular, FindsNoneInOddButRegularTrees) {
  for_random_cases(200, [](Random& random) {
    TreeBuilder builder;
    std::string parent;
    for (int k = 0; k < 5; ++k) {
      const std::string name = std::string("b").append(std::to_string(k));
      const double size = random.log_uniform(1e-3, 1), mass = random.log_uniform(1e-9, 1e2);
      const SE3<double> far = random.pose(10);
      builder.body(name, transform(inverse(far), random_box(random, mass, size)));
      if (!parent.empty()) builder.on(parent);
      builder.joint(name, revolute({.axis = random.unit(), .point = random.vec3(size)}),
                    zero_reference(far));
      parent = name;
    }
    const Tree tree = builder.build();
    expect_found(tree, random_coordinates(random, tree), -1);
  });
}

/// Whatever a tree of all joints with bodies without mass is: all agree that it is singular or not.
TEST(EngineSingular, AgreesOnRandomTrees) {
  int singular = 0, regular = 0;
  for_random_cases(300, [&](Random& random) {
    RandomTreeOptions options;
    options.chain = random.integer(0, 2) == 0;
    options.zero_mass = true;
    const Tree tree = random_tree(random, random.integer(1, 12), options);
    const std::vector<double> q = random_coordinates(random, tree);
    for (const engine::Kernels* table : kernel_tables()) {
      const Verdicts found = verdicts(tree, q, *table);
      const bool expected = found.by_template >= 0;
      EXPECT_EQ(found.forward >= 0, expected) << table->lanes;
      EXPECT_EQ(found.inverse_mass >= 0, expected) << table->lanes;
      EXPECT_EQ(found.derivatives >= 0, expected) << table->lanes;
      EXPECT_TRUE(found.finite);
      (expected ? singular : regular) += 1;
    }
  });
  EXPECT_GT(singular, 20);
  EXPECT_GT(regular, 20);
}

}  // namespace
}  // namespace axode::test::engine_singular_test
