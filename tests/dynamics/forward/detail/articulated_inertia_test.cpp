#include "axode/dynamics/forward/detail/articulated_inertia.hpp"

#include <gtest/gtest.h>

#include "tests/support/near.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::articulated_inertia_test {
namespace {

/// Any symmetric positive definite matrix: sum of squares.
Mat6<double> definite(Random& random) {
  Mat6<double> M{};
  for (int k = 0; k < 8; ++k) {
    const Vec6<double> x = random.vec6();
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) M(i, j) += x[i] * x[j];
  }
  return M;
}
ArticulatedInertia<double> packed(const Mat6<double>& M) {
  return {Sym3<double>::of(M.aa), M.al, Sym3<double>::of(M.ll)};
}

TEST(ArticulatedInertia, IsTheMatrix) {
  for_random_cases(1000, [](Random& random) {
    const Mat6<double> M = definite(random), N = definite(random);
    ArticulatedInertia<double> I = packed(M);
    const Vec6<double> V = random.vec6();
    expect_near(matrix(I), M, 0);
    expect_near(I * V, M * V, 1e-13 * 200);
    I += packed(N);
    expect_near(matrix(I), M + N, 0);
  });
}

TEST(ArticulatedInertia, OfARigidBody) {
  for_random_cases(1000, [](Random& random) {
    const Inertia<double> I{random.uniform(0, 3), random.vec3(),
                            Sym3<double>::diagonal({1, random.uniform(1, 2), 2})};
    const SE3<double> T = random.pose();
    expect_near(matrix(articulated(I)), matrix(I), 1e-14);
    expect_near(matrix(transform(T, articulated(I))), matrix(transform(T, I)), 1e-12);
  });
}

/// Ad^-T I Ad^-1 with the matrices written out.
TEST(ArticulatedInertia, MovesToAnotherFrame) {
  for_random_cases(1000, [](Random& random) {
    const Mat6<double> M = definite(random);
    const SE3<double> T = random.pose();
    const Mat6<double> X = Ad_matrix(inverse(T));
    expect_near(matrix(transform(T, packed(M))), transpose(X) * M * X, 1e-14 * 2000);
    const Mat6<double> Y = Ad_matrix(translation(-T.p));
    expect_near(matrix(shift(T.p, packed(M))), transpose(Y) * M * Y, 1e-14 * 2000);
  });
}

/// What is left of an inertia is blind for the motion eliminated, and unchanged for those that need
/// no force along it.
TEST(ArticulatedInertia, WithoutAFreedom) {
  for_random_cases(1000, [](Random& random) {
    const ArticulatedInertia<double> I = packed(definite(random));
    const Vec6<double> screw = random.vec6(), other = random.vec6();
    const Vec6<double> U = I * screw;
    const double D = dot(screw, U);
    const ArticulatedInertia<double> left = without(I, U, 1 / D);
    expect_near(left * screw, Vec6<double>{}, 1e-14 * max_abs(U) * (1 + max_abs(U) / D));
    const Vec6<double> across = other - screw * (dot(U, other) / D);
    const double size = 200 * (1 + max_abs(across)) * (1 + max_abs(U) * max_abs(U) / D);
    expect_near(left * across, I * across, 1e-14 * size);
    expect_near(left * other, left * across, 1e-14 * size);
  });
}

}  // namespace
}  // namespace axode::test::articulated_inertia_test
