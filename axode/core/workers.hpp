/// Threads that wait for work, for loops whose turns are independent.
///
/// Each thread starts with turns of its own, the same ones in calls of the same number, so that
/// what they read and write stays in its cache; then it takes those of others. Their number should
/// be some times that of the threads, and each long beside 0.1 us. What a turn computes must not
/// depend on who does it.
///
/// To wake a sleeping thread takes as long as a thousand states of a robot. So both sides look for
/// some 30 us whether there is work, or whether it is done, before they sleep, unless there are
/// more threads than the CPU runs; and who wakes up late is not waited for.
/// Tests: tests/core/workers_test.cpp
#pragma once
#include <atomic>
#include <chrono>
#include <cstddef>
#include <thread>
#include <vector>

namespace axode::batch {

class Workers {
 public:
  /// So many threads in all, the caller's one of them. Throws Error if they cannot be started.
  explicit Workers(int threads);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  int threads() const noexcept { return static_cast<int>(others_.size()) + 1; }

  using Turn = void (*)(void* context, int thread, std::ptrdiff_t turn) noexcept;
  /// Calls f(context, thread, k) once for each k = 0 .. turns - 1, in any order, and returns when all
  /// are done; thread 0 is the caller. Not to be called by two threads at once.
  void run(std::ptrdiff_t turns, Turn f, void* context) noexcept;

 private:
  /// Turns of a thread: the next one, and the end of them.
  struct alignas(64) Part {
    std::atomic<std::ptrdiff_t> next{0};
    std::ptrdiff_t end = 0;
  };
  void wait_for_work(int thread) noexcept;
  void take_turns(int thread) noexcept;
  void stop() noexcept;

  Turn f_ = nullptr;
  void* context_ = nullptr;
  std::chrono::microseconds awake_{0};  ///< before a thread sleeps
  std::vector<Part> parts_;
  alignas(64) std::atomic<int> call_{0};    ///< odd while there are turns to be had, or -1: no more
  alignas(64) std::atomic<int> active_{0};  ///< other threads that may be taking turns
  std::vector<std::thread> others_;
};

}  // namespace axode::batch
