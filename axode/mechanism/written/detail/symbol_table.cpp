#include "axode/mechanism/written/detail/symbol_table.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>
#include <utility>

namespace axode::detail {

namespace {

/// Letters for the parts of coordinates, as in "crank.psi" or "A.angle".
constexpr std::pair<std::string_view, std::string_view> letters[] = {{"angle", R"(\varphi)"},
                                                                     {"angle2", R"(\vartheta)"},
                                                                     {"distance", "s"},
                                                                     {"psi", R"(\psi)"},
                                                                     {"theta", R"(\theta)"},
                                                                     {"phi", R"(\phi)"},
                                                                     {"x", "x"},
                                                                     {"y", "y"},
                                                                     {"z", "z"},
                                                                     {"e0", "e_0"},
                                                                     {"e1", "e_1"},
                                                                     {"e2", "e_2"},
                                                                     {"e3", "e_3"}};

std::string latex_coordinate(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return latex_name(name);
  const std::string owner = latex_name(name.substr(0, dot)), part = name.substr(dot + 1);
  for (const auto& [word, letter] : letters)
    if (part == word)
      return letter.starts_with("e_") ? std::string(letter) + "^{" + owner + "}"
                                      : std::string(letter) + "_{" + owner + "}";
  return latex_name(part) + "_{" + owner + "}";
}

}  // namespace

std::string latex_name(const std::string& name) {
  std::string result;
  for (const char c : name) {
    if (c == '\\')
      result += R"(\backslash )";
    else if (std::string_view("_#%&${}").find(c) != std::string_view::npos)
      result += std::string(1, '\\') + c;
    else if (c == '^' || c == '~')
      result += ' ';
    else
      result += c;
  }
  return result.size() == 1 ? result : R"(\mathrm{)" + result + "}";
}

SymbolTable::SymbolTable(const MechanismEquations& equations, bool name_lengths)
    : name_lengths_(name_lengths) {
  for (const std::string& name : equations.coordinate_names)
    symbols_.push_back({name, latex_coordinate(name), identifier(name)});
  for (const Equation& e : equations.equations)
    if (e.driver >= 0) drivers_.push_back(e.driver);
  for (const int driver : drivers_) {
    const std::string& name = equations.mechanism.drivers[driver].name;
    const bool alone = drivers_.size() == 1;
    symbols_.push_back({alone ? "f(t)" : "f_" + name + "(t)",
                        alone ? "f(t)" : "f_{" + latex_name(name) + "}(t)",
                        identifier(alone ? "f" : "f_" + name)});
  }
}

Formula SymbolTable::function(int driver) const {
  const auto place = std::ranges::find(drivers_, driver) - drivers_.begin();
  const std::size_t coordinates = symbols_.size() - drivers_.size() - lengths_.size();
  return Formula::symbol(static_cast<int>(coordinates) + static_cast<int>(place));
}

Formula SymbolTable::length(const std::string& kind, const std::string& from, const std::string& to,
                            const std::string& body, double value) {
  if (!name_lengths_) return value;
  const bool is_short = from.size() + to.size() <= 2;
  FormulaSymbol symbol{
      .text = kind + "_" + from + (is_short ? "" : "_") + to,
      .latex = kind + "_{" + latex_name(from) + (is_short ? " " : R"(\,)") + latex_name(to) + "}"};
  for (std::size_t k = 0; k < lengths_.size(); ++k) {
    const std::size_t s = symbols_.size() - lengths_.size() + k;
    if (symbols_[s].text != symbol.text) continue;
    if (lengths_[k] == value) return Formula::symbol(static_cast<int>(s));
    symbol.text += "_" + body;  // the same two names on different bodies
    symbol.latex += "^{" + latex_name(body) + "}";
  }
  return add_length(std::move(symbol), value);
}

Formula SymbolTable::constant(const std::string& name, const std::string& latex, double value) {
  if (!name_lengths_) return value;
  for (std::size_t k = 0; k < lengths_.size(); ++k) {
    const std::size_t s = symbols_.size() - lengths_.size() + k;
    if (symbols_[s].text == name && lengths_[k] == value)
      return Formula::symbol(static_cast<int>(s));
  }
  return add_length({.text = name, .latex = latex}, value);
}

Formula SymbolTable::add_length(FormulaSymbol symbol, double value) {
  symbol.python = identifier(symbol.text);
  symbol.is_constant = true;
  symbols_.push_back(std::move(symbol));
  lengths_.push_back(value);
  return Formula::symbol(static_cast<int>(symbols_.size()) - 1);
}

/// The name as identifier that no other symbol has.
std::string SymbolTable::identifier(const std::string& name) {
  static constexpr std::string_view taken[] = {
      "sin",      "cos",      "and",    "as",   "assert", "async",  "await",  "break",
      "class",    "continue", "def",    "del",  "elif",   "else",   "except", "finally",
      "for",      "from",     "global", "if",   "import", "in",     "is",     "lambda",
      "nonlocal", "not",      "or",     "pass", "raise",  "return", "try",    "while",
      "with",     "yield",    "None",   "True", "False"};
  std::string result;
  for (const char c : name)
    result += std::isalnum(static_cast<unsigned char>(c)) && static_cast<unsigned char>(c) < 128
                  ? c
                  : '_';
  if (result.empty() || std::isdigit(static_cast<unsigned char>(result[0]))) result.insert(0, "n");
  while (std::ranges::find(taken, result) != std::end(taken) || !identifiers_.insert(result).second)
    result += '_';
  return result;
}

void SymbolTable::give(WrittenEquations& result) {
  result.symbols = std::move(symbols_);
  result.drivers = std::move(drivers_);
  result.lengths = std::move(lengths_);
}

}  // namespace axode::detail
