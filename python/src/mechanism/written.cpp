// Constraint equations written out: texts of rows and of the Jacobian, their symbols.
#include <array>
#include <string_view>

#include "axode/mechanism/written/written_equations.hpp"
#include "src/mechanism/mechanism.hpp"

namespace axode::python::mechanisms {

namespace {

FormulaStyle style_named(std::string_view name) {
  if (name == "text") return FormulaStyle::text;
  if (name == "latex") return FormulaStyle::latex;
  if (name == "python") return FormulaStyle::python;
  throw Error("'" + std::string(name) + "' is not a style", "style",
              "choose among text, latex, python");
}
bool are_named(std::string_view lengths) {
  if (lengths != "numbers" && lengths != "names")
    throw Error("'" + std::string(lengths) + "' is neither of them", "lengths",
                "choose numbers or names");
  return lengths == "names";
}

nb::object written_out(PySystem& py, const std::string& style_name, const std::string& lengths,
                       bool with_jacobian, int digits) {
  const FormulaStyle style = style_named(style_name);
  if (digits < 1 || digits > 17)
    throw Error("is not within 1 to 17", "digits", "give that many significant digits");
  const bool named = are_named(lengths);
  const WrittenEquations w = py.use([&](MechanismSystem& system) {
    return written_equations(system.equations(),
                             {.name_lengths = named, .jacobian = with_jacobian});
  });
  const auto text = [&](const ProductSum& f) { return written(f, w.symbols, style, digits); };
  const auto symbol = [&](int k) {
    const FormulaSymbol& s = w.symbols[k];
    return style == FormulaStyle::text ? s.text : style == FormulaStyle::latex ? s.latex : s.python;
  };
  nb::list rows, coordinates, functions;
  for (const ProductSum& row : w.rows) rows.append(text(row));
  nb::dict jacobian, values;
  for (const WrittenEquations::Entry& entry : w.jacobian)
    jacobian[nb::make_tuple(entry.row, entry.velocity)] = text(entry.formula);
  const int n = w.numbers(), drivers = static_cast<int>(w.drivers.size());
  for (int k = 0; k < n; ++k) coordinates.append(symbol(k));
  for (int k = 0; k < drivers; ++k) functions.append(symbol(n + k));
  for (int k = 0; k < static_cast<int>(w.lengths.size()); ++k)
    values[nb::str(symbol(n + drivers + k).c_str())] = w.lengths[k];
  return result("WrittenEquations", rows, jacobian, coordinates, functions, values,
                written_document(w, style, digits));
}

}  // namespace

void bind_mechanism_written(MechanismClasses& c) {
  c.both(
      {"written",
       "style: str = 'text', *, lengths: str = 'numbers', jacobian: bool = True, digits: int = 15",
       "axode._results.WrittenEquations",
       "The constraint equations written out in coordinates, lengths and angles, in the forms in "
       "use; each row is zero where it is met. style: 'text', 'latex' or 'python'; lengths: "
       "'numbers', or 'names' with a table of their values [m]; jacobian: with the derivatives "
       "by velocities. The document of style 'python' is a program that makes SymPy matrices."},
      &written_out, nb::arg("style") = "text", nb::kw_only(), nb::arg("lengths") = "numbers",
      nb::arg("jacobian") = true, nb::arg("digits") = 15);
}

}  // namespace axode::python::mechanisms
