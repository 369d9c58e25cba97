/// The instruction set found is one the CPU has, and is always the same.
#include "axode/core/instruction_set.hpp"

#include <gtest/gtest.h>

namespace axode::test::instruction_set_test {
namespace {

using axode::InstructionSet;

TEST(InstructionSet, LanesFollowTheRegisterWidth) {
  static_assert(axode::double_lanes(InstructionSet::baseline) == 2);
  static_assert(axode::double_lanes(InstructionSet::avx2) == 4);
  static_assert(axode::double_lanes(InstructionSet::avx512) == 8);
}

TEST(InstructionSet, BestIsSupportedAndStable) {
  const InstructionSet best = axode::best_instruction_set();
  EXPECT_EQ(best, axode::best_instruction_set());
#if defined(__x86_64__)
  EXPECT_EQ(best >= InstructionSet::avx2,
            __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"));
  if (best == InstructionSet::avx512) {
    EXPECT_TRUE(__builtin_cpu_supports("avx512f"));
    EXPECT_TRUE(__builtin_cpu_supports("avx512dq"));
    EXPECT_TRUE(__builtin_cpu_supports("avx512vl"));
  }
#else
  EXPECT_EQ(best, InstructionSet::baseline);
#endif
}

}  // namespace
}  // namespace axode::test::instruction_set_test
