/// Detection of the CPU's vector instructions by the compiler's own run-time support, which also
/// asks whether the operating system saves the wide registers.
/// Tests: tests/core/instruction_set_test.cpp
#include "axode/core/instruction_set.hpp"

namespace axode {

namespace {
InstructionSet detect() noexcept {
#if defined(__x86_64__)
  __builtin_cpu_init();  // for callers that run before main
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
    return InstructionSet::baseline;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    return InstructionSet::avx512;
  return InstructionSet::avx2;
#else
  return InstructionSet::baseline;
#endif
}
}  // namespace

InstructionSet best_instruction_set() noexcept {
  static const InstructionSet best = detect();
  return best;
}

}  // namespace axode
