#include "tests/support/near.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>
#include <string>

namespace axode::test {

namespace {
template <class M>
Numbers rows(const M& a, int size) {
  Numbers n{{}, 0};
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) n.values[n.size++] = a(i, j);
  return n;
}
std::string text(const Numbers& a) {
  std::string s;
  for (std::size_t i = 0; i < a.size; ++i) s += ::testing::PrintToString(a.values[i]) + " ";
  return s;
}
}  // namespace

Numbers numbers(const double* values, std::size_t size) {
  Numbers n{{}, size};
  if (size > n.values.size()) throw std::length_error("too many numbers to compare");
  std::copy(values, values + size, n.values.begin());
  return n;
}
Numbers numbers(double a) { return numbers(&a, 1); }
Numbers numbers(const Vec3<double>& a) { return numbers(std::array{a.x, a.y, a.z}); }
Numbers numbers(const Vec6<double>& a) {
  return numbers(std::array{a[0], a[1], a[2], a[3], a[4], a[5]});
}
Numbers numbers(const Mat3<double>& a) { return rows(a, 3); }
Numbers numbers(const Mat6<double>& a) { return rows(a, 6); }
Numbers numbers(const Sym3<double>& a) { return rows(a.matrix(), 3); }
Numbers numbers(const SO3<double>& a) { return rows(a.matrix, 3); }
Numbers numbers(const SE3<double>& a) {
  Numbers n = rows(a.R.matrix, 3);
  for (int i = 0; i < 3; ++i) n.values[n.size++] = a.p[i];
  return n;
}
Numbers numbers(const Quaternion<double>& q) {
  return numbers(std::array{q.w, q.v.x, q.v.y, q.v.z});
}
Numbers numbers(const Vec6<float>& a) {
  Numbers n{{}, 0};
  for (int i = 0; i < 6; ++i) n.values[n.size++] = static_cast<double>(a[i]);
  return n;
}
Numbers numbers(const SE3<float>& a) {
  Numbers n{{}, 0};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) n.values[n.size++] = static_cast<double>(a.R.matrix(i, j));
  for (int i = 0; i < 3; ++i) n.values[n.size++] = static_cast<double>(a.p[i]);
  return n;
}
Numbers numbers(const std::vector<double>& a) { return numbers(a.data(), a.size()); }

double largest_difference(const Numbers& a, const Numbers& b) {
  if (a.size != b.size) return INFINITY;
  double worst = 0;
  for (std::size_t i = 0; i < a.size; ++i) {
    const double d = std::abs(a.values[i] - b.values[i]);
    worst = std::isnan(d) ? INFINITY : std::max(worst, d);
  }
  return worst;
}

void expect_near(const Numbers& a, const Numbers& b, double tolerance, std::string_view what) {
  const double d = largest_difference(a, b);
  if (d <= tolerance) return;
  ADD_FAILURE() << what << " differ by " << d << " (allowed " << tolerance << "):\n  " << text(a)
                << "\n  " << text(b);
}

void record(std::string_view measure, double value) {
  std::ostringstream digits;
  digits.precision(2);
  digits << value;
  ::testing::Test::RecordProperty(std::string(measure), digits.str());
}

}  // namespace axode::test
