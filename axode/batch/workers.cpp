#include "axode/batch/workers.hpp"

#include <string>
#include <system_error>

#include "axode/error.hpp"

namespace axode::batch {

Workers::Workers(int threads) {
  others_.reserve(static_cast<std::size_t>(threads));
  try {
    for (int k = 1; k < threads; ++k) others_.emplace_back([this, k] { wait_for_work(k); });
  } catch (const std::system_error& e) {
    stop();
    throw Error(
        "the system does not start " + std::to_string(threads) + " threads (" + e.what() + ")",
        "batch", "ask for fewer");
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
  f_ = f;
  context_ = context;
  turns_ = turns;
  next_.store(0, std::memory_order_relaxed);
  const bool alone = turns < 2 || others_.empty();
  if (!alone) {
    busy_.store(static_cast<int>(others_.size()), std::memory_order_relaxed);
    call_.store((call_.load(std::memory_order_relaxed) + 1) & 0xffff);
    call_.notify_all();
  }
  take_turns(0);
  if (alone) return;
  for (int busy = busy_.load(); busy > 0; busy = busy_.load()) busy_.wait(busy);
}

void Workers::take_turns(int thread) noexcept {
  while (true) {
    const std::ptrdiff_t k = next_.fetch_add(1, std::memory_order_relaxed);
    if (k >= turns_) return;
    f_(context_, thread, k);
  }
}

void Workers::wait_for_work(int thread) noexcept {
  int seen = 0;
  while (true) {
    call_.wait(seen);
    seen = call_.load();
    if (seen < 0) return;
    take_turns(thread);
    if (busy_.fetch_sub(1) == 1) busy_.notify_one();
  }
}

}  // namespace axode::batch
