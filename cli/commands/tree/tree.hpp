/// What the verbs of all kinds of model do with a tree. Each returns the exit code.
/// Tests: tests/cli/cli_test.py, tests/cli/simulate_test.py
#pragma once
#include "cli/commands/commands.hpp"

namespace axode::cli {

int tree_info(const InfoOptions& options);
int tree_simulate(const SimulateCommandOptions& options);
int tree_linearize(const LinearizeOptions& options);

}  // namespace axode::cli
