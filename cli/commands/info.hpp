/// Shared by the two outputs of `axode info`.
#pragma once
#include <string>
#include <vector>

#include "axode/model/tree.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output/output.hpp"

namespace axode::cli {

/// Screws of all joints in the world at the zero configuration, O(n).
std::vector<Vec6<double>> zero_reference_screws(const Tree& tree);
void print_info_json(const Tree& tree, const std::string& file, Output& output);

/// Whether the file is named as a run.
bool is_run_file(const std::string& file);
/// What is in a run.
int print_run_info(const InfoOptions& options);

}  // namespace axode::cli
