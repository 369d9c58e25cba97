#include "axode/engine/detail/kernels/kernels.hpp"

namespace axode::engine {

const Kernels& kernels() noexcept {
#if defined(__x86_64__)
  // One state fills registers of four; eight are for packs.
  if (best_instruction_set() != InstructionSet::baseline) return detail::kernels_for<4>();
#endif
  return detail::kernels_for<2>();
}

}  // namespace axode::engine
