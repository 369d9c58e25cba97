/// States and what was found of them, printed one after the other as text, JSON or CSV.
/// Tests: tests/cli/cli_test.py
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/commands/state/state_run.hpp"
#include "cli/output/quantity.hpp"

namespace axode::cli {

/// How a sequence of states came to its end.
struct Ending {
  bool interrupted = false;
  std::string error;  ///< empty: there was none
};

/// Which columns of CSV there are; all rows of a file have the same.
struct CsvShape {
  bool time = false;
  std::vector<std::pair<std::string_view, std::size_t>> columns;
};

class StatePrinter {
 public:
  StatePrinter(const StateRun& run, Output& output) : run_(run), output_(output), json_(output) {}

  void begin();
  void state(const GivenState& state, std::span<const Quantity> results, std::size_t number);
  /// The header of CSV, which comes with the first state, alone.
  void header(const GivenState& state, std::span<const Quantity> results);
  void end(const Ending& ending);

 private:
  void row(const GivenState& state, std::span<const Quantity> results, std::size_t number);

  const StateRun& run_;
  Output& output_;
  Json json_;
  std::optional<CsvShape> shape_;
};

}  // namespace axode::cli
