/// What `axode simulate` prints of the run of a tree: its closing figures.
/// Tests: tests/cli/cli_test.py
#pragma once
#include <string>

#include "axode/simulate/run/simulate.hpp"
#include "cli/commands/commands.hpp"

namespace axode::cli {

struct RunTiming {
  double simulated = 0, wall = 0;  ///< in this call [s]
};
/// The closing figures as lines or as JSON.
void report_run(const SimulateCommandOptions& command, const RunResult& result,
                const RunTiming& timing, Output& output);

}  // namespace axode::cli
