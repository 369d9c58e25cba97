// Every turn is done once, by whatever number of threads, call after call.
#include "axode/core/workers.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace axode::test::workers_test {
namespace {

struct Counts {
  explicit Counts(std::size_t turns) : done(turns) {}
  std::vector<std::atomic<int>> done;
  std::atomic<int> strangers{0};  ///< threads that there are not
  int threads = 1;
};
void count(void* context, int thread, std::ptrdiff_t turn) noexcept {
  auto& c = *static_cast<Counts*>(context);
  ++c.done[turn];
  if (thread < 0 || thread >= c.threads) ++c.strangers;
}

TEST(Workers, DoEveryTurnOnce) {
  for (const int threads : {1, 2, 3, 7}) {
    batch::Workers workers(threads);
    EXPECT_EQ(workers.threads(), threads);
    for (const std::size_t turns : {0U, 1U, 2U, 3U, 100U, 1U, 1000U, 0U, 5U}) {
      Counts c(turns);
      c.threads = threads;
      workers.run(static_cast<std::ptrdiff_t>(turns), count, &c);
      for (const std::atomic<int>& n : c.done) EXPECT_EQ(n, 1);
      EXPECT_EQ(c.strangers, 0);
    }
  }
}

/// What the caller wrote before is seen by all, and what they wrote is seen by the caller.
TEST(Workers, SeeWhatWasWrittenBefore) {
  batch::Workers workers(3);
  struct Sums {
    std::vector<long> from, to;
  } s{std::vector<long>(64), std::vector<long>(64)};
  for (long call = 1; call <= 300; ++call) {
    for (long& x : s.from) x = call;
    workers.run(
        64,
        [](void* context, int, std::ptrdiff_t k) noexcept {
          auto& sums = *static_cast<Sums*>(context);
          const std::size_t i = k;
          sums.to[i] += sums.from[i];
        },
        &s);
    for (const long x : s.to) ASSERT_EQ(x, call * (call + 1) / 2);
  }
}

/// Threads that went to sleep between calls, and more of them than the CPU runs.
TEST(Workers, WakeUpOrAreNotWaitedFor) {
  for (const int threads : {2, 64}) {
    batch::Workers workers(threads);
    for (const int pause : {0, 100, 10, 1000, 0}) {
      std::this_thread::sleep_for(std::chrono::microseconds(pause));
      Counts c(200);
      c.threads = threads;
      workers.run(200, count, &c);
      for (const std::atomic<int>& n : c.done) EXPECT_EQ(n, 1);
    }
  }
}

TEST(Workers, MayGoWithoutHavingWorked) {
  for (int k = 0; k < 20; ++k) batch::Workers workers(4);
}

}  // namespace
}  // namespace axode::test::workers_test
