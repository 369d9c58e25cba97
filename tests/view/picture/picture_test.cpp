#include "axode/view/picture/picture.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "axode/view/picture/solids.hpp"

namespace axode::test::picture {
namespace {

std::array<int, 3> pixel(const Picture& picture, const Vec3<double>& at) {
  const auto x = static_cast<int>(at.x), y = static_cast<int>(at.y);
  const std::uint8_t* c = &picture.rgb[std::size_t(3 * (y * picture.width + x))];
  return {c[0], c[1], c[2]};
}
bool is_red(const std::array<int, 3>& c) { return c[0] > 2 * c[1] && c[0] > 2 * c[2]; }

/// A red ball that goes from (0, 0, 1) to (2, 1, 3).
Drawing ball() {
  Drawing drawing;
  drawing.bodies = {"ball"};
  drawing.parts = {{0, sphere_mesh(0.1), {0.8, 0.02, 0.02, 1}}};
  drawing.times = {0, 2};
  drawing.poses = {{{}, {0, 0, 1}}, {{}, {2, 1, 3}}};
  drawing.size = 2;
  return drawing;
}

/// A pinhole: similar triangles.
TEST(Picture, ProjectsAsAPinholeDoes) {
  Camera camera{200, 100, {-5, 0, 0}, {0, 0, 0}, 80};
  Vec3<double> at = projected(camera, {0, 0, 0});
  EXPECT_EQ(at, (Vec3<double>{100, 50, 5}));
  at = projected(camera, {3, -1, 2});  // 8 m away, 1 m to the right, 2 m up
  EXPECT_NEAR(at.x, 100 + 80.0 / 8, 1e-12);
  EXPECT_NEAR(at.y, 50 - 2 * 80.0 / 8, 1e-12);
  EXPECT_NEAR(at.z, 8, 1e-15);
  camera.eye = {1, 2, 10};
  camera.target = {1, 2, 0};  // from above y is up
  at = projected(camera, {2, 3, 0});
  EXPECT_NEAR(at.x, 100 + 8, 1e-12);
  EXPECT_NEAR(at.y, 50 - 8, 1e-12);
}

TEST(Picture, CamerasLookFromWhereTheySay) {
  const Drawing drawing = ball();
  const auto from = [&](CameraView view) {
    const Camera camera = camera_of(drawing, view, 320, 180);
    return normalized(camera.eye - camera.target);
  };
  EXPECT_EQ(from(CameraView::front), (Vec3<double>{1, 0, 0}));
  EXPECT_EQ(from(CameraView::side), (Vec3<double>{0, -1, 0}));
  EXPECT_EQ(from(CameraView::top), (Vec3<double>{0, 0, 1}));
  EXPECT_GT(from(CameraView::home).z, 0.3);
  Drawing planar = drawing;
  planar.planar = true;
  const Camera home = camera_of(planar, CameraView::home, 320, 180);
  EXPECT_EQ(normalized(home.eye - home.target), (Vec3<double>{0, 0, 1}));
}

TEST(Picture, AllThatMovesIsInside) {
  const Drawing drawing = ball();
  for (const CameraView view :
       {CameraView::home, CameraView::front, CameraView::side, CameraView::top})
    for (const auto& [width, height] : {std::pair{320, 180}, {90, 300}}) {
      const Camera camera = camera_of(drawing, view, width, height);
      double reach = 0;
      for (const double t : {0.0, 0.7, 1.3, 2.0})
        for (const Vec3<double>& p : mesh_at(drawing.parts[0], state_at(drawing, t)).positions) {
          const Vec3<double> at = projected(camera, p);
          EXPECT_GT(at.z, 0);
          reach = std::max({reach, std::abs(at.x / width - 0.5), std::abs(at.y / height - 0.5)});
        }
      EXPECT_LT(reach, 0.45);
      EXPECT_GT(reach, 0.35);
    }
}

TEST(Picture, WhatMovesFastIsInsideAtAllTimes) {
  Drawing drawing = ball();  // round and round, and at every 24th part of the run in the same place
  drawing.times.clear();
  drawing.poses.clear();
  constexpr int rows = 24 * 8;
  for (int k = 0; k <= rows; ++k) {
    const double angle = 2 * pi<double> * k / 8;
    drawing.times.push_back(0.01 * k);
    drawing.poses.push_back({{}, {3 * std::cos(angle), 3 * std::sin(angle), 0}});
  }
  const Camera camera = camera_of(drawing, CameraView::home, 320, 180);
  for (const SE3<double>& T : drawing.poses) {
    const Vec3<double> at = projected(camera, T.p);
    EXPECT_LT(std::max(std::abs(at.x / 320 - 0.5), std::abs(at.y / 180 - 0.5)), 0.5);
  }
}

TEST(Picture, TheBallIsWhereItsCentreIsProjected) {
  const Drawing drawing = ball();
  for (const CameraView view : {CameraView::home, CameraView::side, CameraView::top}) {
    const Camera camera = camera_of(drawing, view, 320, 180);
    for (const double t : {0.0, 1.0, 2.0}) {
      const Vec3<double> centre = Vec3<double>{0, 0, 1} + Vec3<double>{1, 0.5, 1} * t;
      const Picture picture = picture_of(drawing, t, camera);
      const Vec3<double> at = projected(camera, centre);
      EXPECT_TRUE(is_red(pixel(picture, at)));
      const double radius = 0.1 * camera.focal / at.z;
      // Beside the line of sight the outline is longer: an ellipse.
      const double distance = norm(centre - camera.eye), angle = std::acos(at.z / distance);
      const double most =
          camera.focal * (std::tan(angle + std::asin(0.1 / distance)) - std::tan(angle));
      for (const Vec3<double>& side : {Vec3<double>{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}}) {
        EXPECT_TRUE(is_red(pixel(picture, at + side * (radius - 2))));
        EXPECT_FALSE(is_red(pixel(picture, at + side * (most + 2))));
      }
    }
  }
}

TEST(Picture, LabelsAndScrewsAreDrawn) {
  Drawing drawing = ball();
  drawing.axes = {{0, {}, {1, 0, 0}}};
  const Camera camera = camera_of(drawing, CameraView::home, 320, 180);
  const Picture plain = picture_of(drawing, 0, camera);
  EXPECT_EQ(picture_of(drawing, 0, camera).rgb, plain.rgb);
  EXPECT_NE(picture_of(drawing, 0, camera, {.label = "t = 0.5 s"}).rgb, plain.rgb);
  const Picture screws = picture_of(drawing, 0, camera, {.screws = true});
  EXPECT_NE(screws.rgb, plain.rgb);
  // On the axis, beside the ball.
  const Vec3<double> on = projected(camera, {0.2, 0, 1});
  EXPECT_NE(pixel(screws, on), pixel(plain, on));
}

TEST(Picture, WhatIsBehindTheEyeIsNotSeen) {
  Drawing drawing = ball();
  drawing.parts[0].mesh = box_mesh({100, 100, 0.02});
  const Camera camera{64, 48, {0, 0, 2}, {3, 0, 1}, 60};
  const Picture picture = picture_of(drawing, 0, camera);  // a floor on both sides of the eye
  EXPECT_TRUE(is_red(pixel(picture, {32, 40, 0})));
  EXPECT_FALSE(is_red(pixel(picture, {32, 3, 0})));
}

}  // namespace
}  // namespace axode::test::picture
