#include "cli/state_run.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>

#include "axode/error.hpp"

namespace axode::cli {

CLI::Option* add_values(CLI::App& command, const char* flag, std::vector<std::string>& to,
                        const char* text) {
  return command.add_option(flag, to, text)->type_name("VALUES")->expected(1, 1 << 20);
}

void add_state_run(CLI::App& command, StateOptions& options) {
  command
      .add_option("--states", options.file, "Many states: a JSON or CSV file, - is standard input")
      ->type_name("FILE");
  command.add_flag("--json", options.json, "Print one JSON object, all digits");
  command.add_flag("--csv", options.csv, "Print one CSV row per state");
}

const char* const values_help =
    "VALUES are numbers in the order of the coordinates, separated by commas or spaces, or\n"
    "joint=value for some of the joints; an angle may be written 30deg.\n\n";

void check_state_options(const StateOptions& o) {
  if (!o.file.empty() && !(o.q.empty() && o.qd.empty() && o.qdd.empty() && o.tau.empty()))
    throw UsageError("--states: excludes --q, --qd, --qdd and --tau; put them into the file");
  if (o.json && o.csv) throw UsageError("--json excludes --csv; give one of them");
}

namespace {

/// How a sequence of states came to its end.
struct Ending {
  bool interrupted = false;
  std::string error;  ///< empty: there was none
};

// --- text -----------------------------------------------------------------------------------------

void print_given(const StateSpace& space, const GivenState& state, Output& output) {
  const bool both = state.qdd && state.tau;  // then some joints have one, and some the other
  output.print("q   {}\n", assignments(space, Order::q, state.q));
  if (state.qd) output.print("qd  {}\n", assignments(space, Order::qd, *state.qd));
  if (state.qdd) output.print("qdd {}\n", assignments(space, Order::qdd, *state.qdd, both));
  if (state.tau) output.print("tau {}\n", assignments(space, Order::tau, *state.tau, both));
}

// --- JSON -----------------------------------------------------------------------------------------

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
  given("qd", state.qd);
  given("qdd", state.qdd);
  given("tau", state.tau);
  write_json(results, json);
  json.end();
}

void end_json(const Ending& ending, Json& json) {
  json.end();
  if (ending.interrupted) json.boolean("interrupted", true);
  if (!ending.error.empty()) json.text("error", ending.error);
  json.end();
}

// --- CSV ------------------------------------------------------------------------------------------

void csv_header(const StateSpace& space, const GivenState& state, std::span<const Quantity> results,
                Output& output) {
  std::vector<std::string> titles;
  if (state.time) titles.push_back("time");
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
    output.text(exact(x));
  };
  if (state.time) cell(*state.time);
  for (const double x : state.q.numbers) cell(x);
  for (const Quantity& result : results)
    for (const double x : result.numbers) cell(x);
  output.text("\n");
}

/// Which columns there are; all rows of a file have the same.
struct CsvShape {
  CsvShape(const GivenState& state, std::span<const Quantity> results)
      : time(state.time.has_value()) {
    for (const Quantity& result : results) columns.emplace_back(result.csv, result.numbers.size());
  }
  bool time;
  std::vector<std::pair<std::string_view, std::size_t>> columns;
  bool operator==(const CsvShape&) const = default;
};

/// Completes the state.
std::vector<Quantity> checked(const StateRun& run, GivenState& state, const std::string& which) {
  if (run.still && !state.qdd && !state.tau) state.qdd = nothing_given(run.space, Order::qdd);
  std::vector<Quantity> results = run.evaluate(state, which);
  check_finite(results, which);
  return results;
}

// --- all three ------------------------------------------------------------------------------------

class Printer {
 public:
  Printer(const StateRun& run, Output& output) : run_(run), output_(output), json_(output) {}

  void begin() {
    if (run_.options.json) begin_json(run_, json_);
  }
  void state(const GivenState& state, std::span<const Quantity> results, std::size_t number) {
    if (run_.options.json) return json_state(state, results, json_);
    if (run_.options.csv) return row(state, results, number);
    if (number > 0) output_.text("\n");
    if (!run_.options.file.empty())
      output_.print("State {}{}\n", number,
                    state.time ? fmt::format(", time {} s", rounded(*state.time)) : "");
    print_given(run_.space, state, output_);
    print_text(results, output_);
  }
  /// What a file without states has for them: `blank` is as they would have been.
  void no_states(GivenState blank) {
    if (run_.options.csv)
      csv_header(run_.space, blank, checked(run_, blank, "the header"), output_);
  }
  void end(const Ending& ending) {
    if (run_.options.json) end_json(ending, json_);
  }

 private:
  void row(const GivenState& state, std::span<const Quantity> results, std::size_t number) {
    CsvShape shape(state, results);
    if (!shape_) csv_header(run_.space, state, results, output_);
    if (shape_ && shape != *shape_)
      throw Error("time, qd, qdd or tau is given in some states and not in others",
                  fmt::format("state {}", number), "give it in all, or print --json");
    shape_ = std::move(shape);
    csv_row(state, results, output_);
  }
  const StateRun& run_;
  Output& output_;
  Json json_;
  std::optional<CsvShape> shape_;
};

GivenState state_of_options(const StateSpace& space, const StateOptions& options) {
  GivenState state{nothing_given(space, Order::q), {}, {}, {}, {}};
  const auto set = [&](Order order, const std::vector<std::string>& values, const char* option) {
    if (!values.empty()) state.set(order, from_arguments(space, order, values, option));
  };
  set(Order::q, options.q, "--q");
  set(Order::qd, options.qd, "--qd");
  set(Order::qdd, options.qdd, "--qdd");
  set(Order::tau, options.tau, "--tau");
  return state;
}

int run_one(const StateRun& run, Printer& printer) {
  GivenState state = state_of_options(run.space, run.options);
  LimitWarnings(run.space).check(state.q.numbers, "");
  const std::vector<Quantity> results = checked(run, state, "the state");
  printer.begin();
  printer.state(state, results, 0);
  printer.end({});
  return exit_ok;
}

int run_many(const StateRun& run, Printer& printer, Output& output) {
  note_interrupts();
  StateReader reader(run.space, run.options.file, [&] { output.flush(); });
  LimitWarnings limits(run.space);
  GivenState state;
  printer.begin();
  try {
    std::size_t number = 0;
    for (; !interrupted() && reader.next(state); ++number) {
      const std::string which = fmt::format("state {}", number);
      limits.check(state.q.numbers, which);
      const std::vector<Quantity> results = checked(run, state, which);
      printer.state(state, results, number);
    }
    if (number == 0) printer.no_states(reader.blank());
  } catch (const Error& error) {
    printer.end({false, error.what()});
    output.flush();
    limits.finish();
    throw;
  }
  printer.end({interrupted(), {}});
  output.flush();
  limits.finish();
  return interrupted() ? exit_interrupted : exit_ok;
}

}  // namespace

int run_states(const StateRun& run) {
  Output output;
  Printer printer(run, output);
  const int code =
      run.options.file.empty() ? run_one(run, printer) : run_many(run, printer, output);
  output.flush();
  return code;
}

}  // namespace axode::cli
