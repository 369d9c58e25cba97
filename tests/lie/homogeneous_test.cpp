#include "axode/lie/homogeneous.hpp"

#include "axode/core/error.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::homogeneous_test {
namespace {

using test::expect_near, test::expect_says, test::message;

TEST(Homogeneous, ThereAndBack) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const SE3<> T = random.pose();
    expect_near(pose_from_matrix(matrix(T)), T, 0);
    const Vec6<double> X = random.vec6();
    expect_near(vee(hat(X)), X, 0);
  });
}

TEST(Homogeneous, ProductsAreMatrixProducts) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const SE3<> a = random.pose(), b = random.pose();
    const Mat4<double> A = matrix(a), B = matrix(b);
    Mat4<double> product{};
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j)
        for (std::size_t k = 0; k < 4; ++k) product[i][j] += A[i][k] * B[k][j];
    expect_near(matrix(a * b), product, 4e-15);
  });
}

TEST(Homogeneous, BadMatricesAreRefusedWithTheReason) {
  Mat4<double> M = matrix(SE3<>::identity());
  M[3][0] = 1e-3;
  expect_says(message([&] { (void)pose_from_matrix(M); }), "last row");
  M = matrix(SE3<>::identity());
  M[0][3] = std::numeric_limits<double>::infinity();
  expect_says(message([&] { (void)pose_from_matrix(M); }), "position");
  M = matrix(SE3<>::identity());
  M[1][0] = 0.1;
  expect_says(message([&] { (void)pose_from_matrix(M); }), "differs from the identity by 0.1");
  M = matrix(SE3<>::identity());
  M[1][1] = std::numeric_limits<double>::quiet_NaN();
  expect_says(message([&] { (void)pose_from_matrix(M); }), "not finite");
}

}  // namespace
}  // namespace axode::test::homogeneous_test
