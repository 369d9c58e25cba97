// Rows of any length to packs and back, nothing written outside them.
#include <gtest/gtest.h>

#include <vector>

#include "axode/engine/detail/batch/transpose.hpp"
#include "tests/support/lanes.hpp"

namespace axode::test::transpose_lanes_test {
namespace {

constexpr int lanes = AXODE_LANES;
using P = Pack<double, lanes>;

template <class>
class Transpose : public testing::Test {};
TYPED_TEST_SUITE(Transpose, Width<lanes>, WidthName);

double number(std::ptrdiff_t row, std::ptrdiff_t column) {
  return static_cast<double>(1000 * row + column);
}
std::vector<P> packs(std::ptrdiff_t size) {
  return std::vector<P>(batch::whole_tiles<lanes>(size));
}

TYPED_TEST(Transpose, ReadsRows) {
  for (std::ptrdiff_t size = 1; size < 40; ++size) {
    // The last row may be read to the end of its last tile.
    std::vector<double> from((lanes - 1) * size + batch::whole_tiles<lanes>(size));
    for (std::ptrdiff_t k = 0; k < lanes; ++k)
      for (std::ptrdiff_t j = 0; j < size; ++j) from[k * size + j] = number(k, j);
    std::vector<P> to = packs(size);
    batch::read_rows(from.data(), size, to.data());
    for (std::ptrdiff_t j = 0; j < size; ++j)
      for (int k = 0; k < lanes; ++k) EXPECT_EQ(to[j][k], number(k, j));
  }
}

TYPED_TEST(Transpose, WritesRowsAndNothingElse) {
  for (std::ptrdiff_t size = 1; size < 40; ++size)
    for (std::ptrdiff_t rows = 1; rows <= lanes; ++rows) {
      std::vector<P> from = packs(size);
      for (std::ptrdiff_t j = 0; j < size; ++j)
        for (int k = 0; k < lanes; ++k) from[j].set(k, number(k, j));
      std::vector<double> to((rows * size) + 16, -1);
      batch::write_rows(from.data(), size, rows, to.data() + 8);
      for (std::ptrdiff_t i = 0; i < std::ssize(to); ++i) {
        const std::ptrdiff_t at = i - 8;
        const bool inside = at >= 0 && at < rows * size;
        EXPECT_EQ(to[i], inside ? number(at / size, at % size) : -1);
      }
    }
}

TYPED_TEST(Transpose, StoresTheFirstNumbers) {
  P x;
  for (int k = 0; k < lanes; ++k) x.set(k, k + 1);
  for (int count = 1; count <= lanes; ++count) {
    std::vector<double> to(lanes + 1, -1);
    batch::store_first(x, to.data(), count);
    for (int k = 0; k <= lanes; ++k) EXPECT_EQ(to[k], k < count ? k + 1 : -1);
  }
}

}  // namespace
}  // namespace axode::test::transpose_lanes_test
