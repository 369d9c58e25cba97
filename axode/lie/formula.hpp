/// Formulas as a person writes them: sums of products of symbols, sines and cosines.
///
///   L1 cos(phi1) + L2 cos(phi1 + phi2) - x
///
/// `Formula` is a scalar: sums and products of formulas are multiplied out and like terms collected, so
/// that equal formulas compare equal. Sines and cosines are those of sums of symbols. `ProductSum` keeps
/// products of longer formulas as they are, such as (x2 - x1)^2. Both can be differentiated, evaluated
/// and printed as text, LaTeX and Python. Symbols are numbers in the order of a table that the caller
/// keeps. For reading, not for evaluation loops. Cost: the product of the numbers of terms.
/// Tests: tests/lie/formula_test.cpp
#pragma once
#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "axode/lie/scalar.hpp"

namespace axode {

/// What a symbol of a table is called.
struct FormulaSymbol {
  std::string text{}, latex{}, python{};
  bool is_constant = false;  ///< a length or other constant: written before variables
};

enum class FormulaStyle : std::uint8_t { text, latex, python };

/// A symbol, or the sine or cosine of sum factor symbol + constant.
struct FormulaAtom {
  enum class Kind : std::uint8_t { symbol, sine, cosine };
  Kind kind = Kind::symbol;
  std::vector<std::pair<int, double>> parts{};  ///< symbol, factor; of a symbol: itself, 1
  double constant = 0;
  friend bool operator==(const FormulaAtom&, const FormulaAtom&) = default;
  friend std::partial_ordering operator<=>(const FormulaAtom& a, const FormulaAtom& b);
};

class Formula {
 public:
  /// factor times the powers of different atoms, sorted.
  struct Term {
    std::vector<std::pair<FormulaAtom, int>> powers{};
    double factor = 0;
    friend constexpr bool operator==(const Term& a, const Term& b) {
      return a.factor == b.factor && a.powers == b.powers;
    }
  };

  Formula() = default;
  Formula(double constant);
  static Formula symbol(int number);
  static Formula of(FormulaAtom atom);

  const std::vector<Term>& terms() const noexcept { return terms_; }  ///< none: zero
  bool is_zero() const noexcept { return terms_.empty(); }

  Formula& operator+=(const Formula& b) { return *this = *this + b; }
  Formula& operator-=(const Formula& b) { return *this = *this - b; }
  friend Formula operator+(const Formula& a, const Formula& b);
  friend Formula operator-(const Formula& a, const Formula& b) { return a + b * Formula(-1); }
  friend Formula operator-(const Formula& a) { return a * Formula(-1); }
  friend Formula operator*(const Formula& a, const Formula& b);
  friend constexpr bool operator==(const Formula& a, const Formula& b) {
    return a.terms_ == b.terms_;
  }
  /// Of sums of symbols with numbers as factors. Throws Error on other formulas.
  friend Formula sin(const Formula& angle);
  friend Formula cos(const Formula& angle);

 private:
  explicit Formula(std::vector<Term> terms);
  std::vector<Term> terms_;
};

/// sum factor (formula)^power (formula)^power ...
struct ProductSum {
  struct Product {
    double factor = 1;
    std::vector<std::pair<Formula, int>> formulas{};
  };
  std::vector<Product> products{};

  /// Adds factor a, to what has been added so.
  void add(double factor, const Formula& a);
  /// Adds factor a b ...; what stays short is multiplied out.
  void add_product(double factor, std::vector<Formula> formulas);
  bool is_zero() const noexcept;
};

/// Derivative with respect to a symbol.
Formula derivative(const Formula& f, int symbol);
ProductSum derivative(const ProductSum& f, int symbol);
/// f times a factor.
ProductSum scaled(const ProductSum& f, const Formula& factor);
/// The sum of both.
ProductSum sum(const ProductSum& a, const ProductSum& b);

/// The value where the symbols have these.
double value(const Formula& f, std::span<const double> symbols);
double value(const ProductSum& f, std::span<const double> symbols);

/// Without the terms that rounding has left: those below 1e-14 of the largest factor.
Formula without_noise(const Formula& f);

/// Written with `digits` significant digits; "0" if it is zero.
std::string written(const Formula& f, std::span<const FormulaSymbol> symbols, FormulaStyle style,
                    int digits = 15);
std::string written(const ProductSum& f, std::span<const FormulaSymbol> symbols, FormulaStyle style,
                    int digits = 15);

}  // namespace axode
