#include <algorithm>
#include <cmath>

#include "axode/flexible/link/section_motion.hpp"
#include "axode/view/detail/scene_parts.hpp"

namespace axode {

using viewing::Json;
using viewing::json_of;

namespace {

constexpr int sections = 25;  ///< at which a beam is drawn

}  // namespace

// Thick enough to be seen: cross-sections are not what is shown.
double viewing::radius_of(const FlexibleLink& link) { return 0.02 * link.invariants.length; }

std::vector<double> viewing::stations_of(const FlexibleTree& tree, std::size_t link) {
  const FlexibleLink& beam = tree.links[link];
  std::vector<double> x;
  for (int k = 0; k <= sections; ++k) x.push_back(beam.invariants.length * k / sections);
  for (const int child : beam.children) x.push_back(tree.links[child].station);
  std::sort(x.begin(), x.end());
  x.erase(std::unique(x.begin(), x.end()), x.end());
  return x;
}
double viewing::size_of(const FlexibleTree& tree) {
  double size = 0;
  for (const FlexibleLink& link : tree.links)
    size += norm(link.mount.p) + (link.beam ? link.invariants.length : 0);
  return size > 0 ? 0.7 * size : 1;
}

namespace {

Json beam_json(const FlexibleLink& link, const std::vector<double>& x) {
  Json modes = Json::array();
  std::vector<StationModes> at;
  at.reserve(x.size());
  for (const double station : x) at.push_back(station_modes(*link.beam, link.modes, station));
  for (std::size_t k = 0; k < link.modes.size(); ++k) {
    Json displacement = Json::array(), rotation = Json::array();
    for (const StationModes& s : at) {
      displacement.push_back(s.displacement[k]);
      rotation.push_back(s.angle[k]);
    }
    modes.push_back({{"displaces", displacement_axis(link.modes[k].direction)},
                     {"turns", rotation_axis(link.modes[k].direction)},
                     {"displacement", displacement},
                     {"rotation", rotation}});
  }
  return {
      {"first", link.first_mode}, {"x", x}, {"modes", modes}, {"radius", viewing::radius_of(link)}};
}

Vec6<double> screw_of(const FlexibleLink& link) {
  switch (link.joint) {
    case FlexibleLink::Joint::prismatic:
      return {{}, link.axis};
    case FlexibleLink::Joint::helical:
      return {link.axis, link.axis * link.pitch};
    default:
      return {link.axis, {}};
  }
}

Json coordinate_json(const std::string& name, bool is_angle, double reach) {
  return {{"name", name}, {"unit", is_angle ? "rad" : "m"}, {"lower", -reach}, {"upper", reach}};
}
/// Joints by what they are, modes as far as their shapes are of use: a twentieth of the length.
Json coordinates_json(const FlexibleTree& tree) {
  std::vector<Json> all(tree.size);
  const auto title = [&](std::size_t c) { return tree.coordinate_names[c]; };
  for (const FlexibleLink& link : tree.links) {
    if (link.coordinate >= 0) {
      const std::size_t c = link.coordinate;
      const bool is_angle = link.joint != FlexibleLink::Joint::prismatic;
      all[c] = coordinate_json(title(c), is_angle, is_angle ? 3.141592653589793 : 1);
    }
    for (std::size_t k = 0; k < link.modes.size(); ++k) {
      const std::size_t c = link.first_mode + k;
      const bool is_angle = link.modes[k].direction == ModeDirection::torsion;
      all[c] = coordinate_json(title(c), is_angle, is_angle ? 0.5 : link.invariants.length / 20);
    }
  }
  return all;
}

/// With its stations; its joint is on that number of the parent's.
Json link_json(const FlexibleLink& link, const std::vector<double>& stations, int station) {
  // A section stands at its x: the mount is told from there.
  const Json joint{{"name", link.name},
                   {"map", link.coordinate < 0 ? "fixed" : "screw"},
                   {"q", std::max(link.coordinate, 0)},
                   {"nq", link.coordinate < 0 ? 0 : 1},
                   {"v", std::max(link.coordinate, 0)},
                   {"nv", link.coordinate < 0 ? 0 : 1},
                   {"velocity", "body"},
                   {"screws", Json::array({json_of(screw_of(link))})},
                   {"B", json_of(link.mount)},
                   {"station", station}};
  const double mass = link.rigid.mass + (link.beam ? link.invariants.mass : 0);
  Vec3<double> com = link.rigid.first_moment;
  if (link.beam) com.x += link.invariants.first_moment;
  Json body{{"name", link.name},
            {"parent", link.parent},
            {"joint", joint},
            {"mass", mass},
            {"com", json_of(mass > 0 ? com / mass : Vec3<double>{})},
            {"shapes", Json::array()}};
  if (link.beam) body["beam"] = beam_json(link, stations);
  return body;
}

}  // namespace

std::string flexible_scene(const FlexibleTree& tree, In<double> start, const Clip& clip,
                           const SceneOptions& options) {
  Json scene = viewing::scene_head(tree.name, tree.gravity, viewing::size_of(tree), clip, options);
  scene["kind"] = "flexible";
  scene["flexible"] = true;
  scene["rotation"] = name(tree.rotation);
  Json bodies = Json::array();
  std::vector<std::vector<double>> stations;
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const FlexibleLink& link = tree.links[i];
    stations.push_back(link.beam ? viewing::stations_of(tree, i) : std::vector<double>{});
    int station = -1;
    if (link.parent >= 0 && tree.links[link.parent].beam) {
      const auto& x = stations[link.parent];
      station = static_cast<int>(std::lower_bound(x.begin(), x.end(), link.station) - x.begin());
    }
    bodies.push_back(link_json(link, stations.back(), station));
  }
  scene["bodies"] = std::move(bodies);
  scene["coordinates"] = coordinates_json(tree);
  scene["neutral"] = std::vector<double>(tree.size);
  scene["start"] = std::vector<double>(start.begin(), start.end());
  return viewing::text_of(scene);
}

}  // namespace axode
