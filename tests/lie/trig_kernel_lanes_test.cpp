/// Every lane of a Pack has the bits of the scalar function. Compiled once per AXODE_LANES.
#include <gtest/gtest.h>

#include <limits>

#include "axode/core/instruction_set.hpp"
#include "axode/lie/trig.hpp"
#include "axode/lie/trig_kernel.hpp"

#if AXODE_LANES == 8
#define AXODE_SUITE TrigKernel8Lanes
#elif AXODE_LANES == 4
#define AXODE_SUITE TrigKernel4Lanes
#else
#define AXODE_SUITE TrigKernel2Lanes
#endif

namespace axode::test::trig_kernel_lanes_test {
namespace {

using P = axode::Pack<double, AXODE_LANES>;
using F = axode::Pack<float, AXODE_LANES>;

bool runs_here() { return axode::double_lanes(axode::best_instruction_set()) >= P::lanes; }

std::uint64_t bits(double x) { return __builtin_bit_cast(std::uint64_t, x); }

/// The same bits, where all NaN count as one.
bool same(double a, double b) { return bits(a) == bits(b) || (a != a && b != b); }

const double special[] = {0.,
                          -0.,
                          1.,
                          -1.,
                          5e-324,
                          -5e-324,
                          1e-310,
                          -1e-310,
                          0x1p20,
                          -0x1p20,
                          1048577,
                          1e22,
                          -1e300,
                          1e308,
                          0.7853981633974483,
                          1.5707963267948966,
                          3.141592653589793,
                          2.2e-308,
                          std::numeric_limits<double>::infinity(),
                          -std::numeric_limits<double>::infinity(),
                          std::numeric_limits<double>::quiet_NaN()};

/// Mostly common arguments, some of any size, some special values.
double argument(std::uint64_t& state) {
  std::uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  z ^= z >> 31;
  if (z % 16 == 0) return __builtin_bit_cast(double, z * 0x2545f4914f6cdd1d);
  if (z % 16 == 1) return special[(z >> 8) % (sizeof special / sizeof *special)];
  return (static_cast<double>(z >> 11) * 0x1p-52 - 1) * 10;
}

/// Calls check(y, x) with 100,000 pairs of packs, if the CPU has the instructions.
template <class Check>
void for_all_packs(Check&& check) {
  if (!runs_here()) {
    SUCCEED() << "this CPU lacks the instructions";
    return;
  }
  std::uint64_t state = 42;
  for (int i = 0; i < 100'000 && !testing::Test::HasFailure(); ++i) {
    P y, x;
    for (int lane = 0; lane < P::lanes; ++lane) {
      y.set(lane, argument(state));
      x.set(lane, argument(state));
    }
    check(y, x);
  }
}

TEST(AXODE_SUITE, SincosHasTheBitsOfTheScalar) {
  for_all_packs([](const P& y, const P&) {
    const axode::SinCos<P> r = axode::sincos(y);
    for (int i = 0; i < P::lanes; ++i) {
      const axode::SinCos<double> one = axode::sincos(y[i]);
      EXPECT_TRUE(same(r.sin[i], one.sin) && same(r.cos[i], one.cos)) << y[i];
    }
  });
}

TEST(AXODE_SUITE, Atan2HasTheBitsOfTheScalar) {
  for_all_packs([](const P& y, const P& x) {
    const P r = axode::atan2(y, x);
    for (int i = 0; i < P::lanes; ++i)
      EXPECT_TRUE(same(r[i], axode::atan2(y[i], x[i]))) << y[i] << ", " << x[i];
  });
}

TEST(AXODE_SUITE, FloatLanesAreTheScalarFunctions) {
  for_all_packs([](const P& y, const P& x) {
    F fy, fx;
    for (int i = 0; i < F::lanes; ++i) {
      fy.set(i, static_cast<float>(y[i]));
      fx.set(i, static_cast<float>(x[i]));
    }
    const axode::SinCos<F> r = axode::sincos(fy);
    const F angle = axode::atan2(fy, fx);
    for (int i = 0; i < F::lanes; ++i) {
      const axode::SinCos<float> one = axode::sincos(fy[i]);
      EXPECT_TRUE(same(r.sin[i], one.sin) && same(r.cos[i], one.cos)) << fy[i];
      EXPECT_TRUE(same(angle[i], axode::atan2(fy[i], fx[i]))) << fy[i] << ", " << fx[i];
    }
  });
}

}  // namespace
}  // namespace axode::test::trig_kernel_lanes_test
