#include <fmt/format.h>

#include <array>

#include "axode/io/detail/native_forces.hpp"
#include "axode/io/native/detail/native_joint.hpp"
#include "axode/io/native/native.hpp"
#include "axode/io/text/crc32.hpp"
#include "axode/io/text/text_file.hpp"
#include "axode/model/bounds.hpp"

namespace axode {

namespace {

// The last four are read by load_scene; for the tree they only may be there.
constexpr std::array<std::string_view, 10> model_keys{"$schema",  "axode",  "name",   "gravity",
                                                      "bodies",   "frames", "forces", "controllers",
                                                      "contacts", "initial"};
constexpr std::array<std::string_view, 4> body_keys{"name", "inertia", "joint", "shapes"};
constexpr std::array<std::string_view, 3> frame_keys{"name", "on", "at"};
constexpr std::array<std::string_view, 12> shape_keys{"type",  "name",   "collision", "at",
                                                      "size",  "radius", "length",    "file",
                                                      "scale", "rgba",   "material",  "texture"};
constexpr std::array<JsonObjectKeys, 4> tree_objects{
    {{"model", model_keys}, {"body", body_keys}, {"frame", frame_keys}, {"shape", shape_keys}}};

/// What says the size of a shape, by its kind (in the order of Shape::Kind).
struct KindKeys {
  std::string_view name;
  std::array<std::string_view, 2> required;
  std::string_view optional;
};
constexpr std::array<KindKeys, 5> shape_kinds{{{"box", {"size"}, ""},
                                               {"cylinder", {"radius", "length"}, ""},
                                               {"sphere", {"radius"}, ""},
                                               {"capsule", {"radius", "length"}, ""},
                                               {"mesh", {"file"}, "scale"}}};
constexpr std::array<std::string_view, 5> size_keys{"size", "radius", "length", "file", "scale"};

Shape::Kind kind_from_json(const JsonValue& value) {
  std::array<std::string_view, shape_kinds.size()> names{};
  for (std::size_t i = 0; i < shape_kinds.size(); ++i) names[i] = shape_kinds[i].name;
  const std::size_t kind = value.at("type", "add \"type\": \"box\", for example").choice(names);
  const KindKeys& keys = shape_kinds[kind];
  for (const std::string_view key : size_keys) {
    const auto given = value.find(key);
    const bool required = key == keys.required[0] || key == keys.required[1];
    if (required && !given)
      value.fail(fmt::format("a {} needs \"{}\"", keys.name, key), fmt::format("add \"{}\"", key));
    if (given && !required && key != keys.optional)
      given->fail(fmt::format("a {} has no \"{}\"", keys.name, key), "remove it");
  }
  return static_cast<Shape::Kind>(kind);
}

/// Where the mesh is; empty, with a warning, if it is not there or not within the roots.
std::string mesh_path(const std::string& mesh, const NativeOptions& options,
                      const std::string& where, std::vector<Warning>& warnings) {
  if (options.mesh_roots.empty()) return {};
  try {
    std::string path = resolve_mesh(mesh, options.mesh_roots, where).string();
    if (path.empty())
      warnings.push_back({where + ": the mesh " + in_quotes(mesh) + " was not found", false});
    return path;
  } catch (const Error& e) {  // it is not looked at, and that is all
    warnings.push_back({e.what(), false});
    return {};
  }
}

Shape shape_from_json(const JsonValue& value, const NativeOptions& options,
                      std::vector<Warning>& warnings) {
  value.check_keys(shape_keys, "a shape");
  Shape shape;
  shape.kind = kind_from_json(value);
  if (const auto collision = value.find("collision")) shape.collision = collision->boolean();
  shape.name = text_member(value, "name");
  if (const auto at = value.find("at")) shape.pose = pose_from_json(*at);
  if (const auto size = value.find("size")) shape.size = vec3_from_json(*size);
  if (const auto radius = value.find("radius")) shape.size.x = radius->number();
  if (const auto length = value.find("length")) shape.size.y = length->number();
  if (const auto scale = value.find("scale")) shape.scale = vec3_from_json(*scale);
  if (const auto file = value.find("file")) {
    shape.mesh = file->text();
    shape.mesh_path = mesh_path(shape.mesh, options, file->where(), warnings);
  }
  shape.material = text_member(value, "material");
  shape.texture = text_member(value, "texture");
  if (const auto rgba = value.find("rgba")) rgba->numbers(shape.rgba.emplace());
  return shape;
}

BodyDescription body_from_json(const JsonValue& value, const NativeOptions& options,
                               std::vector<Warning>& warnings) {
  value.check_keys(body_keys, "a body");
  BodyDescription body;
  body.line = value.line();
  body.name = value.at("name", "add \"name\": each body has one").text();
  const auto inertia = value.find("inertia");
  body.inertia_given = inertia.has_value();
  if (inertia) body.inertia = inertia_from_json(*inertia);
  if (const auto shapes = value.find("shapes"))
    for (const JsonValue& shape : shapes->items())
      body.shapes.push_back(shape_from_json(shape, options, warnings));
  return body;
}

FrameDescription frame_from_json(const JsonValue& value) {
  value.check_keys(frame_keys, "a frame");
  FrameDescription frame;
  frame.line = value.line();
  frame.name = value.at("name", "add \"name\": each frame has one").text();
  frame.on = text_member(value, "on", world_name);
  if (const auto at = value.find("at")) frame.at = pose_from_json(*at);
  return frame;
}

void check_version(const JsonValue& model) {
  if (model.kind() != JsonKind::object)
    model.fail(fmt::format("a model is an object, not {}", name(model.kind())),
               "begin the file with { \"axode\": 1,");
  const JsonValue version = model.at("axode", "begin with \"axode\": 1, the version of the format");
  if (version.number() != native_version)
    version.fail(
        fmt::format("version {} of the model format is not known", shortest(version.number())),
        fmt::format("this library reads version {}: use a newer library, or correct it",
                    native_version));
}

}  // namespace

std::vector<JsonObjectKeys> native_keys() {
  std::vector<JsonObjectKeys> all(tree_objects.begin(), tree_objects.end());
  for (const auto& more :
       {native_joint_keys(), json_value_keys(), native_forces_keys(), native_control_keys()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

TreeDescription parse_native(std::string_view text, std::string source,
                             const NativeOptions& options) {
  const JsonDocument document(text, source);
  const JsonValue model = document.root();
  check_version(model);
  model.check_keys(model_keys, "a model");
  TreeDescription description;
  description.source = std::move(source);
  if (const auto schema = model.find("$schema")) static_cast<void>(schema->text());
  description.name = text_member(model, "name");
  if (const auto gravity = model.find("gravity")) {
    description.gravity = vec3_from_json(*gravity);
    detail::check_vector(description.gravity, "gravity", gravity->where());
  }
  const std::vector<JsonValue> bodies =
      model.at("bodies", "add \"bodies\": [...], the list of bodies with their joints").items();
  description.bodies.reserve(bodies.size());
  description.joints.reserve(bodies.size());
  for (const JsonValue& value : bodies) {
    description.bodies.push_back(body_from_json(value, options, description.warnings));
    const JsonValue joint = value.at(
        "joint", "add \"joint\": {\"type\": \"fixed\"} to fix it to the world, or another");
    description.joints.push_back(joint_from_json(joint, description.bodies.back().name));
  }
  if (const auto frames = model.find("frames"))
    for (const JsonValue& frame : frames->items())
      description.frames.push_back(frame_from_json(frame));
  return description;
}

TreeDescription read_native(const std::filesystem::path& file, const NativeOptions& options) {
  NativeOptions with_folder = options;
  with_folder.mesh_roots.push_back(file.has_parent_path() ? file.parent_path() : ".");
  const std::string text = read_text_file(file);
  TreeDescription description = parse_native(text, file.string(), with_folder);
  description.source_crc32 = crc32(text);
  return description;
}

}  // namespace axode
