#include "axode/core/workers.hpp"

#include <string>
#include <system_error>

#include "axode/core/error.hpp"

namespace axode::batch {

namespace {

void pause() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Waits until x is no longer `old`, so long awake.
int changed(const std::atomic<int>& x, int old, std::chrono::microseconds awake) noexcept {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + awake;
  while (true) {
    for (int k = 0; k < 16; ++k) {
      if (const int now = x.load(); now != old) return now;
      pause();
    }
    if (Clock::now() >= end) break;
  }
  x.wait(old);
  return x.load();
}

}  // namespace

Workers::Workers(int threads) : parts_(threads) {
  if (threads <= static_cast<int>(std::thread::hardware_concurrency()))
    awake_ = std::chrono::microseconds(30);
  others_.reserve(parts_.size());
  try {
    for (int k = 1; k < threads; ++k) others_.emplace_back([this, k] { wait_for_work(k); });
  } catch (const std::system_error& e) {
    stop();
    throw Error(
        "the system does not start " + std::to_string(threads) + " threads (" + e.what() + ")",
        "batch", "ask for fewer");
  } catch (...) {
    stop();
    throw;
  }
}

Workers::~Workers() { stop(); }

void Workers::stop() noexcept {
  call_.store(-1);
  call_.notify_all();
  for (std::thread& t : others_) t.join();
  others_.clear();
}

void Workers::run(std::ptrdiff_t turns, Turn f, void* context) noexcept {
  if (turns < 2 || others_.empty()) {
    for (std::ptrdiff_t k = 0; k < turns; ++k) f(context, 0, k);
    return;
  }
  f_ = f;
  context_ = context;
  const auto threads = static_cast<std::ptrdiff_t>(parts_.size());
  for (std::ptrdiff_t t = 0; t < threads; ++t) {
    Part& part = parts_[t];
    part.next.store(turns * t / threads, std::memory_order_relaxed);
    part.end = turns * (t + 1) / threads;
  }
  const int call = (call_.load(std::memory_order_relaxed) + 1) & 0xffffff;
  call_.store(call);
  call_.notify_all();
  take_turns(0);
  call_.store(call + 1);
  for (int active = active_.load(); active > 0;) active = changed(active_, active, awake_);
}

void Workers::take_turns(int thread) noexcept {
  const std::size_t threads = parts_.size();
  for (std::size_t k = 0; k < threads; ++k) {
    Part& part = parts_[(thread + k) % threads];
    while (true) {
      const std::ptrdiff_t turn = part.next.fetch_add(1, std::memory_order_relaxed);
      if (turn >= part.end) break;
      f_(context_, thread, turn);
    }
  }
}

void Workers::wait_for_work(int thread) noexcept {
  int seen = 0;
  while (true) {
    seen = changed(call_, seen, awake_);
    if (seen < 0) return;
    if (seen % 2 == 0) continue;
    // First told, then looked: either the call is still on, or the caller waits no more for this
    // one.
    active_.fetch_add(1);
    if (call_.load() == seen) take_turns(thread);
    if (active_.fetch_sub(1) == 1) active_.notify_one();
  }
}

}  // namespace axode::batch
