#include "axode/lie/vec6.hpp"

#include "axode/linalg/eigen.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::vec6_test {
namespace {

using test::expect_near;

TEST(Vec6, AgreesWithEigen) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const Vec6<double> a = random.vec6(), b = random.vec6();
    const double s = random.uniform(-2, 2);
    expect_near(a * s - b / 7.0, vec6_from_eigen(view(a) * s - view(b) / 7.0), 2e-15);
    expect_near(dot(a, b), view(a).dot(view(b)), 1e-14);
    expect_near(max_abs(a), view(a).lpNorm<Eigen::Infinity>(), 0);
  });
}

TEST(Mat6, AgreesWithEigen) {
  test::for_random_cases(test::many, [](test::Random& random) {
    Mat6<double> a, b;
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) {
        a(i, j) = random.uniform(-2, 2);
        b(i, j) = random.uniform(-2, 2);
      }
    const EigenMat6<double> ea = to_eigen(a), eb = to_eigen(b);
    const Vec6<double> v = random.vec6();
    expect_near(a * b, mat6_from_eigen(ea * eb), 2e-14);
    expect_near(a * v, vec6_from_eigen(ea * view(v)), 2e-14);
    expect_near(transpose(a) + b - a * 2.0, mat6_from_eigen(ea.transpose() + eb - ea * 2.0), 2e-15);
  });
}

TEST(Vec6, IndexesAngularFirst) {
  Vec6<double> a{{1, 2, 3}, {4, 5, 6}};
  for (int i = 0; i < 6; ++i) EXPECT_EQ(a[i], i + 1);
  a[4] = 9;
  EXPECT_EQ(a.linear.y, 9);
  EXPECT_FALSE(is_finite(Vec6<double>{{}, {0, 0, std::numeric_limits<double>::quiet_NaN()}}));
}

}  // namespace
}  // namespace axode::test::vec6_test
