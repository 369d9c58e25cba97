/// Options of verbs that serve all kinds of model: what only some kinds have.
/// Tests: tests/cli/verbs_test.py
#pragma once
#include <span>

#include "axode/io/file_kind.hpp"
#include "cli/arguments/option_effects.hpp"
#include "cli/commands/commands.hpp"

namespace axode::cli {

inline constexpr const char* any_model_help =
    "Model file: .urdf, or .json of a tree, a mechanism or\nelastic links";

inline constexpr const char* any_model_or_run_help =
    "Model file: .urdf, or .json of a tree, a mechanism or\nelastic links; or a run (.mcap)";

/// Declares --add, --set, --no-drivers.
void add_mechanism_options(CLI::App& command, KindOptions& options);
/// Declares --formulation, of mechanisms; help begins with `of`.
void add_formulation_option(CLI::App& command, std::string& to, const char* of = "Mechanisms: ");
/// Declares --equations, with `both` if runs of both are possible, and --exact.
void add_equations_options(CLI::App& command, KindOptions& options, bool both = true);

/// Of integration, of all kinds of model.
std::vector<std::string> method_names();

/// The kind of the model (with --loops a mechanism). Throws UsageError for options it does not have,
/// by the letters t, m, f and, of a run, r.
FileKind kind_with_options(const ModelOptions& model, const KindOptions& options,
                           std::span<const OptionEffect> effects);

/// "a=1,b=2", "c=3" as "a=1", "b=2", "c=3".
std::vector<std::string> split(const std::vector<std::string>& values);
/// The same for the functions of these kinds.
MechanismOptions mechanism_options(const ModelOptions& model, const KindOptions& options,
                                   const std::string& coordinates);
FlexibleOptions flexible_options(const std::string& file, const KindOptions& options);

}  // namespace axode::cli
