#include "axode/io/file_kind.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "axode/core/error.hpp"

namespace axode::test::file_kind_test {
namespace fs = std::filesystem;

class FileKinds : public testing::Test {
 protected:
  FileKinds() { fs::create_directories(folder_); }
  ~FileKinds() override { fs::remove_all(folder_); }
  fs::path write(const char* name, const char* text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }
  const fs::path folder_ =
      fs::temp_directory_path() / ("axode_file_kind_" + std::to_string(getpid()));
};

TEST_F(FileKinds, AreToldByEndingAndKey) {
  EXPECT_EQ(file_kind(write("a.urdf", "<robot/>")), FileKind::tree);
  EXPECT_EQ(file_kind(write("t.json", R"({"axode": 1})")), FileKind::tree);
  EXPECT_EQ(file_kind(write("m.json", R"({"name": "a", "axode_mechanism": 1})")),
            FileKind::mechanism);
  EXPECT_EQ(file_kind(write("f.json", R"({"axode_flexible": 1})")), FileKind::flexible);
  EXPECT_EQ(file_kind(write("l.json", "[1, 2]")),
            FileKind::tree);  // whose reader says what is wrong
  EXPECT_EQ(file_kind("none.mcap"), FileKind::run);
  EXPECT_EQ(file_kind("NONE.MCAP"), FileKind::run);
}
TEST_F(FileKinds, RefuseWhatCannotBeRead) {
  EXPECT_THROW(file_kind(folder_ / "none.json"), IoError);
  EXPECT_THROW(file_kind(write("broken.json", R"({"axode_mechanism": )")), Error);
}
TEST_F(FileKinds, HaveNames) {
  EXPECT_EQ(name(FileKind::tree), "tree");
  EXPECT_EQ(name(FileKind::mechanism), "mechanism");
  EXPECT_EQ(name(FileKind::flexible), "flexible tree");
  EXPECT_EQ(name(FileKind::run), "run");
}

}  // namespace axode::test::file_kind_test
