#include "axode/lie/se3.hpp"

#include "axode/lie/adjoint.hpp"
#include "axode/lie/dual.hpp"
#include "axode/lie/homogeneous.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/near.hpp"
#include "tests/support/quad.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::se3_test {
namespace {

using test::expect_near;
using V6 = Vec6<double>;

/// A twist with rotation angle up to pi, all magnitudes of angle.
V6 random_twist(test::Random& random) { return {random.rotation_vector(), random.vec3()}; }

/// sum_k ad_X^k/(k+1)! in 34 digits.
Mat6<double> reference_dexp(const V6& X) {
  const Mat6<double> A = ad_matrix(X);
  test::QuadMatrix<6> a{};
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) a[std::size_t(i)][std::size_t(j)] = A(i, j);
  const test::QuadMatrix<6> sum = test::exponential_series(a, 1);
  Mat6<double> m;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) m(i, j) = double(sum[std::size_t(i)][std::size_t(j)]);
  return m;
}

TEST(SE3, GroupAxioms) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const SE3<> a = random.pose(), b = random.pose(), c = random.pose();
    const Vec3<double> x = random.vec3();
    expect_near((a * b) * c, a * (b * c), 1e-14, "associativity");
    expect_near(a * inverse(a), SE3<>::identity(), 1e-14, "inverse");
    expect_near(inverse(a * b), inverse(b) * inverse(a), 1e-14);
    expect_near((a * b) * x, a * (b * x), 1e-14, "action");
    expect_near(inverse_times(a, x), inverse(a) * x, 4e-15);
    expect_near(inverse_times(a, b), inverse(a) * b, 4e-15);
    expect_near(translation(x) * b, SE3<>{b.R, b.p + x}, 0);
  });
}

TEST(SE3, ExpThereAndBackAtAllAnglesBelowPi) {
  double worst = 0;
  test::for_random_cases(test::many, [&](test::Random& random) {
    V6 X = random_twist(random);
    if (norm(X.angular) > pi<double> - 1e-9) X.angular *= 1 - 1e-9;
    const V6 back = log(exp(X));
    expect_near(back.angular, X.angular, 2e-15 * norm(X.angular));
    expect_near(back.linear, X.linear, 6e-15 * norm(X.linear));
    worst = std::max(worst, test::largest_difference(back.linear, X.linear) / norm(X.linear));
    const SE3<> T = random.pose();
    expect_near(exp(log(T)), T, 6e-15);
  });
  test::record("worst_relative_error", worst);
}

TEST(SE3, ExpAtPi) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const SE3<> T = exp(V6{random.unit() * pi<double>, random.vec3()});
    expect_near(exp(log(T)), T, 8e-15);
    expect_near(norm(log(T).angular), pi<double>, 2e-15);
  });
}

TEST(SE3, ExpAgreesWithThePowerSeries) {
  test::for_random_cases(2000, [](test::Random& random) {
    const V6 X = random_twist(random) * random.uniform(0, 2);
    test::QuadMatrix<4> a{};
    const Mat4<double> A = hat(X);
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) a[i][j] = A[i][j];
    const test::QuadMatrix<4> sum = test::exponential_series(a, 0);
    Mat4<double> reference{};
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) reference[i][j] = double(sum[i][j]);
    expect_near(matrix(exp(X)), reference, 4e-15);
  });
}

TEST(SE3, AdCommutesWithExp) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const V6 X = random_twist(random);
    const SE3<> C = random.pose();
    expect_near(C * exp(X) * inverse(C), exp(Ad(C, X)), 4e-14);
    expect_near(exp(X) * exp(-X), SE3<>::identity(), 4e-15);
    const double s = random.uniform(0, 1);
    expect_near(exp(s * X) * exp((1 - s) * X), exp(X), 6e-15, "one-parameter group");
  });
}

TEST(SE3, JacobiansAgreeWithThePowerSeries) {
  double worst = 0;
  test::for_random_cases(1000, [&](test::Random& random) {
    const V6 X = random_twist(random);
    expect_near(left_jacobian(X), reference_dexp(X), 2e-15, "left");
    expect_near(right_jacobian(X), reference_dexp(-X), 2e-15, "right");
    worst = std::max(worst, test::largest_difference(left_jacobian(X), reference_dexp(X)));
  });
  test::record("worst_error", worst);
}

TEST(SE3, JacobiansInvertAndAreTheDerivativeOfExp) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const V6 X = random_twist(random), d = random.vec6();
    expect_near(left_jacobian(X) * left_jacobian_inverse(X), Mat6<double>::identity(), 6e-15);
    expect_near(right_jacobian(X) * right_jacobian_inverse(X), Mat6<double>::identity(), 6e-15);
    expect_near(Ad_matrix(exp(-X)) * left_jacobian(X), right_jacobian(X), 1e-14);
    // Dual numbers: exp(X + eps d) = exp(eps dexp d) exp(X)
    const SE3<Dual<double>> T = exp(make_dual(X, d));
    const Mat3<double> R = real_part(T.R.matrix);
    const Vec3<double> w = unskew(dual_part(T.R.matrix) * transpose(R));
    const V6 rate{w, dual_part(T.p) - cross(w, real_part(T.p))};
    expect_near(rate, left_jacobian(X) * d, 4e-14);
  });
}

TEST(SE3, ReferenceVectors) {
  double worst = 0;
  const auto states = test::read_json("lie_se3.json").at("states");
  ASSERT_EQ(states.size(), 14u);
  for (const auto& s : states) {
    const std::string label = s.at("label");
    const V6 X = test::vec6(s.at("X"));
    const SE3<> T = exp(X);
    const double tolerance = 1e-13;
    expect_near(T, test::pose(s.at("exp")), 2e-15, label + " exp");
    expect_near(log(T), test::vec6(s.at("log")), 4e-15, label + " log");
    expect_near(Ad_matrix(T), test::mat6(s.at("Ad")), 4e-15, label + " Ad");
    expect_near(left_jacobian(X), test::mat6(s.at("dexp")), tolerance, label + " dexp");
    expect_near(right_jacobian(X), test::mat6(s.at("dexp_minus")), tolerance, label);
    expect_near(left_jacobian_inverse(X), test::mat6(s.at("dexp_inv")), tolerance, label);
    expect_near(left_jacobian(X) * test::vec6(s.at("Y")), test::vec6(s.at("dexp_Y")), tolerance);
    worst = std::max(
        {worst, test::largest_difference(left_jacobian(X), test::mat6(s.at("dexp"))),
         test::largest_difference(left_jacobian_inverse(X), test::mat6(s.at("dexp_inv")))});
  }
  test::record("worst_error", worst);
}

TEST(SE3, InterpolationIsAScrewMotion) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const SE3<> a = random.pose(), b = random.pose();
    const double t = random.uniform(0, 1), length = random.uniform(0.1, 2);
    const SE3<> m = interpolate(a, b, t);
    expect_near(interpolate(a, b, 0.0), a, 2e-15);
    expect_near(interpolate(a, b, 1.0), b, 2e-14);
    expect_near(distance(a, m, length), t * distance(a, b, length), 3e-14);
    const SE3<> C = random.pose();
    expect_near(distance(C * a, C * b, length), distance(a, b, length), 3e-13, "left invariance");
  });
}

TEST(SE3, DistanceCountsARadianAsTheGivenLength) {
  EXPECT_NEAR(distance(SE3<>{}, exp(V6{{0, 0, 0.3}, {0, 0, 0.4}}), 1), 0.5, 1e-15);
  EXPECT_NEAR(distance(SE3<>{}, exp(V6{{0, 0, 0.3}, {0, 0, 1.2}}), 3), 1.5, 1e-15);
  EXPECT_NEAR(distance(SE3<>{}, translation(Vec3<>{3, 4, 0}), 100), 5, 1e-15);
}

TEST(SE3, BadInputGivesNaNAndReturns) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(exp(V6{{nan, 0, 0}, {}}).p.x));
  EXPECT_TRUE(std::isnan(log(SE3<>{{}, {nan, 0, 0}}).linear.x));
  EXPECT_TRUE(std::isnan(left_jacobian(V6{{}, {0, nan, 0}}).la.x.z));
  const SE3<> tiny = exp(V6{{1e-310, 0, 0}, {5e-324, 1, 0}});
  expect_near(log(tiny), V6{{1e-310, 0, 0}, {5e-324, 1, 0}}, 5e-324, "denormals");
}

TEST(SE3, ModernRoboticsExamples) {
  const auto f = test::read_json("modern_robotics.json").at("functions");
  const auto out = [&](const char* name) {
    return f.at(name).at("output_of_reference_implementation");
  };
  const auto in = [&](const char* name) { return f.at(name).at("inputs"); };
  expect_near(matrix(inverse(test::pose(in("TransInv").at("T")))), test::flat(out("TransInv")), 0);
  const auto A = in("MatrixExp6").at("se3mat");
  const V6 X{unskew(test::mat3(A)),
             {A[0][3].get<double>(), A[1][3].get<double>(), A[2][3].get<double>()}};
  // The printed input is rounded to 8 digits: compare with the implementation's own output.
  expect_near(matrix(exp(X)), test::flat(out("MatrixExp6")), 2e-15);
  expect_near(hat(log(test::pose(in("MatrixLog6").at("T")))), test::flat(out("MatrixLog6")), 2e-15);
  expect_near(Ad_matrix(test::pose(in("Adjoint").at("T"))), test::flat(out("Adjoint")), 0);
  expect_near(hat(test::vec6(in("VecTose3").at("V"))), test::flat(out("VecTose3")), 0);
  for (const char* name : {"FKinBody", "FKinSpace"}) {
    const bool body = std::string(name) == "FKinBody";
    const auto list = in(name).at(body ? "Blist" : "Slist");
    const auto angles = in(name).at("thetalist");
    SE3<> T = body ? test::pose(in(name).at("M")) : SE3<>{};
    for (std::size_t j = 0; j < angles.size(); ++j) {
      V6 screw;
      for (int i = 0; i < 6; ++i) screw[i] = list[std::size_t(i)][j].get<double>();
      T = T * exp(screw * angles[j].get<double>());
    }
    if (!body) T = T * test::pose(in(name).at("M"));
    expect_near(matrix(T), test::flat(out(name)), 4e-15, name);
  }
  const SE3<> start = test::pose(in("ScrewTrajectory").at("Xstart"));
  const SE3<> end = test::pose(in("ScrewTrajectory").at("Xend"));
  const auto trajectory = out("ScrewTrajectory");
  for (std::size_t i = 0; i < trajectory.size(); ++i) {
    const double t = double(i) / double(trajectory.size() - 1), s = 3 * t * t - 2 * t * t * t;
    expect_near(matrix(interpolate(start, end, s)), test::flat(trajectory[i]), 4e-15, "trajectory");
  }
}

}  // namespace
}  // namespace axode::test::se3_test
