/// The symbols of written equations: coordinates, functions of time, lengths.
/// Tests: tests/mechanism/written/detail/symbol_table_test.cpp
#pragma once
#include <set>
#include <string>

#include "axode/mechanism/written/written_equations.hpp"

namespace axode::detail {

/// Text for LaTeX: a name upright, and without characters that have a meaning there.
std::string latex_name(const std::string& name);

class SymbolTable {
 public:
  /// Coordinates, by their number, and drivers of the equations; lengths are numbers, or symbols that are
  /// added here.
  SymbolTable(const MechanismEquations& equations, bool name_lengths);

  /// The function of time of a driver.
  Formula function(int driver) const;
  /// A length between two points, or its component (`kind` "L", "x", "y", "z"); near zero: none.
  Formula length(const std::string& kind, const std::string& from, const std::string& to,
                 const std::string& body, double value);
  /// Some other constant that is made of lengths.
  Formula constant(const std::string& name, const std::string& latex, double value);
  bool names_lengths() const noexcept { return name_lengths_; }

  /// Symbols, drivers and lengths are moved to the result.
  void give(WrittenEquations& result);

 private:
  Formula add_length(FormulaSymbol symbol, double value);
  std::string identifier(const std::string& name);

  bool name_lengths_;
  std::vector<FormulaSymbol> symbols_;
  std::vector<int> drivers_;
  std::vector<double> lengths_;
  std::set<std::string> identifiers_;
};

}  // namespace axode::detail
