/// What `axode simulate` says of a run: its options and closing figures.
/// Tests: tests/cli/cli_test.py
#pragma once
#include <string>

#include "axode/simulate/run/simulate.hpp"
#include "cli/commands/commands.hpp"

namespace axode::cli {

/// All that decides about the numbers of a run, as one line of JSON.
std::string run_options_json(const SimulateCommandOptions& command, const State<double>& initial,
                             const SimulateOptions& options);
/// The closing figures for the run file: nothing that differs from one time to the next.
std::string run_summary_json(const RunResult& result);

struct RunTiming {
  double simulated = 0, wall = 0;  ///< in this call [s]
};
/// The closing figures on standard output, as lines or as JSON.
void report_run(const SimulateCommandOptions& command, const RunResult& result,
                const RunTiming& timing);

}  // namespace axode::cli
