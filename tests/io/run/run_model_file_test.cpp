/// Whether the file of a run's model has changed: of runs that keep its text, and of those that do not.
#include "axode/io/run/run_model_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <optional>
#include <string>

#include "axode/io/model_file.hpp"
#include "axode/io/native/native.hpp"
#include "axode/io/text/crc32.hpp"

namespace axode::test::run_model_file_test {
namespace {

namespace fs = std::filesystem;

constexpr const char* model = R"({"axode": 1, "bodies": [{"name": "b", "inertia": {"mass": 1},
  "joint": {"name": "j", "type": "prismatic", "axis": [0, 0, 1]}}]})";

class RunModelFile : public testing::Test {
 protected:
  RunModelFile()
      : folder(fs::temp_directory_path() / ("axode_model_" + std::to_string(::getpid()))) {
    fs::remove_all(folder);
    fs::create_directories(folder);
    file = folder / "m.json";
    put(model);
  }
  ~RunModelFile() override { fs::remove_all(folder); }
  void put(const std::string& text) const { std::ofstream(file, std::ios::binary) << text; }

  /// The metadata of a run of the tree with that text, there and back through a run file.
  RunMetadata recorded(const Tree& tree, const std::string& text) const {
    RunMetadata metadata = run_metadata(tree);
    metadata.model_file = file.string();
    metadata.model_text = text;
    note_model_file(metadata, tree.source_crc32);
    const fs::path run = folder / "run.mcap";
    RunWriter(run, metadata, {.overwrite = true}).finish(0, "{}");
    return read_run(run).metadata;
  }
  fs::path folder, file;
};

TEST_F(RunModelFile, SaysSoWhenTheFileChangesAndNotBefore) {
  const Tree tree = load_tree(file);
  Tree other = tree;
  other.gravity = {0, 0, 0};
  const std::string texts[] = {model, native_text(tree), native_text(other)};
  ASSERT_NE(texts[1], model);
  for (const std::string& text : texts) {
    put(model);
    const RunMetadata metadata = recorded(tree, text);
    EXPECT_FALSE(model_file_has_changed(metadata));
    put(std::string(model) + "\n");
    EXPECT_TRUE(model_file_has_changed(metadata));
    if (text != model) {
      put(text);
      EXPECT_TRUE(model_file_has_changed(metadata));
    }
    put(model);
    EXPECT_FALSE(model_file_has_changed(metadata));
    fs::remove(file);
    EXPECT_FALSE(model_file_has_changed(metadata));
  }
}

TEST_F(RunModelFile, RunsAreOfTheFileAsItWasRead) {
  const Tree tree = load_tree(file);
  const std::string changed = std::string(model) + "\n";
  for (const std::string& text : {std::string(model), native_text(tree)}) {
    put(changed);  // before the run is recorded
    const RunMetadata metadata = recorded(tree, text);
    EXPECT_EQ(model_file_crc(metadata), crc32(model));
    EXPECT_TRUE(model_file_has_changed(metadata));
    fs::remove(file);
    EXPECT_EQ(recorded(tree, text), metadata);
    put(model);
    EXPECT_FALSE(model_file_has_changed(metadata));
  }
}

TEST_F(RunModelFile, OfModelsThatAreOfNoFileNothingIsKnown) {
  const Tree tree = build(parse_native(model, file.string()));
  const RunMetadata metadata = recorded(tree, native_text(tree));
  EXPECT_EQ(model_file_crc(metadata), std::nullopt);
  for (const char* text : {model, "", "other"}) {
    put(text);
    EXPECT_FALSE(model_file_has_changed(metadata));
  }
}

TEST_F(RunModelFile, ChecksumsThatAreNoneAreNot) {
  RunMetadata metadata;
  for (const char* digits : {"none", "12x", "-1", "99999999999999999999", " 1"}) {
    metadata.model_file_crc32 = digits;
    EXPECT_EQ(model_file_crc(metadata), std::nullopt) << digits;
  }
}

TEST_F(RunModelFile, RunsThatKeepTheTextOfTheFileHaveNoChecksumOfIt) {
  EXPECT_EQ(recorded(load_tree(file), model).model_file_crc32, "");
}

}  // namespace
}  // namespace axode::test::run_model_file_test
