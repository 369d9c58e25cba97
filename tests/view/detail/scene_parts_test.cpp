#include "axode/view/detail/scene_parts.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "axode/io/text/text_file.hpp"
#include "tests/view/unpacked.hpp"

namespace axode::test::scene_parts {
namespace {

using viewing::Json;

TEST(SceneParts, PosesAreAxesAndOrigin) {
  const SE3<double> T{exp(Vec3<double>{0, 0, pi<double> / 2}), {1, 2, 3}};
  const Json json = viewing::json_of(T);
  const double expected[] = {0, 1, 0, -1, 0, 0, 0, 0, 1, 1, 2, 3};
  ASSERT_EQ(json.size(), 12U);
  for (std::size_t k = 0; k < 12; ++k) EXPECT_NEAR(json[k].get<double>(), expected[k], 1e-15) << k;
  EXPECT_EQ(viewing::json_of(Vec6<double>{{1, 2, 3}, {4, 5, 6}}), Json::array({1, 2, 3, 4, 5, 6}));
}

TEST(SceneParts, TextEndsNoScriptAndReadsBack) {
  const std::string hostile = "</script><script>alert(1)</script><!-- \" \\ \xe2\x80\xa8 & '";
  const std::string text = viewing::text_of(Json{{"name", hostile}});
  EXPECT_EQ(text.find('<'), std::string::npos);
  EXPECT_EQ(Json::parse(text)["name"], hostile);
  // Bytes that are no UTF-8 do not stop it.
  EXPECT_NO_THROW(Json::parse(viewing::text_of(Json{{"name",
                                                     "a\xff"
                                                     "b"}})));
}

TEST(SceneParts, HeadHasTitleAndMessages) {
  SceneOptions options;
  EXPECT_EQ(viewing::scene_head("arm", {}, 1, {}, options)["title"], "arm");
  EXPECT_EQ(viewing::scene_head("", {}, 1, {}, options)["title"], "model");
  options.title = "run";
  options.messages = {"first"};
  const Json head = viewing::scene_head("arm", {0, 0, -1}, 2, {}, options);
  EXPECT_EQ(head["title"], "run");
  EXPECT_EQ(head["messages"], Json::array({"first"}));
  EXPECT_EQ(head["size"], 2);
  EXPECT_FALSE(head.contains("clip"));
}

TEST(SceneParts, ClipsAreDecimatedAndSaySo) {
  Clip clip;
  for (int i = 0; i < 1000; ++i) clip.times.push_back(i);
  clip.series = {{"q", {"a"}, {"m"}, clip.times}};
  clip.events = {{2, "stop", "</script>"}};
  SceneOptions options;
  options.max_bytes = 4000;
  const Json head = viewing::scene_head("arm", {}, 1, clip, options);
  ASSERT_EQ(head["messages"].size(), 1U);
  EXPECT_NE(head["messages"][0].get<std::string>().find("1000 samples; of these 501"),
            std::string::npos)
      << head["messages"][0];
  const std::vector<float> times = unpacked(head["clip"]["times"].get<std::string>());
  ASSERT_EQ(times.size(), 501U);
  EXPECT_EQ(times[1], 2);
  EXPECT_EQ(times.back(), 999);
  EXPECT_EQ(unpacked(head["clip"]["series"]["q"]["data"].get<std::string>()), times);
  EXPECT_EQ(head["clip"]["events"][0]["text"], "</script>");
}

class SceneMeshes : public testing::Test {
 protected:
  void SetUp() override {
    folder = std::filesystem::temp_directory_path() /
             ("axode_scene_meshes_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  Shape mesh(const std::string& name, const std::string& text) const {
    Shape shape;
    shape.kind = Shape::Kind::mesh;
    shape.mesh = name;
    if (!text.empty()) {
      write_text_file(folder / name, text, true);
      shape.mesh_path = (folder / name).string();
    }
    return shape;
  }
  std::filesystem::path folder;
};

TEST_F(SceneMeshes, ArePutInOnce) {
  Json scene = viewing::scene_head("m", {}, 1, {}, {});
  const Shape shape = mesh("part.STL", "solid part\nendsolid\n");
  viewing::PageMeshes meshes;
  const Json shapes = viewing::shapes_of({shape, shape}, scene, meshes, {.max_mesh_bytes = 1000});
  EXPECT_EQ(shapes[0]["mesh"], 0);
  EXPECT_EQ(shapes[1]["mesh"], 0);
  ASSERT_EQ(scene["meshes"].size(), 1U);
  EXPECT_EQ(scene["meshes"][0]["format"], "stl");
  EXPECT_EQ(unpacked_bytes(scene["meshes"][0]["data"].get<std::string>()),
            "solid part\nendsolid\n");
  EXPECT_TRUE(scene["messages"].empty());
}

// Names are the model's to choose; the file counts.
TEST_F(SceneMeshes, OfManyNamesArePutInOnce) {
  Json scene = viewing::scene_head("m", {}, 1, {}, {});
  Shape shape = mesh("part.stl", "solid part\nendsolid\n");
  std::filesystem::create_symlink(folder / "part.stl", folder / "link.stl");
  std::vector<Shape> shapes;
  for (const char* name : {"part.stl", "./part.stl", "././part.stl", "link.stl"}) {
    shape.mesh = name;
    shape.mesh_path = (folder / name).string();
    shapes.push_back(shape);
  }
  viewing::PageMeshes meshes;
  for (const Json& json : viewing::shapes_of(shapes, scene, meshes, {})) EXPECT_EQ(json["mesh"], 0);
  EXPECT_EQ(scene["meshes"].size(), 1U);
}

TEST_F(SceneMeshes, HaveABoundedSum) {
  Json scene = viewing::scene_head("m", {}, 1, {}, {});
  std::vector<Shape> shapes;
  for (int k = 0; k < 5; ++k)
    shapes.push_back(mesh("m" + std::to_string(k) + ".obj", std::string(400, 'v')));
  viewing::PageMeshes meshes;
  viewing::shapes_of(shapes, scene, meshes, {.max_meshes_bytes = 1000});
  EXPECT_EQ(scene["meshes"].size(), 2U);
  ASSERT_EQ(scene["messages"].size(), 3U);
  EXPECT_EQ(scene["messages"][0], "Mesh m2.obj is not shown: the meshes are too large together.");
}

TEST_F(SceneMeshes, LeaveAMessageIfTheyCannotBeShown) {
  Json scene = viewing::scene_head("m", {}, 1, {}, {});
  viewing::PageMeshes meshes;
  const Json shapes = viewing::shapes_of(
      {mesh("missing.stl", ""), mesh("large.obj", std::string(2000, 'v')), mesh("other.step", "x")},
      scene, meshes, {.max_mesh_bytes = 1000});
  for (const Json& shape : shapes) EXPECT_EQ(shape["mesh"], -1);
  ASSERT_EQ(scene["messages"].size(), 3U);
  const char* expected[] = {
      "Mesh missing.stl is not shown: the file was not found.",
      "Mesh large.obj is not shown: it is too large.",
      "Mesh other.step is not shown: only STL, OBJ, DAE and glTF can be shown."};
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(scene["messages"][k], expected[k]);
  EXPECT_TRUE(scene["meshes"].empty());
}

}  // namespace
}  // namespace axode::test::scene_parts
