#include "cli/output/linear_model.hpp"

#include <limits>
#include <numbers>

#include "axode/dynamics/derivatives/oscillations.hpp"
#include "axode/io/text/text_file.hpp"

namespace axode::cli {

LinearModelNames::LinearModelNames(std::vector<std::string> coordinates)
    : coordinates_(std::move(coordinates)) {
  for (const std::string& name : coordinates_) state_.push_back("q " + name);
  for (const std::string& name : coordinates_) state_.push_back("v " + name);
  for (std::size_t k = 1; k <= state_.size(); ++k) numbers_.push_back(std::to_string(k));
}

void LinearModelNames::add_quantities(const LinearModel& model, std::vector<Quantity>& to) const {
  const auto add = [&](std::string_view key, std::string_view title, std::string_view csv,
                       const auto& rows, const auto& columns, std::vector<double> numbers) {
    Quantity& q = to.emplace_back();
    q.keys = {key};
    q.title = q.what = title;
    q.csv = csv;
    q.rows = rows;
    q.columns = columns;
    q.numbers = std::move(numbers);
    q.shape = Shape::matrix;
    return &q;
  };
  add("A", "State matrix A", "A.", state_, state_, model.A.values);
  add("B", "Input matrix B", "B.", state_, coordinates_, model.B.values);
  add("M", "Mass matrix M", "M.", coordinates_, coordinates_, model.M.values);
  add("D", "Damping matrix D", "D.", coordinates_, coordinates_, model.D.values);
  add("K", "Stiffness matrix K", "K.", coordinates_, coordinates_, model.K.values);
  static const std::vector<std::string> parts{"real [1/s]", "imaginary [1/s]"};
  static const std::vector<std::string> hertz{"frequency [Hz]"}, ratio{"damping ratio"};
  std::vector<double> values, frequencies, damping;
  for (const Oscillation& o : oscillations(model.A)) {
    values.insert(values.end(), {o.eigenvalue.real(), o.eigenvalue.imag()});
    frequencies.push_back(o.frequency / (2 * std::numbers::pi));
    damping.push_back(o.damping_ratio);
  }
  const double none = std::numeric_limits<double>::quiet_NaN();  // not found: check_finite
  values.resize(2 * state_.size(), none);
  frequencies.resize(state_.size(), none);
  damping.resize(state_.size(), none);
  constexpr const char* title = "Eigenvalues of A";
  add("eigenvalues", title, "eigenvalue.", numbers_, parts, std::move(values));
  add("frequencies", title, "frequency.", numbers_, hertz, std::move(frequencies))->shape =
      Shape::list;
  add("damping_ratios", title, "damping_ratio.", numbers_, ratio, std::move(damping))->shape =
      Shape::list;
}

Quantity LinearModelNames::values(std::string_view key, std::string_view title,
                                  const std::vector<std::string>& units,
                                  std::vector<double> numbers) const {
  static const std::vector<std::string> value{"value"};
  Quantity q;
  q.keys = {key};
  q.title = q.what = title;
  q.of = "coordinate";
  q.rows = coordinates_;
  q.columns = value;
  q.units = units;
  q.numbers = std::move(numbers);
  return q;
}

namespace {

std::string linear_model_csv(const LinearModelNames& names, const LinearModel& model) {
  std::string text = "state";
  for (const std::string& name : names.state()) text += "," + csv_cell("A " + name);
  for (const std::string& name : names.coordinates()) text += "," + csv_cell("B " + name);
  text += "\n";
  for (int i = 0; i < model.A.rows; ++i) {
    text += csv_cell(names.state()[i]);
    for (int k = 0; k < model.A.columns; ++k) text += "," + shortest(model.A(i, k) + 0.0);
    for (int k = 0; k < model.B.columns; ++k) text += "," + shortest(model.B(i, k) + 0.0);
    text += "\n";
  }
  return text;
}

}  // namespace

void print_linear_model(const std::vector<std::pair<std::string, std::string>>& head,
                        const std::string& title, const LinearModelNames& names,
                        const LinearModel& model, std::span<const Quantity> quantities,
                        bool as_json, bool as_csv) {
  check_finite(quantities, "the state");
  Output output;
  if (as_json) {
    Json json(output);
    json.begin_object();
    for (const auto& [key, text] : head) json.text(key, text);
    json.begin_short_list("independent");
    for (const std::string& name : names.coordinates()) json.text({}, name);
    json.end();
    write_json(quantities, json);
    json.end();
    output.text("\n");
  } else if (as_csv) {
    output.text(linear_model_csv(names, model));
  } else {
    output.print("{}\n", title);
    print_text(quantities, output);
  }
  output.flush();
}

}  // namespace axode::cli
