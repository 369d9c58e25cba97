/// `axode flexible`: what only manipulators with elastic links have: modes of the whole, figures of the paper.
#include "cli/commands/flexible/flexible.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>

#include "axode/core/names.hpp"
#include "axode/io/text/json.hpp"
#include "axode/io/text/text_file.hpp"
#include "cli/arguments/duration.hpp"
#include "cli/arguments/option_effects.hpp"
#include "cli/arguments/states.hpp"

namespace axode::cli {

namespace {

struct FlexibleAction {
  std::string_view name;
  int (*run)(const FlexibleOptions&);
};
constexpr std::array<FlexibleAction, 2> flexible_actions{
    {{"modes", flexible_modes_action}, {"figures", flexible_figures}}};

constexpr const char* flexible_footer =
    "Actions:\n"
    "  modes      frequencies, damping and shapes of the whole arm at a pose, or along a sweep\n"
    "             (default)\n"
    "  figures    the motion by the linear and by the exact equations, and the five figures of\n"
    "             the paper as SVG\n\n"
    "Also: axode info, simulate, linearize, check and view FILE.\n\n"
    "Examples:\n"
    "  axode flexible arm.json modes --q upper=30deg --joints servo\n"
    "  axode flexible arm.json modes --sweep upper=0:90deg:10 --svg frequencies.svg\n"
    "  axode flexible arm.json figures --svg plots";

/// Options that only some actions have: m(odes), f(igures).
constexpr std::array<OptionEffect, 17> flexible_effects{{{"--v", "f"},
                                                         {"--equations", "m"},
                                                         {"--exact", "f"},
                                                         {"--joints", "m"},
                                                         {"--sweep", "m"},
                                                         {"--count", "m"},
                                                         {"--for", "f"},
                                                         {"--method", "f"},
                                                         {"--rtol", "f"},
                                                         {"--atol", "f"},
                                                         {"--step", "f"},
                                                         {"--sample", "f"},
                                                         {"--fallback", "f"},
                                                         {"--out", "m"},
                                                         {"--csv", "m"},
                                                         {"--max-steps", "f"},
                                                         {"--force", "mf"}}};

void check_flexible_action(const std::string& action) {
  std::vector<std::string_view> names;
  for (const FlexibleAction& known : flexible_actions) names.push_back(known.name);
  check_action_name(action, names, "flexible");
}

void check_flexible_effects(const CLI::App& command, const FlexibleOptions& o) {
  if (o.json && o.csv) throw UsageError("--json excludes --csv; give one of them");
  refuse_ignored(given_options(command, flexible_effects), flexible_effects, o.action[0], o.action);
}

void add_flexible_outputs(CLI::App& command, FlexibleOptions& o) {
  command.add_option("-o,--out", o.out, "CSV file to write (modes)")->type_name("FILE");
  command.add_option("--svg", o.svg, "Plots: a file (modes) or a folder (figures)")
      ->type_name("PATH");
  command.add_flag("--csv", o.csv, "Print CSV (modes)");
  command.add_flag("--json", o.json, "Print one JSON object");
  command.add_flag("--force", o.force, "Overwrite files that exist");
}

}  // namespace

CLI::App* add_flexible(CLI::App& app, FlexibleOptions& o) {
  CLI::App* command = app.add_subcommand("flexible", "Modes and figures of elastic manipulators");
  command->add_option("model", o.file, "Flexible model (.json)")->type_name("FILE")->required();
  command->add_option("action", o.action, "modes (default) or figures")->type_name("ACTION");
  const auto text = [&](const char* name, std::string& to, const char* help, const char* type) {
    command->add_option(name, to, help)->type_name(type);
  };
  const auto list = [&](const char* name, std::vector<std::string>& to, const char* help) {
    command->add_option(name, to, help)
        ->type_name("VALUES")
        ->delimiter(',')
        ->allow_extra_args(false);
  };
  list("--q", o.q,
       "Coordinates: name=value[,..], or all joints in\norder; those of the file without it");
  list("--v", o.v, "Their rates (figures)");
  text("--equations", o.equations, "Of modes: linear or nonlinear", "KIND");
  command->add_option("--exact", o.exact, "Elastic coordinates kept exact in the linear model")
      ->type_name("NAMES")
      ->delimiter(',');
  text("--joints", o.joints, "Modes: locked (default), free, or servo: with the\ngains of the file",
       "KIND");
  text("--sweep", o.sweep, "Modes along a range: joint=from:to[:steps]", "RANGE");
  command->add_option("--count", o.count, "How many modes are shown, 10 without it")
      ->type_name("N");
  text("--for", o.duration, "How long; default: as the file says, or 10s", "TIME");
  text("--method", o.method, "Integrator, see `axode simulate`", "NAME");
  command->add_option("--rtol", o.rtol, "Relative tolerance, default: 1e-6")->type_name("X");
  command->add_option("--atol", o.atol, "Absolute tolerance, default: 1e-9")->type_name("X");
  text("--step", o.step, "Fixed, or first, step", "TIME");
  command->add_option("--max-steps", o.max_steps, max_long_steps_help)
      ->type_name("N")
      ->check(CLI::Range(1L, 1L << 60U));
  text("--sample", o.sample, "Between samples, 10ms without it", "TIME");
  command->add_flag("--fallback", o.fallback,
                    "Take the exact equations where the linear ones fail");
  add_flexible_outputs(*command, o);
  command->footer(flexible_footer);
  command->parse_complete_callback([command, &o] {
    check_flexible_action(o.action);
    check_flexible_effects(*command, o);
  });
  return command;
}

int run_flexible(const FlexibleOptions& options) {
  for (const FlexibleAction& action : flexible_actions)
    if (action.name == options.action) return action.run(options);
  return exit_internal;  // not reached: check_action
}

int flexible_coordinate(const FlexibleTree& tree, const std::string& name, const char* option,
                        bool only_joints) {
  const std::span<const std::string> names(tree.coordinate_names.data(),
                                           only_joints ? tree.joints : tree.size);
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<int>(found - names.begin());
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string_view similar = most_similar(name, views);
  throw UsageError(fmt::format(
      "{}: there is no {} '{}'; {}", option, only_joints ? "joint" : "coordinate", printable(name),
      similar.empty()
          ? fmt::format("there are {}", printable(fmt::format("{}", fmt::join(names, ", "))))
          : fmt::format("did you mean '{}'?", printable(similar))));
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
  for (const std::string& file : {options.out, options.svg}) {
    std::error_code error;
    const bool folder = &file == &options.svg;
    if (!file.empty() && !options.force && !folder &&
        std::filesystem::exists(std::filesystem::symlink_status(file, error)))
      throw IoError("exists already", file, "choose another name or overwrite it with --force");
    const std::filesystem::path into = std::filesystem::path(file).parent_path();
    if (!folder && !into.empty() && !std::filesystem::is_directory(into, error))
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

ModePlace mode_place(const FlexibleTree& tree, int coordinate) {
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const FlexibleLink& link = tree.links[i];
    if (coordinate >= link.first_mode && coordinate < link.first_mode + link.invariants.modes)
      return {i, std::size_t(coordinate - link.first_mode)};
  }
  return {};
}

namespace {

bool is_angle(const FlexibleTree& tree, int coordinate) {
  if (coordinate >= tree.joints) {
    const ModePlace place = mode_place(tree, coordinate);
    return tree.links[place.link].modes[place.mode].direction == ModeDirection::torsion;
  }
  const auto link = std::ranges::find(tree.links, coordinate, &FlexibleLink::coordinate);
  return link->joint != FlexibleLink::Joint::prismatic;
}

}  // namespace

const char* unit_of(const FlexibleTree& tree, int coordinate) {
  return is_angle(tree, coordinate) ? "rad" : "m";
}
const char* force_unit_of(const FlexibleTree& tree, int coordinate) {
  return is_angle(tree, coordinate) ? "N m" : "N";
}

void write_if_named(const std::string& file, const std::string& text, bool force) {
  if (!file.empty()) write_text_file(file, text, force);
}

}  // namespace axode::cli
