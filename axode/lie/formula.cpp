#include "axode/lie/formula.hpp"

#include <algorithm>
#include <cmath>

#include "axode/core/error.hpp"

namespace axode {

namespace {

using Kind = FormulaAtom::Kind;
using Term = Formula::Term;

FormulaAtom symbol_atom(int number) { return {Kind::symbol, {{number, 1.}}, 0}; }

/// Sorted, like terms collected, zeros left out.
std::vector<Term> collected(std::vector<Term> terms) {
  std::ranges::sort(terms,
                    [](const Term& a, const Term& b) { return std::is_lt(a.powers <=> b.powers); });
  std::vector<Term> result;
  for (Term& term : terms) {
    if (!result.empty() && result.back().powers == term.powers)
      result.back().factor += term.factor;
    else
      result.push_back(std::move(term));
  }
  std::erase_if(result, [](const Term& term) { return term.factor == 0; });
  return result;
}

Term product(const Term& a, const Term& b) {
  Term result{a.powers, a.factor * b.factor};
  for (const auto& [atom, power] : b.powers) {
    const auto same = std::ranges::find(result.powers, atom, [](const auto& p) { return p.first; });
    if (same == result.powers.end())
      result.powers.emplace_back(atom, power);
    else
      same->second += power;
  }
  std::ranges::sort(result.powers, [](const auto& p, const auto& q) { return p < q; });
  return result;
}

/// The sum of symbols that an angle is.
FormulaAtom angle_of(const Formula& f) {
  FormulaAtom angle;
  for (const Term& term : f.terms()) {
    const bool linear = term.powers.size() == 1 && term.powers[0].second == 1 &&
                        term.powers[0].first.kind == Kind::symbol;
    if (!term.powers.empty() && !linear)
      throw Error("sines and cosines are those of sums of symbols", "formula",
                  "name what stands in the angle by a symbol");
    if (linear)
      angle.parts.emplace_back(term.powers[0].first.parts[0].first, term.factor);
    else
      angle.constant = term.factor;
  }
  std::ranges::sort(angle.parts);
  return angle;
}

/// sin(angle + quarters pi/2), of an angle whose first factor is positive and whose constant is less
/// than a quarter turn in magnitude.
Formula sine_of(FormulaAtom angle, int quarters) {
  double sign = 1;
  if (!angle.parts.empty() && angle.parts.front().second < 0) {  // sin(-x) = -sin x = sin(x + pi)
    for (auto& part : angle.parts) part.second = -part.second;
    angle.constant = -angle.constant;
    quarters = 2 - quarters;
  }
  const double turns = std::round(angle.constant / (pi<double> / 2));
  angle.constant -= turns * (pi<double> / 2);
  if (std::abs(angle.constant) < 1e-14) angle.constant = 0;
  quarters = (quarters + static_cast<int>(std::fmod(turns, 4)) + 8) % 4;
  if (quarters >= 2) sign = -1;
  const bool is_cosine = quarters % 2 == 1;
  if (angle.parts.empty()) {
    const double x = is_cosine ? std::cos(angle.constant) : std::sin(angle.constant);
    return sign * x;
  }
  angle.kind = is_cosine ? Kind::cosine : Kind::sine;
  return Formula(sign) * Formula::of(std::move(angle));
}

/// How the atom changes with a symbol.
Formula atom_derivative(const FormulaAtom& atom, int symbol) {
  const auto part = std::ranges::find(atom.parts, symbol, [](const auto& p) { return p.first; });
  if (part == atom.parts.end()) return {};
  if (atom.kind == Kind::symbol) return 1;
  FormulaAtom angle = atom;
  const bool is_sine = atom.kind == Kind::sine;
  angle.kind = is_sine ? Kind::cosine : Kind::sine;
  return Formula(is_sine ? part->second : -part->second) * Formula::of(std::move(angle));
}

double power_of(double x, int n) {
  double result = 1;
  for (int k = 0; k < n; ++k) result *= x;
  return result;
}

double value(const FormulaAtom& atom, std::span<const double> symbols) {
  double sum = atom.constant;
  for (const auto& [symbol, factor] : atom.parts) sum += factor * symbols[symbol];
  return atom.kind == Kind::symbol ? sum : atom.kind == Kind::sine ? std::sin(sum) : std::cos(sum);
}

/// Terms of a sum that still reads well when each is multiplied.
constexpr std::size_t short_sum = 2;

}  // namespace

std::partial_ordering operator<=>(const FormulaAtom& a, const FormulaAtom& b) {
  // By symbols first: what belongs to the same coordinate stands together.
  if (const auto order = a.parts <=> b.parts; std::is_neq(order)) return order;
  if (const auto order = a.kind <=> b.kind; std::is_neq(order)) return order;
  return a.constant <=> b.constant;
}

Formula::Formula(double constant) {
  if (constant != 0) terms_.push_back({{}, constant});
}
Formula::Formula(std::vector<Term> terms) : terms_(collected(std::move(terms))) {}
Formula Formula::symbol(int number) { return of(symbol_atom(number)); }
Formula Formula::of(FormulaAtom atom) { return Formula({Term{{{std::move(atom), 1}}, 1}}); }

Formula operator+(const Formula& a, const Formula& b) {
  std::vector<Term> terms = a.terms_;
  terms.insert(terms.end(), b.terms_.begin(), b.terms_.end());
  return Formula(std::move(terms));
}
Formula operator*(const Formula& a, const Formula& b) {
  std::vector<Term> terms;
  terms.reserve(a.terms_.size() * b.terms_.size());
  for (const Term& x : a.terms_)
    for (const Term& y : b.terms_) terms.push_back(product(x, y));
  return Formula(std::move(terms));
}
Formula sin(const Formula& angle) { return sine_of(angle_of(angle), 0); }
Formula cos(const Formula& angle) { return sine_of(angle_of(angle), 1); }

void ProductSum::add(double factor, const Formula& a) {
  if (a.is_zero() || factor == 0) return;
  for (Product& product : products)
    if (product.formulas.size() == 1 && product.formulas[0].second == 1) {
      product.formulas[0].first += a * Formula(factor / product.factor);
      return;
    }
  products.push_back({1, {{a * Formula(factor), 1}}});
}

void ProductSum::add_product(double factor, std::vector<Formula> formulas) {
  Formula single = 1;  // those of one term together
  Product product{factor, {}};
  for (Formula& f : formulas) {
    if (f.is_zero()) return;
    if (f.terms().size() == 1) {
      single = single * f;
      continue;
    }
    const auto same =
        std::ranges::find(product.formulas, f, [](const auto& known) { return known.first; });
    if (same == product.formulas.end())
      product.formulas.emplace_back(std::move(f), 1);
    else
      ++same->second;
  }
  if (product.formulas.empty()) return add(factor, single);
  const bool is_short = product.formulas.size() == 1 && product.formulas[0].second == 1 &&
                        product.formulas[0].first.terms().size() <= short_sum;
  const bool is_number = single.terms()[0].powers.empty();
  if (is_short && !is_number) return add(factor, single * product.formulas[0].first);
  if (is_number)
    product.factor *= single.terms()[0].factor;
  else
    product.formulas.insert(product.formulas.begin(), {single, 1});
  if (is_number && product.formulas.size() == 1 && product.formulas[0].second == 1 && is_short)
    return add(product.factor, product.formulas[0].first);
  products.push_back(std::move(product));
}

bool ProductSum::is_zero() const noexcept {
  return std::ranges::all_of(products, [](const Product& product) {
    return std::ranges::any_of(product.formulas, [](const auto& f) { return f.first.is_zero(); });
  });
}

Formula derivative(const Formula& f, int symbol) {
  Formula result;
  for (const Term& term : f.terms())
    for (std::size_t k = 0; k < term.powers.size(); ++k) {
      const Formula inner = atom_derivative(term.powers[k].first, symbol);
      if (inner.is_zero()) continue;
      Formula rest = term.factor * term.powers[k].second;
      for (std::size_t j = 0; j < term.powers.size(); ++j)
        for (int n = j == k ? 1 : 0; n < term.powers[j].second; ++n)
          rest = rest * Formula::of(term.powers[j].first);
      result += rest * inner;
    }
  return result;
}

ProductSum derivative(const ProductSum& f, int symbol) {
  ProductSum result;
  for (const ProductSum::Product& product : f.products)
    for (std::size_t k = 0; k < product.formulas.size(); ++k) {
      const auto& [inner, power] = product.formulas[k];
      const Formula slope = derivative(inner, symbol);
      if (slope.is_zero()) continue;
      std::vector<Formula> all{slope};
      for (std::size_t j = 0; j < product.formulas.size(); ++j)
        all.insert(all.end(), product.formulas[j].second - (j == k ? 1 : 0),
                   product.formulas[j].first);
      result.add_product(product.factor * power, std::move(all));
    }
  return result;
}

ProductSum scaled(const ProductSum& f, const Formula& factor) {
  ProductSum result;
  for (const ProductSum::Product& product : f.products) {
    std::vector<Formula> all{factor};
    for (const auto& [inner, power] : product.formulas) all.insert(all.end(), power, inner);
    result.add_product(product.factor, std::move(all));
  }
  return result;
}

ProductSum sum(const ProductSum& a, const ProductSum& b) {
  ProductSum result = a;
  for (const ProductSum::Product& product : b.products) {
    if (product.formulas.size() == 1 && product.formulas[0].second == 1)
      result.add(product.factor, product.formulas[0].first);
    else
      result.products.push_back(product);
  }
  return result;
}

double value(const Formula& f, std::span<const double> symbols) {
  double sum = 0;
  for (const Term& term : f.terms()) {
    double product = term.factor;
    for (const auto& [atom, power] : term.powers) product *= power_of(value(atom, symbols), power);
    sum += product;
  }
  return sum;
}
double value(const ProductSum& f, std::span<const double> symbols) {
  double sum = 0;
  for (const ProductSum::Product& product : f.products) {
    double p = product.factor;
    for (const auto& [formula, power] : product.formulas)
      p *= power_of(value(formula, symbols), power);
    sum += p;
  }
  return sum;
}

Formula without_noise(const Formula& f) {
  double largest = 0;
  for (const Term& term : f.terms()) largest = std::max(largest, std::abs(term.factor));
  Formula result;
  for (const Term& term : f.terms()) {
    if (std::abs(term.factor) < 1e-14 * largest) continue;
    Formula kept = term.factor;
    for (const auto& [atom, power] : term.powers)
      for (int n = 0; n < power; ++n) kept = kept * Formula::of(atom);
    result += kept;
  }
  return result;
}

}  // namespace axode
