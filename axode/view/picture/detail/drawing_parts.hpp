/// Parts that all drawings have.
/// Tests: tests/view/picture/detail/drawing_parts_test.cpp
#pragma once
#include <functional>
#include <map>

#include "axode/model/description.hpp"
#include "axode/view/picture/drawing.hpp"

namespace axode::viewing {

/// Of the bodies, one after the other: that of the viewer.
std::array<double, 4> body_colour(int body);

/// Meshes that were read, by file.
using MeshStore = std::map<std::string, std::vector<MeshPiece>>;
/// The shapes of a body as parts; those for collisions where there are no others. Of a mesh that
/// cannot be drawn the messages tell, and a small box stands for it.
void add_shapes(Drawing& drawing, int body, const std::vector<Shape>& shapes, MeshStore& store,
                const DrawingOptions& options);
/// A body without shapes: rods from the first of the points its joints are at to the others; where
/// there is one only, it reaches as far beyond its centre of mass.
TriangleMesh rods(std::vector<Vec3<double>> points, const Vec3<double>& com, double size);
/// A joint that turns about an axis of the body.
TriangleMesh hinge(const DrawingAxis& axis, double size);

/// Samples of the clip that are drawn: such that their numbers fit, in increasing time. If not all
/// are, the messages say so.
std::vector<std::size_t> rows_of(const Clip& clip, std::size_t numbers_per_row,
                                 const DrawingOptions& options, std::vector<std::string>& messages);
/// Appends rows of poses and weights for the times of the clip; rows that are not finite are left out,
/// and the messages say so. `fill` writes those of one row.
using FillRow =
    std::function<void(std::size_t row, std::span<SE3<double>> poses, std::span<double> weights)>;
void add_rows(Drawing& drawing, const Clip& clip, const DrawingOptions& options,
              const FillRow& fill);
/// Row of the coordinates. Throws Error if the clip has none of that number.
In<double> coordinates_of(const Clip& clip, std::size_t row, std::size_t count);

}  // namespace axode::viewing
