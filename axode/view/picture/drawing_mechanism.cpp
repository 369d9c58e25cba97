#include "axode/lie/rotation.hpp"
#include "axode/view/detail/scene_parts.hpp"
#include "axode/view/picture/detail/drawing_parts.hpp"
#include "axode/view/picture/solids.hpp"

namespace axode {

namespace {

bool turns(PairType type) {
  return type == PairType::revolute || type == PairType::helical || type == PairType::cylindrical;
}

/// The bodies without the ground, and grey balls where joints are on that.
void add_bodies(Drawing& drawing, const Mechanism& mechanism) {
  std::vector<std::vector<Vec3<double>>> points(mechanism.bodies.size());
  for (const MechanismJoint& joint : mechanism.joints)
    for (std::size_t side = 0; side < 2; ++side)
      points[joint.body[side]].push_back(joint.point[side]);
  TriangleMesh ground;
  for (const Vec3<double>& p : points[0])
    append(ground, moved(translation(p), sphere_mesh(0.02 * drawing.size)));
  if (!ground.positions.empty())
    drawing.parts.push_back({-1, std::move(ground), {0.45, 0.48, 0.52, 1}});
  for (std::size_t i = 1; i < points.size(); ++i) {
    for (const NamedVector& point : mechanism.bodies[i].points) points[i].push_back(point.at);
    if (points[i].empty()) points[i].push_back(mechanism.bodies[i].inertia.com);
    const int body = static_cast<int>(i) - 1;
    drawing.parts.push_back(
        {body, viewing::rods(points[i], mechanism.bodies[i].inertia.com, drawing.size),
         viewing::body_colour(body)});
  }
}

void add_axes(Drawing& drawing, const Mechanism& mechanism) {
  for (const MechanismJoint& joint : mechanism.joints) {
    const std::size_t side = joint.body[1] > 0 ? 1 : 0;
    const int body = joint.body[side] - 1;
    if (!turns(joint.type) && joint.type != PairType::prismatic) continue;
    if (!(max_abs(joint.axis[side]) > 0)) continue;
    drawing.axes.push_back({body, joint.point[side], normalized(joint.axis[side])});
    if (body < 0 || !turns(joint.type)) continue;
    drawing.parts.push_back(
        {body, viewing::hinge(drawing.axes.back(), drawing.size), viewing::body_colour(body)});
  }
}

/// Legs, rods and springs between two bodies are bodies of their own, in the drawing: a rod of length
/// 1 along z that the morph target lengthens.
void add_lines(Drawing& drawing, const std::vector<viewing::MechanismLine>& lines) {
  for (const viewing::MechanismLine& line : lines) {
    DrawingPart part{
        static_cast<int>(drawing.bodies.size()),
        moved(translation(Vec3<double>{0, 0, 0.5}), cylinder_mesh(0.006 * drawing.size, 1, 16)),
        {0.3, 0.33, 0.37, 1}};
    MorphTarget longer{"length", {}, std::vector<Vec3<double>>(part.mesh.positions.size())};
    for (const Vec3<double>& p : part.mesh.positions)
      longer.positions.push_back({0, 0, p.z > 0.5 ? 1.0 : 0.0});
    part.targets.push_back(std::move(longer));
    part.first_weight = drawing.weight_count++;
    drawing.bodies.push_back(line.name);
    drawing.parts.push_back(std::move(part));
  }
}
/// Places and lengths of the lines, behind the poses of the bodies.
void place_lines(const std::vector<viewing::MechanismLine>& lines, std::span<SE3<double>> poses,
                 std::span<double> weights) {
  const std::size_t bodies = poses.size() - lines.size();
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const auto end = [&](std::size_t side) {
      const int body = lines[k].body[side];
      const Vec3<double>& p = lines[k].point[side];
      return body == 0 ? p : poses[body - 1] * p;
    };
    const Vec3<double> d = end(1) - end(0);
    const double length = norm(d);
    poses[bodies + k] = length > 0 ? frame_along(end(0), d) : translation(end(0));
    weights[k] = length - 1;
  }
}

SE3<double> pose_of_numbers(const double* seven) {
  return {rotation_from_quaternion(Quaternion<double>{seven[0], {seven[1], seven[2], seven[3]}}),
          {seven[4], seven[5], seven[6]}};
}

}  // namespace

Drawing mechanism_drawing(const Mechanism& mechanism, std::span<const SE3<double>> poses,
                          const Clip& clip, const DrawingOptions& options) {
  Drawing drawing;
  drawing.name = mechanism.name;
  drawing.size = viewing::size_of(mechanism, poses);
  drawing.planar = mechanism.is_planar;
  for (std::size_t i = 1; i < mechanism.bodies.size(); ++i)
    drawing.bodies.push_back(mechanism.bodies[i].name);
  add_bodies(drawing, mechanism);
  add_axes(drawing, mechanism);
  const std::size_t bodies = drawing.bodies.size(), columns = 7 * bodies;
  const std::vector<viewing::MechanismLine> lines = viewing::lines_of(mechanism);
  add_lines(drawing, lines);
  if (!clip.times.empty() && clip.poses.size() != columns * clip.times.size())
    throw Error("the run has no poses of these bodies", "drawing", "make the run anew");
  viewing::add_rows(drawing, clip, options,
                    [&](std::size_t row, std::span<SE3<double>> T_WB, std::span<double> weights) {
                      for (std::size_t b = 0; b < bodies; ++b)
                        T_WB[b] = pose_of_numbers(&clip.poses[row * columns + 7 * b]);
                      place_lines(lines, T_WB, weights);
                    });
  if (!drawing.times.empty()) return drawing;
  drawing.poses.assign(poses.begin() + 1, poses.end());
  drawing.poses.resize(drawing.bodies.size());
  drawing.weights.resize(drawing.weight_count);
  place_lines(lines, drawing.poses, drawing.weights);
  return drawing;
}

}  // namespace axode
