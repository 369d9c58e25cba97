/// Loading and saving by ending and by content.
#include "axode/io/model_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <utility>

#include "axode/core/error.hpp"
#include "axode/io/native/native.hpp"
#include "axode/io/scene_file.hpp"
#include "axode/io/text/crc32.hpp"
#include "axode/io/text/text_file.hpp"
#include "axode/io/urdf/urdf.hpp"
#include "tests/support/errors.hpp"

namespace axode::test::model_file_test {
namespace {

using test::expect_says;
using test::message;
namespace fs = std::filesystem;

class ModelFile : public testing::Test {
 protected:
  ModelFile()
      : folder_(fs::temp_directory_path() / ("axode_model_file_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~ModelFile() override { fs::remove_all(folder_); }
  fs::path write(const char* name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }
  fs::path folder_;
};

const std::string native = R"({"axode": 1, "bodies": [
  {"name": "a", "joint": {"type": "revolute", "axis": [0, 0, 1]}, "inertia": {"mass": 1}}]})";
const std::string urdf = R"(<robot name="r"><link name="a"/><link name="b"/>
  <joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint></robot>)";

TEST_F(ModelFile, ByEnding) {
  EXPECT_EQ(load_tree(write("m.json", native)).size(), 1);
  EXPECT_EQ(load_tree(write("m.JSON", native)).size(), 1);
  for (const char* name : {"m.urdf", "m.xml", "m.URDF"})
    EXPECT_EQ(load_tree(write(name, urdf)).joint_names.count("j"), 1U);
  // An ending is believed.
  expect_says(message([&] { load_tree(write("wrong.json", urdf)); }), "wrong.json:1");
}

TEST_F(ModelFile, ByContent) {
  EXPECT_EQ(load_tree(write("m", native)).size(), 1);
  EXPECT_EQ(load_tree(write("m.model", "\xef\xbb\xbf // a comment\n" + native)).size(), 1);
  EXPECT_EQ(load_tree(write("n", " \n" + urdf)).joint_names.count("j"), 1U);
  for (const char* text : {"", "  \n", "solid ascii", "[1]"}) {
    const std::string said = message([&] { load_tree(write("odd", text)); });
    expect_says(said, "neither URDF nor");
    expect_says(said, "odd");
  }
}

TEST_F(ModelFile, Options) {
  LoadOptions options;
  options.free_base = true;
  options.base_velocity = Rep::hybrid;
  const Tree tree = load_tree(write("m.urdf", urdf), options);
  EXPECT_EQ(tree.bodies[0].joint_type, JointType::free);
  EXPECT_EQ(tree.links[0].velocity, Rep::hybrid);
  expect_says(message([&] { load_tree(write("m.json", native), options); }), "\"free\"");
  const std::string fixed_child = R"({"axode": 1, "bodies": [
    {"name": "a", "joint": {"type": "revolute", "axis": [0, 0, 1]}, "inertia": {"mass": 1}},
    {"name": "b", "joint": {"type": "fixed", "parent": "a"}, "inertia": {"mass": 1}}]})";
  options = {};
  options.build.merge_fixed_joints = true;
  EXPECT_EQ(load_tree(write("f.json", fixed_child), options).size(), 1);
}

TEST_F(ModelFile, ChecksumOfTheFile) {
  LoadOptions merged;
  merged.build.merge_fixed_joints = true;
  for (const LoadOptions& options : {LoadOptions{}, merged})
    for (const auto& [name, text] : {std::pair{"m.json", native}, {"m.urdf", urdf}}) {
      const Tree tree = load_tree(write(name, text), options);
      EXPECT_EQ(tree.source_crc32, crc32(text)) << name;
    }
  EXPECT_EQ(load_scene(write("m.json", native)).tree.source_crc32, crc32(native));
  EXPECT_FALSE(build(parse_native(native, "m.json")).source_crc32.has_value());
  EXPECT_FALSE(build(parse_urdf(urdf, "m.urdf")).source_crc32.has_value());
}

TEST_F(ModelFile, MeshesBesideTheModel) {
  write("part.stl", "solid\nendsolid\n");
  const auto model = [](const std::string& file) {
    return R"({"axode": 1, "bodies": [{"name": "a", "joint": {"type": "fixed"},
      "shapes": [{"type": "mesh", "file": ")" +
           file + "\"}]}]}";
  };
  const Tree tree = load_tree(write("m.json", model("part.stl")));
  EXPECT_EQ(tree.bodies[0].shapes[0].mesh, "part.stl");
  EXPECT_TRUE(fs::equivalent(tree.bodies[0].shapes[0].mesh_path, folder_ / "part.stl"));
  EXPECT_EQ(load_tree(write("m.json", model("other.stl"))).bodies[0].shapes[0].mesh_path, "");
  const Tree outside = load_tree(write("m.json", model("../../etc/passwd")));
  EXPECT_EQ(outside.bodies[0].shapes[0].mesh_path, "");
  expect_says(outside.warnings.at(0).text, "m.json:2");
}

TEST_F(ModelFile, SavesAllOrNothing) {
  const Tree tree = load_tree(write("m.json", native));
  const fs::path file = folder_ / "saved.json";
  save_tree(tree, file);
  EXPECT_EQ(load_tree(file).bodies[0].name, "a");
  EXPECT_THROW(save_tree(tree, file), IoError);
  EXPECT_NO_THROW(save_tree(tree, file, true));
  save_tree(tree, folder_ / "saved.urdf");
  EXPECT_EQ(load_tree(folder_ / "saved.urdf").body_names.count("a"), 1U);
  expect_says(message([&] { save_tree(tree, folder_ / "saved.txt"); }), ".json");
  EXPECT_THROW(save_tree(tree, folder_ / "no folder" / "a.json"), IoError);
  EXPECT_THROW(load_tree(folder_ / "nothing.json"), IoError);
  EXPECT_THROW(load_tree(folder_), IoError);
}

}  // namespace
}  // namespace axode::test::model_file_test
