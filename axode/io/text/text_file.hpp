/// Text files, strictly: size and encoding are checked before anything is parsed, numbers must be
/// whole tokens, positions become lines, and writing never leaves half a file.
/// Tests: tests/io/text/text_file_test.cpp
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "axode/core/error.hpp"

namespace axode {

/// Largest model file: 256 MB.
inline constexpr std::size_t max_file_size = std::size_t{256} << 20;
/// Deepest nesting of elements, objects and lists in a model file.
inline constexpr int max_file_depth = 256;
/// Most elements and attributes, or values, in a model file.
inline constexpr std::size_t max_file_nodes = 10'000'000;

/// The contents of a regular file. Throws IoError if it cannot be read, LimitError if it is too
/// large (checked before reading).
std::string read_text_file(const std::filesystem::path& file);
/// The same of a file that was read before, with that CRC-32 (crc32.hpp). Throws IoError also if its
/// contents have another one now.
std::string reread_text_file(const std::filesystem::path& file, std::optional<std::uint32_t> crc);

/// Throws Error unless the text is UTF-8 without NUL, naming source:line; a byte order mark of
/// UTF-8 is allowed, UTF-16 is named as such.
void check_utf8(std::string_view text, std::string_view source);

/// Lines of a text by byte offset, counted from 1. Refers to the text, which must outlive it; keeps
/// one number for each 4 kB of it.
class LineIndex {
 public:
  explicit LineIndex(std::string_view text);
  int line(std::size_t offset) const;

 private:
  std::string_view text_;
  std::vector<int> before_;  ///< lines that end before each block
};

/// The finite number that is all of the token (surrounding white space of XML allowed). Throws
/// Error(problem, where, remedy) on anything else: empty, trailing characters, decimal comma, NaN,
/// infinity, overflow. The problem quotes the token, shortened and with control characters escaped.
double parse_number(std::string_view token, const std::string& where);
/// Exactly `count` numbers separated by white space.
std::vector<double> parse_numbers(std::string_view text, int count, const std::string& where);
/// A piece of foreign text for a message: quoted, at most 60 characters, nothing unprintable.
std::string in_quotes(std::string_view text);
/// The shortest text that reads back as the same number.
std::string shortest(double value);

/// Writes to a temporary file beside it, syncs and renames. Throws IoError, and, unless `overwrite`,
/// if the file exists already.
void write_text_file(const std::filesystem::path& file, std::string_view text, bool overwrite);

/// Where a mesh named in a model file lies: "package://NAME/rest" and relative names are looked for
/// in `roots`, "file://" and absolute names accepted only inside one of them. Empty if there is no
/// such file. Throws Error if the name leads out of the roots ("..", links).
std::filesystem::path resolve_mesh(std::string_view name,
                                   const std::vector<std::filesystem::path>& roots,
                                   const std::string& where);

}  // namespace axode
