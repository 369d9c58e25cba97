/// What the tests of *_lanes.cpp share: states in lanes, and suites whose names tell the width, so that
/// the objects of one executable do not clash.
#pragma once
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <type_traits>
#include <vector>

#include "axode/lie/pack.hpp"
#include "axode/lie/vec6.hpp"

namespace axode::test {

/// One list of numbers for each lane.
template <int n>
using Lanes = std::array<std::vector<double>, static_cast<std::size_t>(n)>;

template <std::size_t n>
std::vector<Pack<double, static_cast<int>(n)>> packed(
    const std::array<std::vector<double>, n>& each) {
  std::vector<Pack<double, static_cast<int>(n)>> all(each[0].size());
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t k = 0; k < n; ++k) all[i].set(static_cast<int>(k), each[k][i]);
  return all;
}

template <int n>
Vec3<double> lane(const Vec3<Pack<double, n>>& a, int k) {
  return {a.x[k], a.y[k], a.z[k]};
}
template <int n>
Vec6<double> lane(const Vec6<Pack<double, n>>& a, int k) {
  return {lane(a.angular, k), lane(a.linear, k)};
}

/// TYPED_TEST_SUITE(Suite, Width<lanes>, WidthName)
template <int n>
using Width = testing::Types<std::integral_constant<int, n>>;
struct WidthName {
  template <class T>
  static std::string GetName(int) {
    return std::to_string(T::value) + "lanes";
  }
};

}  // namespace axode::test
