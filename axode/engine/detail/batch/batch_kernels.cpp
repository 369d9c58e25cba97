#include "axode/engine/detail/batch/batch_kernels.hpp"

namespace axode::batch {

const BatchKernels& batch_kernels() noexcept {
#if defined(__x86_64__)
  if (best_instruction_set() == InstructionSet::avx512) return detail::batch_kernels_for<8>();
  if (best_instruction_set() == InstructionSet::avx2) return detail::batch_kernels_for<4>();
#endif
  return detail::batch_kernels_for<2>();
}

}  // namespace axode::batch
