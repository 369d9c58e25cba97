/// Models of the three kinds: good ones, impossible inertias, broken meshes, forces no simulation takes.
#include "axode/io/model_check.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

#include "axode/io/mechanism/mechanism_file.hpp"
#include "tests/support/errors.hpp"

namespace axode::test::model_check_test {
namespace {

namespace fs = std::filesystem;
const fs::path root = fs::path(AXODE_TEST_DATA) / "../..";

bool is_possible(const ModelFindings& found) {
  return std::ranges::none_of(found.warnings, [](const Warning& w) { return w.impossible; });
}

TEST(ModelCheck, WhatComesWithAxodeIsGood) {
  for (const char* name : {"models/quadruped.json", "models/scara.json", "models/panda.json"}) {
    const ModelFindings found = check_model(load_scene(root / name));
    EXPECT_TRUE(is_possible(found)) << name;
    EXPECT_TRUE(found.broken_meshes.empty()) << name;
  }
  for (const auto& file : fs::directory_iterator(root / "examples/mechanisms"))
    EXPECT_TRUE(is_possible(check_model(load_mechanism(file.path())))) << file.path();
  for (const auto& file : fs::directory_iterator(root / "examples/flexible"))
    EXPECT_TRUE(is_possible(check_model(load_flexible(file.path())))) << file.path();
}

TEST(ModelCheck, InertiasNoBodyHas) {
  const std::string inertia = R"("inertia": {"mass": 1, "about_com": [9, 1, 1]})";
  const std::string scene = R"({"axode": 1, "bodies": [{"name": "b", )" + inertia +
                            R"(, "joint": {"type": "revolute", "axis": [0, 0, 1], "name": "j"}}]})";
  const std::string mechanism = R"({"axode_mechanism": 1, "bodies": [{"name": "b", )" + inertia +
                                R"(}], "joints": [{"name": "j", "type": "revolute",
      "bodies": ["world", "b"], "points": [[0, 0, 0], [0, 0, 0]], "axis": [0, 0, 1]}]})";
  const std::string flexible = R"({"axode_flexible": 1, "links": [{"name": "b", "parent": "world",
      "joint": {"type": "revolute", "axis": [0, 0, 1]}, )" +
                               inertia + "}]}";
  const ModelFindings links = check_model(parse_flexible(flexible, "m"));
  const ModelFindings bodies = check_model(parse_mechanism(mechanism, "m"));
  const ModelFindings tree = check_model(parse_scene(scene, "m"));
  for (const ModelFindings* found : {&links, &bodies, &tree}) {
    EXPECT_EQ(is_possible(*found), found == &links);
    ASSERT_EQ(found->warnings.size(), 1U);
    expect_says(found->warnings[0].text, "triangle inequality");
  }
}

TEST(ModelCheck, MeshesAreOpened) {
  const fs::path folder = fs::temp_directory_path() / ("axode_check_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const auto put = [&](const char* name, const std::string& text) {
    std::ofstream(folder / name, std::ios::binary) << text;
  };
  put("m.urdf", R"(<robot name="r"><link name="l">
    <visual><geometry><mesh filename="a.obj"/></geometry></visual>
    <collision><geometry><mesh filename="b.stl"/></geometry></collision></link></robot>)");
  const std::string good = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  put("a.obj", good);
  put("b.stl", "solid");
  ModelFindings found = check_model(load_scene(folder / "m.urdf"));
  ASSERT_EQ(found.broken_meshes.size(), 1U);
  expect_says(found.broken_meshes[0], "b.stl");
  put("a.obj", good + "f 1 2 9\n");
  found = check_model(load_scene(folder / "m.urdf"));
  EXPECT_EQ(found.broken_meshes.size(), 2U);
  fs::remove(folder / "a.obj");  // of a mesh that is not there its reader warns
  fs::remove(folder / "b.stl");
  found = check_model(load_scene(folder / "m.urdf"));
  EXPECT_TRUE(found.broken_meshes.empty());
  EXPECT_GE(found.warnings.size(), 2U);
  fs::remove_all(folder);
}

TEST(ModelCheck, ForcesAndStatesOfNoSimulation) {
  Scene scene = load_scene(root / "models/scara.json");
  scene.initial.v[0] = std::numeric_limits<double>::quiet_NaN();
  expect_says(message([&] { check_model(scene); }), "scara.json: ");
  scene = load_scene(root / "models/scara.json");
  scene.forces.springs.push_back({.velocity = 99, .stiffness = 1});
  expect_says(message([&] { check_model(scene); }), "scara.json: forces, spring 0: ");
  FlexibleSetup setup = load_flexible(root / "examples/flexible/pendulum.json");
  setup.q.clear();
  EXPECT_THROW(check_model(setup), Error);
}

TEST(ModelCheck, ForcesThatAreNoNumberAtTheStart) {
  const auto scene = [](const std::string& mass, const std::string& forces) {
    return parse_scene(R"({"axode": 1, "bodies": [{"name": "b", "inertia": {"mass": )" + mass +
                           R"(, "com": [0, 0, -1], "about_com": [0, 0, 0]},
      "joint": {"type": "revolute", "axis": [0, 1, 0], "name": "hinge"}}], "forces": {)" +
                           forces + "}}",
                       "m");
  };
  const auto torque = [](const std::string& text) {
    return R"("joint_forces": [{"joint": "hinge", "force": ")" + text + "\"}]";
  };
  for (const char* text : {"1/0", "sqrt(-1)", "1/t"})
    expect_says(message([&] { check_model(scene("1", torque(text))); }),
                "m: joint 'hinge': the force on it is not a number at t = 0; check");
  EXPECT_NO_THROW(check_model(scene("1", torque("sqrt(t)"))));
  EXPECT_NO_THROW(check_model(scene("0", torque("1"))));  // no inertia: for kinematics
  const std::string wrench = R"("wrenches": [{"on": "b", "torque": [0, "1/0", 0]}])";
  EXPECT_THROW(check_model(scene("1", wrench)), Error);

  const auto link = [](const std::string& forces) {
    return parse_flexible(R"({"axode_flexible": 1, "links": [{"name": "rod", "parent": "world",
      "joint": {"type": "revolute", "axis": [0, 0, 1]},
      "inertia": {"mass": 1, "about_com": [1, 1, 1]}}], )" +
                              forces + "}",
                          "m");
  };
  const std::string moved = R"("prescribed": [{"joint": "rod", "motion": "1/t"}])";
  expect_says(message([&] { check_model(link(R"("forces": {"rod": "1/0"})")); }),
              "m: coordinate 'rod': the force on it is not a number at t = 0; check");
  expect_says(message([&] { check_model(link(moved)); }),
              "m: coordinate 'rod': its prescribed motion is not a number at t = 0; check");
  EXPECT_NO_THROW(check_model(link(R"("forces": {"rod": "t"})")));
}

TEST(ModelCheck, TheFirstStepOfASimulationIsTaken) {
  Scene scene = load_scene(root / "models/scara.json");
  EXPECT_NO_THROW(check_model(scene));
  scene.initial.v[1] = 1e120;  // its acceleration is finite, no step is
  expect_says(message([&] { check_model(scene); }), "scara.json: at t = 0 s: ");
  FlexibleSetup setup = load_flexible(root / "examples/flexible/pendulum.json");
  setup.v[0] = 1e200;
  expect_says(message([&] { check_model(setup); }), "pendulum.json: linear model: at t = 0 s: ");
  const char* massless = R"({"axode_flexible": 1, "links": [{"name": "rod", "parent": "world",
      "joint": {"type": "revolute", "axis": [0, 0, 1]}}]})";
  expect_says(message([&] { check_model(parse_flexible(massless, "m")); }),
              "m: linear model: at t = 0 s: the linear mass matrix is not positive definite");
}

}  // namespace
}  // namespace axode::test::model_check_test
