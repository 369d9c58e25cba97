#include "axode/view/picture/picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "axode/lie/so3.hpp"
#include "axode/view/picture/detail/canvas.hpp"

namespace axode {

namespace {

constexpr unsigned background = 0xf4f6f8, grid_colour = 0x8896a4, text_colour = 0x55636f;
constexpr double half_field = 0.34906585;  ///< half of the field of view, 20 degrees [rad]

/// Axes of the camera: to the right, down, along the line of sight.
struct View {
  Camera camera;
  Vec3<double> right, down, forward;
  explicit View(const Camera& of) : camera(of), forward(normalized(of.target - of.eye)) {
    const bool upright = std::abs(forward.z) < 0.999;
    right = normalized(cross(forward, upright ? Vec3<double>{0, 0, 1} : Vec3<double>{0, 1, 0}));
    down = cross(forward, right);
  }
  double near() const { return 1e-3 * norm(camera.target - camera.eye); }
  Vec3<double> local(const Vec3<double>& p) const {
    const Vec3<double> d = p - camera.eye;
    return {dot(d, right), dot(d, down), dot(d, forward)};
  }
  CanvasCorner corner(const Vec3<double>& at, const Vec3<double>& normal) const {
    const double scale = camera.focal / at.z;
    return {0.5 * camera.width + scale * at.x, 0.5 * camera.height + scale * at.y, 1 / at.z,
            normal};
  }
};

Vec3<double> direction_of(CameraView view, bool planar) {
  switch (view) {
    case CameraView::front:
      return {1, 0, 0};
    case CameraView::side:
      return {0, -1, 0};
    case CameraView::top:
      return {0, 0, 1};
    default:
      return planar ? Vec3<double>{0, 0, 1} : normalized(Vec3<double>{0.7, -1, 0.55});
  }
}

/// The corners of the box around a mesh.
std::array<Vec3<double>, 8> corners_of(const TriangleMesh& mesh) {
  std::array<Vec3<double>, 8> corners{};
  if (mesh.positions.empty()) return corners;
  Vec3<double> low = mesh.positions[0], high = low;
  for (const Vec3<double>& p : mesh.positions)
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], p[k]);
      high[k] = std::max(high[k], p[k]);
    }
  for (std::size_t i = 0; i < 8; ++i)
    corners[i] = {(i & 1U) != 0 ? high.x : low.x, (i & 2U) != 0 ? high.y : low.y,
                  (i & 4U) != 0 ? high.z : low.z};
  return corners;
}
/// Where the boxes of the parts come to: of a long run more than can be looked at vertex by vertex.
void add_boxes(const Drawing& drawing, std::vector<Vec3<double>>& points) {
  constexpr std::size_t enough = 400'000;
  const std::size_t bodies = drawing.bodies.size(), rows = drawing.times.size();
  const std::size_t step = 1 + rows * drawing.parts.size() * 8 / enough;
  for (const DrawingPart& part : drawing.parts) {
    if (part.body < 0 || part.mesh.positions.empty() || !part.targets.empty()) continue;
    const std::array<Vec3<double>, 8> corners = corners_of(part.mesh);
    for (std::size_t row = 0; row < rows; row += step)
      for (const Vec3<double>& p : corners)
        points.push_back(drawing.poses[row * bodies + part.body] * p);
  }
}

/// Points of what is drawn, over the run; not all of many.
std::vector<Vec3<double>> points_of(const Drawing& drawing) {
  constexpr std::size_t looks = 24, enough = 200'000;
  const std::size_t last = drawing.times.empty() ? 0 : drawing.times.size() - 1;
  std::size_t vertices = 1;
  for (const DrawingPart& part : drawing.parts) vertices += part.mesh.positions.size();
  const std::size_t step = 1 + vertices * (last == 0 ? 1 : looks + 1) / enough;
  std::vector<Vec3<double>> points;
  for (std::size_t k = 0; k <= (last == 0 ? 0 : looks); ++k) {
    const DrawingState state =
        state_at(drawing, drawing.times.empty() ? 0 : drawing.times[last * k / looks]);
    for (const DrawingPart& part : drawing.parts) {
      const TriangleMesh mesh = mesh_at(part, state);
      for (std::size_t v = 0; v < mesh.positions.size(); v += step)
        points.push_back(mesh.positions[v]);
    }
  }
  if (last > looks) add_boxes(drawing, points);
  return points;
}

struct Box {
  Vec3<double> low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  void include(const Vec3<double>& p) {
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], p[k]);
      high[k] = std::max(high[k], p[k]);
    }
  }
};
Box box_of(const std::vector<Vec3<double>>& points) {
  Box box;
  for (const Vec3<double>& p : points) box.include(p);
  return points.empty() ? Box{{}, {}} : box;
}

/// The world's origin belongs to the picture if it is near.
void add_origin(std::vector<Vec3<double>>& points) {
  const Box box = box_of(points);
  Vec3<double> away{};
  for (int k = 0; k < 3; ++k) away[k] = std::max({box.low[k], -box.high[k], 0.0});
  if (norm(away) < norm(box.high - box.low) || points.empty()) points.push_back({});
}

/// The least distance from the target at which all points are inside, with a margin.
double fitting_distance(const Camera& camera, const View& axes, const Vec3<double>& back,
                        const std::vector<Vec3<double>>& points) {
  double distance = 0;
  for (const Vec3<double>& p : points) {
    const Vec3<double> d = p - camera.target;
    const double x = std::abs(dot(d, axes.right)) * camera.focal / (0.44 * camera.width);
    const double y = std::abs(dot(d, axes.down)) * camera.focal / (0.42 * camera.height);
    distance = std::max(distance, std::max(x, y) + dot(d, back));
  }
  return distance;
}

/// A triangle in the camera's axes, cut off in front of the eye.
void draw_triangle(Canvas& canvas, const View& view, std::array<Vec3<double>, 3> at,
                   std::array<Vec3<double>, 3> normal, const Paint& paint) {
  std::array<CanvasCorner, 4> corners;
  std::size_t count = 0;
  const double near = view.near();
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t next = (k + 1) % 3;
    if (at[k].z >= near) corners[count++] = view.corner(at[k], normal[k]);
    if ((at[k].z >= near) == (at[next].z >= near)) continue;
    const double s = (near - at[k].z) / (at[next].z - at[k].z);
    corners[count++] =
        view.corner(at[k] + (at[next] - at[k]) * s, normal[k] + (normal[next] - normal[k]) * s);
  }
  for (std::size_t k = 2; k < count; ++k)
    canvas.triangle(corners[0], corners[k - 1], corners[k], paint);
}

void draw_line(Canvas& canvas, const View& view, const Vec3<double>& from, const Vec3<double>& to,
               double width, const Paint& paint) {
  const Vec3<double> a = view.local(from), b = view.local(to);
  const double near = view.near();
  if (a.z < near && b.z < near) return;
  const auto cut = [&](const Vec3<double>& p, const Vec3<double>& q) {
    return p.z >= near ? p : p + (q - p) * ((near - p.z) / (q.z - p.z));
  };
  canvas.line(view.corner(cut(a, b), {}), view.corner(cut(b, a), {}), width, paint);
}

void draw_mesh(Canvas& canvas, const View& view, const TriangleMesh& mesh, const Paint& paint) {
  std::vector<Vec3<double>> at;
  at.reserve(mesh.positions.size());
  for (const Vec3<double>& p : mesh.positions) at.push_back(view.local(p));
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k + 2 < mesh.triangles.size(); k += 3) order.push_back(k);
  const auto depth = [&](std::size_t k) {
    const std::uint32_t* c = &mesh.triangles[k];
    return at[c[0]].z + at[c[1]].z + at[c[2]].z;
  };
  if (paint.alpha < 1)  // what is behind is seen through what is in front
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return depth(a) > depth(b); });
  for (const std::size_t k : order) {
    const std::uint32_t* c = &mesh.triangles[k];
    draw_triangle(canvas, view, {at[c[0]], at[c[1]], at[c[2]]},
                  {mesh.normals[c[0]], mesh.normals[c[1]], mesh.normals[c[2]]}, paint);
  }
}

double ground_of(const Drawing& drawing) { return drawing.planar ? -0.05 * drawing.size : 0; }

/// Squares of 1, 2 or 5 times a power of ten, about eight along the model, that fade away.
void draw_grid(Canvas& canvas, const View& view, const Drawing& drawing) {
  const double wanted = drawing.size / 8, ten = std::pow(10, std::floor(std::log10(wanted)));
  const double step = ten * (ten >= wanted       ? 1
                             : 2 * ten >= wanted ? 2
                             : 5 * ten >= wanted ? 5
                                                 : 10);
  constexpr int half = 20;
  const double z = ground_of(drawing), reach = half * step;
  const Vec3<double>& target = view.camera.target;
  const double x0 = step * std::round(target.x / step), y0 = step * std::round(target.y / step);
  Paint paint{linear_rgb(grid_colour)};
  for (int i = -half; i <= half; ++i)
    for (int k = -half; k < half; ++k) {
      const double u = i * step, v = k * step, r = std::hypot(u, v + step / 2) / reach;
      paint.alpha = 0.42 * (1 - r * r);
      if (paint.alpha < 0.02) continue;
      draw_line(canvas, view, {x0 + u, y0 + v, z}, {x0 + u, y0 + v + step, z}, 1.1, paint);
      draw_line(canvas, view, {x0 + v, y0 + u, z}, {x0 + v + step, y0 + u, z}, 1.1, paint);
    }
}

/// The shadow that an opaque mesh throws on the ground; what is below it throws none.
void mark_shadow(Canvas& canvas, const View& view, TriangleMesh mesh, double ground) {
  constexpr Vec3<double> along{-0.22, 0.3, -1};  // steeper than the sun: it stays near
  for (Vec3<double>& p : mesh.positions) p = p + along * std::max(0.0, p.z - ground);
  for (Vec3<double>& p : mesh.positions) p.z = std::min(p.z, ground);
  Paint paint;
  paint.shadow = true;
  draw_mesh(canvas, view, mesh, paint);
}

void draw_bodies(Canvas& canvas, const View& view, const Drawing& drawing,
                 const DrawingState& state) {
  const bool from_above = view.forward.z < 0;
  std::vector<const DrawingPart*> order;
  for (const DrawingPart& part : drawing.parts) order.push_back(&part);
  std::stable_partition(order.begin(), order.end(),
                        [](const DrawingPart* part) { return part->rgba[3] >= 1; });
  if (from_above)
    for (const DrawingPart* part : order)
      if (part->rgba[3] >= 1) mark_shadow(canvas, view, mesh_at(*part, state), ground_of(drawing));
  canvas.shade(0.93);
  for (const DrawingPart* part : order) {
    const auto& [r, g, b, alpha] = part->rgba;
    draw_mesh(canvas, view, mesh_at(*part, state), {{r, g, b}, alpha, true});
  }
}

void draw_axes(Canvas& canvas, const View& view, const Drawing& drawing,
               const DrawingState& state) {
  for (const DrawingAxis& axis : drawing.axes) {
    const SE3<double> T = axis.body < 0 ? SE3<double>{} : state.poses[axis.body];
    const Vec3<double> middle = T * axis.point, half = T.R * axis.direction * (0.12 * drawing.size);
    Paint paint{linear_rgb(0xb03060), 0.85};
    paint.on_top = true;
    draw_line(canvas, view, middle - half, middle + half, 2, paint);
  }
}

void draw_world_frame(Canvas& canvas, const View& view, double length) {
  constexpr std::array<unsigned, 3> colours{0xd03030, 0x2a9a3a, 0x3060d8};
  for (int k = 0; k < 3; ++k) {
    Vec3<double> tip{};
    tip[k] = length;
    draw_line(canvas, view, {}, tip, 2.2, {linear_rgb(colours[k])});
  }
}

}  // namespace

Camera camera_of(const Drawing& drawing, CameraView view, int width, int height) {
  std::vector<Vec3<double>> points = points_of(drawing);
  add_origin(points);
  const Box box = box_of(points);
  Camera camera{width, height, {}, (box.low + box.high) * 0.5};
  camera.focal = 0.5 * std::min(width, height) / std::tan(half_field);
  const Vec3<double> back = direction_of(view, drawing.planar);
  camera.eye = camera.target + back;
  const View axes(camera);
  double distance = 0;
  for (int turn = 0; turn < 4; ++turn) {  // near things look larger: the middle moves
    distance = std::max(fitting_distance(camera, axes, back, points), 0.3 * drawing.size);
    camera.eye = camera.target + back * distance;
    Box seen;
    for (const Vec3<double>& p : points) seen.include(projected(camera, p));
    const Vec3<double> middle = (seen.low + seen.high) * 0.5;
    const double metres = distance / camera.focal;
    camera.target += axes.right * (metres * (middle.x - 0.5 * width)) +
                     axes.down * (metres * (middle.y - 0.5 * height));
  }
  distance = std::max(fitting_distance(camera, axes, back, points), 0.3 * drawing.size);
  camera.eye = camera.target + back * distance;
  return camera;
}

Vec3<double> projected(const Camera& camera, const Vec3<double>& point) {
  const View view(camera);
  const Vec3<double> at = view.local(point);
  const CanvasCorner corner = view.corner(at, {});
  return {corner.x, corner.y, at.z};
}

Picture picture_of(const Drawing& drawing, double t, const Camera& camera,
                   const PictureOptions& options) {
  const View view(camera);
  Canvas canvas(camera.width, camera.height, background, -view.forward);
  const DrawingState state = state_at(drawing, t);
  draw_bodies(canvas, view, drawing, state);
  draw_grid(canvas, view, drawing);
  draw_world_frame(canvas, view, 0.12 * drawing.size);
  if (options.screws) draw_axes(canvas, view, drawing, state);
  const double letters = std::max(9.0, 0.024 * camera.height);
  Paint ink{linear_rgb(text_colour)};
  ink.on_top = true;
  canvas.text(options.label, letters, camera.height - letters, letters, ink);
  return canvas.picture();
}

}  // namespace axode
