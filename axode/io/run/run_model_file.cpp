#include "axode/io/run/run_model_file.hpp"

#include <charconv>
#include <system_error>

#include "axode/io/text/crc32.hpp"
#include "axode/io/text/text_file.hpp"

namespace axode {
namespace {

/// The model was not read from a file: nothing is known about one that is there later.
constexpr const char* no_file = "none";

std::optional<std::string> text_of_file(const std::string& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return {};
  try {
    return read_text_file(file);
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

void note_model_file(RunMetadata& metadata, std::optional<std::uint32_t> crc) {
  metadata.model_file_crc32 = !crc                                 ? no_file
                              : *crc == crc32(metadata.model_text) ? ""
                                                                   : std::to_string(*crc);
}

std::optional<std::uint32_t> model_file_crc(const RunMetadata& metadata) {
  const std::string& digits = metadata.model_file_crc32;
  if (digits.empty()) return crc32(metadata.model_text);
  std::uint32_t crc = 0;
  const char* const end = digits.data() + digits.size();
  const auto [after, error] = std::from_chars(digits.data(), end, crc);
  if (error != std::errc{} || after != end) return {};
  return crc;
}

bool model_file_has_changed(const RunMetadata& metadata) {
  const std::string& was = metadata.model_file_crc32;
  if (was == no_file) return false;
  const std::optional<std::string> text = text_of_file(metadata.model_file);
  if (!text) return false;
  return was.empty() ? *text != metadata.model_text : std::to_string(crc32(*text)) != was;
}

}  // namespace axode
