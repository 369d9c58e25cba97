/// Controllers from the command line: "pd", "computed-torque" or "none", with gains.
/// Tests: tests/cli/cli_test.py
#pragma once
#include <span>
#include <string>
#include <vector>

#include "axode/simulate/forces/controller.hpp"

namespace axode::cli {

/// "KIND[:key=value,...]": kp, kd, at (when the target is reached), from, until, gravity=on. They
/// hold the target, or go there from the initial configuration. Throws UsageError.
std::vector<Controller> parse_controllers(const Tree& tree, std::span<const std::string> texts,
                                          const std::vector<double>& initial,
                                          const std::vector<double>& target);

}  // namespace axode::cli
