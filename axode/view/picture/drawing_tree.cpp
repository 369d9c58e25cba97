#include "axode/kinematics/poses.hpp"
#include "axode/view/detail/scene_parts.hpp"
#include "axode/view/picture/detail/drawing_parts.hpp"
#include "axode/view/picture/solids.hpp"

namespace axode {

namespace {

/// Points on each body that joints and frames are at, in its frame; its own joint first.
std::vector<std::vector<Vec3<double>>> joint_points(const Tree& tree) {
  const Poses<double> at = poses(tree, neutral(tree));
  std::vector<std::vector<Vec3<double>>> points(tree.bodies.size());
  for (std::size_t i = 0; i < points.size(); ++i) points[i].push_back(tree.bodies[i].T_BJ.p);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (tree.links[i].parent < 0) continue;
    const std::size_t parent = tree.links[i].parent;
    points[parent].push_back(at.T_PB[i] * points[i][0]);
  }
  for (const NamedFrame& frame : tree.frames)
    if (frame.body >= 0) points[frame.body].push_back(frame.T_BF.p);
  return points;
}

/// The axes about which or along which the joint of a body moves it.
void add_axes(Drawing& drawing, const Tree& tree, int body) {
  const std::size_t i = body;
  const Link& link = tree.links[i];
  if (link.map == JointMap::free || link.map == JointMap::quaternion) return;
  for (int k = 0; k < link.nv; ++k) {
    const Vec6<double>& X = tree.screws[link.v + k];
    const double turn = squared_norm(X.angular);
    if (turn > 0)
      drawing.axes.push_back({body, tree.bodies[i].T_BJ.p, normalized(X.angular)});
    else if (max_abs(X.linear) > 0)
      drawing.axes.push_back({body, tree.bodies[i].T_BJ.p, normalized(X.linear)});
    if (turn > 0) {  // the point of the axis that is nearest to the joint frame
      DrawingAxis& axis = drawing.axes.back();
      const Vec3<double> foot = cross(X.angular, X.linear) / turn;
      axis.point = foot + axis.direction * dot(axis.direction, axis.point - foot);
    }
  }
}

}  // namespace

Drawing tree_drawing(const Tree& tree, In<double> start, const Clip& clip,
                     const DrawingOptions& options) {
  const Poses<double> at = poses(tree, start);
  Drawing drawing;
  drawing.name = tree.name;
  drawing.size = viewing::size_of(tree, at);
  for (const Body& body : tree.bodies) drawing.bodies.push_back(body.name);
  const std::vector<std::vector<Vec3<double>>> points = joint_points(tree);
  viewing::MeshStore meshes;
  for (int i = 0; i < tree.size(); ++i) {
    const Body& body = tree.bodies[i];
    const std::size_t first = drawing.axes.size();
    add_axes(drawing, tree, i);
    if (!body.shapes.empty()) {
      viewing::add_shapes(drawing, i, body.shapes, meshes, options);
      continue;
    }
    TriangleMesh mesh = viewing::rods(points[i], body.inertia.com, drawing.size);
    const Link& link = tree.links[i];
    if (link.nv == 1 && link.map == JointMap::screw)
      append(mesh, viewing::hinge(drawing.axes[first], drawing.size));
    drawing.parts.push_back({i, std::move(mesh), viewing::body_colour(i)});
  }
  Poses<double> row_poses(tree);
  const std::size_t nq = tree.nq;
  viewing::add_rows(drawing, clip, options,
                    [&](std::size_t row, std::span<SE3<double>> T_WB, std::span<double>) {
                      poses(tree, viewing::coordinates_of(clip, row, nq), row_poses);
                      std::copy(row_poses.T_WB.begin(), row_poses.T_WB.end(), T_WB.begin());
                    });
  if (drawing.times.empty()) drawing.poses = at.T_WB;
  return drawing;
}

}  // namespace axode
