#include "cli/commands/state/state_run.hpp"

#include <CLI/CLI.hpp>
#include <utility>

#include "axode/core/error.hpp"
#include "cli/arguments/values.hpp"
#include "cli/commands/state/state_print.hpp"

namespace axode::cli {

CLI::Option* add_values(CLI::App& command, const char* flag, std::vector<std::string>& to,
                        const char* text) {
  return command.add_option(flag, to, text)->type_name("VALUES")->expected(1, 1 << 20);
}

void add_state_run(CLI::App& command, StateOptions& options) {
  file_with(command.add_option("--states", options.file,
                               "Many states: a JSON or CSV file, - is standard input"),
            {".json", ".csv"});
  command.add_flag("--json", options.json, "Print one JSON object, all digits");
  command.add_flag("--csv", options.csv, "Print one CSV row per state");
}

const char* const values_help =
    "VALUES are numbers in the order of the coordinates, separated by commas or spaces, or\n"
    "joint=value for some of the joints; angles may be written 30deg.\n\n";

void check_state_options(const StateOptions& o) {
  if (!o.file.empty() && !(o.q.empty() && o.v.empty() && o.a.empty() && o.tau.empty()))
    throw UsageError("--states: excludes --q, --v, --a and --tau; put them into the file");
  if (o.json && o.csv) throw UsageError("--json excludes --csv; give one of them");
}

namespace {

GivenState state_of_options(const StateSpace& space, const StateOptions& options) {
  GivenState state{nothing_given(space, Order::q), {}, {}, {}, {}};
  const auto set = [&](Order order, const std::vector<std::string>& values, const char* option) {
    if (!values.empty()) state.set(order, from_arguments(space, order, values, option));
  };
  set(Order::q, options.q, "--q");
  set(Order::v, options.v, "--v");
  set(Order::a, options.a, "--a");
  set(Order::tau, options.tau, "--tau");
  return state;
}

/// A state of which nothing else is known is one at rest, held.
void hold_still(const StateRun& run, GivenState& state) {
  if (run.still && !state.a && !state.tau) state.a = nothing_given(run.space, Order::a);
}

std::vector<Quantity> finite_results(const StateRun& run, const GivenState& state,
                                     const std::string& which,
                                     std::optional<std::size_t> prepared) {
  std::vector<Quantity> results = run.evaluate(state, which, prepared);
  check_finite(results, which);
  return results;
}

int run_one(const StateRun& run, StatePrinter& printer) {
  GivenState state = state_of_options(run.space, run.options);
  LimitWarnings(run.space).check(state.q.numbers, "");
  hold_still(run, state);
  const std::vector<Quantity> results = finite_results(run, state, "the state", {});
  printer.begin();
  printer.state(state, results, 0);
  printer.end({});
  return exit_ok;
}

/// States that were read and wait for others, to be evaluated together.
class Waiting {
 public:
  Waiting(const StateRun& run, StatePrinter& printer)
      : run_(run), printer_(printer), limits_(run.space), states_(run.prepare ? run.most : 1) {}

  /// Reads one more state. False at the end. What is wrong with it is thrown after the results of
  /// those before it are printed.
  bool read(StateReader& reader) {
    const std::size_t place = waiting_;
    try {
      if (!reader.next(states_[place])) return false;  // this may call evaluate()
    } catch (...) {
      evaluate();
      throw;
    }
    if (place != waiting_) std::swap(states_[place], states_[waiting_]);
    hold_still(run_, states_[waiting_]);
    if (++waiting_ == states_.size()) evaluate();
    return true;
  }
  /// Prints the results of those that wait.
  void evaluate() {
    const auto states = std::span<const GivenState>(states_).first(std::exchange(waiting_, 0));
    if (run_.prepare && !states.empty()) run_.prepare(states);
    for (std::size_t k = 0; k < states.size() && !interrupted(); ++k) {
      const std::string which = std::string("state ").append(std::to_string(evaluated_));
      limits_.check(states[k].q.numbers, which);
      const std::optional<std::size_t> prepared = run_.prepare ? std::optional(k) : std::nullopt;
      printer_.state(states[k], finite_results(run_, states[k], which, prepared), evaluated_);
      ++evaluated_;
    }
  }
  std::size_t evaluated() const { return evaluated_; }
  const LimitWarnings& limits() const { return limits_; }

 private:
  const StateRun& run_;
  StatePrinter& printer_;
  LimitWarnings limits_;
  std::vector<GivenState> states_;
  std::size_t waiting_ = 0, evaluated_ = 0;
};

int run_many(const StateRun& run, StatePrinter& printer, Output& output) {
  note_interrupts();
  Waiting waiting(run, printer);
  StateReader reader(run.space, run.options.file, [&] {
    waiting.evaluate();
    output.flush();
  });
  printer.begin();
  try {
    while (!interrupted() && waiting.read(reader)) {
    }
    waiting.evaluate();
    if (waiting.evaluated() == 0 && run.options.csv) {
      GivenState blank = reader.blank();
      hold_still(run, blank);
      printer.header(blank, finite_results(run, blank, "the header", {}));
    }
  } catch (const Error& error) {
    printer.end({false, error.what()});
    output.flush();
    waiting.limits().finish();
    throw;
  }
  printer.end({interrupted(), {}});
  output.flush();
  waiting.limits().finish();
  return interrupted() ? exit_interrupted : exit_ok;
}

}  // namespace

int run_states(const StateRun& run) {
  Output output;
  StatePrinter printer(run, output);
  const int code =
      run.options.file.empty() ? run_one(run, printer) : run_many(run, printer, output);
  output.flush();
  return code;
}

}  // namespace axode::cli
