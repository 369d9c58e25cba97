#include "axode/integrate/sample_clock.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace axode::test::sample_clock {

std::vector<double> all(SampleClock clock) {
  std::vector<double> times;
  for (; clock.next() <= clock.t_end; clock.advance()) times.push_back(clock.next());
  return times;
}

TEST(SampleClock, MultiplesDoNotDrift) {
  SampleClock clock{0, 0.1, 0.3, {}};
  clock.begin(0, false);
  EXPECT_EQ(all(clock), (std::vector<double>{0, 0.1, 0.2, 0.3}));  // 3 * 0.1 is above 0.3
  SampleClock far{1000, 0.1, 2000, {}};
  far.begin(1000, false);
  const std::vector<double> times = all(far);
  ASSERT_EQ(times.size(), 10001u);
  EXPECT_EQ(times[7777], 1000 + 7777 * 0.1);
}

TEST(SampleClock, AnIntervalBeyondTheEndHasTheStart) {
  SampleClock clock{0, 1e9, 0.05, {}};
  clock.begin(0, false);
  EXPECT_EQ(all(clock), std::vector<double>{0});
}

TEST(SampleClock, ListAndMultiplesTogether) {
  const std::vector<double> list{0.05, 0.1, 0.1, 0.25};
  SampleClock clock{0, 0.1, 0.25, list};
  clock.begin(0, true);
  EXPECT_EQ(all(clock), (std::vector<double>{0.05, 0.1, 0.2, 0.25}));
  SampleClock none{0, 0, 1, {}};
  none.begin(0, false);
  EXPECT_EQ(none.next(), INFINITY);
}

TEST(SampleClock, BeginsAtOrAfterATime) {
  SampleClock clock{0, 0.1, 1, {}};
  clock.begin(0.1 * 7, false);
  EXPECT_EQ(clock.next(), 0.1 * 7);
  clock.begin(0.1 * 7, true);
  EXPECT_EQ(clock.next(), 0.1 * 8);
  clock.begin(0.75, true);
  EXPECT_EQ(clock.next(), 0.1 * 8);
}

}  // namespace axode::test::sample_clock
