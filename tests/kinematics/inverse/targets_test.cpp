#include "axode/kinematics/inverse/targets.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "axode/model/builder.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/models/arms.hpp"
#include "tests/support/models/random_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::targets_test {
namespace {

constexpr std::array kinds{TargetKind::pose, TargetKind::position, TargetKind::orientation,
                           TargetKind::direction};

std::string body(int i) { return numbered("b", i); }

Target random_target(Random& random, const Tree& tree, TargetKind kind) {
  const int last = tree.size() - 1, other = random.integer(-1, last - 1);
  const std::string reference = other < 0 ? "world" : body(other);
  Target t{.frame = body(last), .relative_to = reference, .kind = kind};
  if (random.integer(0, 2) == 0) t.frame += "[b0]";
  if (random.integer(0, 2) == 0) t.relative_to += "[world]";
  t.pose = random.pose(1), t.axis = random.vec3(), t.along = random.vec3();
  t.rotation_weight = random.uniform(.5, 2), t.translation_weight = random.uniform(.5, 2);
  return t;
}

/// The residual after the time h along v.
Vec6<double> residual_after(const Tree& tree, const PreparedTarget& target, In<double> q,
                            In<double> v, double h) {
  std::vector<double> step(v.begin(), v.end()), moved(q.size());
  for (double& x : step) x *= h;
  plus<double>(tree, q, step, moved);
  return target_residual(poses(tree, moved), target);
}

TEST(Targets, SlopesAreTheDerivativesOfTheResiduals) {
  double worst = 0;
  for_random_cases(2000, [&](Random& random) {
    const Tree tree = random_tree(random, random.integer(2, 6), {.fixed_joints = false});
    const Target t = random_target(random, tree, kinds[random.integer(0, 3)]);
    if (t.frame == "b0[b0]" || t.frame == t.relative_to) return;
    const PreparedTarget target = prepare(tree, t);
    const std::vector<double> q = random_coordinates(random, tree),
                              v = random_velocities(random, tree);
    const Poses<double> p = poses(tree, q);
    // Where the angle is almost pi the next point may lie beyond it.
    if (target_error(p, target).rotation > 2.9) return;
    std::vector<Vec6<double>> columns(tree.nv);
    jacobian<double>(tree, p, target.frames, columns);
    Vec6<double> V{};
    for (std::size_t k = 0; k < columns.size(); ++k) V += v[k] * columns[k];
    const TargetLinearization l = linearize(p, target);
    expect_near(l.residual, target_residual(p, target), 1e-15);
    // Central differences, extrapolated: the error is h^4/30 of the fifth derivative, and rounding
    // 1e-15 / h.
    const double h = 1e-3;
    const auto slope = [&](double step) {
      return (residual_after(tree, target, q, v, step) -
              residual_after(tree, target, q, v, -step)) /
             (2 * step);
    };
    const Vec6<double> expected = (slope(h) * 4. - slope(2 * h)) / 3.;
    // The direction's second derivatives grow like 1 / sin(angle).
    const double tolerance = t.kind == TargetKind::direction ? 1e-5 : 1e-9;
    expect_near(l.slope * V, expected, tolerance);
    worst = std::max(
        worst, t.kind == TargetKind::direction ? 0 : largest_difference(l.slope * V, expected));
  });
  record("worst_target_slopes_against_differences", worst);
}

TEST(Targets, ErrorsAreAnglesAndDistances) {
  const Tree tree = planar_arm({1, 1});
  const Poses<double> p = poses(tree, std::vector<double>{0, 0});
  const auto error = [&](const Target& t) { return target_error(p, prepare(tree, t)); };
  const SE3<double> T{exp(Vec3<>{0, 0, .5}), {2, 3, 4}};
  EXPECT_NEAR(error(pose_target("tool", T)).rotation, .5, 1e-15);
  EXPECT_NEAR(error(pose_target("tool", T)).translation, 5, 1e-15);
  EXPECT_EQ(error(position_target("tool", T.p)).rotation, 0);
  EXPECT_NEAR(error(position_target("tool", T.p)).translation, 5, 1e-15);
  EXPECT_NEAR(error(orientation_target("tool", T.R)).rotation, .5, 1e-15);
  EXPECT_EQ(error(orientation_target("tool", T.R)).translation, 0);
  EXPECT_NEAR(error(direction_target("tool", {2, 0, 0}, {1, 1, 0})).rotation, pi<double> / 4,
              1e-15);
  EXPECT_NEAR(error(direction_target("tool", {1, 0, 0}, {-3, 0, 0})).rotation, pi<double>, 1e-15);
}

TEST(Targets, ResidualOfAPoseIsTheLogarithmInTheFrame) {
  const Tree tree = planar_arm({1, 1});
  const Poses<double> p = poses(tree, std::vector<double>{.3, .4});
  const SE3<double> T_WF = transform(p, frame(tree, "tool"));
  const Vec6<double> X{{.1, -.2, .3}, {1, 2, -1}};
  Target t = pose_target("tool", T_WF * exp(X));
  expect_near(target_residual(p, prepare(tree, t)), X, 1e-14);
  t.rotation_weight = 2, t.translation_weight = 3;
  expect_near(target_residual(p, prepare(tree, t)), Vec6<double>{2. * X.angular, 3. * X.linear},
              1e-14);
}

/// Opposite directions: the residual still says where to turn, with a finite slope that does so.
TEST(Targets, OppositeDirectionsHaveAWayOut) {
  const Tree tree = TreeBuilder{}.body("a").joint("j", spherical()).build();
  const Poses<double> p = poses(tree, neutral(tree));
  const TargetLinearization l =
      linearize(p, prepare(tree, direction_target("a", {0, 0, 1}, {0, 0, -1})));
  EXPECT_NEAR(l.residual.angular.x, pi<double>, 1e-15);
  EXPECT_EQ(l.residual.angular.y, 0);
  EXPECT_TRUE(is_finite(l.slope.aa.x) && is_finite(l.slope.aa.y));
  EXPECT_GT(max_abs(l.slope.aa), .5);
}

TEST(Targets, ReachIsThatOfTheStretchedArm) {
  // Body frames are all in the world's origin: only axes count.
  const Tree tree = planar_arm({1, .5, .25});
  EXPECT_DOUBLE_EQ(prepare(tree, position_target("tool", {1, 0, 0})).reach, 1.75);
  EXPECT_DOUBLE_EQ(reach(tree, simple_frame(tree, "tool"), Frame{}), 1.75);
  EXPECT_DOUBLE_EQ(reach(tree, Frame{}, simple_frame(tree, "tool")), 1.75);
  const Tree lift = scara();
  EXPECT_NEAR(reach(lift, simple_frame(lift, "tool"), Frame{}), .7 + .2, 1e-15);
  EXPECT_EQ(reach(four_limbs(), simple_frame(four_limbs(), "left_hand"), Frame{}), HUGE_VAL);
  // From hand to foot no free joint counts.
  const Tree limbs = four_limbs();
  const Frame hand = simple_frame(limbs, "left_hand"), foot = simple_frame(limbs, "right_leg_foot");
  EXPECT_NEAR(reach(limbs, hand, foot), 2 * .85 + std::hypot(.3, .3), 1e-14);
}

/// An arm of two axes as one joint of the second kind: its screws are passed in their order.
TEST(Targets, ReachPassesTheScrewsOfAJointInOrder) {
  const std::array screws{coordinates(make_screw(Vec3<>{0, 0, 1}, Vec3<>{})),
                          coordinates(make_screw(Vec3<>{0, 0, 1}, Vec3<>{1, 0, 0}))};
  const Tree tree = TreeBuilder{}
                        .body("arm")
                        .joint("j", screws_joint(screws))
                        .frame("tool", {.on = "arm", .at = translation(Vec3<>{3, 0, 0})})
                        .build();
  const Frame tool = simple_frame(tree, "tool");
  EXPECT_DOUBLE_EQ(reach(tree, tool, Frame{}), 3);
  EXPECT_DOUBLE_EQ(reach(tree, Frame{}, tool), 3);
}

TEST(Targets, NothingIsBeyondReach) {
  for_random_cases(300, [](Random& random) {
    TreeBuilder b;
    const int n = random.integer(2, 7);
    for (int i = 0; i < n; ++i) {
      b.body(body(i));
      if (i > 0) b.on(body(random.integer(std::max(0, i - 2), i - 1)));
      const int type = random.integer(0, 3);
      b.joint(numbered("j", i),
              type == 0   ? prismatic({.axis = random.unit()})
              : type == 1 ? helical({.axis = random.unit(), .point = random.vec3(1), .pitch = .1})
              : type == 2 ? spherical({.point = random.vec3(1)})
                          : revolute({.axis = random.unit(), .point = random.vec3(1)}),
              zero_reference(random.pose(1)));
      if (type < 2) b.limits(-.5, 1);
    }
    const Tree tree = b.build();
    const Frame of{n - 1, random.pose(1)}, in{random.integer(-1, n - 2), random.pose(1)};
    const double bound = reach(tree, of, in);
    EXPECT_TRUE(std::isfinite(bound));
    std::mt19937_64 engine(static_cast<std::uint64_t>(random.integer(0, 1 << 30)));
    for (int k = 0; k < 20; ++k) {
      const Poses<double> p = poses(tree, random_configuration(tree, engine));
      EXPECT_LE(norm(transform(p, {of, of}, {in, in}).p), bound + 1e-13);
    }
  });
}

TEST(Targets, RefusesBadOnes) {
  const Tree tree = planar_arm({1, 1});
  const auto says = [&](const Target& t, const char* words) {
    expect_says(message([&] { prepare(tree, t); }), words);
  };
  says(pose_target("took", {}), "there is no frame or body 'took'");
  says(pose_target("tool", {}, "wold"), "there is no frame or body 'wold'");
  says(pose_target("tool", {}, "l2"), "are on the same body");
  says(position_target("tool", {NAN, 0, 0}), "its pose is not finite; give finite numbers");
  says(direction_target("tool", {}, {1, 0, 0}), "its direction 'axis' is zero");
  says(direction_target("tool", {1, 0, 0}, {0, HUGE_VAL, 0}),
       "its direction 'along' is zero or not");
  says(orientation_target("tool", {Mat3<>::diagonal({1, 1, -1})}),
       "is not orthonormal; make it by");
  Target t = pose_target("tool", {});
  t.rotation_weight = 0;
  says(t, "its weight of rotation is not positive");
  t.rotation_weight = 1, t.translation_weight = NAN;
  says(t, "its weight of translation is not positive");
}

}  // namespace
}  // namespace axode::test::targets_test
