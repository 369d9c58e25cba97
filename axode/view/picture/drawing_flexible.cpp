#include "axode/flexible/tree/loads.hpp"
#include "axode/lie/rotation.hpp"
#include "axode/view/detail/scene_parts.hpp"
#include "axode/view/picture/detail/drawing_parts.hpp"
#include "axode/view/picture/solids.hpp"

namespace axode {

namespace {

constexpr int tube_sides = 16;

/// A tube along x with closed ends, and what each mode does to it.
DrawingPart beam_part(const FlexibleTree& tree, int body) {
  const std::size_t i = body;
  const FlexibleLink& link = tree.links[i];
  const std::vector<double> x = viewing::stations_of(tree, i);
  const double radius = viewing::radius_of(link);
  std::vector<ProfilePoint> profile{{0, x.front(), 0, -1}, {radius, x.front(), 0, -1}};
  for (const double station : x) profile.push_back({radius, station, 1, 0});
  profile.insert(profile.end(), {{radius, x.back(), 0, 1}, {0, x.back(), 0, 1}});
  // The profile turns about z, which comes to lie along x: z -> x, x -> y, y -> z.
  const SE3<double> along_x{{Mat3<double>{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}}, {}};
  DrawingPart part{body, moved(along_x, revolved(profile, tube_sides)), viewing::body_colour(body)};
  part.first_weight = link.first_mode - tree.joints;
  const std::size_t vertices = part.mesh.positions.size();
  for (std::size_t k = 0; k < link.modes.size(); ++k) {
    MorphTarget target;
    target.name = tree.coordinate_names[link.first_mode + k];
    const int along = displacement_axis(link.modes[k].direction);
    const int about = rotation_axis(link.modes[k].direction);
    StationModes at;
    for (std::size_t v = 0; v < vertices; ++v) {
      if (v % tube_sides == 0)
        at = station_modes(*link.beam, link.modes, profile[v / tube_sides].z);
      Vec3<double> shift{}, turn{};
      if (along >= 0) shift[along] = at.displacement[k];
      if (about >= 0) turn[about] = at.angle[k];
      const Vec3<double> arm = part.mesh.positions[v] - Vec3<double>{at.x, 0, 0};
      target.positions.push_back(shift + cross(turn, arm));
      target.normals.push_back(cross(turn, part.mesh.normals[v]));
    }
    part.targets.push_back(std::move(target));
  }
  return part;
}

/// Rods from the joint of a rigid link to the joints it carries.
DrawingPart rigid_part(const FlexibleTree& tree, int body, double size) {
  const FlexibleLink& link = tree.links[body];
  std::vector<Vec3<double>> points{{}};
  for (const int child : link.children) points.push_back(tree.links[child].mount.p);
  const InertiaParameters<>& rigid = link.rigid;
  const Vec3<double> com = rigid.mass > 0 ? rigid.first_moment / rigid.mass : Vec3<double>{};
  return {body, viewing::rods(points, com, size), viewing::body_colour(body)};
}

}  // namespace

Drawing flexible_drawing(const FlexibleTree& tree, In<double> start, const Clip& clip,
                         const DrawingOptions& options) {
  Drawing drawing;
  drawing.name = tree.name;
  drawing.size = viewing::size_of(tree);
  drawing.weight_count = tree.size - tree.joints;
  for (const FlexibleLink& link : tree.links) drawing.bodies.push_back(link.name);
  for (int i = 0; i < static_cast<int>(tree.links.size()); ++i) {
    const FlexibleLink& link = tree.links[i];
    drawing.parts.push_back(link.beam ? beam_part(tree, i) : rigid_part(tree, i, drawing.size));
    if (link.coordinate < 0) continue;
    drawing.axes.push_back({i, {}, link.axis});
    if (link.joint == FlexibleLink::Joint::prismatic) continue;
    drawing.parts.push_back(
        {i, viewing::hinge(drawing.axes.back(), drawing.size), viewing::body_colour(i)});
  }
  const auto fill = [&](In<double> q, std::span<SE3<double>> poses, std::span<double> weights) {
    link_poses(tree, q, poses);
    std::copy(q.begin() + tree.joints, q.end(), weights.begin());
  };
  const std::size_t size = tree.size;
  viewing::add_rows(drawing, clip, options,
                    [&](std::size_t row, std::span<SE3<double>> poses, std::span<double> weights) {
                      fill(viewing::coordinates_of(clip, row, size), poses, weights);
                    });
  if (drawing.times.empty()) {
    drawing.poses.resize(tree.links.size());
    drawing.weights.resize(drawing.weight_count);
    fill(start, drawing.poses, drawing.weights);
  }
  return drawing;
}

}  // namespace axode
