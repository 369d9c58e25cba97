// Compiled once per instruction set.
#include "bench/lie/axode_kernels.hpp"

namespace axode::bench {
namespace {
const Registered registered{"Pack" + std::to_string(AXODE_LANES),
                            AxodeKernels<Pack<double, AXODE_LANES>>::all};
}
}  // namespace axode::bench
