#include "bench/lie/axode_kernels.hpp"

namespace axode::bench {
namespace {
const Registered registered{"Axode", AxodeKernels<double>::all};
}
}  // namespace axode::bench
