/// A pass over numbers; compiled with full optimization, as it is part of every batch.
#include <algorithm>
#include <atomic>

#include "axode/core/workers.hpp"
#include "axode/engine/batch.hpp"
#include "src/shared/states.hpp"

namespace axode::python {

bool all_finite(Batch& batch, std::initializer_list<std::span<const double>> numbers) noexcept {
  // Turns go along all arrays at once, as those of the batch did: what a thread looks at is what it
  // has just had in its cache.
  constexpr std::size_t numbers_of_turn = 4096;
  struct Pass {
    std::span<const std::span<const double>> arrays;
    std::ptrdiff_t turns = 1;
    std::atomic<bool> finite{true};
  } pass{{numbers.begin(), numbers.size()}};
  for (const auto& array : numbers)
    pass.turns = std::max(pass.turns, static_cast<std::ptrdiff_t>(array.size() / numbers_of_turn));
  const auto look = [](void* context, int, std::ptrdiff_t turn) noexcept {
    Pass& all = *static_cast<Pass*>(context);
    const std::size_t k = turn, turns = all.turns;
    for (const auto& array : all.arrays) {
      const std::size_t first = array.size() * k / turns, end = array.size() * (k + 1) / turns;
      if (!all_finite(array.subspan(first, end - first)))
        all.finite.store(false, std::memory_order_relaxed);
    }
  };
  batch.workers->run(pass.turns, look, &pass);
  return pass.finite.load(std::memory_order_relaxed);
}

}  // namespace axode::python
