#include "axode/lie/so3.hpp"

#include "axode/lie/dual.hpp"
#include "axode/lie/rotation.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/near.hpp"
#include "tests/support/quad.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::so3_test {
namespace {

using test::expect_near;
using V = Vec3<double>;

/// sum_k xi~^k/(k + shift)! in 34 digits.
Mat3<double> reference_series(const V& xi, int shift) {
  const Mat3<double> A = skew(xi);
  test::QuadMatrix<3> a{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) a[std::size_t(i)][std::size_t(j)] = A(i, j);
  const test::QuadMatrix<3> sum = test::exponential_series(a, shift);
  Mat3<double> m;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) m(i, j) = double(sum[std::size_t(i)][std::size_t(j)]);
  return m;
}

TEST(SO3, GroupAxioms) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const SO3<> a = random.rotation(), b = random.rotation(), c = random.rotation();
    const V v = random.vec3();
    expect_near((a * b) * c, a * (b * c), 2e-15, "associativity");
    expect_near(a * inverse(a), SO3<>::identity(), 4e-15, "inverse");
    expect_near(inverse(a * b), inverse(b) * inverse(a), 2e-15);
    expect_near((a * b) * v, a * (b * v), 4e-15, "action");
    expect_near(inverse_times(a, v), inverse(a) * v, 2e-15);
    expect_near(inverse_times(a, b), inverse(a) * b, 2e-15);
    expect_near(norm(a * v), norm(v), 4e-15, "length");
    expect_near(a * cross(v, b * v), cross(a * v, a * (b * v)), 2e-14, "handedness");
  });
}

TEST(SO3, ExpIsOrthogonalAndCommutesWithAd) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const V xi = random.rotation_vector() * random.uniform(0, 3);  // beyond pi too
    const SO3<> R = exp(xi), Q = random.rotation();
    EXPECT_LE(orthogonality_error(R.matrix), 4e-15);
    expect_near(R * xi, xi, 4e-15, "axis");
    expect_near(exp(-xi), inverse(R), 1e-15);
    expect_near(Q * R * inverse(Q), exp(Q * xi), 1e-14, "Ad and exp");
  });
}

TEST(SO3, ExpAgreesWithThePowerSeries) {
  double worst = 0;
  test::for_random_cases(2000, [&](test::Random& random) {
    const V xi = random.rotation_vector() * random.uniform(0, 2);  // beyond pi too
    const double error = test::largest_difference(exp(xi), reference_series(xi, 0));
    worst = std::max(worst, error);
  });
  test::record("worst_error", worst);
  EXPECT_LT(worst, 1.5e-15);
}

TEST(SO3, LogThereAndBackAtAllAnglesBelowPi) {
  double worst = 0;
  test::for_random_cases(test::many, [&](test::Random& random) {
    const double angle = std::min(random.angle(), pi<double> - 1e-12);
    const V xi = random.unit() * angle;
    const V back = log(exp(xi));
    expect_near(back, xi, 2e-15 * angle);
    if (angle > 0) worst = std::max(worst, test::largest_difference(back, xi) / angle);
    const SO3<> R = random.rotation();
    expect_near(exp(log(R)), R, 2e-15);
  });
  test::record("worst_relative_error", worst);
}

TEST(SO3, LogThereAndBackOnALogarithmicGrid) {
  test::Random random(7);
  for (double angle = 1e-12; angle < pi<double>; angle *= 1.002) {
    const V xi = random.unit() * angle;
    expect_near(log(exp(xi)), xi, 9e-16 * angle, "angle " + std::to_string(angle));
  }
}

TEST(SO3, LogAtPiHasTheDocumentedSign) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const V e = random.unit();
    const V back = log(exp(e * pi<double>));
    expect_near(norm(back), pi<double>, 2e-15, "angle");
    const double largest = max_abs(back);
    EXPECT_TRUE(back.x == largest || back.y == largest || back.z == largest);
    const double sign = dot(back, e) > 0 ? 1 : -1;
    expect_near(back / pi<double>, e * sign, 1e-15, "axis");
  });
  for (int axis = 0; axis < 3; ++axis) {
    Mat3<double> half_turn = Mat3<double>::diagonal({-1, -1, -1});
    half_turn(axis, axis) = 1;
    V expected;
    expected[axis] = pi<double>;
    expect_near(log(SO3<>{half_turn}), expected, 0);
  }
}

TEST(SO3, JacobiansAgreeWithThePowerSeries) {
  test::for_random_cases(2000, [](test::Random& random) {
    const V xi = random.rotation_vector();
    expect_near(left_jacobian(xi), reference_series(xi, 1), 1e-15, "left");
    expect_near(right_jacobian(xi), reference_series(-xi, 1), 1e-15, "right");
  });
}

TEST(SO3, JacobiansInvertAndAreTheDerivativeOfExp) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const V xi = random.rotation_vector(), d = random.vec3();
    expect_near(left_jacobian(xi) * left_jacobian_inverse(xi), Mat3<double>::identity(), 2e-15);
    expect_near(right_jacobian(xi) * right_jacobian_inverse(xi), Mat3<double>::identity(), 2e-15);
    const SO3<Dual<double>> R = exp(make_dual(xi, d));
    const Mat3<double> value = real_part(R.matrix), rate = dual_part(R.matrix);
    expect_near(unskew(rate * transpose(value)), left_jacobian(xi) * d, 1e-14, "left");
    expect_near(unskew(transpose(value) * rate), right_jacobian(xi) * d, 1e-14, "right");
  });
}

TEST(SO3, LogDifferentiates) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const V xi = random.unit() * random.uniform(0, 3.1), d = random.vec3();
    const V rate = dual_part(log(exp(make_dual(xi, d))));
    // The derivative of log grows as 1/(2 pi - angle) only; matrices lose 1/cos(angle/2) near pi.
    expect_near(rate, d, 4e-14);
  });
  const V at_identity = dual_part(log(exp(make_dual(V{0, 0, 0}, V{1, 2, 3}))));
  expect_near(at_identity, V{1, 2, 3}, 1e-15);
}

TEST(SO3, InterpolationAndDistance) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const SO3<> a = random.rotation(), b = random.rotation();
    const double t = random.uniform(0, 1);
    const double d = distance(a, b);
    expect_near(interpolate(a, b, 0.0), a, 1e-15);
    expect_near(interpolate(a, b, 1.0), b, 4e-15);
    expect_near(distance(a, interpolate(a, b, t)), t * d, 4e-15);
    expect_near(distance(b, a), d, 4e-15);
  });
}

TEST(SO3, BadInputGivesNaNAndReturns) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  for (double bad : {nan, inf, -inf}) {
    EXPECT_TRUE(std::isnan(exp(V{bad, 0, 0}).matrix.y.y)) << bad;
    EXPECT_TRUE(std::isnan(log(SO3<>{Mat3<double>::diagonal({bad, 1, 1})}).y)) << bad;
    EXPECT_TRUE(std::isnan(left_jacobian(V{0, bad, 0}).x.x)) << bad;
  }
  expect_near(exp(V{5e-324, 0, 0}), SO3<>::identity(), 5e-324);
  expect_near(log(exp(V{1e-310, 0, 0})), V{1e-310, 0, 0}, 5e-324, "denormal");
}

TEST(SO3, ExpIsAConstantExpression) {
  constexpr SO3<double> R = exp(Vec3<double>{0, 0, 0.5});
  static_assert(R.matrix.x.y > 0.4794 && R.matrix.x.y < 0.4795);
  expect_near(R, rotation_about(2, 0.5), 0);
}

TEST(SO3, ModernRoboticsExamples) {
  const auto f = test::read_json("modern_robotics.json").at("functions");
  const auto computed = [&](const char* name) {
    return f.at(name).at("output_of_reference_implementation");
  };
  const V xi = unskew(test::mat3(f.at("MatrixExp3").at("inputs").at("so3mat")));
  expect_near(exp(xi), test::mat3(computed("MatrixExp3")), 1e-15);
  const SO3<> R{test::mat3(f.at("MatrixLog3").at("inputs").at("R"))};
  expect_near(skew(log(R)), test::mat3(computed("MatrixLog3")), 1e-15);
  expect_near(inverse(SO3<>{test::mat3(f.at("RotInv").at("inputs").at("R"))}),
              test::mat3(computed("RotInv")), 0);
  expect_near(skew(test::vec3(f.at("VecToso3").at("inputs").at("omg"))),
              test::mat3(computed("VecToso3")), 0);
  expect_near(unskew(test::mat3(f.at("so3ToVec").at("inputs").at("so3mat"))),
              test::vec3(computed("so3ToVec")), 0);
}

}  // namespace
}  // namespace axode::test::so3_test
