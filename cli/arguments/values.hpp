/// What the value of an option or argument is: names to choose among, files, folders. Help, the manual page
/// and the completions of shells read it off the option, so that each list is written once.
/// Tests: tests/cli/help_test.py
#pragma once
#include <string>
#include <vector>

namespace CLI {
class Option;
}

namespace axode::cli {

/// The value is one of these names, '-' and '_' being the same. Others are refused with what there is to
/// choose among. Help shows the names if they are few, else `metavar`.
CLI::Option* one_of(CLI::Option* option, const char* metavar,
                    const std::vector<std::string>& names);
/// The same, but others are left to the verb to judge: for what depends on the model.
CLI::Option* such_as(CLI::Option* option, const char* metavar,
                     const std::vector<std::string>& names);
/// The value is a file with one of these endings (".csv"), with any ending if there are none.
CLI::Option* file_with(CLI::Option* option, const std::vector<std::string>& endings,
                       const char* metavar = "FILE");
/// Endings of models, and of models and runs.
const std::vector<std::string>& model_endings();
std::vector<std::string> model_and_run_endings();
CLI::Option* folder(CLI::Option* option);

/// What was said of an option.
struct ValueKind {
  std::vector<std::string> names;    ///< to choose among
  bool is_file = false;              ///< with these endings, or any
  std::vector<std::string> endings;  ///< ".csv"
  bool is_folder = false;
};
ValueKind value_kind(const CLI::Option& option);
/// What stands for the value in help, such as "FILE"; empty for flags.
std::string metavar(const CLI::Option& option);
bool takes_value(const CLI::Option& option);

/// Throws UsageError unless the file of --out is a drawing by its ending, .svg.
void check_drawing(const std::string& file);
/// The files of --out by their ending: a table and a drawing, one of each at most. Throws UsageError.
void sort_outputs(const std::vector<std::string>& files, std::string& table, std::string& drawing);

/// Text broken into the lines of a description in help.
std::string wrapped(const std::string& text);
/// "a, b or c".
std::string alternatives(const std::vector<std::string>& names);

}  // namespace axode::cli
