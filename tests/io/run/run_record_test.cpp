#include "axode/io/run/run_record.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "axode/io/flexible/flexible_run.hpp"
#include "axode/mechanism/description/builder.hpp"
#include "axode/mechanism/equations/formulate.hpp"
#include "axode/model/builder.hpp"
#include "tests/simulate/flexible_runs.hpp"

namespace axode::test::run_record {
namespace {

using Json = nlohmann::json;

Tree pendulum() {
  return TreeBuilder{}
      .body("rod", {.mass = 1, .com = {0, 0, -.5}, .about_com = {.02, .03, .01}})
      .joint("hinge", revolute({.axis = {0, 1, 0}, .point = {0, 0, 0}}))
      .build();
}
MechanismSystem rod() {
  return MechanismSystem(make_equations(
      MechanismBuilder("rod", Space::planar)
          .body("rod", Inertia<double>{2, {.5, 0, 0}, {.zz = .3}})
          .joint("A", PairType::revolute, "world", "rod", {.points = {{{0, 0, 0}, {0, 0, 0}}}})
          .build(),
      {.family = CoordinateFamily::relative, .mixed = {0}}));
}

std::set<std::string> keys(const Json& object) {
  std::set<std::string> all;
  for (const auto& [key, value] : object.items()) all.insert(key);
  return all;
}

TEST(RunRecord, OptionsOfAllKindsHaveTheSameNames) {
  SimulateOptions options{.duration = 3, .sample_times = {1, 2}};
  options.control.interval = .5;
  const FlexibleTree beam = reference_chain("pendulum1");
  const Json tree = Json::parse(run_options_json(pendulum(), options)),
             mechanism = Json::parse(run_options_json(rod(), options)),
             flexible = Json::parse(run_options_json(beam, options));
  for (const Json* kind : {&tree, &mechanism, &flexible}) {
    for (const char* key : {"start", "duration", "method", "rtol", "atol", "step", "max_step",
                            "max_steps", "sample_interval", "checkpoint_interval"})
      EXPECT_TRUE(kind->contains(key)) << key;
    EXPECT_EQ((*kind)["sample_times"], Json({1, 2}));
    EXPECT_EQ((*kind)["control_interval"], .5);
  }
  EXPECT_EQ(tree["formulation"], "relative");
  EXPECT_EQ(mechanism["formulation"], "relative");
  EXPECT_EQ(mechanism["added"], Json({"A.angle"}));
  EXPECT_EQ(flexible["model"], "linear");
}

TEST(RunRecord, FurtherOptionsComeBehind) {
  const RunOption more[] = {{"gravity", "false"}};
  EXPECT_EQ(Json::parse(run_options_json(pendulum(), {}, more))["gravity"], false);
}

TEST(RunRecord, SummariesOfAllKindsHaveTheSameNames) {
  RunResult result;
  result.warnings = {"a \"b\""};
  const auto common = keys(Json::parse(run_summary_json(result, ModelKind::tree)));
  for (const ModelKind kind : {ModelKind::mechanism, ModelKind::flexible_tree}) {
    const Json all = Json::parse(run_summary_json(result, kind));
    for (const std::string& key : common) EXPECT_TRUE(all.contains(key)) << key;
    EXPECT_EQ(all["warnings"][0], "a \"b\"");
  }
}

TEST(RunRecord, RecorderWritesAndContinues) {
  const auto file = std::filesystem::temp_directory_path() / "axode_run_record_test.mcap";
  std::filesystem::remove(file);
  const Tree tree = pendulum();
  RunMetadata metadata = run_metadata(tree);
  const double one = 1;
  const RunSample sample{0, {&one, 1}, {&one, 1}, {&one, 1}, {&one, 1}};
  {
    RunRecorder recorder(file, metadata, {}, false);
    EXPECT_FALSE(recorder.is_open());
    recorder.sample(sample);
    EXPECT_TRUE(recorder.is_open());
    recorder.checkpoint({.5, {1, 2, 3}});
  }
  {
    RunRecorder recorder(file, metadata, {}, true);
    ASSERT_NE(recorder.from(), nullptr);
    EXPECT_EQ(recorder.begin(0), .5);
    EXPECT_EQ(recorder.from()->numbers, (std::vector<double>{1, 2, 3}));
    recorder.event({.6, "floor", ""});
    recorder.finish(1, "{}");
  }
  const axode::Run run = read_run(file);
  EXPECT_TRUE(run.complete);
  EXPECT_EQ(run.times.size(), 1U);
  EXPECT_EQ(run.events.at(0).name, "floor");
  std::filesystem::remove(file);
  RunRecorder none;
  none.sample(sample);
  none.finish(1, "{}");
  EXPECT_FALSE(none.is_open());
}

}  // namespace
}  // namespace axode::test::run_record
