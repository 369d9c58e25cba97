/// Written equations as a whole: text, LaTeX, a Python program.
#include <fmt/format.h>

#include "axode/mechanism/written/written_equations.hpp"

namespace axode {

namespace {

struct Document {
  const WrittenEquations& w;
  int digits;

  std::string formula(const ProductSum& f, FormulaStyle style) const {
    return written(f, w.symbols, style, digits);
  }
  const FormulaSymbol& length(std::size_t k) const {
    return w.symbols[w.symbols.size() - w.lengths.size() + k];
  }

  std::string text() const {
    std::string result;
    for (const ProductSum& row : w.rows) result += formula(row, FormulaStyle::text) + " = 0\n";
    if (!w.jacobian.empty()) result += "\n";
    for (const WrittenEquations::Entry& entry : w.jacobian)
      result += fmt::format("J[{}, {}] = {}\n", entry.row, w.velocity_names[entry.velocity],
                            formula(entry.formula, FormulaStyle::text));
    if (!w.lengths.empty()) result += "\n";
    for (std::size_t k = 0; k < w.lengths.size(); ++k)
      result += fmt::format("{} = {:.{}g}\n", length(k).text, w.lengths[k], digits);
    return result;
  }

  std::string latex() const {
    std::string result = "\\begin{align}\n";
    for (const ProductSum& row : w.rows)
      result += "  " + formula(row, FormulaStyle::latex) + " &= 0 \\\\\n";
    for (const WrittenEquations::Entry& entry : w.jacobian)
      result += fmt::format("  J_{{{},{}}} &= {} \\\\\n", entry.row + 1, entry.velocity + 1,
                            formula(entry.formula, FormulaStyle::latex));
    return result + "\\end{align}\n";
  }

  std::string python() const {
    std::string names, numbers, rows, entries;
    for (const FormulaSymbol& s : w.symbols) names += (names.empty() ? "" : ", ") + s.python;
    for (std::size_t k = 0; k < w.lengths.size(); ++k)
      numbers += fmt::format("{}{}: {}", k > 0 ? ", " : "", length(k).python, w.lengths[k]);
    for (const ProductSum& row : w.rows)
      rows += "    " + formula(row, FormulaStyle::python) + ",\n";
    for (const WrittenEquations::Entry& entry : w.jacobian)
      entries += fmt::format("    ({}, {}): {},\n", entry.row, entry.velocity,
                             formula(entry.formula, FormulaStyle::python));
    std::string result = "from sympy import Matrix, SparseMatrix, cos, sin, symbols\n\n";
    if (!w.symbols.empty()) result += fmt::format("{0} = symbols(\"{0}\", real=True)\n", names);
    result += "Phi = Matrix([\n" + rows + "])\n";
    if (!w.jacobian.empty())
      result += fmt::format("J = SparseMatrix({}, {}, {{\n{}}})\n", w.rows.size(),
                            w.velocity_names.size(), entries);
    return result + "lengths = {" + numbers + "}\n";
  }
};

}  // namespace

std::string written_document(const WrittenEquations& written, FormulaStyle style, int digits) {
  const Document document{written, digits};
  switch (style) {
    case FormulaStyle::latex:
      return document.latex();
    case FormulaStyle::python:
      return document.python();
    case FormulaStyle::text:
      break;
  }
  return document.text();
}

}  // namespace axode
