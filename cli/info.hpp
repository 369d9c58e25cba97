/// Shared by the two outputs of `axode info`.
#pragma once
#include <string>
#include <vector>

#include "axode/model/tree.hpp"
#include "cli/output.hpp"

namespace axode::cli {

/// Screws of all joints in the world at the zero configuration, O(n).
std::vector<Vec6<double>> zero_reference_screws(const Tree& tree);
void print_info_json(const Tree& tree, const std::string& file, Output& output);

}  // namespace axode::cli
