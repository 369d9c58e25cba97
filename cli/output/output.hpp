/// Standard output: buffered text, JSON as it comes, tables; and remarks on standard error.
///
/// Nothing is kept but one buffer, so that any number of states can be printed. JSON numbers are the
/// shortest that read back as the same bits; tables show six digits.
/// Tests: tests/cli/cli_test.py
#pragma once
#include <fmt/format.h>

#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "axode/lie/vec6.hpp"

namespace axode::cli {

/// Standard output. What is left in the buffer is lost unless flush() is called.
class Output {
 public:
  template <class... T>
  void print(fmt::format_string<T...> format, T&&... values) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<T>(values)...);
    flush_if_full();
  }
  void text(std::string_view text);
  /// The shortest text that reads back as the same number; no minus before zero.
  void number(double value);
  /// Throws IoError if standard output takes no more.
  void flush();

 private:
  void flush_if_full();
  fmt::memory_buffer buffer_;
};

/// One JSON value, written from front to back. The two outermost levels go over several lines.
class Json {
 public:
  explicit Json(Output& output) : output_(output) {}
  /// Begins the value of that key; in lists the key is left out.
  void begin_object(std::string_view key = {}) { begin(key, '{', true); }
  void begin_list(std::string_view key = {}) { begin(key, '[', true); }
  /// All on one line.
  void begin_short_list(std::string_view key = {}) { begin(key, '[', false); }
  void end();
  void text(std::string_view key, std::string_view value);
  /// A result; what is not finite becomes null, and the command fails in the end (first_not_finite).
  void number(std::string_view key, double value);
  /// A limit, which may be infinite: null, too.
  void limit(std::string_view key, double value);
  void integer(std::string_view key, long long value);
  void boolean(std::string_view key, bool value);
  void numbers(std::string_view key, std::span<const double> values);
  void numbers(std::string_view key, const Vec3<double>& a);
  void numbers(std::string_view key, const Vec6<double>& a);

 private:
  struct Level {
    char close;
    bool empty, broken;
  };
  void begin(std::string_view key, char bracket, bool may_break);
  void item(std::string_view key);
  void any_number(std::string_view key, double value);
  Output& output_;
  std::vector<Level> levels_;
};

/// Rows of cells, printed in columns that fit; the first row is the head.
class Table {
 public:
  /// `alignment`: 'l' or 'r' for each column, the last one for all that follow.
  explicit Table(std::vector<std::string> head, std::string_view alignment = "lr");
  void row(std::vector<std::string> cells);
  bool empty() const { return rows_.size() < 2; }
  void print(Output& output, std::string_view indent = "  ") const;

 private:
  std::vector<std::vector<std::string>> rows_;
  std::string_view alignment_;
};

/// Six digits for people; what is below 1e-12 is shown as 0.
std::string rounded(double value);
/// "(x y z)", rounded.
std::string rounded(const Vec3<double>& a);
/// Foreign text without control characters, for terminals.
std::string printable(std::string_view text);
/// "1 joint", "2 joints", "2 degrees of freedom"; plurals in -y become -ies.
std::string count(std::size_t n, std::string_view noun);
/// Whether standard error is a terminal that shows colours and nobody set NO_COLOR.
bool colour_on_stderr();
/// Whether standard output takes UTF-8, by the locale.
bool utf8_output();

/// Text as it is on standard error; that this may fail, as where it is closed, ends nothing.
void note(std::string_view text) noexcept;
/// "axode: warning: text" on standard error.
void warn(std::string_view text);
/// "axode: error: text" on standard error, one line whatever the text. Of what concerns the model file
/// the text begins with file and line: what it does not say is found in the file.
void report_error(std::string_view text);
/// The same of what does not concern it: the command line, other files.
void report_plain_error(std::string_view text);
/// What report_error prints: with file and line, in the place of the file if that is there.
std::string with_place(std::string_view text);
/// The model file of the command.
void set_model_file(std::string file);

/// What the first number printed is called that was not finite; empty if all were.
const std::string& first_not_finite();

}  // namespace axode::cli
