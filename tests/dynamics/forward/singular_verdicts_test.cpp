// Degrees of freedom without inertia that only rounding errors seem to give some: all functions find them, and
// none finds one in trees that are odd, but regular.
#include <gtest/gtest.h>

#include <array>

#include "axode/core/error.hpp"
#include "axode/dynamics/contact/contact_dynamics.hpp"
#include "axode/dynamics/derivatives/forward_derivatives.hpp"
#include "axode/dynamics/derivatives/linearize.hpp"
#include "axode/dynamics/forward/forward_dynamics.hpp"
#include "axode/dynamics/forward/prescribed_dynamics.hpp"
#include "axode/dynamics/matrices/mass_matrix.hpp"
#include "axode/engine/calls.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/models/random_tree.hpp"

namespace axode::test::singular_verdicts_test {
namespace {

/// Whether f throws SingularError.
template <class F>
bool is_singular(F&& f) {
  try {
    f();
  } catch (const SingularError&) {
    return true;
  }
  return false;
}

/// How many of the functions find the tree singular.
constexpr int functions = 8;
int verdicts(const Tree& tree, const std::vector<double>& q) {
  const std::vector<double> v(tree.dofs.size(), .1);
  const std::vector<Given> given(v.size(), Given::force);
  int found = 0;
  for (const Rep rep : {Rep::body, Rep::spatial, Rep::hybrid})
    found += is_singular([&] { reference::forward_dynamics(tree, q, v, v, rep); });
  found += is_singular([&] { prescribed_dynamics(tree, q, v, given, v, v); });
  found += is_singular([&] { reference::inverse_mass_matrix(tree, q); });
  found += is_singular([&] { linearize_motion(tree, q, v, v); });
  found += is_singular([&] { reference::forward_dynamics_derivatives(tree, q, v, v); });
  found += is_singular([&] { contact_dynamics(tree, q, v, v, {}); });
  return found;
}

Inertia<double> box(Random& random, double mass, double size) {
  const Vec3<double> a{random.uniform(.01, .1), random.uniform(.01, .1), random.uniform(.01, .1)};
  const Vec3<double> moments = Vec3<double>{a.y + a.z, a.x + a.z, a.x + a.y} * (mass * size * size);
  return {mass, random.vec3(size),
          congruence(random.rotation().matrix, Sym3<double>::diagonal(moments))};
}

/// A body without mass on a ball joint carries one on an axis through the centre of the ball: the
/// axis can turn with nothing moving. How much all degrees of freedom move for it depends on where the axis
/// points; the rounding errors grow with the square.
TreeBuilder gimbal(Random& random, double far, double mass) {
  const Vec3<double> centre = random.vec3(far);
  TreeBuilder builder;
  builder.body("ring").joint("ball",
                             spherical({.point = centre, .coordinates = Coordinates::quaternion}));
  builder.body("load", box(random, mass, 1))
      .on("ring")
      .joint("axis", revolute({.axis = random.unit(), .point = centre}));
  return builder;
}

TEST(SingularVerdicts, Gimbals) {
  for (const double far : {.5, 5., 50., 500.}) {
    int missed = 0;
    for_random_cases(200, [&](Random& random) {
      TreeBuilder builder = gimbal(random, far, random.log_uniform(1e-6, 1e3));
      if (random.integer(0, 1) == 1)
        builder.body("tip", box(random, 1, 1))
            .on("load")
            .joint("tip", revolute({.axis = random.unit(), .point = random.vec3(far)}));
      const Tree tree = builder.build();
      missed += functions - verdicts(tree, random_coordinates(random, tree));
    });
    EXPECT_EQ(missed, 0) << far;
  }
}

/// The motion of the ball that the axis undoes is locked, or the axis: no other acceleration.
TEST(SingularVerdicts, GimbalIsRegularWithAMassOnTheRing) {
  for_random_cases(200, [](Random& random) {
    const Vec3<double> centre = random.vec3(5);
    const Tree tree =
        TreeBuilder{}
            .body("ring", box(random, 1, 1))
            .joint("ball", spherical({.point = centre, .coordinates = Coordinates::quaternion}))
            .body("load", box(random, random.log_uniform(1e-3, 1e3), 1))
            .on("ring")
            .joint("axis", revolute({.axis = random.unit(), .point = centre}))
            .build();
    EXPECT_EQ(verdicts(tree, random_coordinates(random, tree)), 0);
  });
}

/// A mass on the axis it turns about, far from the first body: a large lever squared is subtracted
/// from itself.
TEST(SingularVerdicts, PointOnItsAxisFarOut) {
  for_random_cases(100, [](Random& random) {
    const double far = random.log_uniform(1, 1e3);
    const Vec3<double> axis = random.unit(), point = random.vec3(far);
    const Tree tree = TreeBuilder{}
                          .body("base", box(random, 1, 1))
                          .joint("free", free_joint())
                          .body("bead", {1, axis * random.uniform(-1, 1), {}})
                          .on("base")
                          .joint("spin", revolute({.axis = axis}), body_screws(translation(point)))
                          .build();
    EXPECT_EQ(verdicts(tree, random_coordinates(random, tree)), functions);
  });
}

/// All inertia is used up by the free joint of a small body far away.
TEST(SingularVerdicts, NothingLeftFarAway) {
  for_random_cases(100, [](Random& random) {
    const double far = random.log_uniform(1e2, 1e4);
    const Tree tree = TreeBuilder{}
                          .body("root")
                          .joint("root", revolute({.axis = random.unit()}))
                          .body("load", box(random, random.uniform(.1, 10), 1e-3))
                          .on("root")
                          .joint("free", free_joint({.at = random.pose(1e-3)}),
                                 body_screws(translation(random.vec3(far))))
                          .build();
    EXPECT_EQ(verdicts(tree, random_coordinates(random, tree)), functions);
  });
}

/// Structural or not, whatever a tree of all joints with bodies without mass is: all agree.
TEST(SingularVerdicts, AgreeOnRandomTrees) {
  int singular = 0, regular = 0;
  for_random_cases(300, [&](Random& random) {
    RandomTreeOptions options;
    options.chain = random.integer(0, 2) == 0;
    options.zero_mass = true;
    options.size = random.integer(0, 4) == 0 ? 100 : .5;
    const Tree tree = random_tree(random, random.integer(2, 12), options);
    const int found = verdicts(tree, random_coordinates(random, tree));
    EXPECT_TRUE(found == 0 || found == functions) << found;
    found == 0 ? ++regular : ++singular;
  });
  EXPECT_GT(singular, 50);
  EXPECT_GT(regular, 50);
}

TEST(SingularVerdicts, NoneInLightAndHeavyAndFarTrees) {
  for_random_cases(200, [](Random& random) {
    TreeBuilder builder;
    std::string parent;
    for (int k = 0; k < 5; ++k) {
      const std::string name = std::string("b").append(std::to_string(k));
      builder.body(name, box(random, random.log_uniform(1e-3, 1e2), random.log_uniform(.1, 1)));
      if (!parent.empty()) builder.on(parent);
      builder.joint(name, revolute({.axis = random.unit(), .point = random.vec3()}),
                    zero_reference(random.pose(10)));
      parent = name;
    }
    const Tree tree = builder.build();
    EXPECT_EQ(verdicts(tree, random_coordinates(random, tree)), 0);
  });
}

Tree chain(int n) {
  const Inertia<double> I{1, {.1, -.05, .2}, {.02, .03, .025, .001, .002, -.001}};
  TreeBuilder builder;
  for (int k = 0; k < n; ++k) {
    builder.body(std::string("b").append(std::to_string(k)), I);
    if (k > 0) builder.on(std::string("b").append(std::to_string(k - 1)));
    builder.joint(
        std::string("j").append(std::to_string(k)),
        revolute({.axis = {k % 3 == 0 ? 1. : 0., k % 3 == 1 ? 1. : 0., k % 3 == 2 ? 1. : 0.}}),
        body_screws(translation(Vec3<double>{0, 0, .5})));
  }
  return builder.build();
}
/// Stretched out, and folded. The last pivots are a millionth of a millionth of the diagonal.
TEST(SingularVerdicts, NoneInLongChains) {
  const Tree tree = chain(500), longer = chain(1000);
  std::vector<double> q(longer.dofs.size(), 0.);
  for (const double bend : {0., 1.}) {
    for (std::size_t k = 0; k < q.size(); ++k) q[k] = bend * std::sin(1.7 * static_cast<double>(k));
    Composite<double> composite(tree);
    const std::vector<double> some(q.begin(), q.begin() + 500);
    composite_inertias(tree, poses(tree, some), composite);
    PathMatrix<double> M(tree);
    mass_matrix(tree, composite, M);
    EXPECT_EQ(factorize(M).singular_velocity, -1);
    const std::vector<double> zero(q.size(), 0.);
    for (const Rep rep : {Rep::body, Rep::spatial, Rep::hybrid})
      EXPECT_NO_THROW(reference::forward_dynamics(longer, q, zero, zero, rep));
  }
}

// --- with couplings -------------------------------------------------------------------------------

int coupled_verdicts(const Tree& tree, const std::vector<double>& independent) {
  const std::vector<double> q = expand_configuration(tree, independent), v(tree.dofs.size(), 0.);
  int found = 0;
  found += is_singular([&] { reference::forward_dynamics(tree, q, v, v); });
  found += is_singular([&] { linearize_motion(tree, q, v, v); });
  return found;
}

/// Joint "second" turns back what "first" turns, on the same axis: nothing moves but the body between
/// them, which has no mass or, if regular, some.
TEST(SingularVerdicts, GearsThatUndoEachOther) {
  for_random_cases(300, [](Random& random) {
    const double far = random.log_uniform(.1, 100);
    const Vec3<double> axis = random.unit(), point = random.vec3(far);
    const Joint joint = revolute({.axis = axis, .point = point});
    const auto tree_with = [&](const Inertia<double>& between) {
      return TreeBuilder{}
          .body("between", between)
          .joint("first", joint)
          .body("load", {1, {.3, .2, .1}, Sym3<double>::diagonal({.1, .2, .25})})
          .on("between")
          .joint("second", joint)
          .mimic("first", -1)
          .body("other", {1, {.3, .2, .1}, Sym3<double>::diagonal({.1, .2, .25})})
          .on("load")
          .joint("other", revolute({.axis = {0, 1, 0}, .point = {.5, 0, 0}}))
          .build();
    };
    const std::vector<double> q{random.uniform(-1, 1), random.uniform(-1, 1)};
    EXPECT_EQ(coupled_verdicts(tree_with({}), q), 2);
    EXPECT_EQ(coupled_verdicts(tree_with({1, point, Sym3<double>::diagonal({.1, .1, .1})}), q), 0);
  });
}

/// The gimbal's axis leads a wheel without mass: the free ball answers it.
TEST(SingularVerdicts, CoupledGimbals) {
  for (const double far : {.5, 50.}) {
    int missed = 0;
    for_random_cases(200, [&](Random& random) {
      TreeBuilder builder = gimbal(random, far, 1);
      builder.body("wheel").joint("wheel", revolute({})).mimic("axis", random.uniform(-3, 3));
      const Tree tree = builder.build();
      const std::vector<double> q = random_coordinates(random, tree);
      missed += 2 - coupled_verdicts(tree, independent_configuration(tree, q));
    });
    EXPECT_EQ(missed, 0) << far;
  }
}

/// A leader that is regular only by what follows, beside one that is singular: that one is named.
TEST(SingularVerdicts, TheLeaderIsNamed) {
  const Inertia<double> I{1, {.1, 0, 0}, Sym3<double>::diagonal({.1, .1, .1})};
  const Tree tree = TreeBuilder{}
                        .body("a")
                        .joint("good", revolute({}))
                        .body("b", I)
                        .joint("mass", revolute({}))
                        .mimic("good", 2)
                        .body("c")
                        .joint("bad", prismatic({}))
                        .body("d", I)
                        .on("c")
                        .joint("back", prismatic({}))
                        .mimic("bad", -1)
                        .build();
  const std::vector<double> zero(4, 0.);
  expect_says(message([&] { reference::forward_dynamics(tree, zero, zero, zero); }), "joint 'bad'");
  expect_says(message([&] { linearize_motion(tree, zero, zero, zero); }), "joint 'bad'");
}

}  // namespace
}  // namespace axode::test::singular_verdicts_test
