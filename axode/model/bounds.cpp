#include "axode/model/bounds.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "axode/core/error.hpp"

namespace axode::detail {

namespace {

std::string shown(double x) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", x);
  return text.data();
}
void check_bound(double size, double most, const std::string& what, const std::string& where) {
  if (!is_finite(size)) throw Error(what + " is not finite", where, "give finite numbers");
  if (size > most)
    throw Error(what + " is too large to compute with: " + shown(size), where,
                "give SI units, numbers below " + shown(most));
}
/// Infinite if one of them is not a number.
double size_of(const Vec3<double>& a) {
  return is_finite(a) ? max_abs(a) : std::numeric_limits<double>::infinity();
}

}  // namespace

void check_place(const Vec3<double>& p, const std::string& what, const std::string& where) {
  check_bound(size_of(p), farthest_place, what, where);
}
void check_length(double x, const std::string& what, const std::string& where) {
  check_bound(std::abs(x), farthest_place, what, where);
}
void check_number(double x, const std::string& what, const std::string& where) {
  check_bound(std::abs(x), largest_number, what, where);
}
void check_vector(const Vec3<double>& a, const std::string& what, const std::string& where) {
  check_bound(size_of(a), largest_number, what, where);
}
void check_positive_number(double x, const std::string& what, const std::string& where) {
  if (!(x > 0) || !is_finite(x))
    throw Error(what + " is " + shown(x), where, "give a positive number");
  check_number(x, what, where);
  if (x < 1 / largest_number)
    throw Error(what + " is too small to compute with: " + shown(x), where,
                "give SI units, numbers above " + shown(1 / largest_number));
}

}  // namespace axode::detail
