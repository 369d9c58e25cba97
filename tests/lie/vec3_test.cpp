#include "axode/lie/vec3.hpp"

#include "axode/linalg/eigen.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::vec3_test {
namespace {

using test::expect_near;
using V = Vec3<double>;
using M = Mat3<double>;

M random_matrix(test::Random& random) { return {random.vec3(), random.vec3(), random.vec3()}; }

static_assert(cross(V{1, 0, 0}, V{0, 1, 0}) == V{0, 0, 1});
static_assert(M::rows({1, 2, 3}, {4, 5, 6}, {7, 8, 9})(0, 2) == 3);
static_assert(M::identity() * V{1, 2, 3} == V{1, 2, 3});
static_assert(skew(V{1, 2, 3}) * V{4, 5, 6} == cross(V{1, 2, 3}, V{4, 5, 6}));
static_assert(unskew(skew(V{1, 2, 3})) == V{1, 2, 3});
static_assert((M::identity() * M::diagonal({1, 2, 3})) * V{1, 1, 1} == V{1, 2, 3});

TEST(Vec3, AgreesWithEigen) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const V a = random.vec3(), b = random.vec3();
    const double s = random.uniform(-2, 2);
    const Eigen::Vector3d ea = view(a), eb = view(b);
    expect_near(a + b * s, vec3_from_eigen(ea + eb * s), 1e-15);
    expect_near(-a - b / 3.0, vec3_from_eigen(-ea - eb / 3.0), 1e-15);
    expect_near(cross(a, b), vec3_from_eigen(ea.cross(eb)), 4e-15);
    expect_near(dot(a, b), ea.dot(eb), 4e-15);
    expect_near(norm(a), ea.norm(), 2e-15);
    expect_near(max_abs(a), ea.lpNorm<Eigen::Infinity>(), 0);
  });
}

TEST(Mat3, AgreesWithEigen) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const M a = random_matrix(random), b = random_matrix(random);
    const V v = random.vec3();
    const Eigen::Matrix3d ea = view(a), eb = view(b);
    const Eigen::Vector3d ev = view(v);
    expect_near(a * b, mat3_from_eigen(ea * eb), 8e-15);
    expect_near(a * v, vec3_from_eigen(ea * ev), 8e-15);
    expect_near(transpose_times(a, b), mat3_from_eigen(ea.transpose() * eb), 8e-15);
    expect_near(transpose_times(a, v), vec3_from_eigen(ea.transpose() * ev), 8e-15);
    expect_near(determinant(a), ea.determinant(), 3e-14);
    expect_near(trace(a), ea.trace(), 4e-15);
    expect_near(outer(a.x, v), mat3_from_eigen(view(a.x) * ev.transpose()), 4e-15);
    expect_near(unskew(a), unskew(M{} - transpose(a)), 1e-15);
    const double p = random.uniform(-1, 1), q = random.uniform(-1, 1);
    expect_near(skew_polynomial(p, q, v), M::identity() + skew(v) * p + skew(v) * skew(v) * q,
                8e-15);
  });
}

TEST(Sym3, AgreesWithTheFullMatrix) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const Sym3<double> a = Sym3<double>::of(random_matrix(random));
    const Sym3<double> b = Sym3<double>::of(random_matrix(random));
    const V v = random.vec3();
    const M R = random.rotation().matrix;
    expect_near(a * v, a.matrix() * v, 1e-14);
    expect_near((a + b * 2.0 - a).matrix(), a.matrix() + b.matrix() * 2.0 - a.matrix(), 4e-15);
    expect_near(congruence(R, a).matrix(), R * a.matrix() * transpose(R), 2e-14);
    expect_near(minus_skew_squared(v).matrix(), -(skew(v) * skew(v)), 4e-15);
    EXPECT_EQ(trace(a), trace(a.matrix()));
  });
}

TEST(Vec3, NormIsSafeAtTheEndsOfTheRange) {
  EXPECT_NEAR(norm(V{3e200, 4e200, 0}) / 5e200, 1, 1e-15);
  EXPECT_NEAR(norm(V{3e-200, 0, 4e-200}) / 5e-200, 1, 1e-15);
  EXPECT_EQ(norm(V{0, 5e-324, 0}), 5e-324);
  EXPECT_EQ(norm(V{}), 0);
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(norm(V{inf, 0, 0}), inf);
  EXPECT_TRUE(std::isnan(norm(V{nan, 0, 0})));
  EXPECT_TRUE(std::isnan(norm(V{0, 0, nan})));
  EXPECT_TRUE(std::isnan(norm(V{1, nan, 1})));
  EXPECT_FALSE(is_finite(V{0, nan, 0}));
  EXPECT_FALSE(is_finite(V{inf, -inf, 0}));
  EXPECT_TRUE(is_finite(V{1e308, 1e308, 1e308}));
}

TEST(Vec3, IndexingReadsAndWrites) {
  V v{1, 2, 3};
  v[1] = 7;
  EXPECT_EQ(v, (V{1, 7, 3}));
  M m;
  m(2, 1) = 5;
  EXPECT_EQ(m.y.z, 5);
  EXPECT_EQ(std::as_const(m)(2, 1), 5);
}

}  // namespace
}  // namespace axode::test::vec3_test
