/// The type name of an option carries what its value is: "a|b|c", "FILE", "FILE .csv .svg" or "FOLDER"; its
/// option text is what help shows.
#include "cli/arguments/values.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "axode/core/names.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output/output.hpp"

namespace axode::cli {

namespace {

constexpr const char *any_file = "FILE", *any_folder = "FOLDER";

std::vector<std::string> split_at(const std::string& text, char separator) {
  std::vector<std::string> parts{""};
  for (const char c : text)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

void show(CLI::Option* option, std::string text) {
  if (option->get_expected_max() > 1) text += " ...";
  if (option->get_required()) text += " REQUIRED";
  option->option_text(text);
}

}  // namespace

std::string wrapped(const std::string& text) {
  constexpr std::size_t width = 56;
  std::string result;
  std::size_t line = 0;
  for (const std::string& word : split_at(text, ' ')) {
    const bool fits = line == 0 || line + 1 + word.size() <= width;
    if (line > 0) result += fits ? ' ' : '\n';
    line = fits && line > 0 ? line + 1 + word.size() : word.size();
    result += word;
  }
  return result;
}

std::string alternatives(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k)
    text += (k == 0 ? "" : k + 1 < names.size() ? ", " : " or ") + names[k];
  return text;
}

CLI::Option* such_as(CLI::Option* option, const char* metavar,
                     const std::vector<std::string>& names) {
  const std::string list = fmt::format("{}", fmt::join(names, "|"));
  option->type_name(list);
  constexpr std::size_t short_list = 32;
  show(option, list.size() <= short_list ? list : metavar);
  return option;
}

CLI::Option* one_of(CLI::Option* option, const char* metavar,
                    const std::vector<std::string>& names) {
  const auto check = [names](std::string& value) -> std::string {
    for (const std::string& name : names)
      if (is_same_name(name, value)) {
        value = name;
        return {};
      }
    const std::string proposal = did_you_mean(value, names);
    return fmt::format("there is no '{}'; choose {}{}{}", printable(value), alternatives(names),
                       proposal.empty() ? "" : "; ", proposal);
  };
  option->transform(CLI::Validator(check, ""));
  return such_as(option, metavar, names);
}

CLI::Option* file_with(CLI::Option* option, const std::vector<std::string>& endings,
                       const char* metavar) {
  std::string type = any_file;
  for (const std::string& ending : endings) type += " " + ending;
  option->type_name(type);
  show(option, metavar);
  return option;
}

const std::vector<std::string>& model_endings() {
  static const std::vector<std::string> endings{".json", ".urdf", ".xml"};
  return endings;
}
std::vector<std::string> model_and_run_endings() {
  std::vector<std::string> endings = model_endings();
  endings.emplace_back(".mcap");
  return endings;
}

CLI::Option* folder(CLI::Option* option) {
  option->type_name(any_folder);
  show(option, any_folder);
  return option;
}

ValueKind value_kind(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  ValueKind kind;
  if (type.find('|') != std::string::npos) {
    kind.names = split_at(type, '|');
  } else if (type == any_folder) {
    kind.is_folder = true;
  } else if (std::vector<std::string> words = split_at(type, ' '); words.front() == any_file) {
    kind.is_file = true;
    kind.endings.assign(words.begin() + 1, words.end());
  }
  return kind;
}

void check_drawing(const std::string& file) {
  if (std::filesystem::path(file).extension() != ".svg")
    throw UsageError(
        fmt::format("--out: {}: a drawing is SVG; let the name end in .svg", printable(file)));
}

void sort_outputs(const std::vector<std::string>& files, std::string& table, std::string& drawing) {
  for (const std::string& file : files) {
    const std::string ending = std::filesystem::path(file).extension().string();
    if (ending != ".csv" && ending != ".svg")
      throw UsageError(
          fmt::format("--out: {}: the ending names no format; give a table .csv or a drawing .svg",
                      printable(file)));
    std::string& to = ending == ".csv" ? table : drawing;
    if (!to.empty())
      throw UsageError(fmt::format("--out: two files end in {}; give one of each kind", ending));
    to = file;
  }
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

std::string metavar(const CLI::Option& option) {
  if (!takes_value(option)) return {};
  const std::string& shown = option.get_option_text();
  return shown.empty() ? option.get_type_name() : shown.substr(0, shown.find(' '));
}

}  // namespace axode::cli
