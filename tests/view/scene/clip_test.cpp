#include "axode/view/scene/clip.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

#include "tests/view/unpacked.hpp"

namespace axode::test::clip {
namespace {

TEST(Clip, PackedNumbersReadBackAsFloats) {
  for (const std::size_t n : {0U, 1U, 2U, 3U, 4U, 5U, 1000U}) {
    std::vector<double> numbers;
    for (std::size_t k = 0; k < n; ++k) numbers.push_back(1.0 / static_cast<double>(k + 1) - 0.4);
    const std::vector<float> back = unpacked(packed(numbers));
    ASSERT_EQ(back.size(), n);
    for (std::size_t k = 0; k < n; ++k) EXPECT_EQ(back[k], static_cast<float>(numbers[k]));
  }
}

TEST(Clip, PackedBytesReadBack) {
  std::string bytes;
  for (int k = 0; k < 700; ++k) bytes += static_cast<char>(k * 37 % 256);
  for (const std::size_t n : {0U, 1U, 2U, 3U, 700U})
    EXPECT_EQ(unpacked_bytes(packed_bytes(bytes.substr(0, n))), bytes.substr(0, n));
  EXPECT_LT(packed_bytes(std::string(100'000, 'a')).size(), 1000U);
}

TEST(Clip, PosesAreQuaternionAndPosition) {
  std::vector<double> poses;
  append_pose({}, poses);
  append_pose({exp(Vec3<double>{0, 0, pi<double> / 2}), {1, 2, 3}}, poses);
  ASSERT_EQ(poses.size(), 14U);
  EXPECT_EQ(std::vector<double>(poses.begin(), poses.begin() + 7),
            (std::vector<double>{1, 0, 0, 0, 0, 0, 0}));
  const double half = std::sqrt(0.5);
  const double expected[] = {half, 0, 0, half, 1, 2, 3};
  for (std::size_t k = 0; k < 7; ++k) EXPECT_NEAR(poses[7 + k], expected[k], 1e-15) << k;
}

Clip counted(std::size_t rows) {
  Clip clip;
  ClipSeries series{"q", {"a", "b"}, {"m", "m"}, {}};
  for (std::size_t i = 0; i < rows; ++i) {
    const auto x = static_cast<double>(i);
    clip.times.push_back(x);
    series.values.insert(series.values.end(), {x, -x});
    for (int k = 0; k < 7; ++k) clip.poses.push_back(x);
  }
  clip.series.push_back(series);
  return clip;
}

TEST(Clip, SmallOnesStayAsTheyAre) {
  Clip clip = counted(100);
  EXPECT_EQ(clip_bytes(clip), 4U * 100 * (1 + 2 + 7));
  EXPECT_EQ(decimate(clip, 4000), 1U);
  EXPECT_EQ(clip.times.size(), 100U);
}

TEST(Clip, LargeOnesKeepEveryKthSampleAndTheLast) {
  Clip clip = counted(100);
  EXPECT_EQ(decimate(clip, 1400), 3U);  // 4000 / 1400, rounded up
  ASSERT_EQ(clip.times.size(), 34U);
  EXPECT_LE(clip_bytes(clip), 1400U);
  for (std::size_t i = 0; i < clip.times.size(); ++i) {
    EXPECT_EQ(clip.times[i], 3.0 * static_cast<double>(i));
    EXPECT_EQ(clip.series[0].values[2 * i + 1], -clip.times[i]);
    EXPECT_EQ(clip.poses[7 * i + 6], clip.times[i]);
  }
  clip = counted(101);
  decimate(clip, 1400);
  EXPECT_EQ(clip.times.back(), 100);
}

TEST(Clip, TakesAllQuantitiesOfARun) {
  axode::Run run;
  run.metadata.q_names = {"hip"};
  run.metadata.q_units = {"rad"};
  run.metadata.v_names = {"hip"};
  run.metadata.v_units = {"rad/s"};
  run.metadata.a_units = {"rad/s^2"};
  run.metadata.tau_units = {"N m"};
  run.times = {0, 0.5};
  run.q = {1, 2};
  run.v = {3, 4};
  run.a = {5, 6};
  run.tau = {7, 8};
  run.kinetic = run.potential = run.stored = run.work = {9, 10};
  run.events = {{0.25, "stop", "hip at its stop"}};
  const Clip clip = clip_of(run);
  EXPECT_EQ(clip.times, run.times);
  EXPECT_EQ(clip.events, run.events);
  EXPECT_TRUE(clip.poses.empty());
  ASSERT_GE(clip.series.size(), 4U);
  EXPECT_EQ(clip.series[0].name, "q");
  EXPECT_EQ(clip.series[0].values, run.q);
  EXPECT_EQ(clip.series[0].units, run.metadata.q_units);
  for (const ClipSeries& series : clip.series) EXPECT_EQ(series.values.size(), 2U) << series.name;
}

}  // namespace
}  // namespace axode::test::clip
