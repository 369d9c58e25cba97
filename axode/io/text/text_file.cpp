/// Reading and checking text files: see text_file.hpp. Writing is in text_file_write.cpp.
#include "axode/io/text/text_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <system_error>

#include "axode/io/text/crc32.hpp"
#include "axode/io/text/descriptor.hpp"

namespace axode {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view white_space = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(white_space);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(white_space) - first + 1);
}

std::string system_message(int error) { return std::generic_category().message(error); }

/// Length of the UTF-8 character at the beginning of the text, 0 if there is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  // Overlong forms, surrogates and numbers beyond 0x10ffff.
  const unsigned second = byte(1);
  if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
      (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f))
    return 0;
  return length;
}

std::string hexadecimal(unsigned char byte) {
  constexpr std::string_view digits = "0123456789abcdef";
  return {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
}

/// Whether a number that does not fit a double is too small (and so zero) instead of too large:
/// by the decimal place of its first digit that is not 0. The text has the form of a number.
bool is_tiny(std::string_view number) {
  const std::size_t e = number.find_first_of("eE");
  const std::string_view mantissa = number.substr(0, e);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t digit = std::min(mantissa.find_first_of("123456789"), mantissa.size());
  std::int64_t exponent = 0;
  if (e != std::string_view::npos) {
    std::string_view rest = number.substr(e + 1);
    if (rest.starts_with('+')) rest.remove_prefix(1);
    const auto parsed = std::from_chars(rest.data(), rest.data() + rest.size(), exponent);
    if (parsed.ec != std::errc{}) return rest.starts_with('-');
  }
  return exponent + static_cast<std::int64_t>(point) - static_cast<std::int64_t>(digit) < 0;
}

}  // namespace

// --- reading --------------------------------------------------------------------------------------

std::string read_text_file(const fs::path& file) {
  const std::string where = file.string();
  struct stat info {};
  if (::stat(file.c_str(), &info) != 0)
    throw IoError("cannot be read: " + system_message(errno), where, "check name and permissions");
  if (S_ISDIR(info.st_mode)) throw IoError("is a directory", where, "name a file inside it");
  if (!S_ISREG(info.st_mode))
    throw IoError("is not a regular file", where, "copy its contents to a file first");
  const Descriptor input(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (input.fd < 0)
    throw IoError("cannot be read: " + system_message(errno), where, "check its permissions");
  const auto check_size = [&](std::size_t size) {
    if (size > max_file_size)
      throw LimitError("has more than " + std::to_string(max_file_size >> 20) + " MB", where,
                       "keep meshes and recorded data in files of their own");
  };
  check_size(info.st_size);
  std::string text(info.st_size + 1, '\0');
  std::size_t size = 0;
  for (;;) {
    const ssize_t n = ::read(input.fd, text.data() + size, text.size() - size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      throw IoError("cannot be read: " + system_message(errno), where, "check disk and network");
    if (n == 0) break;
    size += n;
    check_size(size);
    if (size == text.size()) text.resize(2 * size);  // it has grown meanwhile
  }
  text.resize(size);
  return text;
}

std::string reread_text_file(const fs::path& file, std::optional<std::uint32_t> crc) {
  std::string text = read_text_file(file);
  if (crc != crc32(text))
    throw IoError("has changed while it was read", file.string(),
                  "repeat it once the file stays as it is");
  return text;
}

void check_utf8(std::string_view text, std::string_view source) {
  const char* remedy = "save it as UTF-8";
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
    throw Error("is in UTF-16", std::string(source) + ":1", remedy);
  for (std::size_t i = 0; i < text.size();) {
    std::uint64_t eight = 0;
    if (i + sizeof eight <= text.size()) {  // most text is ASCII: eight bytes at a time
      std::memcpy(&eight, text.data() + i, sizeof eight);
      const std::uint64_t zero = (eight - 0x0101010101010101u) & ~eight;  // high bit at a zero byte
      if (((eight | zero) & 0x8080808080808080u) == 0) {
        i += sizeof eight;
        continue;
      }
    }
    const std::size_t length = utf8_length(text.substr(i, 4));
    if (length > 0 && text[i] != '\0') {
      i += length;
      continue;
    }
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<long>(i), '\n');
    const std::string where = std::string(source) + ":" + std::to_string(line);
    const bool wide = text[i] == '\0' && i < 4;
    if (wide) throw Error("is in UTF-16 or UTF-32, or no text at all", where, remedy);
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte == 0)
      throw Error("holds a zero byte", where, "remove it; is this a binary file or a cut one?");
    throw Error("the byte " + hexadecimal(byte) + " is not UTF-8", where, remedy);
  }
}

namespace {
constexpr std::size_t line_block = 4096;
int lines_in(std::string_view text) {
  return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}
}  // namespace

LineIndex::LineIndex(std::string_view text) : text_(text), before_{0} {
  for (std::size_t i = 0; i + line_block <= text.size(); i += line_block)
    before_.push_back(before_.back() + lines_in(text.substr(i, line_block)));
}

int LineIndex::line(std::size_t offset) const {
  const std::size_t end = std::min(offset, text_.size()), block = end / line_block;
  return 1 + before_[block] + lines_in(text_.substr(block * line_block, end % line_block));
}

// --- numbers and pieces of text -------------------------------------------------------------------

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string result = "\"";
  std::size_t shown = 0;
  for (std::size_t i = 0; i < text.size(); ++shown) {
    if (shown == longest - 3 && text.size() - i > 3) {
      result += "...";
      break;
    }
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t length = utf8_length(text.substr(i, 4));
    // Control characters of both kinds; other characters may be strange, but stay one line.
    const bool control = byte < 0x20 || byte == 0x7f || length == 0 ||
                         (byte == 0xc2 && static_cast<unsigned char>(text[i + 1]) < 0xa0);
    result += control ? hexadecimal(byte) : std::string(text.substr(i, length));
    i += control ? 1 : length;
  }
  return result += '"';
}

std::string shortest(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value);
  return {text, end.ptr};
}

double parse_number(std::string_view token, const std::string& where) {
  std::string_view number = trimmed(token);
  if (number.empty()) throw Error("a number is missing", where, "write one, such as 0");
  if (number.starts_with('+') && number.substr(1).find_first_of("+-") != 0) number.remove_prefix(1);
  double value = 0;
  const char* const end = number.data() + number.size();
  const auto parsed = std::from_chars(number.data(), end, value);
  const std::string_view digits = number.starts_with('-') ? number.substr(1) : number;
  const bool numeric =
      !digits.empty() && (digits[0] == '.' || (digits[0] >= '0' && digits[0] <= '9'));
  if (parsed.ptr == end && numeric) {
    if (parsed.ec == std::errc{} && std::isfinite(value)) return value;
    if (is_tiny(digits)) return number.starts_with('-') ? -0.0 : 0.0;
    throw Error(in_quotes(token) + " is too large for a number", where,
                "write one below 1.8e308 in magnitude");
  }
  const std::string problem = in_quotes(token) + " is not a number";
  if (token.find("${") != std::string_view::npos || token.find("$(") != std::string_view::npos)
    throw Error(problem, where, "run xacro first");
  if (number.find(',') != std::string_view::npos)
    throw Error(problem, where, "write a decimal point");
  if (parsed.ptr == end && parsed.ec == std::errc{})
    throw Error(in_quotes(token) + " is not a finite number", where,
                "write digits, or leave it out");
  throw Error(problem, where, "write digits such as -1.5 or 2e-3 and nothing else");
}

std::vector<double> parse_numbers(std::string_view text, int count, const std::string& where) {
  if (text.find("${") != std::string_view::npos)
    throw Error(in_quotes(text) + " is not a list of numbers", where, "run xacro first");
  std::vector<double> numbers;
  std::size_t found = 0;
  for (std::size_t at = text.find_first_not_of(white_space); at != std::string_view::npos;
       ++found) {
    const std::size_t end = std::min(text.find_first_of(white_space, at), text.size());
    if (found < static_cast<std::size_t>(count))
      numbers.push_back(parse_number(text.substr(at, end - at), where));
    at = text.find_first_not_of(white_space, end);
  }
  if (found != static_cast<std::size_t>(count))
    throw Error(in_quotes(text) + " holds " + std::to_string(found) + " numbers instead of " +
                    std::to_string(count),
                where, "write " + std::to_string(count) + " numbers separated by spaces");
  return numbers;
}

}  // namespace axode
