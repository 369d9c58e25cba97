#include "axode/view/picture/gltf.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>

#include "axode/lie/rotation.hpp"
#include "axode/view/picture/solids.hpp"

namespace axode::test::gltf {
namespace {

using nlohmann::json;

/// A file taken apart by its own lengths.
struct Parsed {
  json head;
  std::string numbers;
  static std::uint32_t word(std::string_view bytes, std::size_t at) {
    std::uint32_t n = 0;
    for (std::size_t k = 4; k-- > 0;) n = n << 8 | static_cast<unsigned char>(bytes[at + k]);
    return n;
  }
  explicit Parsed(const std::string& file) {
    EXPECT_EQ(file.substr(0, 4), "glTF");
    EXPECT_EQ(word(file, 4), 2U);
    EXPECT_EQ(word(file, 8), file.size());
    const std::size_t length = word(file, 12);
    EXPECT_EQ(length % 4, 0U);
    EXPECT_EQ(file.substr(16, 4), "JSON");
    head = json::parse(file.substr(20, length));
    if (20 + length == file.size()) return;
    EXPECT_EQ(word(file, 20 + length), file.size() - 28 - length);
    EXPECT_EQ(file.substr(24 + length, 4), std::string("BIN\0", 4));
    numbers = file.substr(28 + length);
    EXPECT_EQ(head["buffers"][0]["byteLength"], numbers.size());
  }
  std::vector<double> floats(int accessor) const {
    const json& a = head["accessors"][accessor];
    const json& view = head["bufferViews"][a["bufferView"].get<std::size_t>()];
    std::vector<double> all;
    for (std::size_t k = 0; k < view["byteLength"]; k += 4)
      all.push_back(std::bit_cast<float>(word(numbers, view["byteOffset"].get<std::size_t>() + k)));
    return all;
  }
  /// What a channel writes, empty if there is none.
  std::vector<double> channel(const std::string& node, const std::string& path) const {
    const json& animation = head["animations"][0];
    for (const json& c : animation["channels"])
      if (c["target"]["path"] == path &&
          head["nodes"][c["target"]["node"].get<std::size_t>()]["name"] == node)
        return floats(animation["samplers"][c["sampler"].get<std::size_t>()]["output"]);
    return {};
  }
};

/// A box that turns by three turns, one that stands, and a ball in the world.
Drawing turning() {
  Drawing drawing;
  drawing.name = "a \"model\"";
  drawing.bodies = {"turning", "\xff bad"};
  drawing.parts = {{0, box_mesh({1, 1, 1}), {1, 0, 0, 1}},
                   {1, box_mesh({1, 1, 1}), {1, 0, 0, 1}},
                   {1, sphere_mesh(1), {0, 1, 0, 0.5}},
                   {-1, sphere_mesh(1), {0, 1, 0, 1}}};
  for (int k = 0; k <= 30; ++k) {
    drawing.times.push_back(-1 + 0.1 * k);
    const SO3<double> R = rotation_about<double>(1, 2 * pi<double> * 3 * k / 30);
    drawing.poses.insert(drawing.poses.end(), {{R, {1, 2, 3}}, {{}, {0.1 * k, 0, 0}}});
  }
  return drawing;
}

TEST(Gltf, HasAllThatIsDrawn) {
  const Parsed file(gltf_of(turning()));
  const json& head = file.head;
  EXPECT_EQ(head["nodes"][0]["name"], "a \"model\"");
  EXPECT_EQ(head["nodes"][0]["children"].size(), 3U);
  EXPECT_EQ(head["meshes"].size(), 3U);
  EXPECT_EQ(head["materials"].size(), 3U);
  EXPECT_EQ(head["nodes"].back()["name"], "\xef\xbf\xbd bad");
  EXPECT_EQ(head["meshes"].back()["primitives"].size(), 2U);
  EXPECT_EQ(head["materials"].back()["alphaMode"], "BLEND");
  const json& box = head["meshes"][1]["primitives"][0];
  const json& positions = head["accessors"][box["attributes"]["POSITION"].get<std::size_t>()];
  EXPECT_EQ(positions["count"], 24);
  EXPECT_EQ(positions["min"], json::array({-0.5, -0.5, -0.5}));
  EXPECT_EQ(head["accessors"][box["indices"].get<std::size_t>()]["count"], 36);
}

TEST(Gltf, IsYUp) {
  const Parsed file(gltf_of(turning()));
  const auto q = file.head["nodes"][0]["rotation"].get<std::vector<double>>();
  const SO3<double> R = rotation_from_quaternion(Quaternion<double>{q[3], {q[0], q[1], q[2]}});
  EXPECT_LT(norm(R * Vec3<double>{0, 0, 1} - Vec3<double>{0, 1, 0}), 1e-7);
  EXPECT_LT(norm(R * Vec3<double>{1, 0, 0} - Vec3<double>{1, 0, 0}), 1e-7);
}

TEST(Gltf, MovesWhatMoves) {
  const Drawing drawing = turning();
  const Parsed file(gltf_of(drawing));
  const json& animation = file.head["animations"][0];
  EXPECT_EQ(animation["channels"].size(), 2U);
  const std::vector<double> times = file.floats(animation["samplers"][0]["input"]);
  ASSERT_EQ(times.size(), 31U);
  EXPECT_EQ(times[0], 0);  // moved there from -1
  EXPECT_NEAR(times.back(), 3, 1e-6);
  EXPECT_TRUE(file.channel("turning", "translation").empty());
  const std::vector<double> turns = file.channel("turning", "rotation");
  ASSERT_EQ(turns.size(), 124U);
  for (std::size_t k = 0; k < 31; ++k) {
    const double* q = &turns[4 * k];
    EXPECT_NEAR(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-6);
    // Steady by half of each step's angle: no sign changes.
    EXPECT_NEAR(q[1], std::sin(pi<double> * 3 * static_cast<double>(k) / 30), 1e-6);
    EXPECT_NEAR(q[3], std::cos(pi<double> * 3 * static_cast<double>(k) / 30), 1e-6);
  }
  const std::vector<double> places = file.channel("\xef\xbf\xbd bad", "translation");
  for (std::size_t k = 0; k < 31; ++k)
    EXPECT_EQ(places[3 * k], static_cast<float>(0.1 * static_cast<double>(k)));
}

TEST(Gltf, TimesThatFallTogetherAreLeftOut) {
  Drawing drawing = turning();
  for (std::size_t k = 0; k < 31; ++k) drawing.times[k] = 1e6 + 0.02 * static_cast<double>(k);
  const Parsed file(gltf_of(drawing));
  const std::vector<double> times = file.floats(file.head["animations"][0]["samplers"][0]["input"]);
  ASSERT_GE(times.size(), 2U);
  for (std::size_t k = 1; k < times.size(); ++k) EXPECT_GT(times[k], times[k - 1]);
  EXPECT_EQ(file.channel("turning", "rotation").size(), 4 * times.size());
}

TEST(Gltf, BendsByWeights) {
  Drawing drawing;
  drawing.bodies = {"beam"};
  drawing.parts = {{0, box_mesh({1, 1, 1})}};
  DrawingPart bending{0, box_mesh({1, 1, 1})};
  bending.first_weight = 1;
  for (const char* name : {"one", "two"})
    bending.targets.push_back({name, std::vector<Vec3<double>>(24, Vec3<double>{0, 0, 2}),
                               std::vector<Vec3<double>>(24)});
  drawing.parts.push_back(bending);
  drawing.weight_count = 3;
  drawing.times = {0, 1};
  drawing.poses.resize(2);
  drawing.weights = {9, 0.25, 0.5, 9, 0.75, 1};
  const Parsed file(gltf_of(drawing));
  const json& mesh = file.head["meshes"][0];
  EXPECT_EQ(mesh["name"], "beam.shape");
  EXPECT_EQ(mesh["weights"], json::array({0.25, 0.5}));
  EXPECT_EQ(mesh["extras"]["targetNames"], json::array({"one", "two"}));
  EXPECT_EQ(mesh["primitives"][0]["targets"].size(), 2U);
  EXPECT_EQ(file.channel("beam.shape", "weights"), (std::vector<double>{0.25, 0.5, 0.75, 1}));
}

TEST(Gltf, WhatStandsHasNoAnimation) {
  Drawing drawing = turning();
  drawing.times.clear();
  drawing.poses.resize(2);
  EXPECT_FALSE(Parsed(gltf_of(drawing)).head.contains("animations"));
  drawing.times = {0, 1};
  drawing.poses.insert(drawing.poses.end(), {drawing.poses[0], drawing.poses[1]});
  const Parsed still(gltf_of(drawing));
  EXPECT_FALSE(still.head.contains("animations"));
  // Without anything, too, it is a file.
  EXPECT_EQ(Parsed(gltf_of({})).head["nodes"].size(), 1U);
}

}  // namespace
}  // namespace axode::test::gltf
