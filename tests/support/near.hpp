/// Comparisons of vectors, matrices and poses for tests; they print both sides on failure.
/// Defined in near.cpp, once for all tests, because that keeps the tests quick to compile.
#pragma once
#include <gtest/gtest.h>

#include <array>
#include <string_view>
#include <vector>

#include "axode/lie/se3.hpp"
#include "axode/screw/twist.hpp"

namespace axode::test {

/// The numbers of a value, row by row for matrices; at most those of a 12x12 matrix.
struct Numbers {
  std::array<double, 144> values;
  std::size_t size;
};
Numbers numbers(const double* values, std::size_t size);
Numbers numbers(double a);
Numbers numbers(const Vec3<double>& a);
Numbers numbers(const Vec6<double>& a);
Numbers numbers(const Mat3<double>& a);
Numbers numbers(const Mat6<double>& a);
Numbers numbers(const Sym3<double>& a);
Numbers numbers(const SO3<double>& a);
Numbers numbers(const SE3<double>& a);
Numbers numbers(const Quaternion<double>& q);
Numbers numbers(const Vec6<float>& a);
Numbers numbers(const SE3<float>& a);
Numbers numbers(const std::vector<double>& a);
template <Quantity quantity, Rep rep>
Numbers numbers(const SixVector<quantity, rep, double>& a) {
  return numbers(a.six());
}
template <std::size_t n>
Numbers numbers(const std::array<double, n>& a) {
  return numbers(a.data(), n);
}
template <std::size_t n, std::size_t m>
Numbers numbers(const std::array<std::array<double, m>, n>& a) {
  static_assert(sizeof a == n * m * sizeof(double));
  return numbers(a.front().data(), n * m);
}

/// Largest difference of the numbers of a and b, NaN counting as infinitely far.
double largest_difference(const Numbers& a, const Numbers& b);
template <class A, class B>
double largest_difference(const A& a, const B& b) {
  return largest_difference(numbers(a), numbers(b));
}

/// Fails unless every number of a is within `tolerance` of that of b.
void expect_near(const Numbers& a, const Numbers& b, double tolerance, std::string_view what = "");
template <class A, class B>
void expect_near(const A& a, const B& b, double tolerance, std::string_view what = "") {
  expect_near(numbers(a), numbers(b), tolerance, what);
}

/// Notes a measured worst error for scripts/accuracy, e.g. record("worst_relative_error", 3e-16).
void record(std::string_view measure, double value);

}  // namespace axode::test
