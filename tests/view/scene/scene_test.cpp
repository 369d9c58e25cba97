#include "axode/view/scene/scene.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "axode/flexible/tree/loads.hpp"
#include "axode/io/flexible/flexible_file.hpp"
#include "axode/io/mechanism/mechanism_file.hpp"
#include "axode/io/scene_file.hpp"
#include "axode/io/text/text_file.hpp"
#include "axode/kinematics/poses.hpp"
#include "tests/view/unpacked.hpp"

namespace axode::test::scene {
namespace {

using nlohmann::json;

const std::filesystem::path root = std::filesystem::path(AXODE_TEST_DATA) / "../..";

std::vector<std::filesystem::path> files_in(const char* folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(root / folder))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

TEST(Scene, AllTreesThatAreShipped) {
  for (const auto& file : files_in("models")) {
    const Scene model = load_scene(file);
    const json scene = json::parse(tree_scene(model.tree, model.initial.q));
    EXPECT_EQ(scene["format"], "axode.view/1") << file;
    EXPECT_EQ(scene["kind"], "tree");
    EXPECT_EQ(scene["bodies"].size(), model.tree.bodies.size());
    EXPECT_EQ(scene["coordinates"].size(), static_cast<std::size_t>(model.tree.nq));
    EXPECT_EQ(scene["start"].get<std::vector<double>>(), model.initial.q);
    EXPECT_GT(scene["size"].get<double>(), 0);
    EXPECT_TRUE(scene["messages"].empty()) << file << scene["messages"];
  }
}

TEST(Scene, AllMechanismsThatAreShipped) {
  for (const auto& file : files_in("examples/mechanisms")) {
    const Mechanism mechanism = load_mechanism(file);
    std::vector<SE3<double>> poses(mechanism.bodies.size());
    poses.back().p = {1, 2, 3};
    const json scene = json::parse(mechanism_scene(mechanism, poses));
    EXPECT_EQ(scene["kind"], "mechanism");
    ASSERT_EQ(scene["bodies"].size() + 1, mechanism.bodies.size()) << file;
    EXPECT_EQ(scene["loops"].size(), mechanism.joints.size());
    EXPECT_EQ(scene["bodies"].back()["pose"], json::array({1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 2, 3}));
  }
}

TEST(Scene, AllFlexibleTreesThatAreShipped) {
  for (const auto& file : files_in("examples/flexible")) {
    const FlexibleSetup setup = load_flexible(file);
    const json scene = json::parse(flexible_scene(setup.tree, setup.q));
    EXPECT_EQ(scene["kind"], "flexible");
    EXPECT_EQ(scene["bodies"].size(), setup.tree.links.size()) << file;
    ASSERT_EQ(scene["coordinates"].size(), static_cast<std::size_t>(setup.tree.size));
    for (std::size_t c = 0; c < scene["coordinates"].size(); ++c)
      EXPECT_EQ(scene["coordinates"][c]["name"], setup.tree.coordinate_names[c]);
    for (std::size_t i = 0; i < setup.tree.links.size(); ++i) {
      const FlexibleLink& link = setup.tree.links[i];
      ASSERT_EQ(scene["bodies"][i].contains("beam"), link.beam.has_value());
      if (!link.beam) continue;
      const json& beam = scene["bodies"][i]["beam"];
      EXPECT_EQ(beam["modes"].size(), link.modes.size());
      for (const json& mode : beam["modes"])
        EXPECT_EQ(mode["displacement"].size(), beam["x"].size());
    }
  }
}

/// Poses the viewer is tested with (viewer/tests/kinematics.test.mjs).
TEST(Scene, ReferencePosesOfTheViewer) {
  const json all = json::parse(
      read_text_file(std::filesystem::path(AXODE_TEST_DATA) / "view/flexible_poses.json"));
  ASSERT_EQ(all.size(), 3U);
  for (const json& one : all) {
    const FlexibleSetup setup = load_flexible(root / one["model"].get<std::string>());
    std::vector<SE3<>> poses(setup.tree.links.size());
    link_poses(setup.tree, one["q"].get<std::vector<double>>(), std::span<SE3<>>(poses));
    ASSERT_EQ(one["poses"].size(), poses.size());
    for (std::size_t i = 0; i < poses.size(); ++i)
      for (std::size_t k = 0; k < 3; ++k) {
        const int axis = static_cast<int>(k);
        EXPECT_NEAR(one["poses"][i][k].get<double>(), poses[i].R.matrix.x[axis], 1e-10);
        EXPECT_NEAR(one["poses"][i][6 + k].get<double>(), poses[i].R.matrix.z[axis], 1e-10);
        EXPECT_NEAR(one["poses"][i][9 + k].get<double>(), poses[i].p[axis], 1e-10);
      }
  }
}

TEST(Scene, CouplingsLimitsAndFrames) {
  const Tree tree = load_tree(root / "models/all_joints.json");
  const json scene = json::parse(tree_scene(tree, neutral(tree)));
  ASSERT_EQ(scene["couplings"].size(), 1U);
  const json& coupling = scene["couplings"][0];
  EXPECT_EQ(coupling["ratio"], 0.01);
  EXPECT_EQ(coupling["offset"], 0.05);
  EXPECT_TRUE(scene["coordinates"][coupling["follower"].get<std::size_t>()]["follows"]);
  EXPECT_EQ(scene["coordinates"][7]["lower"], -0.8);
  EXPECT_FALSE(scene["coordinates"][0].contains("lower"));
}

TEST(Scene, ClipsOfRuns) {
  const Tree tree = load_tree(root / "models/scara.json");
  Clip clip;
  clip.times = {0, 1};
  clip.series = {{"q", {"a", "b", "c", "d"}, {"", "", "", ""}, {0, 1, 2, 3, 4, 5, 6, 7}}};
  const json scene = json::parse(tree_scene(tree, neutral(tree), clip, {.title = "run"}));
  EXPECT_EQ(scene["title"], "run");
  EXPECT_EQ(unpacked(scene["clip"]["series"]["q"]["data"].get<std::string>()),
            (std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(Scene, PagesHoldTheirScenesAndNothingElseOfTheNames) {
  Tree tree = load_tree(root / "models/scara.json");
  tree.name = "</script><script>alert(1)</script>@DATA@@CONNECT@";
  const std::string scene = tree_scene(tree, neutral(tree));
  const std::string page = view_page({scene, scene});
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_NE(page.find("connect-src 'none'"), std::string::npos);
  EXPECT_NE(page.find("three.js authors"), std::string::npos);
  EXPECT_NE(page.find("Leon Sorokin"), std::string::npos);
  const std::string begin = "id=\"axode-data\">";
  const std::size_t at = page.find(begin) + begin.size();
  const json data = json::parse(page.substr(at, page.find("</script>", at) - at));
  ASSERT_EQ(data["scenes"].size(), 2U);
  EXPECT_EQ(data["scenes"][1]["title"], tree.name);
}

}  // namespace
}  // namespace axode::test::scene
