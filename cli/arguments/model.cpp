/// What all commands share: the model file, how to read it, and its warnings.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>

#include "axode/io/mechanism/mechanism_file.hpp"
#include "axode/io/model_file.hpp"
#include "cli/arguments/values.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output/output.hpp"

namespace axode::cli {

void add_model(CLI::App& command, ModelOptions& options) {
  file_with(command.add_option("model", options.file, "Model file: .urdf, or Axode's own .json")
                ->required(),
            model_endings(), "MODEL");
  command.add_flag("--merge-fixed", options.merge_fixed,
                   "Join bodies on fixed joints with those they are on");
  command.add_flag("--free-base", options.free_base,
                   "URDF: let the root link move freely instead of fixing it\nto the world");
  one_of(command.add_option("--base-velocity", options.base_velocity,
                            "URDF: velocities of free joints, default: body"),
         "REP", {"body", "spatial", "hybrid"});
  folder(command
             .add_option("--mesh-root", options.mesh_roots,
                         "Folder of meshes, in addition to that of the model; may be\nrepeated")
             ->allow_extra_args(false));
}

void add_loops(CLI::App& command, ModelOptions& options) {
  file_with(command.add_option("--loops", options.loops,
                               "Mechanisms: joints that close the loops of a URDF tree"),
            {".json"});
}

FileKind kind_of(const ModelOptions& options) {
  return options.loops.empty() ? file_kind(options.file) : FileKind::mechanism;
}

Mechanism mechanism_of(const ModelOptions& options) {
  return options.loops.empty() ? load_mechanism(options.file)
                               : load_mechanism(options.file, options.loops);
}

namespace {

constexpr std::array rep_names{"body", "spatial", "hybrid", "mixed"};  // in the order of Rep

}  // namespace

const char* rep_name(Rep rep) { return rep_names[std::size_t(rep)]; }

Rep rep_named(const std::string& name, const char* option, bool mixed, const char* more) {
  for (const Rep rep : {Rep::body, Rep::spatial, Rep::hybrid, Rep::mixed})
    if (name == rep_name(rep) && (mixed || rep != Rep::mixed)) return rep;
  throw UsageError(fmt::format("{}: there is no '{}'; choose body, spatial{}{}", option, name,
                               mixed ? ", hybrid or mixed" : " or hybrid", more));
}

void check_base_velocity(const Tree& tree, const ModelOptions& options) {
  if (options.base_velocity.empty()) return;
  const Rep asked = rep_named(options.base_velocity, "--base-velocity", false);
  bool any = false;
  for (const Link& link : tree.links) {
    if (link.map != JointMap::free) continue;
    any = true;
    if (link.velocity != asked)
      throw Error("a form of velocity was asked for, but this format says itself which it is",
                  "--base-velocity", "change \"velocity\" of the free joint in the file");
  }
  if (!any) throw Error("the model has no free joint", "--base-velocity", "give --free-base, too");
}

LoadOptions load_options(const ModelOptions& options) {
  LoadOptions how;
  how.build.merge_fixed_joints = options.merge_fixed;
  how.free_base = options.free_base;
  if (!options.base_velocity.empty())
    how.base_velocity = rep_named(options.base_velocity, "--base-velocity", false);
  for (const std::string& root : options.mesh_roots) {
    std::error_code error;
    if (!std::filesystem::is_directory(root, error))
      throw IoError("is not a folder", "--mesh-root: " + root,
                    "check the name and the permissions");
    how.mesh_roots.emplace_back(root);
  }
  return how;
}

Tree load(const ModelOptions& options) {
  Tree tree = load_tree(options.file, load_options(options));
  check_base_velocity(tree, options);
  return tree;
}

void remark_on(const Tree& tree, const ModelOptions& options) {
  const auto impossible = std::count_if(tree.warnings.begin(), tree.warnings.end(),
                                        [](const Warning& w) { return w.impossible; });
  if (impossible > 0)
    warn(fmt::format("{} has {} that no mechanism can have; see `axode check {}`", options.file,
                     count(impossible, "property"), options.file));
}

Tree load_with_remark(const ModelOptions& options) {
  Tree tree = load(options);
  remark_on(tree, options);
  return tree;
}

void write_warnings(Json& json, const std::vector<Warning>& warnings) {
  json.begin_list("warnings");
  for (const Warning& warning : warnings) {
    json.begin_object();
    json.text("text", warning.text);
    json.boolean("impossible", warning.impossible);
    json.end();
  }
  json.end();
}

void print_warnings(const std::vector<Warning>& warnings, Output& output, std::string_view indent,
                    std::string_view before_odd) {
  constexpr std::size_t most = 50;
  std::size_t printed = 0;
  for (const bool impossible : {true, false})
    for (const Warning& warning : warnings)
      if (warning.impossible == impossible && printed < most) {
        output.print("{}{}{}\n", indent, impossible ? "impossible: " : before_odd,
                     printable(warning.text));
        ++printed;
      }
  if (warnings.size() > printed) output.print("{}and {} more\n", indent, warnings.size() - printed);
}

}  // namespace axode::cli
