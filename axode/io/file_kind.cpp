#include "axode/io/file_kind.hpp"

#include <array>

#include "axode/io/model_file.hpp"
#include "axode/io/text/json.hpp"
#include "axode/io/text/text_file.hpp"

namespace axode {

std::string_view name(FileKind kind) noexcept {
  constexpr std::array<std::string_view, 4> names{"tree", "mechanism", "flexible tree", "run"};
  return names[std::size_t(kind)];
}

FileKind file_kind(const std::filesystem::path& file) {
  const std::filesystem::path ending = file.extension();
  if (ending == ".mcap" || ending == ".MCAP") return FileKind::run;
  if (model_format(file) == ModelFormat::urdf) return FileKind::tree;
  const JsonDocument document(read_text_file(file), file.string());
  const JsonValue root = document.root();
  if (root.kind() != JsonKind::object) return FileKind::tree;
  if (root.find("axode_mechanism")) return FileKind::mechanism;
  return root.find("axode_flexible") ? FileKind::flexible : FileKind::tree;
}

}  // namespace axode
