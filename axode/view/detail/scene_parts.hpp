/// Parts that all scenes have, as JSON.
/// Tests: tests/view/detail/scene_parts_test.cpp
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "axode/kinematics/poses.hpp"
#include "axode/view/scene/scene.hpp"

namespace axode::viewing {

using Json = nlohmann::ordered_json;

Json json_of(const Vec3<double>& v);
Json json_of(const Vec6<double>& v);
/// Twelve numbers: the axes x, y, z and the origin.
Json json_of(const SE3<double>& T);
/// Title, messages, gravity, size, what all kinds have; the clip decimated and packed.
Json scene_head(const std::string& name, const Vec3<double>& gravity, double size, Clip clip,
                const SceneOptions& options);
/// The mesh files of a page: the number in scene["meshes"] by canonical path, and their sum.
struct PageMeshes {
  std::map<std::string, int> number;
  std::size_t bytes = 0;
};
/// The shapes of a body; mesh files go to scene["meshes"], remarks to scene["messages"].
Json shapes_of(const std::vector<Shape>& shapes, Json& scene, PageMeshes& meshes,
               const SceneOptions& options);
/// The text; safe inside of a script element.
std::string text_of(const Json& scene);

/// About how large a model is [m]: the span of bodies, joints and frames at these poses; of flexible
/// trees by their lengths.
double size_of(const Tree& tree, const Poses<double>& at);
double size_of(const FlexibleTree& tree);
double size_of(const Mechanism& mechanism, std::span<const SE3<double>> poses);
/// Where an elastic link is drawn along its length: evenly, and at the stations that carry links.
std::vector<double> stations_of(const FlexibleTree& tree, std::size_t link);
double radius_of(const FlexibleLink& link);

/// A line between points of two bodies: "leg", a distance that is driven, "rod" without mass, "spring".
struct MechanismLine {
  const char* kind;
  std::string name;
  std::array<int, 2> body;
  std::array<Vec3<double>, 2> point;
};
std::vector<MechanismLine> lines_of(const Mechanism& mechanism);

}  // namespace axode::viewing
