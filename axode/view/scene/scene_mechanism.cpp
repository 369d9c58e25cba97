#include <algorithm>

#include "axode/view/detail/scene_parts.hpp"

namespace axode {

using viewing::Json;
using viewing::json_of;

double viewing::size_of(const Mechanism& mechanism, std::span<const SE3<double>> poses) {
  Vec3<double> low = poses.empty() ? Vec3<double>{} : poses[0].p, high = low;
  for (const MechanismJoint& joint : mechanism.joints)
    for (std::size_t side = 0; side < 2; ++side) {
      const Vec3<double> p = poses[joint.body[side]] * joint.point[side];
      for (int k = 0; k < 3; ++k) {
        low[k] = std::min(low[k], p[k]);
        high[k] = std::max(high[k], p[k]);
      }
    }
  const double size = norm(high - low);
  return size > 0 ? size : 1;
}

std::vector<viewing::MechanismLine> viewing::lines_of(const Mechanism& mechanism) {
  std::vector<MechanismLine> lines;
  for (const MechanismDriver& driver : mechanism.drivers) {
    const MechanismCoordinate& c = mechanism.coordinates[driver.coordinate];
    if (c.kind == MechanismCoordinate::Kind::distance)
      lines.push_back({"leg", c.name, c.body, c.point});
  }
  for (const MechanismJoint& joint : mechanism.joints)
    if (joint.type == PairType::rod) lines.push_back({"rod", joint.name, joint.body, joint.point});
  for (const PointSpring& spring : mechanism.springs)
    lines.push_back({"spring", spring.name, spring.body, spring.point});
  return lines;
}

std::string mechanism_scene(const Mechanism& mechanism, std::span<const SE3<double>> poses,
                            const Clip& clip, const SceneOptions& options) {
  Json scene = viewing::scene_head(mechanism.name, mechanism.gravity,
                                   viewing::size_of(mechanism, poses), clip, options);
  scene["kind"] = "mechanism";
  scene["planar"] = mechanism.is_planar;
  scene["bodies"] = Json::array();
  for (std::size_t i = 1; i < mechanism.bodies.size(); ++i) {
    const MechanismBody& body = mechanism.bodies[i];
    scene["bodies"].push_back({{"name", body.name},
                               {"parent", -1},
                               {"pose", json_of(poses[i])},
                               {"mass", body.inertia.mass},
                               {"com", json_of(body.inertia.com)},
                               {"shapes", Json::array()}});
    for (const NamedVector& point : body.points)
      scene["frames"].push_back({{"name", body.name + "." + point.name},
                                 {"body", static_cast<int>(i) - 1},
                                 {"pose", json_of(translation(point.at))}});
  }
  scene["loops"] = Json::array();
  for (const MechanismJoint& joint : mechanism.joints)
    scene["loops"].push_back({{"name", joint.name},
                              {"type", name(joint.type)},
                              {"body", joint.body},
                              {"point", {json_of(joint.point[0]), json_of(joint.point[1])}},
                              {"axis", {json_of(joint.axis[0]), json_of(joint.axis[1])}},
                              {"pitch", joint.pitch}});
  scene["links"] = Json::array();
  for (const viewing::MechanismLine& line : viewing::lines_of(mechanism))
    scene["links"].push_back({{"kind", line.kind},
                              {"name", line.name},
                              {"body", line.body},
                              {"point", {json_of(line.point[0]), json_of(line.point[1])}}});
  scene["coordinates"] = Json::array();
  scene["neutral"] = Json::array();
  scene["start"] = Json::array();
  return viewing::text_of(scene);
}

}  // namespace axode
