#include "axode/dynamics/parameters/calibration.hpp"

#include <gtest/gtest.h>

#include "axode/model/builder.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/models/arms.hpp"
#include "tests/support/models/random_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::calibration_test {
namespace {

using Values = std::vector<double>;

struct Noise {
  double rotation = 0, translation = 0;  ///< standard deviations [rad, m]
};
/// By the product of exponentials at the zero reference: not the arithmetic that is fitted.
std::vector<PoseMeasurement> measure(Random& random, const Tree& tree, int count,
                                     const Noise& noise = {}) {
  const Frame tool = simple_frame(tree, "tool");
  const std::vector<ZeroReference> geometry = zero_references(tree);
  const auto normal = [&] {  // of unit variance, from twelve uniform numbers
    Vec3<double> sum{};
    for (int k = 0; k < 12; ++k) sum += random.vec3(.5);
    return sum;
  };
  std::vector<PoseMeasurement> all;
  for (int k = 0; k < count; ++k) {
    PoseMeasurement m{random_coordinates(random, tree), {}};
    for (double& x : m.q) x *= 2;
    m.T_WF = pose_by_zero_reference<double>(tree, geometry, m.q, tool.body) * tool.T_BF;
    m.T_WF.R = m.T_WF.R * exp(normal() * noise.rotation);
    m.T_WF.p += normal() * noise.translation;
    all.push_back(std::move(m));
  }
  return all;
}
/// Errors as those of a workshop: 1 mrad and 1 mm.
Values planted(Random& random, std::size_t count) {
  Values x(count);
  for (double& c : x) c = random.uniform(-1e-3, 1e-3);
  return x;
}
double pose_error(const Tree& a, const Tree& b, Random& random) {
  double worst = 0;
  const Frame tool = simple_frame(a, "tool");
  for (int k = 0; k < 20; ++k) {
    const Values q = random_coordinates(random, a);
    const std::size_t body = tool.body;
    worst = std::max(worst, largest_difference(poses(a, q).T_WB[body] * tool.T_BF,
                                               poses(b, q).T_WB[body] * tool.T_BF));
  }
  return worst;
}

/// A six-axis arm with a tool on a fixed joint.
Tree arm_with_tool() {
  const double r = pi<double> / 2;
  const std::vector<DenavitHartenberg> rows{
      {.d = .67, .alpha = r}, {.a = .43},    {.d = .15, .a = .02, .alpha = -r},
      {.d = .43, .alpha = r}, {.alpha = -r}, {.d = .1}};
  TreeBuilder b;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    b.body(numbered("l", i + 1));
    if (i > 0) b.on(numbered("l", i));
    b.joint(numbered("j", i + 1), classic_dh(rows[i]));
  }
  b.body("tool").on("l6").joint("mount", fixed(),
                                body_screws(translation(Vec3<double>{.1, 0, .2})));
  return b.build();
}

TEST(Calibration, FindsPlantedErrorsOfAllJoints) {
  double worst = 0;
  for_random_cases(3, [&](Random& random) {
    const Tree tree = arm_with_tool();
    const std::vector<GeometricVariation> variations = minimal_variations(tree, "tool");
    ASSERT_EQ(variations.size(), 30U) << "6 + 4 for each of six revolute joints";
    const Values truth = planted(random, variations.size());
    const CalibrationResult found =
        calibrate(tree, "tool", variations, measure(random, apply(tree, variations, truth), 20));
    EXPECT_TRUE(found.converged);
    EXPECT_LE(found.iterations, 6);
    EXPECT_EQ(found.rank, 30);
    EXPECT_TRUE(found.not_identifiable.empty() && found.null_space.empty());
    EXPECT_LT(found.rotation_residual, 1e-14);
    EXPECT_LT(found.translation_residual, 1e-14);
    worst = std::max(worst, largest_difference(found.parameters, truth));
  });
  EXPECT_LT(worst, 1e-11);
  record("worst_error_of_parameters", worst);
}

// With all six errors of each body only combinations can be found: the corrected tree is right all
// the same, and no parameters that fit are shorter.
TEST(Calibration, RedundantParametersGetTheLeastNorm) {
  for_random_cases(3, [](Random& random) {
    const Tree tree = six_axis_arm(false);
    const std::vector<GeometricVariation> variations = all_variations(tree, "tool");
    ASSERT_EQ(variations.size(), 36U);
    const Values truth = planted(random, variations.size());
    const Tree real = apply(tree, variations, truth);
    const CalibrationResult found = calibrate(tree, "tool", variations, measure(random, real, 30));
    EXPECT_TRUE(found.converged);
    EXPECT_EQ(found.rank, 26) << "two for each joint but the last are told by the next";
    EXPECT_EQ(found.null_space.size(), 10U);
    EXPECT_LT(pose_error(real, apply(tree, variations, found.parameters), random), 1e-12);
    double own = 0, least = 0;
    for (std::size_t k = 0; k < truth.size(); ++k) {
      own += truth[k] * truth[k];
      least += found.parameters[k] * found.parameters[k];
    }
    EXPECT_LT(least, own);
    for (const Values& n : found.null_space) {
      double along = 0;
      for (std::size_t k = 0; k < n.size(); ++k) along += n[k] * found.parameters[k];
      EXPECT_NEAR(along, 0, 1e-11);
      Values changed = found.parameters;  // and nothing changes along the null space
      for (std::size_t k = 0; k < n.size(); ++k) changed[k] += 1e-6 * n[k];
      EXPECT_LT(pose_error(real, apply(tree, variations, changed), random), 1e-8);
    }
  });
}

TEST(Calibration, NamesWhatCannotBeIdentified) {
  Random random(2);
  const Tree tree = arm_with_tool();
  std::vector<GeometricVariation> variations = minimal_variations(tree, "tool");
  // Turning l2 about the axis of j1 does the same as turning l1. Before the other parameters of l2
  // it does so exactly, whatever they are.
  const Vec6<double> axis = Ad_inverse(tree.links[1].B, tree.screws[0]);
  variations.insert(variations.begin() + 6, {1, axis});
  const Values truth = planted(random, variations.size());
  const Tree real = apply(tree, variations, truth);
  const CalibrationResult found = calibrate(tree, "tool", variations, measure(random, real, 20));
  EXPECT_TRUE(found.converged);
  EXPECT_EQ(found.rank, 30);
  ASSERT_EQ(found.null_space.size(), 1U);
  ASSERT_FALSE(found.not_identifiable.empty());
  EXPECT_EQ(found.not_identifiable.back(), 6);
  EXPECT_LT(found.not_identifiable.front(), 6) << "a parameter of l1 that can stand in for it";
  for (const int k : found.not_identifiable) EXPECT_FALSE(is_finite(found.standard_deviations[k]));
  for (std::size_t k = 7; k < truth.size(); ++k) {
    EXPECT_NEAR(found.parameters[k], truth[k], 1e-9) << k;
    EXPECT_LT(found.ambiguities[k], 1e-6);
    EXPECT_TRUE(is_finite(found.standard_deviations[k]));
  }
}

TEST(Calibration, PositionsAlone) {
  Random random(4);
  const Tree tree = arm_with_tool();
  std::vector<GeometricVariation> variations = minimal_variations(tree, "tool");
  // Positions say nothing of the orientation of the tool about its own point.
  const Values truth = planted(random, variations.size());
  const Tree real = apply(tree, variations, truth);
  std::vector<PoseMeasurement> measured = measure(random, real, 60);
  for (PoseMeasurement& m : measured) m.T_WF.R = {};
  const CalibrationResult found =
      calibrate(tree, "tool", variations, measured, {.position_only = true});
  EXPECT_TRUE(found.converged);
  EXPECT_EQ(found.rank, 27);
  EXPECT_EQ(found.rotation_residual, 0);
  const Tree corrected = apply(tree, variations, found.parameters);
  for (int k = 0; k < 20; ++k) {
    const Values q = random_coordinates(random, tree);
    expect_near(poses(corrected, q).T_WB.back().p, poses(real, q).T_WB.back().p, 1e-11);
  }
}

// Sixteen times as many measurements make a quarter of the error, as the deviations say.
TEST(Calibration, NoiseAveragesOut) {
  const Tree tree = arm_with_tool();
  const std::vector<GeometricVariation> variations = minimal_variations(tree, "tool");
  const Noise noise{2e-4, 1e-4};
  const CalibrationOptions options{.rotation_weight = 1 / noise.rotation,
                                   .translation_weight = 1 / noise.translation};
  Random random(5);
  std::array<double, 2> errors{}, normalized{};
  for (const std::size_t many : {0U, 1U}) {
    for (int run = 0; run < 6; ++run) {
      const Values truth = planted(random, variations.size());
      const CalibrationResult found = calibrate(
          tree, "tool", variations,
          measure(random, apply(tree, variations, truth), many ? 400 : 25, noise), options);
      EXPECT_TRUE(found.converged);
      for (std::size_t k = 0; k < truth.size(); ++k) {
        const double error = found.parameters[k] - truth[k];
        errors[many] += error * error;
        normalized[many] += std::pow(error / found.standard_deviations[k], 2) / 180;
      }
    }
    EXPECT_NEAR(std::sqrt(normalized[many]), 1, .25);  // of 180 numbers that are not independent
  }
  const double ratio = std::sqrt(errors[0] / errors[1]);
  EXPECT_GT(ratio, 3);
  EXPECT_LT(ratio, 5.5);
}

// Residuals are in rad and m whatever the weights are: of measurements that no parameter fits, half
// of them turned and moved one way, half the other.
TEST(Calibration, ResidualsHaveTheirUnits) {
  const Tree tree = arm_with_tool();
  Random random(15);
  std::vector<PoseMeasurement> measurements = measure(random, tree, 40);
  for (std::size_t k = 0; k < measurements.size(); ++k) {
    const double side = k % 2 == 0 ? 1 : -1;
    SE3<double>& T = measurements[k].T_WF;
    T = {T.R * exp(Vec3<double>{side * 1e-3, 0, 0}), T.p + Vec3<double>{0, side * 2e-3, 0}};
  }
  // One parameter that does not help: it moves all to one side.
  const std::vector<GeometricVariation> variations{{0, {{0, 0, 0}, {0, 0, 1}}}};
  for (const auto& [rotation, translation] : {std::pair{1., 1.}, {100., 3.}, {.02, 50.}}) {
    const CalibrationResult found =
        calibrate(tree, "tool", variations, measurements,
                  {.rotation_weight = rotation, .translation_weight = translation});
    EXPECT_TRUE(found.converged);
    EXPECT_NEAR(found.rotation_residual, 1e-3, 1e-12);
    EXPECT_NEAR(found.translation_residual, 2e-3, 1e-9);  // a screw with the turn: 1 + 1e-6 / 12
  }
}

// Errors of a tenth of a radian and of a tenth of a metre are no small ones any more.
TEST(Calibration, LargeErrors) {
  Random random(6);
  const Tree tree = arm_with_tool();
  const std::vector<GeometricVariation> variations = minimal_variations(tree, "tool");
  Values truth = planted(random, variations.size());
  for (double& x : truth) x *= 100;
  const CalibrationResult found =
      calibrate(tree, "tool", variations, measure(random, apply(tree, variations, truth), 30));
  EXPECT_TRUE(found.converged);
  EXPECT_LT(largest_difference(found.parameters, truth), 1e-9);
}

TEST(Calibration, TreesOfAllJoints) {
  double worst = 0;
  for_random_cases(10, [&](Random& random) {
    Tree tree = random_tree(random, 5, {.chain = true});
    tree.frames.push_back({"tool", 4, random.pose(.3)});
    tree.frame_names["tool"] = 0;
    const std::vector<GeometricVariation> variations = minimal_variations(tree, "tool");
    const Tree real = apply(tree, variations, planted(random, variations.size()));
    std::vector<PoseMeasurement> measured;
    for (int k = 0; k < 40; ++k) {
      PoseMeasurement m{random_coordinates(random, tree), {}};
      m.T_WF = poses(real, m.q).T_WB[4] * tree.frames[0].T_BF;
      measured.push_back(std::move(m));
    }
    const CalibrationResult found = calibrate(tree, "tool", variations, measured);
    EXPECT_TRUE(found.converged);
    EXPECT_LE(found.rank, static_cast<int>(variations.size()));
    worst = std::max(worst, pose_error(real, apply(tree, variations, found.parameters), random));
  });
  EXPECT_LT(worst, 1e-9);
  record("worst_error_of_poses", worst);
}

TEST(Calibration, BodiesBesideTheFrameHaveNoEffect) {
  Random random(8);
  const Tree tree = four_limbs();
  std::vector<GeometricVariation> variations = six_variations(1);
  const int other = body_index(tree, "right_link1");
  variations.push_back({other, {{1, 0, 0}, {}}});
  std::vector<PoseMeasurement> measured;
  for (int k = 0; k < 10; ++k) {
    const Values q = random_coordinates(random, tree);
    measured.push_back({q, poses(tree, q).T_WB[1]});
  }
  const CalibrationResult found = calibrate(tree, "left_link1", variations, measured);
  EXPECT_EQ(found.not_identifiable, (std::vector<int>{6}));
  EXPECT_EQ(found.rank, 6);
  EXPECT_EQ(found.parameters, Values(7, 0.));
}

TEST(Calibration, NumbersOfVariations) {
  const Tree tree = scara();  // two revolute joints, a prismatic one, a revolute one
  EXPECT_EQ(minimal_variations(tree, "tool").size(), 6U + 4 + 4 + 2);
  EXPECT_EQ(all_variations(tree, "upper").size(), 6U);
}

TEST(Calibration, SaysWhatIsWrong) {
  Random random(9);
  const Tree tree = arm_with_tool();
  const std::vector<GeometricVariation> variations = six_variations(0);
  std::vector<PoseMeasurement> measured = measure(random, tree, 3);
  const auto says = [&](const FrameName& frame, const CalibrationOptions& options = {}) {
    return message([&] { (void)calibrate(tree, frame, variations, measured, options); });
  };
  expect_says(says("world"), "not fixed on a body");
  expect_says(says("tol"), "did you mean 'tool'");
  expect_says(says("tool", {.rotation_weight = 0}), "not positive");
  measured[1].T_WF.R.matrix.x.x += .1;
  expect_says(says("tool"), "measurement 1");
  measured[0].q.pop_back();
  expect_says(says("tool"), "q of a measurement");
  measured.clear();
  expect_says(says("tool"), "no measurements");
  expect_says(message([&] { apply(tree, variations, Values{1}); }), "1 numbers for 6 variations");
}

}  // namespace
}  // namespace axode::test::calibration_test
