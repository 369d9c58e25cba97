#include "cli/commands/state/state_print.hpp"

#include <algorithm>

#include "axode/core/error.hpp"

namespace axode::cli {

namespace {

// --- text ----------------------------------------------------------------------------------------

void print_given(const StateSpace& space, const GivenState& state, Output& output) {
  const bool both = state.a && state.tau;  // then some joints have one, and some the other
  output.print("q   {}\n", assignments(space, Order::q, state.q));
  if (state.v) output.print("v   {}\n", assignments(space, Order::v, *state.v));
  if (state.a) output.print("a   {}\n", assignments(space, Order::a, *state.a, both));
  if (state.tau) output.print("tau {}\n", assignments(space, Order::tau, *state.tau, both));
}

// --- JSON ----------------------------------------------------------------------------------------

void begin_json(const StateRun& run, Json& json) {
  json.begin_object();
  for (const auto& [key, value] : run.head) json.text(key, value);
  const auto list = [&](std::string_view key, const auto& items, const auto& name) {
    json.begin_short_list(key);
    for (const auto& item : items) json.text({}, name(item));
    json.end();
  };
  const auto label = [](const Coordinate& c) { return c.label; };
  list("coordinates", run.space.q, label);
  list("velocities", run.space.v, label);
  for (const auto& [key, names] : run.lists)
    list(key, names, [](const std::string& name) { return name; });
  json.begin_list("states");
}

void json_state(const GivenState& state, std::span<const Quantity> results, Json& json) {
  json.begin_object();
  if (state.time) json.number("time", *state.time);
  json.numbers("q", state.q.numbers);
  const auto given = [&](std::string_view key, const std::optional<Values>& x) {
    const bool is_result = std::any_of(results.begin(), results.end(),
                                       [&](const Quantity& r) { return r.keys.front() == key; });
    if (x && !is_result) json.numbers(key, x->numbers);
  };
  given("v", state.v);
  given("a", state.a);
  given("tau", state.tau);
  write_json(results, json);
  json.end();
}

void end_json(const Ending& ending, Json& json) {
  json.end();
  if (ending.interrupted) json.boolean("interrupted", true);
  if (!ending.error.empty()) json.text("error", with_place(ending.error));
  json.end();
}

// --- CSV -----------------------------------------------------------------------------------------

void csv_header(const StateSpace& space, const GivenState& state, std::span<const Quantity> results,
                Output& output) {
  std::vector<std::string> titles;
  if (state.time) titles.emplace_back("time");
  for (const Coordinate& c : space.q) titles.push_back(c.label);
  for (const Quantity& result : results)
    for (std::string& title : csv_titles(result)) titles.push_back(std::move(title));
  for (std::size_t i = 0; i < titles.size(); ++i)
    output.print("{}{}", i > 0 ? "," : "", csv_cell(titles[i]));
  output.text("\n");
}

void csv_row(const GivenState& state, std::span<const Quantity> results, Output& output) {
  bool first = true;
  const auto cell = [&](double x) {
    if (!std::exchange(first, false)) output.text(",");
    output.number(x);
  };
  if (state.time) cell(*state.time);
  for (const double x : state.q.numbers) cell(x);
  for (const Quantity& result : results)
    for (const double x : result.numbers) cell(x);
  output.text("\n");
}

CsvShape shape_of(const GivenState& state, std::span<const Quantity> results) {
  CsvShape shape{state.time.has_value(), {}};
  for (const Quantity& r : results) shape.columns.emplace_back(r.csv, r.numbers.size());
  return shape;
}
bool fits(const CsvShape& shape, const GivenState& state, std::span<const Quantity> results) {
  return shape.time == state.time.has_value() &&
         std::equal(results.begin(), results.end(), shape.columns.begin(), shape.columns.end(),
                    [](const Quantity& r, const auto& column) {
                      return r.csv == column.first && r.numbers.size() == column.second;
                    });
}

}  // namespace

// --- all three -----------------------------------------------------------------------------------

void StatePrinter::begin() {
  if (run_.options.json) begin_json(run_, json_);
}

void StatePrinter::state(const GivenState& state, std::span<const Quantity> results,
                         std::size_t number) {
  if (run_.options.json) return json_state(state, results, json_);
  if (run_.options.csv) return row(state, results, number);
  if (number > 0) output_.text("\n");
  if (!run_.options.file.empty())
    output_.print("State {}{}\n", number,
                  state.time ? fmt::format(", time {} s", rounded(*state.time)) : "");
  print_given(run_.space, state, output_);
  print_text(results, output_);
}

void StatePrinter::row(const GivenState& state, std::span<const Quantity> results,
                       std::size_t number) {
  if (!shape_) header(state, results);
  if (!fits(*shape_, state, results))
    throw Error("time, v, a or tau is given in some states and not in others",
                fmt::format("state {}", number), "give it in all, or print --json");
  csv_row(state, results, output_);
}

void StatePrinter::header(const GivenState& state, std::span<const Quantity> results) {
  csv_header(run_.space, state, results, output_);
  shape_ = shape_of(state, results);
}

void StatePrinter::end(const Ending& ending) {
  if (run_.options.json) end_json(ending, json_);
}

}  // namespace axode::cli
