/// Vectors, poses, screws and inertias in JSON: read, written, refused.
#include "axode/io/text/json_values.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "axode/lie/rotation.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::json_values_test {
namespace {

using test::expect_near;
using test::expect_says;
using test::message;

template <class F>
auto read(const std::string& text, const F& reader) {
  const JsonDocument document("{\"x\":\n" + text + "}", "f");
  return reader(*document.root().find("x"));
}
SE3<double> pose(const std::string& text) { return read(text, pose_from_json); }
Inertia<double> inertia(const std::string& text) { return read(text, inertia_from_json); }

TEST(JsonValues, EveryWayToSayARotation) {
  const Mat3<double> quarter = Mat3<double>::rows({0, -1, 0}, {1, 0, 0}, {0, 0, 1});
  for (const std::string text :
       {"{\"rpy\": [0, 0, 1.5707963267948966]}", "{\"quaternion\": [1, 0, 0, 1]}",
        "{\"quaternion\": [-0.7071067811865476, 0, 0, -0.7071067811865476]}",
        "{\"axis_angle\": {\"axis\": [0, 0, 3], \"angle\": 1.5707963267948966}}",
        "{\"rotation\": [[0, -1, 0], [1, 0, 0], [0, 0, 1]]}"}) {
    expect_near(read(text, rotation_from_json).matrix, quarter, 4e-16, text);
    expect_near(pose(text).R.matrix, quarter, 4e-16, text);
  }
  EXPECT_EQ(pose("{}"), SE3<double>{});
  EXPECT_EQ(pose("{\"position\": [1, 2, 3]}").p, (Vec3<double>{1, 2, 3}));
  const SE3<double> T = pose("{\"matrix\": [[0,-1,0,4],[1,0,0,5],[0,0,1,6],[0,0,0,1]]}");
  EXPECT_EQ(T.R.matrix, quarter);
  EXPECT_EQ(T.p, (Vec3<double>{4, 5, 6}));
  // Roll, pitch, yaw as in URDF: Rz Ry Rx.
  expect_near(pose("{\"rpy\": [1.5707963267948966, 0, 1.5707963267948966]}").R.matrix,
              Mat3<double>::rows({0, 0, 1}, {1, 0, 0}, {0, 1, 0}), 4e-16);
}

TEST(JsonValues, PosesReadBackToTheSameBits) {
  test::for_random_cases(2000, [](test::Random& random) {
    SE3<double> T = random.pose();
    if (random.integer(0, 3) == 0) T.R = {};
    if (random.integer(0, 3) == 0) T.p = {};
    if (random.integer(0, 3) == 0) T.R = rotation_from_roll_pitch_yaw(0, 0, random.uniform(-3, 3));
    EXPECT_EQ(pose(json_text(T)), T) << json_text(T);
    EXPECT_EQ(read(json_text(T.R), rotation_from_json), T.R);
    const Vec6<double> X = random.vec6();
    EXPECT_EQ(read("[" + json_text(X) + "]", screws_from_json).front(), X);
  });
  EXPECT_EQ(json_text(SE3<double>{}), "{}");
  EXPECT_EQ(json_text(translation(Vec3<double>{0.1, -0.0, 2})), R"({"position": [0.1, 0, 2]})");
}

TEST(JsonValues, EveryWayToSayAnInertia) {
  const Inertia<double> point = inertia("{\"mass\": 2}");
  EXPECT_EQ(point, (Inertia<double>{2, {}, {}}));
  EXPECT_EQ(inertia("{\"mass\": 2, \"about_com\": [1, 2, 2.5]}").about_com,
            (Sym3<double>{1, 2, 2.5, 0, 0, 0}));
  EXPECT_EQ(inertia("{\"mass\": 2, \"about_com\": [1, 2, 2.5, 0.1, 0.2, 0.3]}").about_com,
            (Sym3<double>{1, 2, 2.5, 0.1, 0.2, 0.3}));
  EXPECT_EQ(inertia("{\"mass\": 2, \"about_com\": [[1, 0.1, 0.2], [0.1, 2, 0.3], [0.2, 0.3, 2.5]]}")
                .about_com,
            (Sym3<double>{1, 2, 2.5, 0.1, 0.2, 0.3}));
  // A rod of mass 3 and length 2 along x, about its end: m l^2 / 3 = 4; about its centre 1.
  const Inertia<double> rod =
      inertia("{\"mass\": 3, \"com\": [1, 0, 0], \"about_origin\": [0, 4, 4]}");
  EXPECT_EQ(rod.about_com, (Sym3<double>{0, 1, 1, 0, 0, 0}));
  // Principal axes turned by 90 degrees about z exchange x and y.
  const Inertia<double> turned = inertia(
      "{\"mass\": 3, \"about_com\": [1, 2, 2.5], \"axes\": {\"rpy\": [0, 0, 1.5707963267948966]}}");
  expect_near(turned.about_com, Sym3<double>{2, 1, 2.5, 0, 0, 0}, 4e-16);
}

TEST(JsonValues, InertiasReadBackToTheSameBits) {
  test::for_random_cases(1000, [](test::Random& random) {
    const Vec3<double> a = random.vec3(), b = random.vec3();
    const Inertia<double> I{
        random.log_uniform(1e-6, 1e6), random.vec3(), {a.x, a.y, a.z, b.x, b.y, b.z}};
    EXPECT_EQ(inertia(json_text(I)), I) << json_text(I);
  });
  EXPECT_EQ(json_text(Inertia<double>{}), R"({"mass": 0})");
}

TEST(JsonValues, RefusalsNameLineAndRemedy) {
  const auto expect_refused = [](const std::function<void()>& f, const char* words) {
    const std::string said = message(f);
    EXPECT_TRUE(said.starts_with("f:2")) << said;
    expect_says(said, words);
    expect_says(said, "; ");
  };
  expect_refused([] { pose("[1, 2, 3]"); }, "must be an object, not a list");
  expect_refused([] { pose("{\"positon\": [0, 0, 0]}"); }, "'position'?");
  expect_refused([] { pose("{\"position\": [0, 0]}"); }, "2 numbers instead of 3");
  expect_refused([] { pose("{\"rpy\": [0, 0, 0], \"quaternion\": [1, 0, 0, 0]}"); },
                 "two rotations, \"rpy\" and \"quaternion\"");
  expect_refused([] { pose("{\"quaternion\": [0, 0, 0, 0]}"); }, "zero");
  expect_refused([] { pose("{\"axis_angle\": {\"axis\": [0, 0, 0], \"angle\": 1}}"); }, "zero");
  expect_refused([] { pose("{\"axis_angle\": {\"axis\": [0, 0, 1]}}"); }, "angle");
  expect_refused([] { pose("{\"rotation\": [[1, 0, 0], [0, 1, 0], [0, 0, 2]]}"); }, "rotation");
  expect_refused([] { pose("{\"rotation\": [[1, 0, 0], [0, 1, 0], [0, 0, -1]]}"); }, "rotation");
  expect_refused([] { pose("{\"rotation\": [1, 0, 0]}"); }, "list of 3 numbers");
  expect_refused([] { pose("{\"rotation\": [[1, 0, 0]]}"); }, "list of 3 rows");
  expect_refused([] { pose("{\"matrix\": [[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,1,1]]}"); }, "matrix");
  expect_refused([] { pose("{\"matrix\": [], \"position\": [0, 0, 0]}"); }, "whole pose");
  expect_refused([] { pose("{\"rpy\": [1e300, 0, 0]}"); }, "too large");
  expect_refused([] { read("[[1, 2]]", screws_from_json); }, "6 numbers");
  expect_refused([] { read("[1, 0, 0, 0, 0, 0]", screws_from_json); }, "6 numbers");
  expect_refused([] { read("[]", screws_from_json); }, "one to six");
  expect_refused([] { inertia("{}"); }, "mass");
  expect_refused([] { inertia("{\"mass\": 1, \"about_com\": [1, 2]}"); }, "3 or 6");
  expect_refused(
      [] { inertia("{\"mass\": 1, \"about_com\": [1,1,1], \"about_origin\": [1,1,1]}"); }, "both");
  expect_refused([] { inertia("{\"mass\": 1, \"axes\": {}}"); }, "without a tensor");
  expect_refused([] { inertia("{\"mass\": 1, \"about_com\": [[1,2,0],[0,1,0],[0,0,1]]}"); },
                 "not symmetric");
  EXPECT_THROW(json_number(std::nan("")), Error);
  EXPECT_THROW(json_number(INFINITY), Error);
}

}  // namespace
}  // namespace axode::test::json_values_test
