/// Results with the names they are printed under, and the one way of printing each as text, as JSON and
/// as CSV. A command says what it found as a list of these and knows nothing of forms.
/// Tests: tests/cli/cli_test.py
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/output/output.hpp"

namespace axode::cli {

enum class Shape {
  number,  ///< one number
  list,    ///< a row, or a column, of numbers
  matrix   ///< rows of numbers
};
enum class Style {
  table,  ///< rows and columns with their names
  line    ///< "name  value unit", vectors in brackets
};

/// A result, a table of numbers. It refers to the names, which live as long as the command runs.
struct Quantity {
  std::vector<std::string_view> keys = {};    ///< in JSON, from the outside in
  std::string_view title = {};                ///< in text; quantities of one title share a table
  std::string_view csv = {};                  ///< in CSV: before the names of row and column
  std::string_view what = {};                 ///< in messages: "the `what` of `of` 'row'"
  std::string_view of = {};                   ///< what the rows are; in text over their names
  std::span<const std::string> rows = {};     ///< names
  std::span<const std::string> columns = {};  ///< names
  std::span<const std::string> units = {};    ///< in text, by row; may be empty
  std::vector<double> numbers = {};           ///< row by row
  Shape shape = Shape::list;                  ///< in JSON
  Style style = Style::table;                 ///< in text
  /// Of the rows of a matrix in JSON, where these are not the rows here.
  std::size_t width = 0;
};

/// Throws NumericalError, which names it and `where`, if a number is not finite.
void check_finite(std::span<const Quantity> quantities, const std::string& where);

/// One table, or lines, for each title.
void print_text(std::span<const Quantity> quantities, Output& output);
/// As members of the object that is open; quantities with the same outer keys must be neighbours.
void write_json(std::span<const Quantity> quantities, Json& json);
/// The title of each number in order.
std::vector<std::string> csv_titles(const Quantity& quantity);

/// Text as a cell of a CSV file, in quotes where it needs them.
std::string csv_cell(const std::string& text);
/// angular x y z, linear x y z.
std::vector<double> six(const Vec6<double>& a);

}  // namespace axode::cli
