#include "axode/core/spans.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace axode::test::spans {

template <class S>
S sum(const S& first, In<S> others, Out<S> copies) {
  S result = first;
  for (std::size_t i = 0; i < others.size(); ++i) result += copies[i] = others[i];
  return result;
}

TEST(Spans, TheScalarIsNotDeducedFromThem) {
  const std::vector<double> list{1, 2};
  std::array<double, 2> copies{};
  EXPECT_EQ(sum(0.5, list, copies), 3.5);
  EXPECT_EQ(copies[1], 2);
  std::array<float, 1> copy{};
  EXPECT_EQ(sum(0.5f, std::array<float, 1>{2}, copy), 2.5f);
}

}  // namespace axode::test::spans
