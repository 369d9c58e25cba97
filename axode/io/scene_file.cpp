#include "axode/io/scene_file.hpp"

#include <fmt/format.h>

#include "axode/io/detail/native_forces.hpp"
#include "axode/io/text/text_file.hpp"

namespace axode {

namespace {

/// The value as text: deep ones on one line, others with a line for each member.
std::string value_text(const JsonValue& value, int depth) {
  switch (value.kind()) {
    case JsonKind::null:
      return "null";
    case JsonKind::boolean:
      return value.boolean() ? "true" : "false";
    case JsonKind::number:
      return json_number(value.number());
    case JsonKind::text:
      return json_string(value.text());
    default:
      break;
  }
  const bool object = value.kind() == JsonKind::object;
  std::vector<std::string> parts;
  for (const JsonValue& member : object ? value.members() : value.items())
    parts.push_back((object ? json_string(member.key()) + ": " : "") +
                    value_text(member, depth + 1));
  const std::string line = fmt::format("{}", fmt::join(parts, ", "));
  const char open = object ? '{' : '[', close = object ? '}' : ']';
  if (depth > 2 || line.size() < 80) return fmt::format("{}{}{}", open, line, close);
  const std::string indent(2 * depth + 2, ' ');
  return fmt::format("{}\n{}{}\n{}{}", open, indent, fmt::join(parts, ",\n" + indent),
                     indent.substr(2), close);
}

}  // namespace

std::string scene_parts_text(const JsonValue& model) {
  std::string text;
  for (const std::string_view key : native_scene_parts())
    if (const auto part = model.find(key))
      text += fmt::format(",\n  \"{}\": {}", key, value_text(*part, 1));
  return text;
}

Scene parse_scene(std::string_view text, const std::string& source, const NativeOptions& options,
                  const BuildOptions& build_options) {
  Scene scene{build(parse_native(text, source, options), build_options), {}, {}};
  const JsonDocument document(text, source);
  scene.initial = initial_from_json(scene.tree, document.root());
  scene.forces = forces_from_json(scene.tree, document.root(), scene.initial);
  return scene;
}

Scene load_scene(const std::filesystem::path& file, const LoadOptions& options) {
  Scene scene{load_tree(file, options), {}, {}};
  if (model_format(file) == ModelFormat::urdf) {
    scene.initial = {neutral(scene.tree), std::vector<double>(scene.tree.nv, 0)};
    return scene;
  }
  const std::string text = reread_text_file(file, scene.tree.source_crc32);
  const JsonDocument document(text, file.string());
  scene.initial = initial_from_json(scene.tree, document.root());
  scene.forces = forces_from_json(scene.tree, document.root(), scene.initial);
  return scene;
}

std::string scene_parts(const std::filesystem::path& file) {
  if (model_format(file) == ModelFormat::urdf) return {};
  const JsonDocument document(read_text_file(file), file.string());
  return scene_parts_text(document.root());
}

}  // namespace axode
