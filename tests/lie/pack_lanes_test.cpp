// Compiled once per instruction set: the templates in lanes against the same in double.
#include "axode/core/instruction_set.hpp"
#include "axode/lie/dual.hpp"
#include "axode/lie/g2.hpp"
#include "axode/lie/pack.hpp"
#include "axode/lie/rotation.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::pack_lanes_test {
namespace {

constexpr int n = AXODE_LANES;
using P = Pack<double, n>;
using test::expect_near;

static_assert(sizeof(P) == n * sizeof(double));

/// The value in one lane of anything made of packs.
Vec3<double> lane(const Vec3<P>& a, int i) { return {a.x[i], a.y[i], a.z[i]}; }
Vec6<double> lane(const Vec6<P>& a, int i) { return {lane(a.angular, i), lane(a.linear, i)}; }
Mat3<double> lane(const Mat3<P>& a, int i) { return {lane(a.x, i), lane(a.y, i), lane(a.z, i)}; }
Mat6<double> lane(const Mat6<P>& a, int i) {
  return {lane(a.aa, i), lane(a.al, i), lane(a.la, i), lane(a.ll, i)};
}
SE3<double> lane(const SE3<P>& a, int i) { return {{lane(a.R.matrix, i)}, lane(a.p, i)}; }

void set_lane(Vec3<P>& a, int i, const Vec3<double>& x) {
  for (int k = 0; k < 3; ++k) a[k].set(i, x[k]);
}
void set_lane(Vec6<P>& a, int i, const Vec6<double>& x) {
  set_lane(a.angular, i, x.angular);
  set_lane(a.linear, i, x.linear);
}
void set_lane(SE3<P>& a, int i, const SE3<double>& x) {
  for (int k = 0; k < 3; ++k) set_lane(a.R.matrix.column(k), i, x.R.matrix.column(k));
  set_lane(a.p, i, x.p);
}

/// One suite per width, so that the objects of one executable do not clash.
using Widths = ::testing::Types<std::integral_constant<int, n>>;
template <class T>
class PackOf : public ::testing::Test {};
struct WidthName {
  template <class T>
  static std::string GetName(int) {
    return std::to_string(T::value) + "lanes";
  }
};
TYPED_TEST_SUITE(PackOf, Widths, WidthName);

TYPED_TEST(PackOf, ArithmeticIsLaneWiseAndExact) {
  test::for_random_cases(test::many, [](test::Random& random) {
    P a, b;
    for (int i = 0; i < n; ++i) {
      a.set(i, random.uniform(-3, 3));
      b.set(i, random.uniform(-3, 3));
    }
    for (int i = 0; i < n; ++i) {
      EXPECT_EQ((a + b)[i], a[i] + b[i]);
      EXPECT_EQ((a - b)[i], a[i] - b[i]);
      EXPECT_EQ((a * b)[i], a[i] * b[i]);
      EXPECT_EQ((a / b)[i], a[i] / b[i]);
      EXPECT_EQ((-a)[i], -a[i]);
      EXPECT_EQ(abs(a)[i], std::abs(a[i]));
      EXPECT_EQ(sqrt(abs(a))[i], std::sqrt(std::abs(a[i])));
      EXPECT_EQ(max(a, b)[i], std::max(a[i], b[i]));
      EXPECT_EQ(select(a < b, a, b)[i], std::min(a[i], b[i]));
      EXPECT_EQ(select(a >= b || a == b, a, b)[i], std::max(a[i], b[i]));
      EXPECT_EQ(select(!(a > P(0)) && b != a, P(1), P(2))[i], a[i] > 0 ? 2 : 1);
    }
  });
}

TYPED_TEST(PackOf, LoadStoreAndMasks) {
  double memory[2 * n + 1];
  for (int i = 0; i <= 2 * n; ++i) memory[i] = i;
  const P a = P::load(memory + 1);  // not aligned
  for (int i = 0; i < n; ++i) EXPECT_EQ(a[i], i + 1);
  P(7).store(memory + 3);
  EXPECT_EQ(memory[3], 7);
  EXPECT_EQ(memory[2], 2);
  EXPECT_TRUE(all_of(a > P(0)));
  EXPECT_FALSE(all_of(a > P(1)));
  EXPECT_TRUE(any_of(a > P(1)));
  EXPECT_FALSE(any_of(a > P(n)));
  P bad = a;
  bad.set(n - 1, std::numeric_limits<double>::quiet_NaN());
  EXPECT_FALSE(all_of(is_finite(bad)));
  EXPECT_TRUE(all_of(is_finite(a)));
  const double infinity = std::numeric_limits<double>::infinity();
  for (double x : {infinity, -infinity}) {
    bad.set(n - 1, x);
    EXPECT_FALSE(all_of(is_finite(bad))) << x;
    EXPECT_TRUE(any_of(is_finite(bad)));
  }
}

TYPED_TEST(PackOf, GroupFunctionsAgreeWithDoubleLaneByLane) {
  double worst = 0;
  test::for_random_cases(test::many / n, [&](test::Random& random) {
    Vec6<P> X;
    SE3<P> T;
    for (int i = 0; i < n; ++i) {
      // Some lanes beyond pi, so that lanes take different branches.
      const double beyond = random.integer(0, 7) == 0 ? 2.5 : 1;
      set_lane(X, i, {random.rotation_vector() * beyond, random.vec3()});
      set_lane(T, i, random.pose());
    }
    const SE3<P> E = exp(X);
    const Vec6<P> L = log(T), A = Ad(T, X), B = ad(X, L);
    const Mat6<P> J = left_jacobian(X), K = left_jacobian_inverse(L);
    const Vec3<P> rpy = to_roll_pitch_yaw(T.R);
    const SE3<P> C = T * E;
    const Vec3<P> moved = T * X.linear;
    const P length = norm(X.linear);
    for (int i = 0; i < n; ++i) {
      const Vec6<double> x = lane(X, i);
      const SE3<double> t = lane(T, i);
      // Only contraction to FMA can make the lanes differ: a few round-offs of numbers up to 50.
      const auto same = [&](const auto& in_lane, const auto& alone, const char* what) {
        const double d = test::largest_difference(in_lane, alone);
        worst = std::max(worst, d);
        if (!(d <= 4e-14)) expect_near(in_lane, alone, 4e-14, what);
      };
      same(lane(E, i), exp(x), "exp");
      same(lane(L, i), log(t), "log");
      same(lane(A, i), Ad(t, x), "Ad");
      same(lane(B, i), ad(x, log(t)), "ad");
      same(lane(J, i), left_jacobian(x), "dexp");
      same(lane(K, i), left_jacobian_inverse(log(t)), "dexp inverse");
      same(lane(C, i), t * exp(x), "product");
      same(lane(moved, i), t * x.linear, "point");
      same(length[i], norm(x.linear), "norm");
      same(rotation_from_roll_pitch_yaw(rpy.x[i], rpy.y[i], rpy.z[i]), t.R, "angles");
    }
  });
  test::record("worst_difference", worst);
}

TYPED_TEST(PackOf, BadLanesDoNotSpoilTheOthers) {
  Vec6<P> X{{P(0.1), P(0.2), P(0.3)}, {P(1), P(2), P(3)}};
  const Vec6<double> good = lane(X, 0);
  X.angular.x.set(n - 1, std::numeric_limits<double>::quiet_NaN());
  const SE3<P> T = exp(X);
  expect_near(lane(T, 0), exp(good), 1e-15);
  EXPECT_TRUE(std::isnan(T.p.x[n - 1]));
  X.angular.x.set(n - 1, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(exp(X).p.x[n - 1]));
  expect_near(lane(exp(X), 0), exp(good), 1e-15);
}

TYPED_TEST(PackOf, DualNumbersAndDualGroupsRunInLanes) {
  test::for_random_cases(1000, [](test::Random& random) {
    Vec6<P> X, d;
    for (int i = 0; i < n; ++i) {
      set_lane(X, i, random.vec6());
      set_lane(d, i, random.vec6());
    }
    const G2<P> Y = exp_g2(make_dual(X, d));
    const DualTwist<P> back = log(exp(make_dual(X * P(0.5), d)));
    for (int i = 0; i < n; ++i) {
      const G2<double> alone = exp_g2(make_dual(lane(X, i), lane(d, i)));
      expect_near(lane(Y.X.theta, i), alone.X.theta, 1e-14);
      expect_near(lane(dual_part(Y.v), i), dual_part(alone.v), 4e-14);
      const auto reference = log(exp(make_dual(lane(X, i) * 0.5, lane(d, i))));
      expect_near(lane(dual_part(back), i), dual_part(reference), 1e-11);
    }
  });
}

TYPED_TEST(PackOf, FloatLanes) {
  using F = Pack<float, 2 * n>;
  F a(0.5f);
  a.set(1, 2.0f);
  EXPECT_EQ((a * a)[1], 4.0f);
  EXPECT_EQ(sqrt(a * a)[1], 2.0f);
  EXPECT_EQ(sincos(a).sin[1], sincos(2.0f).sin);
  EXPECT_EQ(abs(-a)[0], 0.5f);
  EXPECT_NEAR(exp(Vec3<F>{F(0), F(0), a}).matrix.x.y[1], std::sin(2.0f), 2e-7);
}

}  // namespace
}  // namespace axode::test::pack_lanes_test
