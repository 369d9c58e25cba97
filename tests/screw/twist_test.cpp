/// Typed six-vectors: arithmetic, pairing, order of the parts, and a proof at compile time of which
/// combinations of representations and quantities exist and which do not.
#include "axode/screw/twist.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

#include "axode/lie/dual.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::twist_test {
namespace {

constexpr double eps = epsilon<double>;

// What compiles -----------------------------------------------------------------------------------

template <class A, class B>
constexpr bool adds = requires(A a, B b) {
  a + b;
};
template <class A, class B>
constexpr bool subtracts = requires(A a, B b) {
  a - b;
};
template <class A, class B>
constexpr bool adds_in_place = requires(A a, B b) {
  a += b;
};
template <class A, class B>
constexpr bool subtracts_in_place = requires(A a, B b) {
  a -= b;
};
template <class A, class B>
constexpr bool assigns = std::is_assignable_v<A&, B>;
template <class A, class B>
constexpr bool constructs = std::is_constructible_v<A, B> || requires(B b) {
  A{b};
};
template <class A, class B>
constexpr bool converts = std::is_convertible_v<B, A>;
template <class A, class B>
constexpr bool compares = requires(A a, B b) {
  a == b;
}
|| requires(A a, B b) { a != b; };
template <class A, class B>
constexpr bool pairs = requires(A a, B b) {
  pairing(a, b);
};

/// All 16 types, counted by quantity, then representation.
constexpr std::size_t count = 16;
constexpr Quantity quantity_of(std::size_t i) { return static_cast<Quantity>(i / 4); }
constexpr Rep rep_of(std::size_t i) { return static_cast<Rep>(i % 4); }
template <std::size_t i, class S = double>
using Type = SixVector<quantity_of(i), rep_of(i), S>;

template <std::size_t i, std::size_t j>
constexpr bool combination_is_right() {
  using A = Type<i>;
  using B = Type<j>;
  constexpr bool same = i == j;
  constexpr bool dual =
      (quantity_of(i) == Quantity::wrench || quantity_of(i) == Quantity::momentum) &&
      quantity_of(j) == Quantity::twist && rep_of(i) == rep_of(j);
  static_assert(std::is_same_v<A, B> == same);
  static_assert(adds<A, B> == same);
  static_assert(subtracts<A, B> == same);
  static_assert(adds_in_place<A, B> == same);
  static_assert(subtracts_in_place<A, B> == same);
  static_assert(assigns<A, B> == same);
  static_assert(constructs<A, B> == same);
  static_assert(converts<A, B> == same);
  static_assert(compares<A, B> == same);
  static_assert(pairs<A, B> == dual);
  return true;
}
template <std::size_t... k>
constexpr bool all_combinations_are_right(std::index_sequence<k...>) {
  return (combination_is_right<k / count, k % count>() && ...);
}
static_assert(all_combinations_are_right(std::make_index_sequence<count * count>{}));

template <std::size_t i>
constexpr bool keeps_to_itself() {
  using A = Type<i>;
  // Not with bare six-vectors, nor with itself in another scalar; six() is the only way out.
  static_assert(!adds<A, Vec6<double>> && !adds<Vec6<double>, A>);
  static_assert(!compares<A, Vec6<double>> && !assigns<A, Vec6<double>>);
  static_assert(!converts<A, Vec6<double>> && !converts<Vec6<double>, A>);
  static_assert(!adds<A, Type<i, float>> && !assigns<A, Type<i, float>>);
  static_assert(!pairs<A, Vec6<double>> && !pairs<Vec6<double>, A>);
  // No product of two of them, no scalar as a vector.
  static_assert(!requires(A a) { a* a; });
  static_assert(!adds<A, double> && !assigns<A, double> && !converts<A, double>);
  // Plain data: no more than six numbers, registers and memcpy will do.
  static_assert(sizeof(A) == 6 * sizeof(double) && std::is_trivially_copyable_v<A> &&
                std::is_aggregate_v<A> && std::is_standard_layout_v<A>);
  return true;
}
template <std::size_t... i>
constexpr bool all_keep_to_themselves(std::index_sequence<i...>) {
  return (keeps_to_itself<i>() && ...);
}
static_assert(all_keep_to_themselves(std::make_index_sequence<count>{}));

static_assert(std::is_same_v<Twist<Rep::body>, SixVector<Quantity::twist, Rep::body, double>>);
static_assert(std::is_same_v<Acceleration<Rep::spatial, float>,
                             SixVector<Quantity::acceleration, Rep::spatial, float>>);
static_assert(std::is_same_v<Wrench<Rep::hybrid>, SixVector<Quantity::wrench, Rep::hybrid>>);
static_assert(std::is_same_v<Momentum<Rep::mixed>, SixVector<Quantity::momentum, Rep::mixed>>);

// Everything is constexpr.
constexpr Twist<Rep::body> constant{{1, 2, 3}, {4, 5, 6}};
static_assert(constant + constant == 2 * constant && constant - constant == Twist<Rep::body>{});
static_assert(-constant == constant * -1);
static_assert(pairing(Wrench<Rep::body>{{1, 0, 0}, {0, 0, 2}}, constant) == 13);
static_assert(linear_first(constant) == std::array<double, 6>{4, 5, 6, 1, 2, 3});

// Arithmetic --------------------------------------------------------------------------------------

template <class Typed>
Typed make(const Vec6<double>& a) {
  return {a.angular, a.linear};
}

template <class Typed>
class SixVectorArithmetic : public ::testing::Test {};
template <class>
struct AllTypes;
template <std::size_t... i>
struct AllTypes<std::index_sequence<i...>> {
  using type = ::testing::Types<Type<i>...>;
};
TYPED_TEST_SUITE(SixVectorArithmetic, AllTypes<std::make_index_sequence<count>>::type);

/// Component by component the operations are single roundings, so the results are equal, not near.
TYPED_TEST(SixVectorArithmetic, ActsOnEachComponent) {
  for_random_cases(many / 10, [](Random& random) {
    const double size = random.log_uniform(1e-100, 1e100), s = random.uniform(-3, 3);
    const Vec6<double> x = random.vec6(size), y = random.vec6(size);
    const TypeParam a = make<TypeParam>(x), b = make<TypeParam>(y);
    const TypeParam sum = a + b, difference = a - b, minus = -a, left = s * a, right = a * s;
    bool equal = true;
    for (int i = 0; i < 6; ++i)
      equal = equal && sum.six()[i] == x[i] + y[i] && difference.six()[i] == x[i] - y[i] &&
              minus.six()[i] == -x[i] && left.six()[i] == s * x[i] && right.six()[i] == s * x[i];
    EXPECT_TRUE(equal);
    TypeParam c = a;
    c += b;
    EXPECT_TRUE(c == sum && !(c != sum));
    c -= b;
    EXPECT_TRUE(c == sum - b);
    c += c;
    EXPECT_TRUE(c == (sum - b) * 2.0);
    const TypeParam& itself = c;
    c -= itself;
    EXPECT_TRUE(c == TypeParam{});
  });
}

TYPED_TEST(SixVectorArithmetic, EqualityLooksAtEveryComponent) {
  const TypeParam a = make<TypeParam>({{1, 2, 3}, {4, 5, 6}});
  for (int i = 0; i < 6; ++i) {
    Vec6<double> x = a.six();
    x[i] = std::nextafter(x[i], 10.0);
    EXPECT_TRUE(make<TypeParam>(x) != a) << i;
    x[i] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(make<TypeParam>(x) == make<TypeParam>(x)) << "NaN equals nothing";
  }
  EXPECT_TRUE(make<TypeParam>({{0., 0, 0}, {0, 0, 0}}) ==
              make<TypeParam>({{-0., 0, 0}, {0, 0, 0}}));
}

TYPED_TEST(SixVectorArithmetic, DefaultsToZero) {
  const TypeParam zero{};
  for (int i = 0; i < 6; ++i) EXPECT_EQ(zero.six()[i], 0);
}

TYPED_TEST(SixVectorArithmetic, ExtremesFollowFloatingPointRules) {
  constexpr double largest = std::numeric_limits<double>::max(),
                   smallest = std::numeric_limits<double>::denorm_min(),
                   infinity = std::numeric_limits<double>::infinity();
  const TypeParam a = make<TypeParam>({{largest, smallest, infinity}, {-infinity, 0, -largest}});
  const Vec6<double> sum = (a + a).six(), difference = (a - a).six();
  EXPECT_EQ(sum.angular.x, infinity);
  EXPECT_EQ(sum.angular.y, 2 * smallest);
  EXPECT_EQ(sum.linear.z, -infinity);
  EXPECT_EQ(difference.angular.x, 0);
  EXPECT_TRUE(std::isnan(difference.angular.z) && std::isnan(difference.linear.x));
}

TYPED_TEST(SixVectorArithmetic, LinearFirstThereAndBack) {
  for_random_cases(many / 10, [](Random& random) {
    const TypeParam a = make<TypeParam>(random.vec6(random.log_uniform(1e-300, 1e300)));
    const std::array<double, 6> n = linear_first(a);
    EXPECT_TRUE((n == std::array{a.linear.x, a.linear.y, a.linear.z, a.angular.x, a.angular.y,
                                 a.angular.z}));
    EXPECT_TRUE(from_linear_first<TypeParam>(n) == a);
    EXPECT_TRUE(linear_first(from_linear_first<TypeParam>(n)) == n);
  });
}

// Pairing -----------------------------------------------------------------------------------------

template <Rep rep>
void expect_pairing_is_bilinear(Random& random) {
  const double force = random.log_uniform(1e-50, 1e50), speed = random.log_uniform(1e-50, 1e50);
  const Vec6<double> w = random.vec6(force), u = random.vec6(force);
  const Vec6<double> v = random.vec6(speed), y = random.vec6(speed);
  const auto W = make<Wrench<rep>>(w), U = make<Wrench<rep>>(u);
  const auto V = make<Twist<rep>>(v), Y = make<Twist<rep>>(y);
  long double power = 0, size = 0;  // of the six products
  for (int i = 0; i < 6; ++i) {
    const long double term = static_cast<long double>(w[i]) * v[i];
    power += term;
    size += std::abs(term);
  }
  // Six products and five sums: no term passes through more than 5 roundings of eps/2.
  expect_near(pairing(W, V), static_cast<double>(power), 2.5 * eps * double(size), "power");
  EXPECT_TRUE(pairing(make<Momentum<rep>>(w), V) == pairing(W, V));
  const double bound = 6 * force * speed * 4;
  expect_near(pairing(W + U, V), pairing(W, V) + pairing(U, V), 6 * eps * bound, "sum of wrenches");
  expect_near(pairing(W, V - Y), pairing(W, V) - pairing(W, Y), 6 * eps * bound, "sum of twists");
  EXPECT_TRUE(pairing(4.0 * W, V) == 4 * pairing(W, V) && pairing(W, -V) == -pairing(W, V));
}

TEST(Pairing, IsTheSumOfProducts) {
  for_random_cases(many, [](Random& random) {
    expect_pairing_is_bilinear<Rep::body>(random);
    expect_pairing_is_bilinear<Rep::spatial>(random);
    expect_pairing_is_bilinear<Rep::hybrid>(random);
    expect_pairing_is_bilinear<Rep::mixed>(random);
  });
}

TEST(Pairing, OfUnitComponents) {
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      Vec6<double> w{}, v{};
      w[i] = 3;
      v[j] = 2;
      EXPECT_EQ(pairing(make<Wrench<Rep::mixed>>(w), make<Twist<Rep::mixed>>(v)), i == j ? 6 : 0);
    }
}

TEST(Pairing, PassesNaNOn) {
  Vec6<double> w{};
  for (int i = 0; i < 6; ++i) {
    w[i] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(std::isnan(pairing(make<Wrench<Rep::body>>(w), Twist<Rep::body>{})));
    w[i] = 0;
  }
}

// Other scalars -----------------------------------------------------------------------------------

TEST(SixVectorScalars, DualNumbersDifferentiate) {
  using D = Dual<double>;
  const Wrench<Rep::body, D> W{{D(1, 2), D(0), D(0)}, {D(0), D(3, -1), D(0)}};
  const Twist<Rep::body, D> V{{D(5, 1), D(0), D(0)}, {D(0), D(7, 4), D(0)}};
  const D power = pairing(W, V);
  EXPECT_EQ(power.real, 26);
  EXPECT_EQ(power.dual, 2 * 5 + 1 * 1 - 1 * 7 + 3 * 4);
  EXPECT_EQ((W + W).angular.x.dual, 4);
  EXPECT_EQ((D(2, 1) * V).linear.y.dual, 7 + 8);
}

TEST(SixVectorScalars, Float) {
  const Twist<Rep::hybrid, float> V{{1, 2, 3}, {4, 5, 6}};
  EXPECT_EQ(pairing(Wrench<Rep::hybrid, float>{{1, 1, 1}, {1, 1, 1}}, V), 21.0F);
  const std::array<float, 6> n = linear_first(V * 0.5F);
  EXPECT_EQ(n[0], 2.0F);
  EXPECT_TRUE((from_linear_first<Twist<Rep::hybrid, float>>(n) + V * 0.5F == V));
}

}  // namespace
}  // namespace axode::test::twist_test
