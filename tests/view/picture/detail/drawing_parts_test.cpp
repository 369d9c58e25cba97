#include "axode/view/picture/detail/drawing_parts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "axode/lie/scalar.hpp"
#include "tests/view/surface.hpp"

namespace axode::test::drawing_parts {
namespace {

using namespace viewing;

Drawing one_body() {
  Drawing drawing;
  drawing.bodies = {"arm"};
  drawing.size = 2;
  return drawing;
}
Shape mesh_shape(const std::string& path) {
  Shape shape;
  shape.kind = Shape::Kind::mesh;
  shape.mesh = "package://robot/arm.obj";
  shape.mesh_path = path;
  return shape;
}

TEST(DrawingParts, ShapesAreDrawnAsTheyAre) {
  Drawing drawing = one_body();
  Shape box;
  box.size = {1, 2, 3};
  box.pose.p = {5, 0, 0};
  box.rgba = {0.1, 0.2, 7, -1};
  Shape collision = box;
  collision.collision = true;
  MeshStore store;
  add_shapes(drawing, 0, {collision, box}, store, {});
  ASSERT_EQ(drawing.parts.size(), 1U);
  EXPECT_NEAR(volume(drawing.parts[0].mesh), 6, 1e-13);
  // By the curve of sRGB (IEC 61966-2-1).
  const std::array<double, 4> linear{0.010022825574869, 0.033104766570885, 1, 0};
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(drawing.parts[0].rgba[k], linear[k], 1e-14);
  for (const Vec3<double>& p : drawing.parts[0].mesh.positions)
    EXPECT_NEAR(std::abs(p.x - 5), 0.5, 1e-15);
  add_shapes(drawing, 0, {collision}, store, {});
  EXPECT_EQ(drawing.parts.size(), 2U);
}

TEST(DrawingParts, MeshesAreScaledAlsoMirrored) {
  const std::string file = testing::TempDir() + "tetrahedron.obj";
  std::ofstream(file) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  Drawing drawing = one_body();
  Shape shape = mesh_shape(file);
  shape.scale = {2, -3, 1};
  MeshStore store;
  add_shapes(drawing, 0, {shape, shape}, store, {});
  ASSERT_EQ(drawing.parts.size(), 2U);
  EXPECT_TRUE(drawing.messages.empty());
  EXPECT_TRUE(is_closed(drawing.parts[0].mesh));
  EXPECT_NEAR(volume(drawing.parts[0].mesh), 1, 1e-14);
  EXPECT_EQ(store.size(), 1U);
}

TEST(DrawingParts, MeshesThatCannotBeDrawnAreTold) {
  const std::string broken = testing::TempDir() + "broken.obj";
  std::ofstream(broken) << "v 0 0 nan\n";
  Drawing drawing = one_body();
  MeshStore store;
  add_shapes(drawing, 0, {mesh_shape(""), mesh_shape(broken), mesh_shape("/nowhere.stl")}, store,
             {});
  add_shapes(drawing, 0, {mesh_shape(broken)}, store, {.max_mesh_bytes = 2});
  EXPECT_EQ(drawing.parts.size(), 4U);
  ASSERT_EQ(drawing.messages.size(), 4U);
  for (const std::string& message : drawing.messages)
    EXPECT_TRUE(message.starts_with("Mesh \"package://robot/arm.obj\" of \"arm\" is not drawn: "))
        << message;
  EXPECT_NE(drawing.messages[3].find("too large"), std::string::npos);
  for (const DrawingPart& part : drawing.parts) EXPECT_NEAR(volume(part.mesh), 0.001, 1e-15);
}

TEST(DrawingParts, RodsGoFromTheFirstPointToTheOthers) {
  const std::vector<Vec3<double>> points{{1, 0, 0}, {1, 0, 2}, {1, 3, 0}, {1, 0, 0}};
  const TriangleMesh mesh = rods(points, {7, 7, 7}, 1);
  Vec3<double> low = points[0], high = low;
  for (const Vec3<double>& p : mesh.positions)
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], p[k]);
      high[k] = std::max(high[k], p[k]);
    }
  EXPECT_LT(norm(low - Vec3<double>{0.988, -0.012, -0.012}), 1e-12);
  EXPECT_LT(norm(high - Vec3<double>{1.012, 3.012, 2.012}), 1e-12);
  // Two capsules of 16 sides.
  const double section = 8 * std::sin(pi<double> / 8) * 0.012 * 0.012;
  EXPECT_NEAR(volume(mesh), 5 * section, 0.01 * section + 4 * 0.012 * section);
}

TEST(DrawingParts, ABodyOfOneJointReachesBeyondItsCentreOfMass) {
  double top = 0;
  for (const Vec3<double>& p : rods({{0, 0, 0}}, {0, 0, 1}, 1).positions) top = std::max(top, p.z);
  EXPECT_NEAR(top, 2.012, 1e-12);
  const TriangleMesh ball = rods({{0, 0, 0}}, {}, 1);
  EXPECT_TRUE(is_closed(ball));
  EXPECT_TRUE(rods({}, {}, 1).triangles.empty());
}

TEST(DrawingParts, LongRunsAreThinnedOut) {
  Clip clip;
  for (int k = 0; k < 1000; ++k) clip.times.push_back(0.01 * k);
  std::vector<std::string> messages;
  EXPECT_EQ(rows_of(clip, 10, {.max_bytes = 40'000}, messages).size(), 1000U);
  EXPECT_TRUE(messages.empty());
  const std::vector<std::size_t> rows = rows_of(clip, 10, {.max_bytes = 4'000}, messages);
  EXPECT_LE(rows.size(), 100U);
  EXPECT_GE(rows.size(), 80U);
  EXPECT_EQ(rows.front(), 0U);
  EXPECT_EQ(rows.back(), 999U);
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_TRUE(messages[0].starts_with("The run has 1000 samples; of these ")) << messages[0];
}

TEST(DrawingParts, RowsOfCoordinates) {
  Clip clip;
  clip.times = {0, 1};
  clip.series = {{"v", {}, {}, {9, 9}}, {"q", {"a"}, {}, {3, 4}}};
  EXPECT_EQ(coordinates_of(clip, 1, 1)[0], 4);
  EXPECT_THROW(coordinates_of(clip, 1, 2), Error);
}

}  // namespace
}  // namespace axode::test::drawing_parts
