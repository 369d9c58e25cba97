/// Exports of runs read back: CSV by hand, NPZ by its own bytes, HDF5 by its library. NumPy and h5py
/// read them in tests/io/run/readers_test.py.
#include "axode/io/export/export_run.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>
#include <thread>

#include "axode/io/text/crc32.hpp"
#include "tests/support/errors.hpp"

namespace axode::test::export_run_test {
namespace {

namespace fs = std::filesystem;

axode::Run small_run() {
  axode::Run run;
  run.metadata.q_names = {"a", "b,\"c\""};
  run.metadata.q_units = {"rad", ""};
  run.metadata.v_names = {"a"};
  run.metadata.v_units = {"m/s"};
  run.metadata.a_units = {"m/s^2"};
  run.metadata.tau_units = {"N"};
  run.metadata.options = "{}";
  run.times = {0, 0.1, 0.2};
  run.q = {1, 2, 3, 4, 1.0 / 3, std::nan("")};
  run.v = {-0.0, 5e-324, 7};
  run.a = {8, 9, 10};
  run.tau = {11, 12, -HUGE_VAL};
  run.kinetic = {14, 15, 16};
  run.potential = {17, 18, 19};
  run.stored = {23, 24, 25};
  run.work = {20, 21, 22};
  return run;
}

template <class T>
T number(const std::string& bytes, std::size_t at) {
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

/// The entries of a zip file, found through its directory.
std::vector<std::pair<std::string, std::string>> unzip(const std::string& file) {
  std::vector<std::pair<std::string, std::string>> found;
  const std::size_t end64 = file.size() - 22 - 20 - 56;
  EXPECT_EQ(number<std::uint32_t>(file, file.size() - 22), 0x06054b50U);
  EXPECT_EQ(number<std::uint32_t>(file, end64), 0x06064b50U);
  EXPECT_EQ(number<std::uint64_t>(file, file.size() - 22 - 12), end64);
  std::size_t at = number<std::uint64_t>(file, end64 + 48);
  for (auto n = number<std::uint64_t>(file, end64 + 32); n > 0; --n) {
    EXPECT_EQ(number<std::uint32_t>(file, at), 0x02014b50U);
    const std::size_t name = number<std::uint16_t>(file, at + 28);
    const std::size_t extra = at + 46 + name + 4;
    const auto size = number<std::uint64_t>(file, extra);
    const auto local = number<std::uint64_t>(file, extra + 16);
    found.emplace_back(file.substr(at + 46, name), file.substr(local + 30 + name + 20, size));
    EXPECT_EQ(crc32(found.back().second), number<std::uint32_t>(file, at + 16));
    at += 46 + name + 28;
  }
  EXPECT_EQ(at, end64);
  return found;
}

TEST(ExportRun, Csv) {
  EXPECT_EQ(csv_of(small_run()),
            "time [s],q:a [rad],\"q:b,\"\"c\"\"\",v:a [m/s],a:a [m/s^2],tau:a [N],"
            "kinetic [J],potential [J],stored [J],work [J]\n"
            "0,1,2,-0,8,11,14,17,23,20\n"
            "0.1,3,4,5e-324,9,12,15,18,24,21\n"
            "0.2,0.3333333333333333,nan,7,10,-inf,16,19,25,22\n");
  EXPECT_EQ(csv_of(small_run(), {"work", "v"}),
            "time [s],work [J],v:a [m/s]\n0,20,-0\n0.1,21,5e-324\n0.2,22,7\n");
  EXPECT_EQ(csv_of(axode::Run{}, {"work"}), "time [s],work [J]\n");
}

TEST(ExportRun, NpzEntriesAndArrays) {
  const auto entries = unzip(npz_of(small_run(), {"q", "kinetic"}));
  ASSERT_EQ(entries.size(), 5U);
  EXPECT_EQ(entries[0].first, "time.npy");
  EXPECT_EQ(entries[2].first, "q_names.npy");
  const std::string& q = entries[1].second;
  const std::size_t start = 10 + number<std::uint16_t>(q, 8);
  EXPECT_EQ(start % 64, 0U);
  EXPECT_NE(q.find("'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }"),
            std::string::npos);
  ASSERT_EQ(q.size(), start + 6 * sizeof(double));
  EXPECT_EQ(number<double>(q, start + 4 * sizeof(double)), 1.0 / 3);
  EXPECT_NE(entries[2].second.find("'<U5'"), std::string::npos);
  EXPECT_NE(entries[4].second.find("(3,)"), std::string::npos);
}

TEST(ExportRun, TheSameRunGivesTheSameBytesAtAnyTime) {
  const auto all = [] {
    return std::array{csv_of(small_run()), npz_of(small_run()), hdf5_of(small_run())};
  };
  const auto before = all();
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // HDF5 counts seconds
  EXPECT_TRUE(all() == before);
}

TEST(ExportRun, Hdf5HasItsMark) {
  const std::string bytes = hdf5_of(small_run());
  EXPECT_TRUE(bytes.starts_with("\x89HDF\r\n\x1a\n"));
  EXPECT_NE(bytes.find("potential"), std::string::npos);
  EXPECT_TRUE(hdf5_of(axode::Run{}).starts_with("\x89HDF"));
}

TEST(ExportRun, FilesByTheirEnding) {
  const fs::path folder =
      fs::temp_directory_path() / ("axode_export_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  for (const char* name : {"a.csv", "a.npz", "a.h5", "b.HDF5"}) {
    export_run(small_run(), folder / name);
    expect_says(message([&] { export_run(small_run(), folder / name); }), "exists already");
    export_run(small_run(), folder / name, {"q"}, true);
  }
  std::ostringstream csv;
  csv << std::ifstream(folder / "a.csv").rdbuf();
  EXPECT_EQ(csv.str(), csv_of(small_run(), {"q"}));
  expect_says(message([&] { export_run(small_run(), folder / "a.txt"); }), "names no format");
  expect_says(message([&] { export_run(small_run(), folder / "x.csv", {"speed"}); }), "speed");
  EXPECT_FALSE(fs::exists(folder / "x.csv"));
  EXPECT_THROW(export_run(small_run(), folder / "none" / "a.h5"), IoError);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace axode::test::export_run_test
