/// Memory whose contents do not outlive a call, aligned for vector registers.
/// Tests: tests/engine/detail/tree/scratch_test.cpp
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace axode::engine {

class Scratch {
 public:
  /// At least so many bytes, at first zero.
  void reserve(std::size_t bytes) {
    if (bytes + alignment > bytes_.size()) bytes_.assign(bytes + alignment, 0);
  }
  void* data() noexcept {
    auto address = reinterpret_cast<std::uintptr_t>(bytes_.data());
    return bytes_.data() + (alignment - address % alignment);
  }

 private:
  static constexpr std::size_t alignment = 64;
  std::vector<unsigned char> bytes_;
};

}  // namespace axode::engine
