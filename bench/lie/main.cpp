// The Lie-group operations of Axode beside plain Eigen and Sophus: docs/performance.md
#include "bench/support/compare.hpp"

int main(int argc, char** argv) {
  return axode::bench::compare({.title = std::string("Lie groups, ") + AXODE_BENCH_FLAGS,
                                .subject = "Axode",
                                .peers = {"Eigen", "Isometry", "Sophus"},
                                .wide = {"Pack2", "Pack4", "Pack8"}},
                               argc, argv);
}
