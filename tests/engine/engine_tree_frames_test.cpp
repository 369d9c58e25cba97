// Where the engine puts its frames, and what it takes for rounding errors.
#include <gtest/gtest.h>

#include "axode/dynamics/matrices/mass_matrix.hpp"
#include "axode/engine/detail/tree/engine_tree.hpp"
#include "tests/engine/engine_cases.hpp"
#include "tests/support/near.hpp"

namespace axode::test::engine_tree_frames_test {
namespace {

Vec3<double> three(const double* a) { return {a[0], a[1], a[2]}; }
bool is_single(const EngineBody& b) { return b.general < 0; }

/// Each frame suits the child that carries most: its K turns about x only.
TEST(EngineTreeFrames, MainChildrenArePlanar) {
  int planar = 0, parallel = 0;
  for_random_cases(200, [&](Random& random) {
    TreeBuilder builder;
    AxisLine axis{random.unit(), random.vec3(.5)};
    const int bodies = 12;
    for (int i = 0; i < bodies; ++i) {
      const std::string name = std::string("b").append(std::to_string(i));
      const auto choice = static_cast<Axes>(random.integer(0, axes_choices - 1));
      if (choice != Axes::nearly_parallel) axis = next_axis(random, choice, axis);
      const int kind = random.integer(0, 4);
      Joint joint = revolute({.axis = axis.direction, .point = axis.point});
      if (kind == 0) joint = prismatic({.axis = axis.direction});
      if (kind == 1) joint = helical({.axis = axis.direction, .point = axis.point, .pitch = .2});
      builder.body(name).joint(name, joint, zero_reference(random.pose(.5)));
      if (i == 0) continue;
      const std::string before = std::string("b").append(std::to_string(i - 1));
      if (random.integer(0, 2) == 0) {  // on a plate that is fixed on the body before
        const std::string plate = std::string("plate").append(std::to_string(i));
        builder.on(plate).body(plate).on(before).joint(plate, fixed(),
                                                       zero_reference(random.pose(.5)));
      } else {
        builder.on(before);
      }
    }
    const Tree tree = builder.build();
    const EngineTree e(tree);
    ASSERT_EQ(std::ssize(e.bodies), bodies);
    for (std::size_t i = 1; i < e.bodies.size(); ++i) {
      const EngineBody& b = e.bodies[i];
      const double sine = norm(Vec3<double>{b.column[2][0], b.column[2][1], 0});
      if (sine > 1e-12 && sine < 1e-2) continue;  // two random axes may be nearly parallel, too
      EXPECT_TRUE(b.planar || sine < 1e-12) << b.column[2][0];
      planar += b.planar;
      parallel += sine < 1e-12;
      if (!b.planar) continue;
      EXPECT_EQ(three(b.column[0]), (Vec3<double>{1, 0, 0}));
      EXPECT_EQ(b.column[1][1], b.column[2][2]);
      EXPECT_EQ(b.column[1][2], -b.column[2][1]);
    }
  });
  EXPECT_GT(planar, 1800);
  EXPECT_GT(parallel, 300);
}

/// Of two arms the longer one.
TEST(EngineTreeFrames, TheChildThatCarriesMostIsMain) {
  for_random_cases(50, [](Random& random) {
    const auto joint = [&] { return revolute({.axis = random.unit(), .point = random.vec3(.5)}); };
    TreeBuilder builder;
    builder.body("base").joint("base", joint());
    builder.body("short").on("base").joint("short", joint());
    builder.body("long").on("base").joint("long", joint());
    builder.body("hand").on("long").joint("hand", joint());
    const EngineTree e(builder.build());
    EXPECT_FALSE(e.bodies[1].planar);
    EXPECT_TRUE(e.bodies[2].planar);
    EXPECT_TRUE(e.bodies[3].planar);
  });
}

/// Rounding errors are relative to the numbers that a diagonal entry of M is the sum of.
TEST(EngineTreeFrames, ScaleBoundsTheDiagonal) {
  for_random_cases(100, [](Random& random) {
    Tree tree = random_plain_tree(random, random.integer(1, 20));
    for (Dof& dof : tree.dofs) dof.armature = 0;
    const std::vector<double> q = neutral(tree);
    const DenseMatrix<double> M = reference::mass_matrix(tree, q);
    Tree heavy = tree;
    for (Body& body : heavy.bodies) {
      body.inertia.mass *= 8;
      body.inertia.about_com = body.inertia.about_com * 8.;
    }
    const EngineTree e(tree), h(heavy);
    for (std::size_t i = 0; i < e.bodies.size(); ++i) {
      const EngineBody& b = e.bodies[i];
      for (int k = b.v; k < b.v + b.nv; ++k) {
        const double moved = is_single(b) && b.turn == 1 ? b.slide * b.slide : 0;
        EXPECT_GE(e.scale[k] * (1 + 1e-12) * (1 + moved), M(k, k) - 1e-12);
        EXPECT_NEAR(h.scale[k], 8 * e.scale[k], 1e-6 * h.scale[k]);
      }
    }
  });
}

/// In a chain of many bodies it does not grow without bound.
TEST(EngineTreeFrames, ScaleOfALongChain) {
  TreeBuilder builder;
  const Inertia<double> I{1, {.05, 0, 0}, Sym3<double>::diagonal({.01, .01, .01})};
  for (int i = 0; i < 2000; ++i) {
    const std::string name = std::string("b").append(std::to_string(i));
    builder.body(name, I);
    if (i > 0) builder.on(std::string("b").append(std::to_string(i - 1)));
    builder.joint(name, revolute({}), body_screws(translation(Vec3<double>{.1, 0, 0})));
  }
  const EngineTree e(builder.build());
  const double stretched = 2000 * 200. * 200. / 3;  // the whole chain about its first joint
  EXPECT_LT(e.scale[0], 4 * stretched);
  EXPECT_GT(e.scale[0], stretched);
}

}  // namespace
}  // namespace axode::test::engine_tree_frames_test
