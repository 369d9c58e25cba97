#include "axode/view/picture/drawing.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "axode/flexible/tree/loads.hpp"
#include "axode/io/flexible/flexible_file.hpp"
#include "axode/io/mechanism/mechanism_file.hpp"
#include "axode/io/scene_file.hpp"
#include "axode/kinematics/poses.hpp"
#include "axode/lie/rotation.hpp"
#include "tests/view/surface.hpp"

namespace axode::test::drawing {
namespace {

const std::filesystem::path root = std::filesystem::path(AXODE_TEST_DATA) / "../..";

double distance(const SE3<double>& a, const SE3<double>& b) {
  return max_abs(a.p - b.p) + max_abs(a.R.matrix - b.R.matrix);
}
std::vector<std::filesystem::path> models_in(const char* folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(root / folder))
    if (entry.is_regular_file()) files.push_back(entry.path());
  return files;
}
void expect_sound(const Drawing& drawing, const std::filesystem::path& file) {
  EXPECT_FALSE(drawing.parts.empty()) << file;
  EXPECT_EQ(drawing.poses.size(), drawing.bodies.size()) << file;
  EXPECT_TRUE(drawing.messages.empty()) << file;
  for (const DrawingPart& part : drawing.parts) {
    EXPECT_GT(volume(part.mesh), 0) << file;
    EXPECT_LT(normal_error(part.mesh), 0.6) << file;
    ASSERT_EQ(part.mesh.positions.size(), part.mesh.normals.size());
    for (const MorphTarget& target : part.targets)
      ASSERT_EQ(target.positions.size(), part.mesh.positions.size());
  }
}

TEST(Drawing, AllModelsThatAreShipped) {
  for (const auto& file : models_in("models")) {
    const Scene model = load_scene(file);
    expect_sound(tree_drawing(model.tree, model.initial.q), file);
  }
  for (const auto& file : models_in("examples/flexible")) {
    const FlexibleSetup setup = load_flexible(file);
    const Drawing drawing = flexible_drawing(setup.tree, setup.q);
    expect_sound(drawing, file);
    EXPECT_EQ(drawing.weights.size(),
              static_cast<std::size_t>(setup.tree.size - setup.tree.joints));
  }
  for (const auto& file : models_in("examples/mechanisms")) {
    const Mechanism mechanism = load_mechanism(file);
    std::vector<SE3<double>> poses;
    for (const MechanismBody& body : mechanism.bodies) poses.push_back(body.pose);
    expect_sound(mechanism_drawing(mechanism, poses), file);
  }
}

TEST(Drawing, PosesOfTreesAreThoseOfTheProductOfExponentials) {
  const Tree tree = load_tree(root / "models/puma560.json");
  const std::vector<ZeroReference> geometry = zero_references(tree);
  Clip clip;
  ClipSeries q{"q", {}, {}, {}};
  for (int row = 0; row < 3; ++row) {
    clip.times.push_back(0.5 * row);
    for (int k = 0; k < tree.nq; ++k) q.values.push_back(std::sin(1.0 + 2 * row + k));
  }
  q.names.resize(tree.nq);
  clip.series.push_back(q);
  const Drawing drawing = tree_drawing(tree, neutral(tree), clip);
  ASSERT_EQ(drawing.times, clip.times);
  for (std::size_t row = 0; row < 3; ++row)
    for (int i = 0; i < tree.size(); ++i) {
      const std::size_t n = tree.nq;
      const SE3<double> expected = pose_by_zero_reference<double>(
          tree, geometry, In<double>(clip.series[0].values).subspan(row * n, n), i);
      const std::size_t at = row * drawing.bodies.size() + i;
      EXPECT_LT(distance(drawing.poses[at], expected), 1e-12);
    }
}

/// The tube: its ends follow the sections at both ends, as the library knows them.
TEST(Drawing, MorphTargetsBendBeams) {
  const FlexibleSetup setup = load_flexible(root / "examples/flexible/two_link.json");
  const FlexibleTree& tree = setup.tree;
  std::vector<double> q(tree.size);
  for (std::size_t k = 0; k < q.size(); ++k)
    q[k] =
        (static_cast<int>(k) < tree.joints ? 0.5 : 1e-3) * std::cos(3.0 * static_cast<double>(k));
  const Drawing drawing = flexible_drawing(tree, q);
  const DrawingState state = state_at(drawing, 0);
  int beams = 0;
  for (const DrawingPart& part : drawing.parts) {
    if (part.targets.empty()) continue;
    ++beams;
    const FlexibleLink& link = tree.links[part.body];
    const TriangleMesh mesh = mesh_at(part, state);
    EXPECT_TRUE(is_closed(mesh));
    const double radius = max_abs(part.mesh.positions[16] - part.mesh.positions[0]);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const Vec3<double>& rest = part.mesh.positions[v];
      const SE3<double> section = section_pose(tree, q, part.body, rest.x);
      const Vec3<double> expected = section * Vec3<double>{0, rest.y, rest.z};
      // Rotations of sections are of first order in angles below 0.01.
      EXPECT_LT(norm(mesh.positions[v] - expected), 1e-4 * radius + 1e-12) << link.name;
      const bool centre = rest.y == 0 && rest.z == 0;
      if (centre) {
        EXPECT_LT(norm(mesh.positions[v] - section.p), 1e-12) << link.name;
      }
    }
  }
  EXPECT_EQ(beams, 2);
}

TEST(Drawing, MechanismsAreMovedByTheirPoses) {
  const Mechanism mechanism =
      load_mechanism(root / "examples/mechanisms/example_2_1_four_bar.json");
  std::vector<SE3<double>> poses(mechanism.bodies.size());
  Clip clip;
  clip.times = {0, 1};
  for (int row = 0; row < 2; ++row)
    for (std::size_t b = 1; b < poses.size(); ++b)
      append_pose({rotation_about<double>(2, 0.2 * row), {1.0 * row, static_cast<double>(b), 0}},
                  clip.poses);
  const Drawing drawing = mechanism_drawing(mechanism, poses, clip);
  EXPECT_TRUE(drawing.planar);
  ASSERT_EQ(drawing.poses.size(), 2 * (poses.size() - 1));
  // Half way: half the way and half the angle.
  const DrawingState half = state_at(drawing, 0.5);
  for (std::size_t b = 0; b + 1 < poses.size(); ++b)
    EXPECT_LT(distance(half.poses[b],
                       {rotation_about<double>(2, 0.1), {0.5, static_cast<double>(b + 1), 0}}),
              1e-14);
  EXPECT_LT(distance(state_at(drawing, -1).poses[0], drawing.poses[0]), 1e-15);
  EXPECT_LT(distance(state_at(drawing, 9).poses[0], drawing.poses[poses.size() - 1]), 1e-15);
  clip.poses.pop_back();
  EXPECT_THROW(mechanism_drawing(mechanism, poses, clip), Error);
}

TEST(Drawing, LegsReachFromBodyToBody) {
  const Mechanism mechanism = load_mechanism(root / "examples/mechanisms/stewart.json");
  std::vector<SE3<double>> poses;
  for (const MechanismBody& body : mechanism.bodies) poses.push_back(body.pose);
  poses[1].p = {0.1, 0.2, 0.9};
  const Drawing drawing = mechanism_drawing(mechanism, poses);
  const DrawingState state = state_at(drawing, 0);
  ASSERT_EQ(drawing.weight_count, mechanism.drivers.size());
  std::size_t leg = 0;
  for (const DrawingPart& part : drawing.parts) {
    if (part.targets.empty()) continue;
    const MechanismCoordinate& c = mechanism.coordinates[mechanism.drivers[leg++].coordinate];
    const TriangleMesh mesh = mesh_at(part, state);
    // The middles of the two end faces are the first and the last vertex.
    for (const auto& [vertex, side] :
         {std::pair{mesh.positions.front(), 0}, {mesh.positions.back(), 1}}) {
      const std::size_t k = side;
      EXPECT_LT(norm(vertex - poses[c.body[k]] * c.point[k]), 1e-12);
    }
  }
  EXPECT_EQ(leg, 6U);
}

TEST(Drawing, SamplesThatAreNotFiniteAreLeftOut) {
  const Tree tree = load_tree(root / "models/scara.json");
  Clip clip;
  clip.times = {0, 1, 1, 2};
  clip.series = {{"q", {"a", "b", "c", "d"}, {}, std::vector<double>(16)}};
  clip.series[0].values[5] = NAN;
  const Drawing drawing = tree_drawing(tree, neutral(tree), clip);
  EXPECT_EQ(drawing.times, (std::vector<double>{0, 2}));
  ASSERT_EQ(drawing.messages.size(), 1U);
  EXPECT_NE(drawing.messages[0].find("1 samples"), std::string::npos);
  // Nor those where float32 has no room left; the fourth joint of the robot slides.
  clip.series[0].values[5] = 0;
  for (std::size_t k = 4; k < 8; ++k) clip.series[0].values[k] = 1e200;
  for (const SE3<double>& T : tree_drawing(tree, neutral(tree), clip).poses)
    EXPECT_LT(norm(T.p), 10);
  clip.series[0].name = "v";
  EXPECT_THROW(tree_drawing(tree, neutral(tree), clip), Error);
}

}  // namespace
}  // namespace axode::test::drawing
