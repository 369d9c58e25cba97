/// Files read by position.
#include "axode/io/text/input_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "axode/core/error.hpp"
#include "tests/support/errors.hpp"

namespace axode::test::input_file_test {
namespace {

namespace fs = std::filesystem;

TEST(InputFile, ReadsPiecesOfRegularFiles) {
  const fs::path folder = fs::temp_directory_path() / ("axode_input_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const fs::path file = folder / "a";
  std::ofstream(file) << "0123456789";
  const InputFile input(file);
  EXPECT_EQ(input.size, 10U);
  std::string piece;
  input.read(3, 4, piece);
  EXPECT_EQ(piece, "3456");
  input.read(8, 4, piece);
  EXPECT_EQ(piece, "89");
  fs::resize_file(file, 5);
  input.read(3, 4, piece);
  EXPECT_EQ(piece, "34");
  input.read(20, 4, piece);
  EXPECT_EQ(piece, "");
  EXPECT_THROW(InputFile(folder / "none"), IoError);
  expect_says(message([&] { InputFile{folder}; }), "not a regular file");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  expect_says(message([&] { InputFile{folder / "pipe"}; }), "not a regular file");
  fs::remove_all(folder);
}

}  // namespace
}  // namespace axode::test::input_file_test
