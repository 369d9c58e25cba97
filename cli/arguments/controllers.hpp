/// Controllers from the command line: "pd", "computed-torque" or "none", with gains.
/// Tests: tests/cli/cli_test.py
#pragma once
#include <span>
#include <string>
#include <vector>

#include "axode/simulate/forces/control.hpp"
#include "axode/simulate/forces/controller.hpp"
#include "axode/simulate/systems/flexible_system.hpp"

namespace axode::cli {

/// "KIND[:key=value,...]": kp, kd, at (when the target is reached), from, until, gravity=on. They
/// hold the target, or go there from the initial configuration. Throws UsageError.
std::vector<Controller> parse_controllers(const Tree& tree, std::span<const std::string> texts,
                                          const std::vector<double>& initial,
                                          const std::vector<double>& target);

/// PD control of the coordinates that `target` names, "COORD=NUMBER"; none without controllers. Throws UsageError,
/// with the reason for kinds and keys that a mechanism cannot have.
Control mechanism_control(const Mechanism& mechanism, std::span<const std::string> texts,
                          std::span<const std::string> target);
/// PD control of all joints, which hold `target`, instead of that of the file; none removes that. Throws UsageError.
void set_flexible_control(const FlexibleTree& tree, std::span<const std::string> texts,
                          const std::vector<double>& target, FlexibleForces& forces);

}  // namespace axode::cli
