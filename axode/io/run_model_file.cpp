#include "axode/io/run_model_file.hpp"

#include <optional>

#include "axode/io/crc32.hpp"
#include "axode/io/text_file.hpp"

namespace axode {
namespace {

/// The file was not there when the run was made: nothing is known about one that is there later.
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

void note_model_file(RunMetadata& metadata) {
  const std::optional<std::string> text = text_of_file(metadata.model_file);
  metadata.model_file_crc32 = !text                          ? no_file
                              : *text == metadata.model_text ? ""
                                                             : std::to_string(crc32(*text));
}

bool model_file_has_changed(const RunMetadata& metadata) {
  const std::string& was = metadata.model_file_crc32;
  if (was == no_file) return false;
  const std::optional<std::string> text = text_of_file(metadata.model_file);
  if (!text) return false;
  return was.empty() ? *text != metadata.model_text : std::to_string(crc32(*text)) != was;
}

}  // namespace axode
