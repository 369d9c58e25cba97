#include "axode/linalg/eigen.hpp"

#include "axode/lie/adjoint.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::eigen_test {
namespace {

using test::expect_near;

TEST(Eigen, ViewsWriteThrough) {
  Vec3<double> v{1, 2, 3};
  view(v)(1) = 7;
  EXPECT_EQ(v.y, 7);
  Mat3<double> m;
  view(m)(2, 1) = 5;
  EXPECT_EQ(m(2, 1), 5);
  Vec6<double> x;
  view(x)(4) = 9;
  EXPECT_EQ(x.linear.y, 9);
  EXPECT_EQ(view(v).data(), &v.x) << "no copy";
}

TEST(Eigen, ConversionsThereAndBack) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const SE3<> T = random.pose();
    expect_near(se3_from_eigen(to_eigen(T)), T, 0);
    const SE3<> S = random.pose();
    expect_near(se3_from_eigen(to_eigen(T) * to_eigen(S)), T * S, 4e-15, "same product");
    const Quaternion<> q = quaternion(T.R.matrix);
    expect_near(quaternion_from_eigen(to_eigen(q)), q, 0);
    const Mat6<double> A = Ad_matrix(T);
    expect_near(mat6_from_eigen(to_eigen(A)), A, 0);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) EXPECT_EQ(to_eigen(A)(i, j), A(i, j));
    const Vec6<double> x = random.vec6();
    expect_near(vec6_from_eigen(view(x)), x, 0);
    expect_near(mat3_from_eigen(view(T.R.matrix)), T.R.matrix, 0);
  });
}

}  // namespace
}  // namespace axode::test::eigen_test
