/// `axode flexible`: what only manipulators with elastic links have: modes of the whole, figures of the paper.
#include "cli/commands/flexible/flexible.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "axode/core/names.hpp"
#include "axode/io/text/json.hpp"
#include "axode/io/text/text_file.hpp"
#include "cli/arguments/duration.hpp"
#include "cli/arguments/kind_options.hpp"
#include "cli/arguments/states.hpp"
#include "cli/arguments/values.hpp"

namespace axode::cli {

namespace {

/// Declares an action with the model and the options that all actions have.
CLI::App* add_flexible_action(CLI::App& command, FlexibleOptions& o, const char* name,
                              const char* help) {
  CLI::App* action = command.add_subcommand(name, help);
  file_with(action->add_option("model", o.file, "Flexible model (.json)")->required(), {".json"},
            "MODEL");
  const auto values = [&](const char* option, std::vector<std::string>& to, const char* text) {
    action->add_option(option, to, text)->type_name("VALUES")->delimiter(',')->expected(1, 1 << 20);
  };
  values("--q", o.q,
         "Coordinates: name=value[,..], or all joints in\norder; default: those of the file");
  action->add_flag("--json", o.json, "Print one JSON object");
  action->add_flag("--force", o.force, "Overwrite files that exist");
  action->parse_complete_callback([action, &o] {
    o.action = action->get_name();
    if (o.json && o.csv) throw UsageError("--json excludes --csv; give one of them");
    sort_outputs(o.outs, o.out, o.svg);
  });
  return action;
}

void add_modes(CLI::App& command, FlexibleOptions& o) {
  CLI::App* action =
      add_flexible_action(command, o, "modes", "Frequencies, damping and shapes of the whole arm");
  one_of(action->add_option("--equations", o.equations, "Default: nonlinear"), "KIND",
         {"linear", "nonlinear"});
  one_of(action->add_option("--joints", o.joints,
                            "Default: locked; servo: with the gains of the file"),
         "KIND", {"locked", "free", "servo"});
  action->add_option("--sweep", o.sweep, "Along a range: joint=from:to[:steps]")
      ->type_name("RANGE");
  action->add_option("--count", o.count, "How many modes are shown, default: 10")->type_name("N");
  file_with(action->add_option("-o,--out", o.outs, "Table (.csv), or plot (.svg); may be repeated")
                ->allow_extra_args(false),
            {".csv", ".svg"});
  action->add_flag("--csv", o.csv, "Print CSV");
  action->footer(
      "Examples:\n"
      "  axode flexible modes examples/flexible/arm4.json --q upper=30deg --joints servo\n"
      "  axode flexible modes examples/flexible/arm4.json --sweep upper=0:90deg:10 -o modes.svg");
}

void add_figures(CLI::App& command, FlexibleOptions& o) {
  CLI::App* action =
      add_flexible_action(command, o, "figures",
                          "The motion by linear and exact equations, in the figures of the paper");
  const auto text = [&](const char* name, std::string& to, const char* help, const char* type) {
    action->add_option(name, to, help)->type_name(type);
  };
  action->add_option("--v", o.v, "Velocities: name=value[,..]; default: those of the file")
      ->type_name("VALUES")
      ->delimiter(',')
      ->expected(1, 1 << 20);
  action->add_option("--exact", o.exact, "Elastic coordinates kept exact in the linear equations")
      ->type_name("NAMES")
      ->delimiter(',');
  text("--for", o.duration, "Simulated time, such as 500ms; default: as the file\nsays, or 10s",
       "TIME");
  such_as(action->add_option("--method", o.method, "Integrator, see `axode simulate`"), "NAME",
          method_names());
  action->add_option("--rtol", o.rtol, "Relative tolerance, default: 1e-6")->type_name("X");
  action->add_option("--atol", o.atol, "Absolute tolerance, default: 1e-9")->type_name("X");
  text("--step", o.step, "Fixed, or first, step", "TIME");
  action->add_option("--max-steps", o.max_steps, max_long_steps_help)
      ->option_text("N")
      ->check(CLI::Range(1L, 1L << 60U));
  text("--sample", o.sample, "Between samples, default: 5ms", "TIME");
  action->add_flag("--fallback", o.fallback, "Take the exact equations where the linear ones fail");
  action->add_flag("--quiet", o.quiet, "No progress on standard error");
  folder(action->add_option("-o,--out", o.svg, "Folder of the figures, default: here"));
  action->footer(
      "Examples:\n  axode flexible figures examples/flexible/arm4.json --for 1s -o figures");
}

}  // namespace

CLI::App* add_flexible(CLI::App& app, FlexibleOptions& o) {
  CLI::App* command = app.add_subcommand("flexible", "Modes and figures of elastic manipulators");
  command->require_subcommand(1);
  add_modes(*command, o);
  add_figures(*command, o);
  command->footer("Also: axode info, check, simulate, linearize, view and export FILE.");
  return command;
}

int run_flexible(const FlexibleOptions& options) {
  return options.action == "modes" ? flexible_modes_action(options) : flexible_figures(options);
}

int flexible_coordinate(const FlexibleTree& tree, const std::string& name, const char* option,
                        bool only_joints) {
  const std::span<const std::string> names(tree.coordinate_names.data(),
                                           only_joints ? tree.joints : tree.size);
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<int>(found - names.begin());
  const std::string all = fmt::format("there are {}", fmt::join(names, ", "));
  throw UsageError(fmt::format("{}: there is no {} '{}'; {}", option,
                               only_joints ? "joint" : "coordinate", printable(name),
                               printable(did_you_mean(name, names, all))));
}

namespace {

double value_of(const FlexibleTree& tree, int coordinate, const std::string& text,
                const char* option) {
  try {
    const Number number = parse_value(text, option);
    if (number.degrees && std::string_view(unit_of(tree, coordinate)) != "rad")
      throw UsageError(fmt::format("{}: {} is not an angle; give metres", option,
                                   printable(tree.coordinate_names[coordinate])));
    return number.value;
  } catch (const Error& e) {
    throw UsageError(e.what());
  }
}

}  // namespace

void set_values(const FlexibleTree& tree, const std::vector<std::string>& texts, const char* option,
                std::vector<double>& numbers) {
  const bool named =
      std::ranges::any_of(texts, [](const std::string& t) { return t.find('=') != t.npos; });
  if (!named && !texts.empty() && std::ssize(texts) != tree.joints &&
      std::ssize(texts) != tree.size)
    throw UsageError(fmt::format("{}: {} values; give one for each of {} joints, or {} coordinates",
                                 option, texts.size(), tree.joints, tree.size));
  std::vector<bool> seen(tree.size, false);
  for (std::size_t k = 0; k < texts.size(); ++k) {
    int c = static_cast<int>(k);
    std::string value = texts[k];
    if (named) {
      const auto [name, told] = assignment(texts[k], option);
      c = flexible_coordinate(tree, name, option, false);
      value = told;
    }
    if (seen[c])
      throw UsageError(fmt::format("{}: '{}' is given twice; give it once", option,
                                   printable(tree.coordinate_names[c])));
    seen[c] = true;
    numbers[c] = value_of(tree, c, value, option);
  }
}

FlexibleSetup flexible_setup(const FlexibleOptions& options) {
  const bool plots = options.action == "simulate";  // in a folder, which is made
  for (const std::string& file : {options.out, plots ? std::string() : options.svg}) {
    std::error_code error;
    if (!file.empty() && !options.force &&
        std::filesystem::exists(std::filesystem::symlink_status(file, error)))
      throw IoError("exists already", file, "choose another name or overwrite it with --force");
    const std::filesystem::path into = std::filesystem::path(file).parent_path();
    if (!into.empty() && !std::filesystem::is_directory(into, error))
      throw IoError("there is no folder '" + into.string() + "'", file, "make it first");
  }
  FlexibleSetup setup = load_flexible(options.file);
  set_values(setup.tree, options.q, "--q", setup.q);
  set_values(setup.tree, options.v, "--v", setup.v);
  return setup;
}

FlexibleModel flexible_model(const FlexibleOptions& options, FlexibleModel otherwise) {
  if (options.equations.empty()) return otherwise;
  if (options.equations == "linear") return FlexibleModel::linear;
  if (options.equations == "nonlinear") return FlexibleModel::nonlinear;
  throw UsageError(fmt::format("--equations: there is no '{}' here; choose linear or nonlinear",
                               printable(options.equations)));
}

std::vector<int> exact_coordinates(const FlexibleOptions& options, const FlexibleTree& tree) {
  std::vector<int> chosen;
  for (const std::string& name : options.exact) {
    chosen.push_back(flexible_coordinate(tree, name, "--exact", false));
    if (chosen.back() < tree.joints)
      throw UsageError(
          fmt::format("--exact: '{}' is a joint, which is always exact; name elastic "
                      "coordinates",
                      printable(name)));
  }
  return chosen;
}

void write_if_named(const std::string& file, const std::string& text, bool force) {
  if (!file.empty()) write_text_file(file, text, force);
}

}  // namespace axode::cli
