#include "axode/lie/quaternion.hpp"

#include "axode/lie/so3.hpp"
#include "axode/linalg/eigen.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::quaternion_test {
namespace {

using test::expect_near;
using Q = Quaternion<double>;

TEST(Quaternion, GroupAxiomsAndMatrices) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const Q a = quaternion_exp(random.rotation_vector());
    const Q b = quaternion_exp(random.rotation_vector());
    const Q c = quaternion_exp(random.rotation_vector());
    expect_near((a * b) * c, a * (b * c), 1e-15, "associativity");
    expect_near(a * conjugate(a), Q::identity(), 1e-15, "inverse");
    expect_near(squared_norm(a), 1.0, 1e-15, "norm");
    expect_near(rotation_matrix(a * b), rotation_matrix(a) * rotation_matrix(b), 2e-15);
    expect_near(rotation_matrix(a), mat3_from_eigen(to_eigen(a).toRotationMatrix()), 1e-15);
  });
}

TEST(Quaternion, MatrixThereAndBack) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const Q q = quaternion_exp(random.rotation_vector());
    const Q back = quaternion(rotation_matrix(q));
    const bool same_sign = q.w * back.w + dot(q.v, back.v) > 0;
    expect_near(same_sign ? back : -back, q, 2e-15);
    const double largest = std::max(std::abs(back.w), max_abs(back.v));
    EXPECT_TRUE(back.w == largest || max_abs(back.v) == largest);
    EXPECT_TRUE(back.w == largest || back.v.x == largest || back.v.y == largest ||
                back.v.z == largest)
        << "the largest component must be positive";
  });
}

TEST(Quaternion, LogThereAndBack) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const double angle = random.uniform(0, pi<double> - 1e-6);
    const Vec3<double> xi = random.unit() * (random.integer(0, 1) ? angle : random.angle() * 0.99);
    expect_near(log(quaternion_exp(xi)), xi, 1e-15 * std::max(norm(xi), 1e-300) + 1e-15 * norm(xi));
    expect_near(log(-quaternion_exp(xi)), xi, 2e-15 * norm(xi));
  });
}

TEST(Quaternion, LogOfAHalfTurnMakesTheLargestComponentPositive) {
  const double half = pi<double>;
  expect_near(log(Q{0, {0, 0, 1}}), Vec3<double>{0, 0, half}, 0);
  expect_near(log(Q{0, {0, 0, -1}}), Vec3<double>{0, 0, half}, 0);
  expect_near(log(Q{1e-17, {0.6, -0.8, 0}}), Vec3<double>{-0.6 * half, 0.8 * half, 0}, 5e-16);
  expect_near(log(Q{-1e-17, {0.6, -0.8, 0}}), Vec3<double>{-0.6 * half, 0.8 * half, 0}, 5e-16);
  EXPECT_LE(norm(log(Q{-1e-16, {0, 0, 1}})), half);
}

TEST(Quaternion, BadInput) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(log(Q{nan, {0, 0, 0}}).x));
  EXPECT_TRUE(std::isnan(log(Q{0, {0, 0, 0}}).x)) << "no rotation";
  EXPECT_TRUE(std::isnan(normalized(Q{0, {0, 0, 0}}).w));
}

}  // namespace
}  // namespace axode::test::quaternion_test
