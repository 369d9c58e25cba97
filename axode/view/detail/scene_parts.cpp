#include "axode/view/detail/scene_parts.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace axode::viewing {

Json json_of(const Vec3<double>& v) { return Json::array({v.x, v.y, v.z}); }
Json json_of(const Vec6<double>& v) {
  return Json::array({v.angular.x, v.angular.y, v.angular.z, v.linear.x, v.linear.y, v.linear.z});
}
Json json_of(const SE3<double>& T) {
  Json all = Json::array();
  for (const Vec3<double>& column : {T.R.matrix.x, T.R.matrix.y, T.R.matrix.z, T.p})
    for (int k = 0; k < 3; ++k) all.push_back(column[k]);
  return all;
}

namespace {

Json clip_json(Clip clip, const SceneOptions& options, Json& messages) {
  const std::size_t samples = clip.times.size();
  const std::size_t k = decimate(clip, options.max_bytes);
  if (k > 1)
    messages.push_back("The run has " + std::to_string(samples) + " samples; of these " +
                       std::to_string(clip.times.size()) + " are shown, to keep this page small.");
  Json json;
  json["times"] = packed(clip.times);
  json["series"] = Json::object();
  for (const ClipSeries& series : clip.series)
    json["series"][series.name] = {
        {"names", series.names}, {"units", series.units}, {"data", packed(series.values)}};
  if (!clip.poses.empty()) json["poses"] = packed(clip.poses);
  json["events"] = Json::array();
  for (const RunEvent& event : clip.events)
    json["events"].push_back({{"t", event.t}, {"name", event.name}, {"text", event.text}});
  return json;
}

/// The ending of a mesh file the viewer reads, else empty.
std::string mesh_format(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  for (char& c : ending)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  for (const char* known : {"stl", "obj", "dae", "gltf", "glb"})
    if (ending == std::string(".") + known) return known;
  return {};
}

/// Its number in scene["meshes"], or -1 with a message. A file is there once, whatever names shapes give
/// it: else a small model would make a page as large as it likes.
int mesh_number(const Shape& shape, Json& scene, PageMeshes& known, const SceneOptions& options) {
  const auto tell = [&](const std::string& why) {
    scene["messages"].push_back("Mesh " + shape.mesh + " is not shown: " + why + ".");
    return -1;
  };
  if (shape.mesh_path.empty()) return tell("the file was not found");
  const std::string format = mesh_format(shape.mesh_path);
  if (format.empty()) return tell("only STL, OBJ, DAE and glTF can be shown");
  std::error_code error;
  std::string path = std::filesystem::canonical(shape.mesh_path, error).string();
  if (const auto found = known.number.find(path); !error && found != known.number.end())
    return found->second;
  const auto size = error ? 0 : std::filesystem::file_size(path, error);
  if (error) return tell("the file cannot be read");
  if (size > options.max_mesh_bytes) return tell("it is too large");
  if (size > options.max_meshes_bytes - std::min(known.bytes, options.max_meshes_bytes))
    return tell("the meshes are too large together");
  std::ifstream file(shape.mesh_path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  if (!file) return tell("the file cannot be read");
  Json& meshes = scene["meshes"];
  meshes.push_back({{"name", shape.mesh}, {"format", format}, {"data", packed_bytes(bytes.str())}});
  known.bytes += size;
  return known.number[std::move(path)] = static_cast<int>(meshes.size()) - 1;
}

const char* kind_name(Shape::Kind kind) {
  switch (kind) {
    case Shape::Kind::box:
      return "box";
    case Shape::Kind::cylinder:
      return "cylinder";
    case Shape::Kind::sphere:
      return "sphere";
    case Shape::Kind::capsule:
      return "capsule";
    default:
      return "mesh";
  }
}

}  // namespace

Json scene_head(const std::string& name, const Vec3<double>& gravity, double size, Clip clip,
                const SceneOptions& options) {
  Json scene;
  scene["format"] = "axode.view/1";
  scene["title"] = !options.title.empty() ? options.title : !name.empty() ? name : "model";
  scene["messages"] = options.messages;
  scene["gravity"] = json_of(gravity);
  scene["size"] = size;
  scene["meshes"] = Json::array();
  scene["frames"] = Json::array();
  scene["couplings"] = Json::array();
  if (options.live) scene["live"] = "stream";
  if (!clip.times.empty()) scene["clip"] = clip_json(std::move(clip), options, scene["messages"]);
  return scene;
}

Json shapes_of(const std::vector<Shape>& shapes, Json& scene, PageMeshes& meshes,
               const SceneOptions& options) {
  Json all = Json::array();
  for (const Shape& shape : shapes) {
    Json json{{"kind", kind_name(shape.kind)},
              {"name", shape.name},
              {"collision", shape.collision},
              {"pose", json_of(shape.pose)},
              {"size", json_of(shape.size)}};
    if (shape.rgba) json["rgba"] = *shape.rgba;
    if (shape.kind == Shape::Kind::mesh) {
      json["name"] = shape.mesh;
      json["scale"] = json_of(shape.scale);
      json["mesh"] = mesh_number(shape, scene, meshes, options);
    }
    all.push_back(std::move(json));
  }
  return all;
}

std::string text_of(const Json& scene) {
  // Names are anything: a "<" could end the script element the text stands in.
  const std::string text = scene.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text)
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  return safe;
}

}  // namespace axode::viewing
