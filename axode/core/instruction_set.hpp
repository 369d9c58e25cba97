/// Which vector instructions this CPU has, asked once at run time.
///
/// A source named *_lanes.cpp is compiled once per instruction set, with AXODE_LANES doubles in a
/// Pack; its caller switches on best_instruction_set() and so never runs what the CPU lacks.
/// CPUs other than x86-64 have the baseline only.
/// Tests: tests/core/instruction_set_test.cpp
#pragma once

namespace axode {

enum class InstructionSet {
  baseline,  ///< what every CPU of the architecture has: SSE2 on x86-64
  avx2,      ///< AVX2 and FMA
  avx512,    ///< AVX-512 F, DQ and VL
};

/// The widest instruction set of this CPU (and its operating system).
InstructionSet best_instruction_set() noexcept;

/// Doubles in one register.
constexpr int double_lanes(InstructionSet set) noexcept {
  return set == InstructionSet::avx512 ? 8 : set == InstructionSet::avx2 ? 4 : 2;
}

}  // namespace axode
