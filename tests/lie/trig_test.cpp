/// sincos and atan2 of numbers and arrays: accuracy against 113-bit arithmetic (libquadmath),
/// special values, the bits promised for every CPU, and the array form in every width this CPU has.
#include "axode/lie/trig.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "axode/core/error.hpp"
#include "axode/core/instruction_set.hpp"
#include "axode/lie/trig_kernel.hpp"

#if !defined(__clang__) && __has_include(<quadmath.h>)
#include <quadmath.h>
#define AXODE_QUAD
#endif

namespace axode::test::trig_test {
namespace {

#if defined(AXODE_QUAD)
__extension__ typedef __float128 Quad;
Quad exact_sin(double x) { return sinq(x); }
Quad exact_cos(double x) { return cosq(x); }
Quad exact_atan2(double y, double x) { return atan2q(y, x); }
Quad scaled(Quad x, int exponent) { return scalbnq(x, exponent); }
#else  // compilers without the library: 64 bits or more, enough for errors to 0.001 ulp
using Quad = long double;
Quad exact_sin(double x) { return std::sin(Quad{x}); }
Quad exact_cos(double x) { return std::cos(Quad{x}); }
Quad exact_atan2(double y, double x) { return std::atan2(Quad{y}, Quad{x}); }
Quad scaled(Quad x, int exponent) { return std::scalbn(x, exponent); }
#endif
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double smallest = std::numeric_limits<double>::denorm_min();
constexpr double half_pi = axode::pi<double> / 2;
#if defined(__OPTIMIZE__)
constexpr int arguments_per_kind = 300'000;
#else
constexpr int arguments_per_kind = 100'000;
#endif

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

/// splitmix64: the same numbers on every machine.
struct Random {
  std::uint64_t state;
  std::uint64_t word() {
    std::uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  double unit() { return static_cast<double>(word() >> 11) * 0x1p-53; }
  double between(double a, double b) { return a + (b - a) * unit(); }
  /// Any finite double, all exponents alike.
  double any() {
    const std::uint64_t w = word();
    const std::uint64_t exponent = (w >> 52 & 0x7ff) % 0x7ff;
    return std::bit_cast<double>((w & 0x800fffffffffffff) | exponent << 52);
  }
  /// Exponents from 2^low on.
  double exponents(int low, int count) {
    const std::uint64_t w = word();
    const std::uint64_t exponent = (w >> 52 & 0x7ff) % static_cast<unsigned>(count);
    return std::bit_cast<double>((w & 0x800fffffffffffff) |
                                 (exponent + static_cast<std::uint64_t>(1023 + low)) << 52);
  }
};

/// x, shifted by a few of its last bits.
double nudge(double x, std::uint64_t steps) {
  return std::bit_cast<double>(bits(x) + steps % 7 - 3);
}

/// |value - exact| in units of the last place of a double of that size.
double ulp_error(double value, Quad exact) {
  const int exponent = std::max(std::ilogb(static_cast<double>(exact)), -1022);
  return std::abs(static_cast<double>(scaled(value - exact, 52 - exponent)));
}

/// Largest error of sin and cos over the arguments that make() gives.
template <class Make>
double worst_sincos(Make&& make) {
  double worst = 0;
  for (int i = 0; i < arguments_per_kind; ++i) {
    const double x = make(i);
    const axode::SinCos<double> r = axode::sincos(x);
    const double error =
        std::max(x == 0 ? 0 : ulp_error(r.sin, exact_sin(x)), ulp_error(r.cos, exact_cos(x)));
    if (!(error <= worst)) worst = error;
  }
  testing::Test::RecordProperty("worst_ulp", std::to_string(worst));
  return worst;
}

template <class Make>
double worst_atan2(Make&& make) {
  double worst = 0;
  for (int i = 0; i < arguments_per_kind; ++i) {
    const auto [y, x] = make(i);
    const double error = ulp_error(axode::atan2(y, x), exact_atan2(y, x));
    if (!(error <= worst)) worst = error;
  }
  testing::Test::RecordProperty("worst_ulp", std::to_string(worst));
  return worst;
}

struct Point {
  double y, x;
};

TEST(Trig, SincosOfOneTurnIsAccurate) {
  Random random{1};
  EXPECT_LT(
      worst_sincos([&](int) { return random.between(-axode::pi<double>, axode::pi<double>); }),
      0.8);
}

TEST(Trig, SincosOfAnyExponentIsAccurate) {
  Random random{2};
  EXPECT_LT(worst_sincos([&](int) { return random.any(); }), 0.8);
}

TEST(Trig, SincosBesideMultiplesOfAQuarterTurnIsAccurate) {
  Random random{3};
  EXPECT_LT(worst_sincos([&](int i) {
              // Every small multiple, then random ones up to the end of the fast reduction and on.
              const double n = i < 50'000 ? i + 1 : std::floor(random.between(0, 2e6));
              return nudge(n * half_pi, random.word());
            }),
            0.8);
}

TEST(Trig, SincosAtTheEndsOfTheQuadrantsIsAccurate) {
  Random random{4};
  EXPECT_LT(worst_sincos([&](int i) {
              const double n = i % 1000 + 0.5;
              return n * half_pi * random.between(1 - 1e-6, 1 + 1e-6);
            }),
            0.8);
}

TEST(Trig, SincosOfHugeArgumentsIsAccurate) {
  Random random{5};
  EXPECT_LT(worst_sincos([&](int) { return random.exponents(18, 1006); }), 0.8);
}

TEST(Trig, SincosOfTheHardestArgumentsIsAccurate) {
  // 6381956970095103 * 2^797 is the double nearest to a multiple of pi/2; the others are the first
  // multiples themselves and both sides of the border between the two reductions.
  for (double x : {6381956970095103 * 0x1p797, half_pi, 2 * half_pi, 3 * half_pi, 0x1p20,
                   std::nextafter(0x1p20, 2e6), std::numeric_limits<double>::max()}) {
    for (double sign : {1., -1.}) {
      const axode::SinCos<double> r = axode::sincos(sign * x);
      EXPECT_LT(ulp_error(r.sin, exact_sin(sign * x)), 0.8) << x;
      EXPECT_LT(ulp_error(r.cos, exact_cos(sign * x)), 0.8) << x;
    }
  }
}

TEST(Trig, SincosOfSpecialValues) {
  EXPECT_EQ(bits(axode::sincos(-0.0).sin), bits(-0.0));
  EXPECT_EQ(bits(axode::sincos(0.0).sin), bits(0.0));
  EXPECT_EQ(axode::sincos(-0.0).cos, 1);
  for (double x : {smallest, 1e-310, 2.3e-308, 1e-200, 1e-20}) {
    EXPECT_EQ(axode::sincos(x).sin, x);
    EXPECT_EQ(axode::sincos(-x).sin, -x);
    EXPECT_EQ(axode::sincos(x).cos, 1);
  }
  for (double x : {infinity, -infinity, nan, -nan, std::numeric_limits<double>::signaling_NaN()}) {
    EXPECT_TRUE(std::isnan(axode::sincos(x).sin));
    EXPECT_TRUE(std::isnan(axode::sincos(x).cos));
  }
}

TEST(Trig, SincosIsOddAndEven) {
  Random random{6};
  for (int i = 0; i < 100'000; ++i) {
    const double x = i % 2 ? random.any() : random.between(-100, 100);
    const axode::SinCos<double> a = axode::sincos(x), b = axode::sincos(-x);
    ASSERT_EQ(bits(a.sin), bits(-b.sin)) << x;
    ASSERT_EQ(bits(a.cos), bits(b.cos)) << x;
  }
}

TEST(Trig, Atan2IsAccurate) {
  Random random{7};
  EXPECT_LT(worst_atan2([&](int) {
              return Point{random.between(-1, 1), random.between(-1, 1)};
            }),
            0.8);
}

TEST(Trig, Atan2OfAnyExponentsIsAccurate) {
  Random random{8};
  EXPECT_LT(worst_atan2([&](int i) {
              const double y = random.any();
              if (i % 2) return Point{y, random.any()};
              const double x = y * random.exponents(-40, 80);  // of a like size
              return Point{y, std::isfinite(x) ? x : 1};
            }),
            0.8);
}

TEST(Trig, Atan2OnTheFoldsIsAccurate) {
  Random random{9};
  EXPECT_LT(worst_atan2([&](int i) {
              const double x = random.exponents(-1020, 2040);
              const double ratio = i % 2 ? 1 : 0.41421356237309503;
              return Point{nudge(x * ratio, random.word()), i % 3 ? x : -x};
            }),
            0.8);
}

TEST(Trig, Atan2OfSpecialValuesIsThatOfC) {
  // Whatever the last bit of the C library: in these cases the rounded result is beyond doubt.
  const double values[] = {0., 1., smallest, 1e-310, 1e-300, 1e300, 1e308, infinity};
  for (double y : values)
    for (double x : values)
      for (double sy : {1., -1.})
        for (double sx : {1., -1.}) {
          const double got = axode::atan2(sy * y, sx * x);
          EXPECT_EQ(bits(got), bits(static_cast<double>(exact_atan2(sy * y, sx * x))))
              << sy * y << ", " << sx * x;
        }
  for (double x : {0., -1., infinity, nan}) {
    EXPECT_TRUE(std::isnan(axode::atan2(nan, x)));
    EXPECT_TRUE(std::isnan(axode::atan2(x, nan)));
  }
}

TEST(Trig, FloatsAreRoundedFromDouble) {
  Random random{10};
  for (int i = 0; i < 100'000; ++i) {
    const float x = static_cast<float>(random.between(-1e4, 1e4));
    const float y = static_cast<float>(random.between(-1e4, 1e4));
    ASSERT_EQ(axode::sincos(x).sin, static_cast<float>(axode::sincos(double{x}).sin));
    ASSERT_EQ(axode::sincos(x).cos, static_cast<float>(axode::sincos(double{x}).cos));
    ASSERT_EQ(axode::atan2(y, x), static_cast<float>(axode::atan2(double{y}, double{x})));
  }
  EXPECT_TRUE(std::isnan(axode::sincos(std::numeric_limits<float>::infinity()).cos));
}

/// FNV-1a over the bytes of a double, little end first.
std::uint64_t hash(std::uint64_t h, double x) {
  for (int i = 0; i < 64; i += 8) h = (h ^ (bits(x) >> i & 0xff)) * 0x100000001b3;
  return h;
}

TEST(Trig, TheBitsAreTheSameOnEveryMachine) {
  // Change these two numbers only together with the arithmetic of trig_kernel.hpp.
  Random random{11};
  std::uint64_t sines = 0xcbf29ce484222325, angles = sines;
  for (int i = 0; i < 200'000; ++i) {
    const double y = i % 2 ? random.any() : random.exponents(-6, 12), x = random.exponents(-6, 12);
    const axode::SinCos<double> r = axode::sincos(y);
    sines = hash(hash(sines, r.sin), r.cos);
    angles = hash(angles, axode::atan2(y, x));
  }
  EXPECT_EQ(sines, 12722441381403113892u);
  EXPECT_EQ(angles, 3619059358541241388u);
}

using ArrayFunction = void (*)(const double*, double*, double*, std::size_t) noexcept;

/// The array forms this CPU can run.
std::vector<ArrayFunction> array_functions() {
  std::vector<ArrayFunction> all{axode::detail::sincos_array<axode::Pack<double, 2>>};
#if defined(__x86_64__)
  const axode::InstructionSet best = axode::best_instruction_set();
  if (best >= axode::InstructionSet::avx2)
    all.push_back(axode::detail::sincos_array<axode::Pack<double, 4>>);
  if (best >= axode::InstructionSet::avx512)
    all.push_back(axode::detail::sincos_array<axode::Pack<double, 8>>);
#endif
  return all;
}

TEST(Trig, ArraysHaveTheBitsOfNumbers) {
  Random random{12};
  std::vector<double> x(20'000);
  for (double& v : x) v = random.word() % 64 == 0 ? random.any() : random.between(-50, 50);
  for (unsigned size : {0u, 1u, 2u, 3u, 5u, 7u, 8u, 9u, 15u, 17u, 100u, 19'999u, 20'000u}) {
    const std::span<const double> part(x.data(), size);
    std::vector<double> s(size + 1, 7), c(size + 1, 7);
    axode::sincos(part, std::span(s.data(), size), std::span(c.data(), size));
    EXPECT_EQ(s[size], 7);
    EXPECT_EQ(c[size], 7);
    for (ArrayFunction f : array_functions()) {
      std::vector<double> s2(size + 1, 7), c2(size + 1, 7);
      f(x.data(), s2.data(), c2.data(), size);
      EXPECT_EQ(s, s2);
      EXPECT_EQ(c, c2);
    }
    for (std::size_t i = 0; i < size; ++i) {
      ASSERT_EQ(bits(s[i]), bits(axode::sincos(x[i]).sin)) << x[i];
      ASSERT_EQ(bits(c[i]), bits(axode::sincos(x[i]).cos)) << x[i];
    }
  }
}

TEST(Trig, ArraysMayOverwriteTheirInput) {
  std::vector<double> x(29), s(29), c(29), other(29);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i) * 0.37;
  axode::sincos(x, s, c);
  std::vector<double> in_place = x;
  axode::sincos(in_place, in_place, other);
  EXPECT_EQ(in_place, s);
  EXPECT_EQ(other, c);
  in_place = x;
  axode::sincos(in_place, other, in_place);
  EXPECT_EQ(in_place, c);
  EXPECT_EQ(other, s);
}

TEST(Trig, ArraysOfUnequalLengthAreRefused) {
  std::vector<double> three(3), four(4), five(5);
  try {
    axode::sincos(three, four, five);
    FAIL() << "no error";
  } catch (const axode::Error& e) {
    const std::string what = e.what();
    for (const char* length : {"3", "4", "5"}) EXPECT_NE(what.find(length), what.npos) << what;
  }
}

}  // namespace
}  // namespace axode::test::trig_test
