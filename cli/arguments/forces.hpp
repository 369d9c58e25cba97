/// What acts on a mechanism beside the forces of its joints, from the command line: wrenches in any
/// frame, and effects that are left out.
/// Tests: tests/cli/cli_test.py
#pragma once
#include <vector>

#include "axode/dynamics/effects.hpp"
#include "axode/dynamics/external_wrench.hpp"
#include "cli/commands/commands.hpp"

namespace axode::cli {

/// Declares --external and --no-gravity, ...
void add_forces(CLI::App& command, ForceOptions& options);

Effects effects_of(const ForceOptions& options);

/// A wrench as it is written: "ON=tx,ty,tz,fx,fy,fz", in the frame it acts on, or
/// "ON@FRAME=tx,...". Names may hold anything: what the model knows is found. Throws UsageError on
/// what is no such text, Error on unknown names and on the world.
ExternalWrench<double> parse_wrench(const Tree& tree, const std::string& text);
/// All of them.
std::vector<ExternalWrench<double>> wrenches_of(const Tree& tree, const ForceOptions& options);

}  // namespace axode::cli
