// Compiled once per instruction set: three numbers in a register against Vec3<double>.
#include <gtest/gtest.h>

#include "axode/engine/detail/kernels/wide3.hpp"
#include "tests/support/lanes.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::wide3_lanes_test {
namespace {

constexpr int lanes = AXODE_LANES;
using W = Wide3<Pack<double, lanes>>;

W wide(const Vec3<double>& a) {
  const std::array<double, 4> numbers{a.x, a.y, a.z, 0};
  return W::load(numbers.data());
}
/// The three numbers; the fourth must be zero.
Vec3<double> three(const W& a) {
  std::array<double, 4> numbers{};
  a.store(numbers.data());
  EXPECT_EQ(numbers[3], 0);
  return {numbers[0], numbers[1], numbers[2]};
}

template <class>
class Wide3InLanes : public testing::Test {};
TYPED_TEST_SUITE(Wide3InLanes, Width<lanes>, WidthName);

TYPED_TEST(Wide3InLanes, SumsAndMultiplesAreThoseOfNumbers) {
  for_random_cases(1000, [](Random& random) {
    const Vec3<double> a = random.vec3(), b = random.vec3();
    const double s = random.uniform(-3, 3);
    EXPECT_EQ(three(wide(a) + wide(b)), a + b);
    EXPECT_EQ(three(wide(a) - wide(b)), a - b);
    EXPECT_EQ(three(-wide(a)), -a);
    EXPECT_EQ(three(wide(a) * s), a * s);
    EXPECT_EQ(three(s * wide(a)), a * s);
    W sum = wide(a), copy;
    sum += wide(b);
    EXPECT_EQ(three(sum), a + b);
    sum -= wide(b);
    copy = sum;
    EXPECT_EQ(three(copy), (a + b) - b);
    EXPECT_EQ(three(W(copy)), (a + b) - b);
  });
}

TYPED_TEST(Wide3InLanes, Products) {
  double worst = 0;
  for_random_cases(1000, [&](Random& random) {
    const Vec3<double> a = random.vec3(), b = random.vec3();
    const auto near = [&](const auto& found, const auto& expected) {  // but for contraction to FMA
      const double error = largest_difference(found, expected);
      EXPECT_LE(error, 4 * epsilon<double> * norm(a) * norm(b));
      worst = std::max(worst, error);
    };
    near(three(cross(wide(a), wide(b))), cross(a, b));
    near(dot(wide(a), wide(b)), dot(a, b));
    near(three(detail::times(wide(a), wide(b))), Vec3<double>{a.x * b.x, a.y * b.y, a.z * b.z});
  });
  record("worst_difference", worst);
}

TYPED_TEST(Wide3InLanes, Shuffles) {
  const W a = wide({1, 2, 3});
  EXPECT_EQ(three(detail::yzx(a)), (Vec3<double>{2, 3, 1}));
  EXPECT_EQ(three(detail::zxy(a)), (Vec3<double>{3, 1, 2}));
  std::array<double, 4> numbers{};
  detail::spread<1>(a).store(numbers.data());
  EXPECT_EQ(numbers, (std::array<double, 4>{2, 2, 2, 2}));
}

}  // namespace
}  // namespace axode::test::wide3_lanes_test
