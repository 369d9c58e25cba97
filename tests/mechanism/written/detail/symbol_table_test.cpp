// Symbols are unique, valid identifiers in Python and safe in LaTeX, whatever bodies and joints are called.
#include "axode/mechanism/written/detail/symbol_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace axode::test::symbol_table {

using detail::SymbolTable;

MechanismEquations with_coordinates(std::vector<std::string> names) {
  MechanismEquations eq;
  eq.coordinate_names = std::move(names);
  return eq;
}

TEST(SymbolTable, IdentifiersAreValidAndDiffer) {
  SymbolTable table(with_coordinates({"a.b", "a_b", "1.angle", "lambda", "sin", "ä β.x", ""}),
                    true);
  WrittenEquations w;
  table.give(w);
  std::set<std::string> seen;
  for (const FormulaSymbol& s : w.symbols) {
    EXPECT_TRUE(seen.insert(s.python).second) << s.python;
    EXPECT_TRUE(std::ranges::all_of(s.python, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    })) << s.python;
    EXPECT_FALSE(s.python[0] >= '0' && s.python[0] <= '9');
  }
  EXPECT_FALSE(seen.contains("lambda") || seen.contains("sin"));
  EXPECT_EQ(w.symbols[2].latex, R"(\varphi_{1})");
}

TEST(SymbolTable, NamesAreSafeInLatex) {
  EXPECT_EQ(detail::latex_name("A"), "A");
  EXPECT_EQ(detail::latex_name("crank_1"), R"(\mathrm{crank\_1})");
  EXPECT_EQ(detail::latex_name("a$b%c#d&e{f}"), R"(\mathrm{a\$b\%c\#d\&e\{f\}})");
  EXPECT_EQ(detail::latex_name(R"(a\b)"), R"(\mathrm{a\backslash b})");
}

TEST(SymbolTable, LengthsAreNumbersOrSymbols) {
  SymbolTable numbers(with_coordinates({"q"}), false), names(with_coordinates({"q"}), true);
  EXPECT_EQ(numbers.length("L", "A", "B", "crank", 2), Formula(2));
  const Formula L = names.length("L", "A", "B", "crank", 2);
  EXPECT_EQ(names.length("L", "A", "B", "crank", 2), L);
  EXPECT_FALSE(names.length("L", "A", "B", "rod", 3) == L);  // another body's
  WrittenEquations w;
  names.give(w);
  EXPECT_EQ(w.lengths, (std::vector<double>{2, 3}));
  EXPECT_EQ(w.symbols[1].text, "L_AB");
  EXPECT_EQ(w.symbols[2].text, "L_AB_rod");
}

}  // namespace axode::test::symbol_table
