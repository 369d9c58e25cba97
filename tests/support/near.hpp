/// Comparisons of vectors, matrices and poses for tests; they print both sides on failure.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "axode/lie/se3.hpp"
#include "axode/screw/twist.hpp"

namespace axode::test {

/// The numbers of a value, row by row for matrices.
inline std::vector<double> numbers(double a) { return {a}; }
inline std::vector<double> numbers(float a) { return {static_cast<double>(a)}; }
template <class S>
std::vector<double> numbers(const Vec3<S>& a) {
  return {double(a.x), double(a.y), double(a.z)};
}
template <class S>
std::vector<double> numbers(const Vec6<S>& a) {
  return {double(a[0]), double(a[1]), double(a[2]), double(a[3]), double(a[4]), double(a[5])};
}
template <class S>
std::vector<double> numbers(const Mat3<S>& a) {
  std::vector<double> n;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) n.push_back(double(a(i, j)));
  return n;
}
template <class S>
std::vector<double> numbers(const Mat6<S>& a) {
  std::vector<double> n;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) n.push_back(double(a(i, j)));
  return n;
}
template <class S>
std::vector<double> numbers(const Sym3<S>& a) {
  return numbers(a.matrix());
}
template <class S>
std::vector<double> numbers(const SO3<S>& a) {
  return numbers(a.matrix);
}
template <class S>
std::vector<double> numbers(const SE3<S>& a) {
  std::vector<double> n = numbers(a.R);
  const std::vector<double> p = numbers(a.p);
  n.insert(n.end(), p.begin(), p.end());
  return n;
}
template <class S>
std::vector<double> numbers(const Quaternion<S>& q) {
  return {double(q.w), double(q.v.x), double(q.v.y), double(q.v.z)};
}
template <Quantity quantity, Rep rep, class S>
std::vector<double> numbers(const SixVector<quantity, rep, S>& a) {
  return numbers(a.six());
}
inline std::vector<double> numbers(const std::vector<double>& a) { return a; }
template <std::size_t n>
std::vector<double> numbers(const std::array<double, n>& a) {
  return {a.begin(), a.end()};
}
template <std::size_t n, std::size_t m>
std::vector<double> numbers(const std::array<std::array<double, m>, n>& a) {
  std::vector<double> all;
  for (const auto& row : a) all.insert(all.end(), row.begin(), row.end());
  return all;
}

/// Largest difference of the numbers of a and b, NaN counting as infinitely far.
template <class A, class B>
double largest_difference(const A& a, const B& b) {
  const std::vector<double> x = numbers(a), y = numbers(b);
  if (x.size() != y.size()) return INFINITY;
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double d = std::abs(x[i] - y[i]);
    worst = std::isnan(d) ? INFINITY : std::max(worst, d);
  }
  return worst;
}

template <class A>
std::string text(const A& a) {
  std::string s;
  for (double x : numbers(a)) s += ::testing::PrintToString(x) + " ";
  return s;
}

/// Notes a measured worst error for scripts/accuracy, e.g. record("worst_relative_error", 3e-16).
inline void record(const std::string& measure, double value) {
  std::ostringstream text;
  text.precision(2);
  text << value;
  ::testing::Test::RecordProperty(measure, text.str());
}

/// Fails unless every number of a is within `tolerance` of that of b.
template <class A, class B>
void expect_near(const A& a, const B& b, double tolerance, const std::string& what = "") {
  const double d = largest_difference(a, b);
  if (d <= tolerance) return;
  ADD_FAILURE() << what << " differ by " << d << " (allowed " << tolerance << "):\n  " << text(a)
                << "\n  " << text(b);
}

}  // namespace axode::test
