#include "axode/kinematics/inverse/inverse_kinematics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "axode/engine/kinematics_calls.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/models/arms.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::inverse_kinematics_test {
namespace {

SE3<double> pose_of(const Tree& tree, In<double> q, const char* frame, const char* in = "world") {
  return transform(tree, q, {.of = frame, .relative_to = in});
}

void expect_within_limits(const Tree& tree, const std::vector<double>& q) {
  check_configuration(tree, q);
  for (const Link& link : tree.links)
    for (int k = 0; k < link.nv && link.nq == link.nv; ++k) {
      const Dof& dof = tree.dofs[link.v + k];
      EXPECT_GE(q[link.q + k], dof.lower);
      EXPECT_LE(q[link.q + k], dof.upper);
    }
}

// --- closed forms ---------------------------------------------------------------------------------

TEST(InverseKinematics, PlanarTwoJoints) {
  const double l1 = 1, l2 = .7;
  const Tree tree = planar_arm({l1, l2});
  for_random_cases(500, [&](Random& random) {
    const double r = random.uniform(l1 - l2 + .01, l1 + l2 - .01), phi = random.uniform(-3, 3);
    const double x = r * std::cos(phi), y = r * std::sin(phi);
    const std::vector<double> start{random.uniform(-3, 3), random.uniform(-3, 3)};
    const auto result = inverse_kinematics(tree, start, position_target("tool", {x, y, 0}));
    ASSERT_TRUE(result.success);
    double nearest = 10;
    for (const double side : {1., -1.}) {
      const double q2 = side * std::acos((r * r - l1 * l1 - l2 * l2) / (2 * l1 * l2));
      const double q1 = phi - std::atan2(l2 * std::sin(q2), l1 + l2 * std::cos(q2));
      const std::array<double, 2> q{q1, q2};
      nearest = std::min(nearest, angle_distance(q.data(), result.q.data(), 2));
    }
    // The tolerance of 1e-8 m over the smallest singular value, which is above sin(q2) l1 l2 / 2.
    EXPECT_LT(nearest, 2e-8 / result.smallest_singular_value);
  });
}

TEST(InverseKinematics, WristPartitionedArmFindsOneOfTheEight) {
  const WristPartitioned size;
  const Tree tree = wrist_partitioned_arm(size);
  int found = 0, cases = 0;
  double worst = 0;
  for_random_cases(500, [&](Random& random) {
    std::vector<double> q, start;
    for (int k = 0; k < 6; ++k)
      q.push_back(random.uniform(-3, 3)), start.push_back(random.uniform(-3, 3));
    if (std::abs(std::sin(q[2])) < .05 || std::abs(std::sin(q[4])) < .05) return;
    const SE3<double> T = pose_of(tree, q, "tool");
    const auto solutions = wrist_partitioned_solutions(size, T);
    const auto distance_to = [&](const std::vector<double>& a) {
      double nearest = 10;
      for (const auto& s : solutions)
        nearest = std::min(nearest, angle_distance(s.data(), a.data(), 6));
      return nearest;
    };
    ASSERT_LT(distance_to(q), 1e-9);  // the closed form knows where we come from
    const auto result = inverse_kinematics(tree, start, pose_target("tool", T));
    ++cases;
    if (!result.success) return;
    ++found;
    const double error = distance_to(result.q) * result.smallest_singular_value;
    EXPECT_LT(error, 1e-7);  // 1e-8 rad and m each, times a norm of sqrt(6), and second order
    worst = std::max(worst, error);
  });
  EXPECT_GE(found, cases * .99);
  record("worst_wrist_partitioned_against_closed_form", worst);
}

TEST(InverseKinematics, Scara) {
  const Tree tree = scara();
  for_random_cases(300, [&](Random& random) {
    const std::vector<double> q{random.uniform(-3, 3), random.uniform(.2, 2.9),
                                random.uniform(-.2, .1), random.uniform(-3, 3)};
    const SE3<double> T = pose_of(tree, q, "tool");
    // More rows than joints; the pose can be met all the same.
    const auto result =
        inverse_kinematics(tree, std::vector<double>{0, .5, 0, 0}, pose_target("tool", T));
    ASSERT_TRUE(result.success) << explain(tree, result);
    EXPECT_NEAR(result.q[2], T.p.z, 2e-8);
    const double c2 = (T.p.x * T.p.x + T.p.y * T.p.y - .16 - .09) / .24;
    const double side = std::sin(result.q[1]) > 0 ? 1 : -1;
    const double q2 = side * std::acos(c2);
    const double q1 =
        std::atan2(T.p.y, T.p.x) - std::atan2(.3 * std::sin(q2), .4 + .3 * std::cos(q2));
    const double q4 = std::atan2(T.R.matrix.x.y, T.R.matrix.x.x) - q1 - q2;
    const std::array<double, 4> expected{q1, q2, T.p.z, q4};
    EXPECT_LT(angle_distance(expected.data(), result.q.data(), 4),
              1e-7 / result.smallest_singular_value);
  });
}

// --- random reachable targets ---------------------------------------------------------------------

double success_rate(const Tree& tree, int targets) {
  std::mt19937_64 engine(11);
  int found = 0;
  for (int k = 0; k < targets; ++k) {
    const SE3<double> T = pose_of(tree, random_configuration(tree, engine), "tool");
    const auto result =
        inverse_kinematics(tree, neutral(tree), pose_target("tool", T), {.starts = 20});
    expect_within_limits(tree, result.q);
    const SE3<double> reached = pose_of(tree, result.q, "tool");
    EXPECT_NEAR(result.residuals[0].rotation, distance(reached.R, T.R), 1e-12);
    EXPECT_NEAR(result.residuals[0].translation, norm(reached.p - T.p), 1e-12);
    if (!result.success) continue;
    EXPECT_LE(result.residuals[0].rotation, 1e-8);
    EXPECT_LE(result.residuals[0].translation, 1e-8);
    ++found;
  }
  return static_cast<double>(found) / targets;
}

TEST(InverseKinematics, MoreThan99PercentOfReachableTargets) {
  const int targets = 1000;
  const double six = success_rate(six_axis_arm(false), targets);
  const double six_limits = success_rate(six_axis_arm(true), targets);
  const double seven = success_rate(seven_axis_arm(false), targets);
  const double seven_limits = success_rate(seven_axis_arm(true), targets);
  record("worst_failures_6r", 1 - six);
  record("worst_failures_6r_limits", 1 - six_limits);
  record("worst_failures_7r", 1 - seven);
  record("worst_failures_7r_limits", 1 - seven_limits);
  EXPECT_GT(six, .99);
  EXPECT_GT(six_limits, .99);
  EXPECT_GT(seven, .99);
  EXPECT_GT(seven_limits, .99);
}

// --- what cannot be reached -----------------------------------------------------------------------

TEST(InverseKinematics, TooFarAwayLeavesTheDistanceToTheSphere) {
  const Tree planar = planar_arm({1, .7});
  for (const double d : {1.7001, 1.8, 3., 20.}) {
    const auto result =
        inverse_kinematics(planar, std::vector<double>{.3, .4}, position_target("tool", {0, d, 0}));
    EXPECT_FALSE(result.success);
    EXPECT_EQ(result.reason, StopReason::out_of_reach);
    EXPECT_NEAR(result.residuals[0].translation, d - 1.7, 1e-9);
  }
  const WristPartitioned size;
  const Tree arm = wrist_partitioned_arm(size);
  const auto result =
      inverse_kinematics(arm, neutral(arm), position_target("tool", {1.5, .5, size.h}));
  EXPECT_EQ(result.reason, StopReason::out_of_reach);
  EXPECT_NEAR(result.residuals[0].translation, std::hypot(1.5, .5) - size.a - size.b - size.t,
              1e-9);
  expect_says(explain(arm, result), "out of reach; off by at most 0 rad and 0.531 m after");
}

TEST(InverseKinematics, TheHoleInTheMiddle) {
  const Tree tree = planar_arm({1, .4});
  const auto result =
      inverse_kinematics(tree, std::vector<double>{.3, .4}, position_target("tool", {.1, .2, 0}));
  EXPECT_FALSE(result.success);
  EXPECT_EQ(result.reason, StopReason::local_minimum);
  EXPECT_NEAR(result.residuals[0].translation, .6 - std::hypot(.1, .2), 1e-9);
  EXPECT_EQ(result.starts, 20);
}

TEST(InverseKinematics, TargetsThatContradictEachOther) {
  const Tree tree = planar_arm({1, 1});
  const std::vector<Target> targets{position_target("tool", {1, 1, 0}),
                                    position_target("tool", {1, .5, 0})};
  const auto result = inverse_kinematics(tree, std::vector<double>{.3, .4}, targets);
  EXPECT_EQ(result.reason, StopReason::local_minimum);
  EXPECT_NEAR(result.residuals[0].translation, .25, 1e-8);
  EXPECT_NEAR(result.residuals[1].translation, .25, 1e-8);
}

TEST(InverseKinematics, LimitsInTheWayAreNamed) {
  const Tree tree = TreeBuilder{}
                        .body("a")
                        .joint("hinge", revolute({}))
                        .limits(-1, 1.25)
                        .frame("tool", {.on = "a", .at = translation(Vec3<>{1, 0, 0})})
                        .build();
  const auto result = inverse_kinematics(tree, std::vector<double>{0},
                                         position_target("tool", {std::cos(2), std::sin(2), 0}));
  EXPECT_EQ(result.reason, StopReason::joint_limits);
  EXPECT_EQ(result.q[0], 1.25);
  ASSERT_EQ(result.at_limits.size(), 1U);
  EXPECT_EQ(result.at_limits[0].velocity, 0);
  EXPECT_TRUE(result.at_limits[0].upper);
  EXPECT_NEAR(result.residuals[0].translation, 2 * std::sin(.375), 1e-12);
  expect_says(explain(tree, result), "held back by joint limits: upper limit of 'hinge'; off by");
}

TEST(InverseKinematics, ExactlyAtALimit) {
  const Tree tree = six_axis_arm(true);
  const std::vector<double> q{2.8, .4, -2.6, .3, 1.9, -3.1};
  const auto result = inverse_kinematics(tree, std::vector<double>{2, .2, -2, .1, 1, -2},
                                         pose_target("tool", pose_of(tree, q, "tool")));
  EXPECT_TRUE(result.success);
  expect_within_limits(tree, result.q);
}

TEST(InverseKinematics, IterationLimit) {
  const Tree tree = planar_arm({1, 1});
  const auto result =
      inverse_kinematics(tree, std::vector<double>{.1, .1}, position_target("tool", {-1, .5, 0}),
                         {.iterations = 1, .starts = 1});
  EXPECT_EQ(result.reason, StopReason::iteration_limit);
  EXPECT_EQ(result.iterations, 2);  // one to look for it, one to refine
}

// --- singular and redundant -----------------------------------------------------------------------

TEST(InverseKinematics, SingularConfigurations) {
  const WristPartitioned size;
  const Tree tree = wrist_partitioned_arm(size);
  // Stretched to the full length, from everywhere.
  for_random_cases(100, [&](Random& random) {
    std::vector<double> q(6), start;
    for (int k = 0; k < 6; ++k) start.push_back(random.uniform(-3, 3));
    q[0] = random.uniform(-3, 3), q[1] = random.uniform(-1, 1);
    const auto result =
        inverse_kinematics(tree, start, pose_target("tool", pose_of(tree, q, "tool")),
                           {.rotation_tolerance = 1e-6, .translation_tolerance = 1e-6});
    ASSERT_TRUE(result.success) << explain(tree, result);
    for (const double x : result.q) EXPECT_LT(std::abs(x), 20);
    EXPECT_GT(result.condition, 100);
  });
  // From a singular start, with the target in the direction that cannot move at first.
  const auto inwards = inverse_kinematics(
      tree, neutral(tree), position_target("tool", {0, 0, size.h + .5}), {.starts = 2});
  EXPECT_TRUE(inwards.success);
}

TEST(InverseKinematics, ConditionIsThatOfTheJacobian) {
  const Tree tree = planar_arm({1, 1});
  const double q2 = 1.1;
  const std::vector<double> q{.2, q2};
  const auto result =
      inverse_kinematics(tree, q, position_target("tool", pose_of(tree, q, "tool").p));
  EXPECT_EQ(result.iterations, 0);
  EXPECT_EQ(result.q, q);
  // J J^T has trace 3 + 2 cos(q2) and determinant sin(q2)^2.
  const double trace = 3 + 2 * std::cos(q2),
               root = std::sqrt(trace * trace / 4 - std::pow(std::sin(q2), 2));
  EXPECT_NEAR(result.smallest_singular_value, std::sqrt(trace / 2 - root), 1e-15);
  EXPECT_NEAR(result.condition, std::sqrt((trace / 2 + root) / (trace / 2 - root)), 1e-14);
}

TEST(InverseKinematics, ADirectionAlone) {
  const Tree tree = six_axis_arm(true);
  for_random_cases(200, [&](Random& random) {
    const Vec3<double> axis = random.unit(), along = random.unit();
    const auto result =
        inverse_kinematics(tree, neutral(tree), direction_target("tool", axis, along));
    ASSERT_TRUE(result.success);
    EXPECT_LT(norm(pose_of(tree, result.q, "tool").R * axis - along), 1e-8);
    expect_within_limits(tree, result.q);
  });
}

TEST(InverseKinematics, APlaceAndADirection) {
  const Tree tree = six_axis_arm(true);
  std::mt19937_64 engine(12);
  int found = 0;
  for (int k = 0; k < 200; ++k) {
    const SE3<double> T = pose_of(tree, random_configuration(tree, engine), "tool");
    const std::vector<Target> targets{position_target("tool", T.p),
                                      direction_target("tool", {0, 0, 1}, T.R.matrix.z)};
    const auto result = inverse_kinematics(tree, neutral(tree), targets);
    if (!result.success) continue;
    ++found;
    const SE3<double> reached = pose_of(tree, result.q, "tool");
    expect_near(reached.p, T.p, 1e-8);
    expect_near(reached.R.matrix.z, T.R.matrix.z, 1e-8);
  }
  EXPECT_GE(found, 198);
}

// --- couplings, bases, moving references ----------------------------------------------------------

TEST(InverseKinematics, CoupledJoints) {
  // A finger whose three joints close together.
  const Tree tree = TreeBuilder{}
                        .body("a")
                        .joint("first", revolute({}))
                        .limits(0, 1.5)
                        .body("b")
                        .on("a")
                        .joint("second", revolute({.point = {.05, 0, 0}}))
                        .mimic("first", .8, .05)
                        .limits(0, .9)
                        .body("c")
                        .on("b")
                        .joint("third", revolute({.point = {.08, 0, 0}}))
                        .mimic("second", .5)
                        .frame("tip", {.on = "c", .at = translation(Vec3<>{.1, 0, 0})})
                        .build();
  const auto reached = [&](double lead) {
    return expand_configuration(tree, std::vector<double>{lead});
  };
  const auto result =
      inverse_kinematics(tree, std::vector<double>{0, 0, 0},
                         position_target("tip", pose_of(tree, reached(.6), "tip").p));
  EXPECT_TRUE(result.success);
  EXPECT_NEAR(result.q[0], .6, 1e-6);
  EXPECT_LT(coupling_error(tree, result.q).error, 1e-15);
  // Beyond what the second joint's limit allows the first.
  const auto stopped =
      inverse_kinematics(tree, std::vector<double>{0, 0, 0},
                         position_target("tip", pose_of(tree, reached(1.4), "tip").p));
  EXPECT_EQ(stopped.reason, StopReason::joint_limits);
  expect_within_limits(tree, stopped.q);
  EXPECT_NEAR(stopped.q[1], .9, 1e-15);
  expect_says(explain(tree, stopped), "upper limit of 'second'");
}

TEST(InverseKinematics, FourLimbsOnAFreeBase) {
  const Tree tree = four_limbs();
  std::mt19937_64 engine(2);
  int found = 0;
  for (int k = 0; k < 100; ++k) {
    const std::vector<double> q = random_configuration(tree, engine);
    const std::vector<Target> targets{
        pose_target("left_leg_foot", pose_of(tree, q, "left_leg_foot")),
        pose_target("right_leg_foot", pose_of(tree, q, "right_leg_foot")),
        position_target("left_hand", pose_of(tree, q, "left_hand").p),
        position_target("right_hand", pose_of(tree, q, "right_hand").p)};
    const auto result = inverse_kinematics(tree, neutral(tree), targets);
    expect_within_limits(tree, result.q);
    found += result.success ? 1 : 0;
    for (std::size_t i = 0; i < 4 && result.success; ++i)
      EXPECT_LT(norm(pose_of(tree, result.q, targets[i].frame.c_str()).p - targets[i].pose.p),
                1e-8);
  }
  record("worst_failures_four_limbs", 1 - found / 100.);
  EXPECT_GE(found, 95);
}

TEST(InverseKinematics, HeldBaseAndJointsStay) {
  const Tree tree = four_limbs();
  std::mt19937_64 engine(6);
  std::vector<double> start = random_configuration(tree, engine), q = start;
  q[10] += .1, q[11] = .3, q[9] -= .05;
  const auto result =
      inverse_kinematics(tree, start, position_target("left_hand", pose_of(tree, q, "left_hand").p),
                         {.hold = {.joints = {"left_joint1"}, .base = true}});
  EXPECT_TRUE(result.success) << explain(tree, result);
  EXPECT_TRUE(std::equal(start.begin(), start.begin() + 8, result.q.begin()));
}

TEST(InverseKinematics, RelativeToAMovingBody) {
  const Tree tree = four_limbs();
  std::mt19937_64 engine(4);
  int found = 0;
  for (int k = 0; k < 100; ++k) {
    const std::vector<double> q = random_configuration(tree, engine);
    const Target target =
        position_target("left_hand", pose_of(tree, q, "left_hand", "right_hand").p, "right_hand");
    const auto result = inverse_kinematics(tree, neutral(tree), target);
    found += result.success ? 1 : 0;
    EXPECT_NEAR(norm(pose_of(tree, result.q, "left_hand", "right_hand").p - target.pose.p),
                result.residuals[0].translation, 1e-12);
    // The base has no part in it.
    EXPECT_NEAR(angle_distance(result.q.data(), neutral(tree).data(), 7), 0, 1e-12);
  }
  EXPECT_GE(found, 99);
}

// --- repeatability and cost -----------------------------------------------------------------------

TEST(InverseKinematics, SameCallSameBits) {
  const Tree tree = six_axis_arm(true);
  std::mt19937_64 engine(9);
  for (int k = 0; k < 20; ++k) {
    const Target t = pose_target("tool", pose_of(tree, random_configuration(tree, engine), "tool"));
    const auto a = inverse_kinematics(tree, neutral(tree), t),
               b = inverse_kinematics(tree, neutral(tree), t);
    EXPECT_EQ(a.q, b.q);
    EXPECT_EQ(a.iterations, b.iterations);
  }
}

TEST(InverseKinematics, AllocatesNothingWhenReused) {
  const Tree tree = six_axis_arm(true);
  std::mt19937_64 engine(9);
  const std::vector<double> q = neutral(tree);
  const std::vector<Target> targets{pose_target("tool", {})};
  InverseKinematicsWork work(tree, targets);
  InverseKinematicsResult result;
  int starts = 0;
  for (int k = 0; k < 20; ++k) {
    work.search.targets[0].pose = pose_of(tree, random_configuration(tree, engine), "tool");
    const long allocations = count_allocations([&] { inverse_kinematics(tree, q, work, result); });
    if (k > 0) {
      EXPECT_EQ(allocations, 0);
    }
    starts += result.starts;
    EXPECT_EQ(result.q,
              inverse_kinematics(tree, q, pose_target("tool", work.search.targets[0].pose)).q);
  }
  EXPECT_GT(starts, 20);
}

TEST(InverseKinematics, StartsOutsideTheLimitsArePutInside) {
  const Tree tree = six_axis_arm(true);
  const std::vector<double> q{.3, .4, .5, .6, .7, .8};
  const auto result = inverse_kinematics(tree, std::vector<double>(6, 10),
                                         pose_target("tool", pose_of(tree, q, "tool")));
  EXPECT_TRUE(result.success);
  expect_within_limits(tree, result.q);
}

TEST(InverseKinematics, RefusesMisuse) {
  const Tree tree = planar_arm({1, 1});
  const std::vector<double> q{0, 0};
  const Target target = position_target("tool", {1, 1, 0});
  const auto says = [&](auto&& f, const char* words) { expect_says(message(f), words); };
  says([&] { (void)inverse_kinematics(tree, std::vector<double>{0}, target); }, "it has 1 numbers");
  says(
      [&] {
        (void)inverse_kinematics(tree, std::vector<double>{0, NAN}, target);
      },
      "is not finite");
  says([&] { (void)inverse_kinematics(tree, q, std::span<const Target>{}); }, "there is no target");
  says([&] { (void)inverse_kinematics(tree, q, position_target("nose", {})); },
       "no frame or body 'nose'");
  says([&] { (void)inverse_kinematics(tree, q, direction_target("tool", {}, {})); }, "is zero");
  says(
      [&] {
        (void)inverse_kinematics(tree, q, position_target("tool", {1e155, 0, 0}));
      },
      "farther away");
  says([&] { (void)inverse_kinematics(tree, q, target, {.rotation_tolerance = 0}); },
       "a tolerance is not positive");
  says([&] { (void)inverse_kinematics(tree, q, target, {.iterations = 0}); }, "less than 1");
  says([&] { (void)inverse_kinematics(tree, q, target, {.starts = 0}); }, "less than 1");
  says(
      [&] {
        (void)inverse_kinematics(tree, q, target, {.hold = {.joints = {"j1", "j2"}}});
      },
      "no joint is free to move");
}

/// Poses may be changed in the work object, unchecked: what comes out must still be a state.
TEST(InverseKinematics, StaysWithinLimitsWhateverTheTarget) {
  const Tree tree = planar_arm({1, 1});
  const std::vector<double> q{.6, .7};
  InverseKinematicsWork work(tree, std::vector{position_target("tool", {1, 1, 0})});
  work.search.targets[0].pose.p.x = NAN;
  InverseKinematicsResult result;
  inverse_kinematics(tree, q, work, result);
  EXPECT_FALSE(result.success);
  for (const double x : result.q) EXPECT_TRUE(std::isfinite(x));
  expect_says(explain(tree, result), "nan");
}

/// Joints that move no target stay as they are, within their limits, and cost nothing.
TEST(InverseKinematics, LeavesJointsAloneThatDoNotMatter) {
  TreeBuilder builder;
  for (std::size_t i = 0; i < 2000; ++i) {
    builder.body(numbered("b", i));
    if (i > 0) builder.on(numbered("b", i - 1));
    builder
        .joint(numbered("j", i), revolute({}),
               body_screws(translation(Vec3<double>{i > 0 ? 1. : 0., 0, 0})))
        .limits(-2, 2);
  }
  const Tree tree = builder.build();
  std::vector<double> q(2000, .1);
  q[1000] = 2.5;
  const auto result = inverse_kinematics(tree, q, position_target("b3", {1, 1.5, 0}));
  EXPECT_TRUE(result.success) << explain(tree, result);
  EXPECT_EQ(result.q[3], .1);
  EXPECT_EQ(result.q[999], .1);
  EXPECT_EQ(result.q[1000], 2);
  const Vec3<double> reached = poses(tree, result.q).T_WB[3].p;
  expect_near(reached, Vec3<double>{1, 1.5, 0}, 1e-8);
}

TEST(InverseKinematics, ReasonsHaveNames) {
  EXPECT_EQ(name(StopReason::converged), "converged");
  EXPECT_EQ(name(StopReason::local_minimum), "stuck at a local minimum");
  EXPECT_EQ(name(StopReason::joint_limits), "held back by joint limits");
  EXPECT_EQ(name(StopReason::iteration_limit), "stopped by the iteration limit");
  EXPECT_EQ(name(StopReason::out_of_reach), "out of reach");
}

}  // namespace
}  // namespace axode::test::inverse_kinematics_test
