#include "cli/output/output.hpp"

#include <langinfo.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "axode/core/error.hpp"
#include "axode/io/text/json.hpp"
#include "axode/io/text/message_place.hpp"
#include "axode/io/text/text_file.hpp"

namespace axode::cli {

namespace {

/// Writes all of it; false on failure, with errno set.
bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(file, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    text.remove_prefix(n);
  }
  return true;
}

void remark(std::string_view kind, std::string_view colour, std::string_view text) {
  const std::string line = colour_on_stderr()
                               ? fmt::format("axode: \033[{}m{}:\033[0m {}\n", colour, kind, text)
                               : fmt::format("axode: {}: {}\n", kind, text);
  note(line);
}

std::string model_file, not_finite;

void note_result(std::string_view name, double value) {
  if (!std::isfinite(value) && not_finite.empty()) not_finite = name.empty() ? "a number" : name;
}

/// Whether the text begins with the place of another file, of what is piped in, or with an option.
bool is_of_other_file(std::string_view text) {
  if (text.starts_with("standard input") || text.starts_with("--")) return true;
  const std::string_view first = text.substr(0, text.find(": "));
  const std::string file(first.substr(0, first.find_last_not_of("0123456789:") + 1));
  std::error_code error;
  return file.size() < text.size() && file != model_file && std::filesystem::exists(file, error);
}

}  // namespace

std::string with_place(std::string_view text) {
  if (model_file.empty() || is_of_other_file(text)) return std::string(text);
  const std::size_t at = text.find(model_file);
  const std::string_view after = at == text.npos ? "" : text.substr(at + model_file.size());
  if (after.size() > 1 && after[0] == ':' && after[1] >= '0' && after[1] <= '9')
    return std::string(text);
  const bool begins = at == 0 && after.starts_with(": ");
  const std::string_view message = begins ? after.substr(2) : text;
  return fmt::format("{}: {}", place_of_message(model_file, message), message);
}

namespace {

/// Characters, not bytes.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) >> 6) != 2; }));
}

}  // namespace

void Output::text(std::string_view text) {
  buffer_.append(text);
  flush_if_full();
}

void Output::number(double value) {
  constexpr std::size_t longest = 32;
  const std::size_t before = buffer_.size();
  buffer_.resize(before + longest);
  char* const to = buffer_.data() + before;
  const auto end = std::to_chars(to, to + longest, value == 0 ? 0 : value);
  buffer_.resize(before + (end.ptr - to));
  flush_if_full();
}

void Output::flush_if_full() {
  if (buffer_.size() >= std::size_t{1} << 16) flush();
}

void Output::flush() {
  const bool written = write_all(STDOUT_FILENO, {buffer_.data(), buffer_.size()});
  const int reason = errno;
  buffer_.clear();
  if (!written)
    throw IoError(fmt::format("cannot be written: {}", std::strerror(reason)), "standard output",
                  "make room, or send it elsewhere");
}

void Json::item(std::string_view key) {
  if (!levels_.empty()) {
    Level& level = levels_.back();
    if (!level.empty) output_.text(level.broken ? "," : ", ");
    level.empty = false;
    if (level.broken) output_.print("\n{:{}}", "", 2 * levels_.size());
    if (level.close != '}') return;
    output_.text(json_string(key));
    output_.text(": ");
  }
}

void Json::begin(std::string_view key, char bracket, bool may_break) {
  item(key);
  output_.print("{}", bracket);
  levels_.push_back({bracket == '{' ? '}' : ']', true, may_break && levels_.size() < 2});
}

void Json::end() {
  const Level level = levels_.back();
  levels_.pop_back();
  if (level.broken && !level.empty) output_.print("\n{:{}}", "", 2 * levels_.size());
  output_.print("{}", level.close);
  if (levels_.empty()) output_.text("\n");
}

void Json::any_number(std::string_view key, double value) {
  note_result(key, value);
  if (std::isfinite(value))
    output_.number(value);
  else
    output_.text("null");
}

void Json::text(std::string_view key, std::string_view value) {
  item(key);
  output_.text(json_string(value));
}
void Json::number(std::string_view key, double value) {
  item(key);
  any_number(key, value);
}
void Json::limit(std::string_view key, double value) {
  item(key);
  std::isfinite(value) ? output_.number(value) : output_.text("null");
}
void Json::integer(std::string_view key, long long value) {
  item(key);
  output_.print("{}", value);
}
void Json::boolean(std::string_view key, bool value) {
  item(key);
  output_.text(value ? "true" : "false");
}
void Json::numbers(std::string_view key, std::span<const double> values) {
  item(key);
  output_.text("[");
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) output_.text(", ");
    any_number(key, values[i]);
  }
  output_.text("]");
}
void Json::numbers(std::string_view key, const Vec3<double>& a) {
  numbers(key, std::array{a.x, a.y, a.z});
}
void Json::numbers(std::string_view key, const Vec6<double>& a) {
  const auto &w = a.angular, &v = a.linear;
  numbers(key, std::array{w.x, w.y, w.z, v.x, v.y, v.z});
}

Table::Table(std::vector<std::string> head, std::string_view alignment) : alignment_(alignment) {
  rows_.push_back(std::move(head));
}

void Table::row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

void Table::print(Output& output, std::string_view indent) const {
  std::vector<std::size_t> widths(rows_.front().size(), 0);
  for (const auto& row : rows_)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width(row[c]));
  for (const auto& row : rows_) {
    std::string line(indent);
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string space(widths[c] - width(row[c]), ' ');
      if (c > 0) line += "  ";
      const bool left = alignment_[std::min(c, alignment_.size() - 1)] == 'l';
      line += left ? row[c] + space : space + row[c];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    line += '\n';
    output.text(line);
  }
}

std::string rounded(double value) {
  note_result("a number", value);
  return std::abs(value) < 1e-12 ? "0" : fmt::format("{:.6g}", value);
}
std::string rounded(const Vec3<double>& a) {
  return fmt::format("({} {} {})", rounded(a.x), rounded(a.y), rounded(a.z));
}

std::string printable(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool second_kind = byte == 0xc2 && i + 1 < text.size() &&
                             static_cast<unsigned char>(text[i + 1]) < 0xa0;  // U+0080 to U+009F
    if (byte < 0x20 || byte == 0x7f)
      result += fmt::format("\\x{:02x}", byte);
    else if (second_kind)
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[++i]));
    else
      result += text[i];
  }
  return result;
}

std::string count(std::size_t n, std::string_view noun) {
  if (n == 1) return fmt::format("1 {}", noun);
  if (const std::size_t of = noun.find(" of "); of != std::string_view::npos)
    return fmt::format("{}{}", count(n, noun.substr(0, of)), noun.substr(of));
  if (noun.ends_with('y')) return fmt::format("{} {}ies", n, noun.substr(0, noun.size() - 1));
  return fmt::format("{} {}s", n, noun);
}

bool colour_on_stderr() {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) && !(no_colour && *no_colour) && terminal &&
         std::string_view(terminal) != "dumb";
}

bool utf8_output() {
  std::setlocale(LC_CTYPE, "");
  const std::string_view codeset = nl_langinfo(CODESET);
  return codeset == "UTF-8";
}

// There is nobody to tell if this fails.
void note(std::string_view text) noexcept { write_all(STDERR_FILENO, text); }
void warn(std::string_view text) { remark("warning", "33", printable(text)); }
void report_error(std::string_view text) { report_plain_error(with_place(text)); }
void report_plain_error(std::string_view text) { remark("error", "31", printable(text)); }
void set_model_file(std::string file) { model_file = std::move(file); }
const std::string& first_not_finite() { return not_finite; }

}  // namespace axode::cli
