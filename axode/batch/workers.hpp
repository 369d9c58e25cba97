/// Threads that wait for work, for loops whose turns are independent.
///
/// Turns are handed out one by one to whoever is free, so that their number should be some times that
/// of the threads, and each long beside 1 us. What a turn computes must not depend on who does it.
/// Tests: tests/batch/workers_test.cpp
#pragma once
#include <atomic>
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
  void wait_for_work(int thread) noexcept;
  void take_turns(int thread) noexcept;
  void stop() noexcept;

  Turn f_ = nullptr;
  void* context_ = nullptr;
  std::ptrdiff_t turns_ = 0;
  alignas(64) std::atomic<std::ptrdiff_t> next_{0};  ///< turn to be handed out
  alignas(64) std::atomic<int> call_{0};             ///< of run, or -1: no more
  alignas(64) std::atomic<int> busy_{0};             ///< other threads that have not finished
  std::vector<std::thread> others_;
};

}  // namespace axode::batch
