#include "axode/lie/taylor.hpp"

#include "axode/lie/dual.hpp"
#include "axode/lie/se3.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::taylor_test {
namespace {

using test::expect_near;
using T = Taylor<double, 5>;

static_assert((Taylor<double, 2>(2) * Taylor<double, 2>(3)).value() == 6);
static_assert(T(1) < T(2) && T(2) == 2);
static_assert(std::is_same_v<Real<Taylor<Dual<float>, 3>>, float>);

/// Small coefficients of high order, as those of a function with a radius of convergence above 1.
T draw(test::Random& random) {
  T x;
  for (int k = 0; k <= 5; ++k) x[k] = random.uniform(-1, 1);
  return x;
}
T variable(double at) {
  T x(at);
  x[1] = 1;
  return x;
}
void same(const T& a, const T& b, double tolerance) {
  expect_near(a.coefficients, b.coefficients, tolerance);
}

TEST(Taylor, IsACommutativeRing) {
  test::for_random_cases(test::many / 10, [](test::Random& random) {
    const T a = draw(random), b = draw(random), c = draw(random);
    same(a * b, b * a, 4e-15);
    same((a * b) * c, a * (b * c), 3e-14);
    same(a * (b + c), a * b + a * c, 2e-14);
    same(a - a, T(0), 0);
    same(a + -b, a - b, 0);
    T d = b;
    d[0] = std::copysign(1 + std::abs(d[0]), d[0]);
    same(a / d * d, a, 1e-12);
  });
}

TEST(Taylor, PowerSeriesOfTextbooks) {
  const T t = variable(0);
  same(T(1) / (T(1) - t), taylor_from_derivatives<double, 5>([](int k) {
         const double factorials[] = {1, 1, 2, 6, 24, 120};
         return factorials[k];
       }),
       1e-15);
  const SinCos<T> f = sincos(t);
  expect_near(f.sin.coefficients, std::array{0., 1., 0., -1. / 6, 0., 1. / 120}, 1e-17);
  expect_near(f.cos.coefficients, std::array{1., 0., -.5, 0., 1. / 24, 0.}, 1e-17);
  expect_near(sqrt(T(1) + t).coefficients,
              std::array{1., .5, -1. / 8, 1. / 16, -5. / 128, 7. / 256}, 1e-16);
  expect_near(atan2(t, T(1)).coefficients, std::array{0., 1., 0., -1. / 3, 0., 1. / 5}, 1e-16);
  EXPECT_EQ((t * t * t).derivative(3), 6);
  EXPECT_EQ(evaluate(T(1) + t * t, 3.), 10);
}

TEST(Taylor, ElementaryFunctionsObeyTheirIdentities) {
  test::for_random_cases(test::many / 10, [](test::Random& random) {
    const T a = draw(random) * T(3);
    const SinCos<T> f = sincos(a);
    double size = 1;  // of the intermediate coefficients
    for (int k = 0; k <= 5; ++k) size = std::max({size, std::abs(f.sin[k]), std::abs(f.cos[k])});
    same(f.sin * f.sin + f.cos * f.cos, T(1), 1e-14 * size * size);
    T radius = draw(random);
    radius[0] = random.uniform(.5, 2);
    T turned = atan2(radius * f.sin, radius * f.cos);
    turned[0] = a[0] + std::remainder(turned[0] - a[0], 2 * pi<double>);
    same(turned, a, 1e-10 * size * size);
    same(sqrt(radius * radius), radius, 1e-11);
    same(abs(-radius), radius, 0);
  });
}

// An independent way to two derivatives.
TEST(Taylor, AgreesWithNestedDualNumbers) {
  using DD = Dual<Dual<double>>;
  const auto f = [](const auto& x, const auto& y) {
    const auto s = sincos(x * y);
    return sqrt(s.cos + x) / (y + s.sin) + atan2(y, x * x) * abs(y);
  };
  test::for_random_cases(test::many / 10, [&](test::Random& random) {
    const double x = random.uniform(1.2, 2), y = random.uniform(1.2, 2);
    const double dx = random.uniform(-1, 1), dy = random.uniform(-1, 1);
    const DD dual = f(DD({x, dx}, {dx, 0}), DD({y, dy}, {dy, 0}));
    T s(x), t(y);
    s[1] = dx;
    t[1] = dy;
    const T taylor = f(s, t);
    expect_near(taylor.value(), dual.real.real, 1e-14);
    expect_near(taylor.derivative(1), dual.dual.real, 1e-13);
    expect_near(taylor.derivative(2), dual.dual.dual, 1e-12);
  });
}

// The polynomial of exp X(t) next to exp X at a later time: the remainder falls with t^6.
TEST(Taylor, FollowsAPoseInTime) {
  test::for_random_cases(200, [](test::Random& random) {
    Vec6<T> X;
    for (int c = 0; c < 6; ++c) X[c] = draw(random);
    const SE3<T> pose = exp(X);
    const auto error = [&](double t) {
      Vec6<double> x;
      for (int c = 0; c < 6; ++c) x[c] = evaluate(X[c], t);
      const SE3<double> expected = exp(x);
      double worst = 0;
      for (int i = 0; i < 3; ++i) {
        worst = std::max(worst, test::largest_difference(evaluate(pose.p[i], t), expected.p[i]));
        for (int j = 0; j < 3; ++j)
          worst = std::max(worst, test::largest_difference(evaluate(pose.R.matrix(i, j), t),
                                                           expected.R.matrix(i, j)));
      }
      return worst;
    };
    const double coarse = error(.04), fine = error(.02);
    EXPECT_LT(coarse, 1e-5);
    if (fine > 1e-12) {
      EXPECT_GT(coarse / fine, 40) << "2^6 = 64";
    }
  });
}

TEST(Taylor, RunsInLanesAndBranchesByItsValue) {
  using P = Pack<double, 2>;
  Taylor<P, 2> a(P(-0.5));
  a[1] = P(1.0);
  EXPECT_EQ(sincos(a).sin[1][1], sincos(0.5).cos);
  EXPECT_EQ(abs(a)[1][0], -1);
  EXPECT_EQ(select(a < Taylor<P, 2>(1), a, -a)[0][1], -.5);
  EXPECT_TRUE(all_of(is_finite(a)));
  T b = variable(1);
  EXPECT_TRUE(is_finite(b));
  b[4] = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(is_finite(b));
  EXPECT_EQ(max(variable(2), T(3))[1], 0);
}

}  // namespace
}  // namespace axode::test::taylor_test
