#include "cli/arguments/kind_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "axode/simulate/run/method.hpp"
#include "cli/arguments/values.hpp"
#include "cli/commands/mechanism/mechanism.hpp"
#include "cli/output/output.hpp"

namespace axode::cli {

void add_mechanism_options(CLI::App& command, KindOptions& o) {
  command.add_option("--add", o.added, "Mechanisms: mixed coordinates to add: names[,..]")
      ->type_name("NAMES")
      ->delimiter(',');
  command
      .add_option("--set", o.set,
                  "Mechanisms: drive a coordinate: name=value, or an\nexpression in t")
      ->type_name("COORD=X")
      ->allow_extra_args(false);
  command.add_flag("--no-drivers", o.no_drivers, "Mechanisms: without the drivers of the file");
}

void add_formulation_option(CLI::App& command, std::string& to, const char* of) {
  one_of(command.add_option(
             "--formulation", to,
             wrapped(fmt::format("{}{}; default: natural", of, alternatives(formulations())))),
         "KIND", formulations());
}

void add_equations_options(CLI::App& command, KindOptions& o, bool both) {
  if (both)
    such_as(command.add_option("--equations", o.equations,
                               "Flexible trees: linear (default), nonlinear, or both"),
            "KIND", {"linear", "nonlinear", "both"});
  else
    one_of(command.add_option("--equations", o.equations, "Flexible trees: default: nonlinear"),
           "KIND", {"linear", "nonlinear"});
  command
      .add_option("--exact", o.exact,
                  "Flexible trees: elastic coordinates kept exact in the\nlinear equations")
      ->type_name("NAMES")
      ->delimiter(',');
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const ModelKind kind : {ModelKind::tree, ModelKind::mechanism, ModelKind::flexible_tree})
    for (const Method method : methods_of(kind))
      if (std::ranges::find(names, name(method)) == names.end()) names.emplace_back(name(method));
  return names;
}

FileKind kind_with_options(const ModelOptions& model, const KindOptions& options,
                           std::span<const OptionEffect> effects) {
  const FileKind kind = kind_of(model);
  constexpr std::string_view letters = "tmfr";  // in the order of FileKind
  refuse_ignored(options.given, effects, letters[std::size_t(kind)],
                 fmt::format("a {}", name(kind)));
  return kind;
}

std::vector<std::string> split(const std::vector<std::string>& values) {
  std::vector<std::string> parts;
  for (const std::string& value : values)
    for (std::size_t i = 0, end = 0; i <= value.size() && end != std::string::npos; i = end + 1) {
      end = value.find(',', i);
      parts.push_back(value.substr(i, end == std::string::npos ? end : end - i));
    }
  return parts;
}

MechanismOptions mechanism_options(const ModelOptions& model, const KindOptions& options,
                                   const std::string& coordinates) {
  MechanismOptions result;
  result.file = model.file;
  result.loops = model.loops;
  if (!coordinates.empty()) result.coordinates = coordinates;
  result.added = options.added;
  result.set = options.set;
  result.points = options.points;
  result.no_drivers = options.no_drivers;
  result.svg = options.svg;
  result.print = options.print;
  result.csv = options.csv;
  return result;
}

FlexibleOptions flexible_options(const std::string& file, const KindOptions& options) {
  FlexibleOptions result;
  result.file = file;
  result.equations = options.equations;
  result.exact = options.exact;
  result.fallback = options.fallback;
  result.svg = options.svg;
  result.print = options.print;
  result.csv = options.csv;
  return result;
}

}  // namespace axode::cli
