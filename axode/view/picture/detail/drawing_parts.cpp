#include "axode/view/picture/detail/drawing_parts.hpp"

#include <algorithm>
#include <cmath>

#include "axode/io/text/text_file.hpp"
#include "axode/view/picture/solids.hpp"

namespace axode::viewing {

namespace {

constexpr std::size_t max_triangles = 4'000'000;  ///< of all meshes of a drawing

double linear_of(double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); }

/// Colours of files are as on the screen.
std::array<double, 4> linear_of(std::array<double, 4> rgba) {
  for (double& c : rgba) c = c > 0 ? std::min(c, 1.0) : 0;
  return {linear_of(rgba[0]), linear_of(rgba[1]), linear_of(rgba[2]), rgba[3]};
}

TriangleMesh shape_mesh(const Shape& shape) {
  const auto& [x, y, z] = shape.size;
  switch (shape.kind) {
    case Shape::Kind::sphere:
      return sphere_mesh(x, 32);
    case Shape::Kind::cylinder:
      return cylinder_mesh(x, y, 32);
    case Shape::Kind::capsule:
      return capsule_mesh(x, y, 24);
    default:
      return box_mesh({x, y, z});
  }
}

/// The file, once for all shapes that use it. Throws Error.
const std::vector<MeshPiece>& pieces_of(const Shape& shape, MeshStore& store,
                                        const DrawingOptions& options) {
  if (shape.mesh_path.empty()) throw Error("the file was not found");
  const auto known = store.find(shape.mesh_path);
  if (known != store.end()) return known->second;
  std::error_code error;
  if (std::filesystem::file_size(shape.mesh_path, error) > options.max_mesh_bytes && !error)
    throw Error("it is too large");
  return store.emplace(shape.mesh_path, load_mesh(shape.mesh_path)).first->second;
}

std::size_t triangles_of(const Drawing& drawing) {
  std::size_t corners = 0;
  for (const DrawingPart& part : drawing.parts) corners += part.mesh.triangles.size();
  return corners / 3;
}

void add_mesh(Drawing& drawing, int body, const Shape& shape, MeshStore& store,
              const DrawingOptions& options) {
  for (const MeshPiece& piece : pieces_of(shape, store, options)) {
    if (triangles_of(drawing) + piece.corners.size() / 3 > max_triangles)
      throw Error("there are too many triangles already");
    const Vec3<double>& s = shape.scale;
    std::vector<Vec3<double>> corners = piece.corners;
    for (Vec3<double>& p : corners) p = {p.x * s.x, p.y * s.y, p.z * s.z};
    if (s.x * s.y * s.z < 0) detail::turn_round(corners);
    DrawingPart part{body, moved(shape.pose, with_normals(corners)), body_colour(body)};
    if (const auto& rgba = shape.rgba ? shape.rgba : piece.rgba) part.rgba = linear_of(*rgba);
    drawing.parts.push_back(std::move(part));
  }
}

}  // namespace

std::array<double, 4> body_colour(int body) {
  constexpr std::array<unsigned, 8> palette{0x4878a8, 0xe08840, 0x5a9a68, 0xb86078,
                                            0x8070b0, 0x98884c, 0x50a0a8, 0xa06848};
  const unsigned rgb = palette[body % palette.size()];
  return linear_of({(rgb >> 16) / 255.0, (rgb >> 8 & 255U) / 255.0, (rgb & 255U) / 255.0, 1});
}

void add_shapes(Drawing& drawing, int body, const std::vector<Shape>& shapes, MeshStore& store,
                const DrawingOptions& options) {
  const bool visuals =
      std::any_of(shapes.begin(), shapes.end(), [](const Shape& s) { return !s.collision; });
  for (const Shape& shape : shapes) {
    if (shape.collision && visuals) continue;
    DrawingPart part{body, {}, shape.rgba ? linear_of(*shape.rgba) : body_colour(body)};
    if (shape.kind == Shape::Kind::mesh) {
      try {
        add_mesh(drawing, body, shape, store, options);
        continue;
      } catch (const Error& error) {
        drawing.messages.push_back(
            "Mesh " + in_quotes(shape.mesh) + " of " + in_quotes(drawing.bodies[body]) +
            " is not drawn: " + error.problem() + ". A small box stands for it.");
        const double side = 0.05 * drawing.size;
        part.mesh = moved(shape.pose, box_mesh({side, side, side}));
      }
    } else {
      part.mesh = moved(shape.pose, shape_mesh(shape));
    }
    drawing.parts.push_back(std::move(part));
  }
}

TriangleMesh rods(std::vector<Vec3<double>> points, const Vec3<double>& com, double size) {
  const double radius = 0.012 * size;
  TriangleMesh mesh;
  const auto differs = [&](const Vec3<double>& p) { return norm(p - points[0]) > 1e-3 * size; };
  if (points.empty()) return mesh;
  if (std::none_of(points.begin(), points.end(), differs)) points.push_back(com * 2 - points[0]);
  for (std::size_t k = 1; k < points.size(); ++k) {
    const Vec3<double> d = points[k] - points[0];
    const double length = norm(d);
    if (length > 1e-3 * size)
      append(mesh, moved(frame_along(points[0] + d * 0.5, d), capsule_mesh(radius, length)));
  }
  if (mesh.positions.empty()) mesh = moved(translation(points[0]), sphere_mesh(1.6 * radius));
  return mesh;
}
TriangleMesh hinge(const DrawingAxis& axis, double size) {
  return moved(frame_along(axis.point, axis.direction), cylinder_mesh(0.02 * size, 0.055 * size));
}

std::vector<std::size_t> rows_of(const Clip& clip, std::size_t numbers_per_row,
                                 const DrawingOptions& options,
                                 std::vector<std::string>& messages) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < clip.times.size(); ++row)
    if (std::isfinite(clip.times[row]) &&
        (rows.empty() || clip.times[row] > clip.times[rows.back()]))
      rows.push_back(row);
  const std::size_t most = std::max<std::size_t>(2, options.max_bytes / (4 * numbers_per_row));
  if (rows.size() <= most) return rows;
  const std::size_t k = (rows.size() + most - 2) / (most - 1), last = rows.back();
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < rows.size(); i += k) kept.push_back(rows[i]);
  if (kept.back() != last) kept.push_back(last);
  messages.push_back("The run has " + std::to_string(clip.times.size()) + " samples; of these " +
                     std::to_string(kept.size()) + " are used, to keep the animation small.");
  return kept;
}

/// Beyond it float32 has no room for what is done with them [m].
constexpr double farthest = 1e15;

void add_rows(Drawing& drawing, const Clip& clip, const DrawingOptions& options,
              const FillRow& fill) {
  const std::size_t bodies = drawing.bodies.size();
  const std::vector<std::size_t> rows =
      rows_of(clip, 1 + 7 * bodies + drawing.weight_count, options, drawing.messages);
  std::vector<SE3<double>> poses(bodies);
  std::vector<double> weights(drawing.weight_count);
  for (const std::size_t row : rows) {
    fill(row, poses, weights);
    const bool usable_row =
        std::all_of(poses.begin(), poses.end(),
                    [](const SE3<double>& T) {
                      return is_finite(T.p) && max_abs(T.p) < farthest && is_finite(T.R.matrix);
                    }) &&
        std::all_of(weights.begin(), weights.end(),
                    [](double w) { return std::abs(w) < farthest; });
    if (!usable_row) continue;
    drawing.times.push_back(clip.times[row]);
    drawing.poses.insert(drawing.poses.end(), poses.begin(), poses.end());
    drawing.weights.insert(drawing.weights.end(), weights.begin(), weights.end());
  }
  if (const std::size_t left_out = rows.size() - drawing.times.size(); left_out > 0)
    drawing.messages.push_back(std::to_string(left_out) +
                               " samples of the run are not finite, or too "
                               "far away, and left out.");
}

In<double> coordinates_of(const Clip& clip, std::size_t row, std::size_t count) {
  for (const ClipSeries& series : clip.series)
    if (series.name == "q" && series.values.size() == count * clip.times.size())
      return In<double>(series.values).subspan(row * count, count);
  throw Error("the run has no coordinates of this model", "drawing", "make the run anew");
}

}  // namespace axode::viewing
