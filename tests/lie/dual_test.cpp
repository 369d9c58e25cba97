#include "axode/lie/dual.hpp"

#include "axode/lie/se3.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::dual_test {
namespace {

using test::expect_near;
using D = Dual<double>;

static_assert((D(2, 1) * D(3, 0)).dual == 3);
static_assert((D(1) / D(2, 1)).dual == -0.25);
static_assert(D(1, 5) < 2 && D(2, 0) == 2);

TEST(Dual, IsACommutativeRing) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const auto draw = [&] { return D(random.uniform(-2, 2), random.uniform(-2, 2)); };
    const D a = draw(), b = draw(), c = draw();
    const auto same = [](const D& x, const D& y, double tolerance) {
      expect_near(x.real, y.real, tolerance);
      expect_near(x.dual, y.dual, tolerance);
    };
    same(a * b, b * a, 1e-15);
    same((a * b) * c, a * (b * c), 2e-14);
    same(a * (b + c), a * b + a * c, 1e-14);
    same(a - a, D(0), 0);
    if (std::abs(b.real) > 0.1) same(a / b * b, a, 1e-13);
    EXPECT_EQ((D(0, 1) * D(0, 1)).dual, 0) << "eps^2 = 0";
  });
}

TEST(Dual, ElementaryFunctionsHaveTheirDerivatives) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const double x = random.uniform(0.1, 3), y = random.uniform(-3, 3);
    const double dx = random.uniform(-1, 1), dy = random.uniform(-1, 1);
    expect_near(sqrt(D(x, dx)).dual, dx / (2 * std::sqrt(x)), 1e-15);
    expect_near(sincos(D(y, dy)).sin.dual, std::cos(y) * dy, 1e-15);
    expect_near(sincos(D(y, dy)).cos.dual, -std::sin(y) * dy, 1e-15);
    expect_near(atan2(D(y, dy), D(x, dx)).dual, (x * dy - y * dx) / (x * x + y * y), 1e-14);
    expect_near(abs(D(-x, dx)).dual, -dx, 0);
  });
}

TEST(Dual, NestedGivesSecondDerivatives) {
  using DD = Dual<D>;
  const double x = 0.7;
  const DD twice(D(x, 1), D(1, 0));
  const auto f = sincos(twice * twice);  // sin(x^2)
  EXPECT_NEAR(f.sin.dual.real, 2 * x * std::cos(x * x), 1e-15);
  EXPECT_NEAR(f.sin.dual.dual, 2 * std::cos(x * x) - 4 * x * x * std::sin(x * x), 1e-14);
}

TEST(Dual, RunsInLanes) {
  using P = Pack<double, 2>;
  const Dual<P> a(P(0.5), P(1.0));
  const auto f = sincos(a);
  EXPECT_EQ(f.sin.dual[1], sincos(0.5).cos);
  EXPECT_EQ(select(a < Dual<P>(1), a, -a).real[0], 0.5);
}

TEST(Dual, DifferentiatesAWholePoseMap) {
  // d/dt of exp(X t) T is the spatial twist X: V = vee(T' T^-1).
  test::for_random_cases(test::many, [](test::Random& random) {
    const Vec6<double> X = random.vec6();
    const double t = random.uniform(-1, 1);
    const SE3<D> T = exp(make_dual(X * t, X));
    const Vec3<double> w = unskew(dual_part(T.R.matrix) * transpose(real_part(T.R.matrix)));
    expect_near(w, X.angular, 1e-14);
    expect_near(dual_part(T.p) - cross(w, real_part(T.p)), X.linear, 3e-14);
  });
}

TEST(Dual, PartsThereAndBack) {
  const Vec6<double> a{{1, 2, 3}, {4, 5, 6}}, b{{7, 8, 9}, {10, 11, 12}};
  expect_near(real_part(make_dual(a, b)), a, 0);
  expect_near(dual_part(make_dual(a, b)), b, 0);
  EXPECT_FALSE(is_finite(D(1, std::numeric_limits<double>::infinity())));
}

}  // namespace
}  // namespace axode::test::dual_test
