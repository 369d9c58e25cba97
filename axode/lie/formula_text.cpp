/// Formulas as text, LaTeX and Python.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "axode/lie/formula.hpp"

namespace axode {

namespace {

using Kind = FormulaAtom::Kind;
using Term = Formula::Term;

struct Writer {
  std::span<const FormulaSymbol> symbols;
  FormulaStyle style;
  int digits;

  bool is(FormulaStyle s) const { return style == s; }
  /// A product: in text a name that begins with a digit needs more than a space.
  std::string times(const std::string& a, const std::string& b) const {
    if (a.empty() || b.empty()) return a + b;
    const bool digit = b[0] >= '0' && b[0] <= '9';
    return a + (is(FormulaStyle::python) ? "*" : is(FormulaStyle::text) && digit ? " * " : " ") + b;
  }

  std::string number(double x) const {
    std::string result = fmt::format("{:.{}g}", x, digits);
    if (!is(FormulaStyle::latex)) return result;
    const std::size_t e = result.find('e');
    if (e == std::string::npos) return result;
    return result.substr(0, e) + R"( \cdot 10^{)" +
           std::to_string(std::stoi(result.substr(e + 1))) + "}";
  }
  std::string name(int symbol) const {
    const FormulaSymbol& s = symbols[symbol];
    return is(FormulaStyle::text) ? s.text : is(FormulaStyle::latex) ? s.latex : s.python;
  }
  std::string raised(std::string base, int power) const {
    if (power == 1) return base;
    return is(FormulaStyle::python)  ? fmt::format("{}**{}", base, power)
           : is(FormulaStyle::latex) ? fmt::format("{}^{{{}}}", base, power)
                                     : fmt::format("{}^{}", base, power);
  }
  /// A term of a sum: sign, factor and what it multiplies.
  std::string summand(double factor, bool first, const std::string& what) const {
    const std::string sign = factor < 0 ? (first ? "-" : " - ") : (first ? "" : " + ");
    const double size = std::abs(factor);
    return sign + (size == 1 && !what.empty() ? what : times(number(size), what));
  }
  std::string angle(const FormulaAtom& atom) const {
    std::string result;
    for (const auto& [symbol, factor] : atom.parts)
      result += summand(factor, result.empty(), name(symbol));
    if (atom.constant != 0) result += summand(atom.constant, false, {});
    return result;
  }
  std::string atom(const FormulaAtom& a, int power) const {
    if (a.kind == Kind::symbol) return raised(name(a.parts[0].first), power);
    const std::string function = a.kind == Kind::sine ? "sin" : "cos";
    if (!is(FormulaStyle::latex)) return raised(function + "(" + angle(a) + ")", power);
    const bool plain = a.constant == 0 && a.parts.size() == 1 && a.parts[0].second == 1;
    return raised("\\" + function, power) +
           (plain ? " " + angle(a) : R"(\left()" + angle(a) + R"(\right))");
  }
  /// Constants before variables, these before sines and cosines.
  std::string atoms(const Term& term) const {
    std::string result;
    for (const int turn : {0, 1, 2})
      for (const auto& [a, power] : term.powers) {
        const bool is_constant = a.kind == Kind::symbol && symbols[a.parts[0].first].is_constant;
        if (turn != (is_constant ? 0 : a.kind == Kind::symbol ? 1 : 2)) continue;
        result = times(result, atom(a, power));
      }
    return result;
  }
  /// The terms as what continues a sum or begins it: a positive one first, the constant last.
  std::string polynomial(const Formula& f, double factor, bool first) const {
    std::vector<const Term*> order;
    for (const Term& term : f.terms())
      if (!term.powers.empty()) order.push_back(&term);
    const auto positive =
        std::ranges::find_if(order, [&](const Term* term) { return factor * term->factor > 0; });
    if (positive != order.end()) std::rotate(order.begin(), positive, positive + 1);
    for (const Term& term : f.terms())
      if (term.powers.empty()) order.push_back(&term);
    std::string result;
    for (const Term* term : order)
      result += summand(factor * term->factor, first && result.empty(), atoms(*term));
    return result;
  }
  std::string product(const ProductSum::Product& p, bool first) const {
    double factor = p.factor;
    std::string result;
    for (const auto& [f, power] : p.formulas) {
      std::string text;
      if (f.terms().size() == 1 && power == 1) {
        factor *= f.terms()[0].factor;
        text = atoms(f.terms()[0]);
      } else {
        text = is(FormulaStyle::latex) ? R"(\left()" + polynomial(f, 1, true) + R"(\right))"
                                       : "(" + polynomial(f, 1, true) + ")";
        text = raised(std::move(text), power);
      }
      result = times(result, text);
    }
    return summand(factor, first, result);
  }
};

bool is_polynomial(const ProductSum::Product& p) {
  return p.formulas.size() == 1 && p.formulas[0].second == 1;
}

}  // namespace

std::string written(const Formula& f, std::span<const FormulaSymbol> symbols, FormulaStyle style,
                    int digits) {
  const std::string result = Writer{symbols, style, digits}.polynomial(f, 1, true);
  return result.empty() ? "0" : result;
}

std::string written(const ProductSum& f, std::span<const FormulaSymbol> symbols, FormulaStyle style,
                    int digits) {
  const Writer writer{symbols, style, digits};
  std::string result;
  for (const ProductSum::Product& p : f.products)
    if (!is_polynomial(p)) result += writer.product(p, result.empty());
  for (const ProductSum::Product& p : f.products)
    if (is_polynomial(p))
      result += writer.polynomial(p.formulas[0].first, p.factor, result.empty());
  return result.empty() ? "0" : result;
}

}  // namespace axode
