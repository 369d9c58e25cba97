/// A number that counts what is done with it, to run through the templates of the library.
///
/// Two counts: operations as they are executed, and those that are left if the constants of the
/// model were known to the compiler: no products by a constant 0, 1 or -1, no sums with a constant
/// 0, and nothing that has only constant operands.
#pragma once
#include <cmath>

#include "axode/lie/scalar.hpp"
#include "axode/lie/trig.hpp"

namespace axode::test {

struct Counts {
  long multiplications = 0, additions = 0, divisions = 0, roots = 0, sines = 0;
  friend bool operator==(const Counts&, const Counts&) = default;
};

class Counting {
 public:
  inline static Counts executed, nontrivial;
  static void reset() { executed = nontrivial = {}; }
  /// A number that is not known before the evaluation.
  static Counting variable(double x) { return {x, false}; }

  constexpr Counting() = default;
  template <class T>
    requires(std::is_arithmetic_v<T>)
  constexpr Counting(T x) : value_(static_cast<double>(x)) {}  // NOLINT: implicit, a constant

  double value() const { return value_; }
  bool is_constant(double x) const { return constant_ && value_ == x; }

  Counting& operator+=(const Counting& b) { return *this = *this + b; }
  Counting& operator-=(const Counting& b) { return *this = *this - b; }
  Counting& operator*=(const Counting& b) { return *this = *this * b; }
  Counting& operator/=(const Counting& b) { return *this = *this / b; }
  friend Counting operator+(const Counting& a, const Counting& b) {
    return sum(a, b, a.value_ + b.value_);
  }
  friend Counting operator-(const Counting& a, const Counting& b) {
    return sum(a, b, a.value_ - b.value_);
  }
  friend Counting operator-(const Counting& a) { return {-a.value_, a.constant_}; }  // free
  friend Counting operator*(const Counting& a, const Counting& b) {
    ++executed.multiplications;
    if (a.is_constant(0) || b.is_constant(0)) return {0, true};
    const bool constant = a.constant_ && b.constant_;
    if (!constant && !a.is_unit() && !b.is_unit()) ++nontrivial.multiplications;
    return {a.value_ * b.value_, constant};
  }
  friend Counting operator/(const Counting& a, const Counting& b) {
    ++executed.divisions;
    const bool constant = a.constant_ && b.constant_;
    if (!constant && !a.is_constant(0) && !b.is_unit()) ++nontrivial.divisions;
    return {a.value_ / b.value_, constant || a.is_constant(0)};
  }
  friend constexpr bool operator<(const Counting& a, const Counting& b) {
    return a.value_ < b.value_;
  }
  friend constexpr bool operator<=(const Counting& a, const Counting& b) {
    return a.value_ <= b.value_;
  }
  friend constexpr bool operator>(const Counting& a, const Counting& b) {
    return a.value_ > b.value_;
  }
  friend constexpr bool operator>=(const Counting& a, const Counting& b) {
    return a.value_ >= b.value_;
  }
  friend constexpr bool operator==(const Counting& a, const Counting& b) {
    return a.value_ == b.value_;
  }

  friend Counting sqrt(const Counting& a) {
    ++executed.roots;
    if (!a.constant_) ++nontrivial.roots;
    return {std::sqrt(a.value_), a.constant_};
  }
  friend Counting abs(const Counting& a) { return {std::abs(a.value_), a.constant_}; }
  friend bool is_finite(const Counting& a) { return std::isfinite(a.value_); }
  friend SinCos<Counting> sincos(const Counting& a) {
    ++executed.sines;
    if (!a.constant_) ++nontrivial.sines;
    return {{std::sin(a.value_), a.constant_}, {std::cos(a.value_), a.constant_}};
  }

 private:
  Counting(double value, bool constant) : value_(value), constant_(constant) {}
  bool is_unit() const { return is_constant(1) || is_constant(-1); }
  static Counting sum(const Counting& a, const Counting& b, double value) {
    ++executed.additions;
    const bool constant = a.constant_ && b.constant_;
    if (!constant && !a.is_constant(0) && !b.is_constant(0)) ++nontrivial.additions;
    return {value, constant};
  }

  double value_ = 0;
  bool constant_ = true;
};

}  // namespace axode::test

namespace axode {
template <>
struct RealOf<test::Counting> {
  using type = double;
};
}  // namespace axode
