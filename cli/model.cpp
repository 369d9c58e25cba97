#include <CLI/CLI.hpp>
#include <algorithm>

#include "axode/io/model_file.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"

namespace axode::cli {

void add_model(CLI::App& command, ModelOptions& options) {
  command.add_option("model", options.file, "Model file: .urdf, or Axode's own .json")
      ->type_name("MODEL")
      ->required();
  command.add_flag("--merge-fixed", options.merge_fixed,
                   "Join bodies on fixed joints with those they are on");
  command.add_flag("--free-base", options.free_base,
                   "URDF: let the root link move freely instead of fixing it to the world");
}

Tree load(const ModelOptions& options) {
  LoadOptions how;
  how.build.merge_fixed_joints = options.merge_fixed;
  how.free_base = options.free_base;
  return load_tree(options.file, how);
}

Tree load_with_remark(const ModelOptions& options) {
  Tree tree = load(options);
  const auto impossible = std::count_if(tree.warnings.begin(), tree.warnings.end(),
                                        [](const Warning& w) { return w.impossible; });
  if (impossible > 0)
    warn(fmt::format("{} has {} that no mechanism can have; see `axode check {}`", options.file,
                     count(static_cast<std::size_t>(impossible), "property"), options.file));
  return tree;
}

}  // namespace axode::cli
