#include "axode/engine/detail/tree/scratch.hpp"

#include <gtest/gtest.h>

namespace axode::engine::scratch_test {
namespace {

TEST(Scratch, IsAlignedAndAtFirstZero) {
  for (const std::size_t bytes : {0U, 1U, 63U, 64U, 1000U}) {
    Scratch scratch;
    scratch.reserve(bytes);
    auto* data = static_cast<unsigned char*>(scratch.data());
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % 64, 0U);
    for (std::size_t k = 0; k < bytes; ++k) EXPECT_EQ(data[k]++, 0);
  }
}

/// Copies have memory of their own; less is never asked for again.
TEST(Scratch, CopiesAndGrows) {
  Scratch first;
  first.reserve(100);
  void* const before = first.data();
  first.reserve(50);
  EXPECT_EQ(first.data(), before);
  Scratch second = first;
  EXPECT_NE(second.data(), first.data());
  first.reserve(100'000);
  auto* data = static_cast<unsigned char*>(first.data());
  EXPECT_EQ(data[99'999], 0);
}

}  // namespace
}  // namespace axode::engine::scratch_test
