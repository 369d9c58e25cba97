/// Text files: what is read, what is refused before it is read, numbers, lines, writing, meshes.
#include "axode/io/text/text_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <limits>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "axode/io/text/crc32.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::text_file_test {
namespace {

namespace fs = std::filesystem;

/// A folder of its own for each test, removed at its end.
class TextFile : public testing::Test {
 protected:
  TextFile() : folder(fs::temp_directory_path() / ("axode_text_" + std::to_string(::getpid()))) {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  ~TextFile() override { fs::remove_all(folder); }
  void put(const fs::path& name, const std::string& text) const {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name, std::ios::binary) << text;
  }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  }
  fs::path folder;
};

TEST_F(TextFile, ReadsWhatIsThere) {
  put("a", std::string("x\r\ny\0z", 6));
  EXPECT_EQ(read_text_file(folder / "a"), std::string("x\r\ny\0z", 6));
  put("empty", "");
  EXPECT_EQ(read_text_file(folder / "empty"), "");
}

TEST_F(TextFile, ReadsAgainOnlyWhatIsTheSame) {
  put("a", "text");
  EXPECT_EQ(reread_text_file(folder / "a", crc32("text")), "text");
  for (const char* other : {"texts", "tex", "Text", ""}) {
    put("a", other);
    EXPECT_THROW(reread_text_file(folder / "a", crc32("text")), IoError) << other;
    expect_says(message([&] { reread_text_file(folder / "a", crc32("text")); }),
                "a: has changed while it was read");
  }
  EXPECT_THROW(reread_text_file(folder / "a", {}), IoError);
}

TEST_F(TextFile, RefusesWhatIsNoFile) {
  EXPECT_THROW(read_text_file(folder / "missing"), IoError);
  expect_says(message([&] { read_text_file(folder / "missing"); }),
              "missing: cannot be read: No such");
  expect_says(message([&] { read_text_file(folder); }), "is a directory; name a file");
  expect_says(message([&] { read_text_file("/dev/null"); }), "not a regular file");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  expect_says(message([&] { read_text_file(folder / "pipe"); }), "not a regular file");
}

TEST_F(TextFile, RefusesFilesThatAreTooLargeBeforeReading) {
  put("large", "");
  fs::resize_file(folder / "large", max_file_size + 1);  // a hole, no disk space
  EXPECT_THROW(read_text_file(folder / "large"), LimitError);
  expect_says(message([&] { read_text_file(folder / "large"); }), "more than 256 MB");
}

TEST(CheckUtf8, AcceptsUtf8) {
  const char* const extremes =
      "\xc2\x80 \xdf\xbf \xe0\xa0\x80 \xed\x9f\xbf \xee\x80\x80 \xf0\x90\x80\x80 "
      "\xf4\x8f\xbf\xbf";
  for (const std::string text :
       {"", "plain", "\xef\xbb\xbf mark", "\xc3\xa4 \xe2\x82\xac \xf0\x9f\xa4\x96", extremes})
    EXPECT_NO_THROW(check_utf8(text, "f")) << in_quotes(text);
}

TEST(CheckUtf8, RefusesTheRestAtEveryPlace) {
  const std::vector<std::string> bad{
      "\x80",         "\xff",         "\xc0\x80",     "\xc1\xbf",          "\xe0\x9f\xbf",
      "\xed\xa0\x80", "\xf0\x8f\xbf", "\xf4\x90\x80", "\xf5\x80\x80\x80",  "\xc3",
      "\xe2\x82",     "\xf0\x9f\xa4", "\xc3(",        std::string(1, '\0')};
  for (const std::string& piece : bad)
    for (std::size_t before = 4; before < 20; ++before) {
      const std::string line = std::string(before, 'a') + piece;
      const std::string text = std::string("\n") + line + "aaaaaaaaaaaaaaaa";
      expect_says(message([&] { check_utf8(text, "f"); }), "f:2: ");
      const std::string at_end = std::string("\n\n") + line;
      expect_says(message([&] { check_utf8(at_end, "f"); }), "f:3: ");
    }
  const std::string wide("\xff\xfe<\0r\0", 6), wide_without_mark("<\0r\0", 4);
  expect_says(message([&] { check_utf8(wide, "f"); }), "f:1: is in UTF-16; save it as UTF-8");
  expect_says(message([&] { check_utf8(wide_without_mark, "f"); }), "UTF-16");
}

TEST(LineIndex, CountsFromOne) {
  const LineIndex lines("a\nbc\r\n\nd");
  const int expected[] = {1, 1, 2, 2, 2, 2, 3, 4, 4};
  for (std::size_t i = 0; i < std::size(expected); ++i) EXPECT_EQ(lines.line(i), expected[i]) << i;
  EXPECT_EQ(LineIndex("").line(0), 1);
}

TEST(ParseNumber, TakesAllUsualForms) {
  const std::pair<const char*, double> cases[] = {
      {"1", 1},       {"-2.5", -2.5},
      {"+3", 3},      {".5", .5},
      {"5.", 5},      {"1e3", 1e3},
      {"1E-3", 1e-3}, {" \t7\r\n", 7},
      {"-0", -0.0},   {"4.9e-324", 4.9e-324},
      {"1e-400", 0},  {"-1e-99999999999999999999", -0.0},
      {"007", 7},     {"1.7976931348623157e308", std::numeric_limits<double>::max()}};
  for (const auto& [text, value] : cases) {
    const double parsed = parse_number(text, "w");
    EXPECT_EQ(parsed, value) << text;
    EXPECT_EQ(std::signbit(parsed), std::signbit(value)) << text;
  }
  std::string tiny(402, '0'), huge(401, '0');
  tiny[1] = '.';
  tiny += '1';
  huge[0] = '1';
  EXPECT_EQ(parse_number(tiny, "w"), 0);
  EXPECT_THROW(parse_number(huge, "w"), Error);
  EXPECT_EQ(parse_number(tiny + "e401", "w"), 1);
  EXPECT_EQ(parse_number(huge + "e-400", "w"), 1);
}

TEST(ParseNumber, RefusesTheRestWithARemedy) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "a number is missing; "},
      {"  ", "a number is missing; "},
      {"1,5", "\"1,5\" is not a number; write a decimal point"},
      {"1.0abc", "\"1.0abc\" is not a number; "},
      {"nan", "\"nan\" is not a finite number; "},
      {"-nan", "is not a finite number; "},
      {"inf", "\"inf\" is not a finite number; "},
      {"-Infinity", "is not a finite number; "},
      {"+inf", "is not a finite number; "},
      {"1e400", "\"1e400\" is too large for a number; "},
      {"-1e99999999999999999999", "is too large"},
      {"0x10", "is not a number; "},
      {"1 2", "is not a number; "},
      {"--1", "is not a number; "},
      {"+-1", "is not a number; "},
      {"++1", "is not a number; "},
      {"+", "is not a number; "},
      {"-", "is not a number; "},
      {".", "is not a number; "},
      {"e5", "is not a number; "},
      {"1e", "is not a number; "},
      {"1_000", "is not a number; "},
      {"one", "is not a number; "},
      {"1\xc2\xa0", "is not a number; "},
      {"${pi/2}", "run xacro first"},
      {"$(arg x)", "run xacro first"}};
  for (const auto& [text, words] : cases) {
    const std::string said = message([&, t = text] { parse_number(t, "f:3: <a>"); });
    expect_says(said, words);
    EXPECT_TRUE(said.starts_with("f:3: <a>: ")) << said;
  }
}

TEST(ParseNumbers, CountsThem) {
  EXPECT_EQ(parse_numbers(" 1\t2\n3 ", 3, "w"), (std::vector<double>{1, 2, 3}));
  expect_says(message([] { parse_numbers("1 2", 3, "w"); }),
              "holds 2 numbers instead of 3; write 3");
  expect_says(message([] { parse_numbers("1 2 3 4", 3, "w"); }), "holds 4 numbers instead of 3");
  expect_says(message([] { parse_numbers("", 1, "w"); }), "holds 0 numbers instead of 1");
  expect_says(message([] { parse_numbers("1, 2, 3", 3, "w"); }), "\"1,\" is not a number");
  expect_says(message([] { parse_numbers("0 ${a + b} 0", 3, "w"); }), "run xacro first");
}

TEST(Shortest, ReadsBackExactly) {
  for_random_cases(10'000, [](Random& random) {
    const double x = random.log_uniform(1e-300, 1e300) * (random.integer(0, 1) ? 1 : -1);
    EXPECT_EQ(parse_number(shortest(x), "w"), x);
  });
  EXPECT_EQ(shortest(0.1), "0.1");
  EXPECT_EQ(shortest(-3), "-3");
}

TEST(Quoted, IsShortAndPrintable) {
  EXPECT_EQ(in_quotes("a b"), "\"a b\"");
  EXPECT_EQ(in_quotes("a\nb\x1b\x7f"), R"("a\x0ab\x1b\x7f")");
  EXPECT_EQ(in_quotes("\xc3\xa4"), "\"\xc3\xa4\"");
  EXPECT_EQ(in_quotes("\xc3"), R"("\xc3")");
  EXPECT_EQ(in_quotes("\xc2\x9b"), R"("\xc2\x9b")");
  EXPECT_EQ(in_quotes(std::string(60, 'x')).size(), 62u);
  const std::string cut = in_quotes(std::string(100, 'x'));
  EXPECT_EQ(cut.size(), 62u);
  EXPECT_TRUE(cut.ends_with("xxx...\""));
  EXPECT_EQ(in_quotes(""), "\"\"");
}

TEST_F(TextFile, WritesWholeFilesOnly) {
  const fs::path file = folder / "out";
  write_text_file(file, "one", false);
  EXPECT_EQ(read_text_file(file), "one");
  EXPECT_THROW(write_text_file(file, "two", false), IoError);
  expect_says(message([&] { write_text_file(file, "two", false); }), "out: exists already; ");
  EXPECT_EQ(read_text_file(file), "one");
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  write_text_file(file, "three", true);
  EXPECT_EQ(read_text_file(file), "three");
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(files(), 1u);  // nothing temporary left
}

TEST_F(TextFile, OfAKilledProgramNothingStaysBehind) {
  const int probe = ::open(folder.c_str(), O_WRONLY | O_TMPFILE, 0600);
  if (probe < 0) GTEST_SKIP() << "the file system has no files without a name";
  ::close(probe);
  const std::string text(std::size_t{8} << 20, 'x');
  for (int delay = 0; delay < 20; ++delay) {
    const pid_t child = ::fork();
    if (child == 0) {
      for (int i = 0;; ++i) write_text_file(folder / std::to_string(i), text, i % 2 == 1);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2 * delay));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    for (const auto& entry : fs::directory_iterator(folder)) {
      EXPECT_NE(entry.path().extension(), ".tmp");
      EXPECT_EQ(fs::file_size(entry), text.size());
      fs::remove(entry);
    }
  }
}

TEST_F(TextFile, OfAProgramKilledWhileItReplacesNothingStaysBehind) {
  const int probe = ::open(folder.c_str(), O_WRONLY | O_TMPFILE, 0600);
  if (probe < 0) GTEST_SKIP() << "the file system has no files without a name";
  ::close(probe);
  const std::string text(std::size_t{8} << 20, 'x');
  constexpr int kills = 20;
  int left = 0;
  for (int delay = 0; delay < kills; ++delay) {
    put("out", text);
    const pid_t child = ::fork();
    if (child == 0) {
      for (;;) write_text_file(folder / "out", text, true);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2 * delay));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    for (const auto& entry : fs::directory_iterator(folder)) {
      EXPECT_EQ(fs::file_size(entry), text.size()) << entry.path();  // never half a file
      left += entry.path().extension() == ".tmp";
      fs::remove(entry);
    }
  }
  // A file that replaces another has a second name for microseconds; its writing takes milliseconds.
  EXPECT_LE(left, kills / 4);
}

/// Bytes that this process has given to write() so far; 0 if the system does not count them.
std::uintmax_t bytes_written() {
  std::ifstream counts("/proc/self/io");
  std::string name;
  for (std::uintmax_t value = 0; counts >> name >> value;)
    if (name == "wchar:") return value;
  return 0;
}

TEST_F(TextFile, ReplacesByWritingOnce) {
  const std::string text(std::size_t{1} << 20, 'x');
  put("out", "old");
  const std::uintmax_t before = bytes_written();
  if (before == 0) GTEST_SKIP() << "the system does not count the bytes that are written";
  write_text_file(folder / "out", text, true);
  EXPECT_LT(bytes_written() - before, 2 * text.size());
  EXPECT_EQ(read_text_file(folder / "out"), text);
  EXPECT_EQ(files(), 1u);
}

TEST_F(TextFile, WritesThroughLinksButNotOverFolders) {
  put("target", "old");
  fs::create_symlink(folder / "target", folder / "link");
  EXPECT_THROW(write_text_file(folder / "link", "new", false), IoError);
  write_text_file(folder / "link", "new", true);
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(read_text_file(folder / "target"), "new");
  fs::create_directory(folder / "sub");
  EXPECT_THROW(write_text_file(folder / "sub", "x", true), IoError);
  expect_says(message([&] { write_text_file(folder / "no/where", "x", true); }),
              "cannot be written");
  EXPECT_EQ(files(), 3u);
}

TEST_F(TextFile, FindsMeshesInTheRoots) {
  put("arm/meshes/a.stl", "solid");
  put("other/b.stl", "solid");
  const fs::path root = fs::canonical(folder);
  const std::vector<fs::path> roots{folder / "none", folder / "arm", folder / "other"};
  const auto find = [&](const std::string& name) { return resolve_mesh(name, roots, "w"); };
  EXPECT_EQ(find("meshes/a.stl"), root / "arm/meshes/a.stl");
  EXPECT_EQ(find("package://arm/meshes/a.stl"), root / "arm/meshes/a.stl");
  EXPECT_EQ(resolve_mesh("package://arm/meshes/a.stl", {folder}, "w"), root / "arm/meshes/a.stl");
  EXPECT_EQ(find("b.stl"), root / "other/b.stl");
  EXPECT_EQ(find("file://" + (root / "other/b.stl").string()), root / "other/b.stl");
  EXPECT_EQ(find((root / "other/b.stl").string()), root / "other/b.stl");
  EXPECT_EQ(find("meshes/../meshes/a.stl"), root / "arm/meshes/a.stl");
  EXPECT_EQ(find("../other/b.stl"), root / "other/b.stl");  // out of one root into another
  EXPECT_EQ(find("none.stl"), fs::path());
  EXPECT_EQ(find("meshes"), fs::path());  // a folder
  EXPECT_EQ(find(std::string(5000, 'x')), fs::path());
  EXPECT_EQ(resolve_mesh("a.stl", {}, "w"), fs::path());
}

TEST_F(TextFile, RefusesMeshesOutsideTheRoots) {
  put("arm/a.stl", "solid");
  put("secret", "x");
  fs::create_symlink(folder / "secret", folder / "arm/link.stl");
  fs::create_directory_symlink(folder, folder / "arm/up");
  fs::create_symlink(folder / "arm/loop", folder / "arm/loop");
  const std::vector<fs::path> roots{folder / "arm"};
  for (const std::string name :
       {"../secret", "package://arm/../secret", "package://arm/../../secret", "link.stl",
        "up/secret", "/etc/passwd", "file:///etc/passwd", "../arm_2/a.stl", "..",
        "a.stl/../../secret"})
    expect_says(message([&] { resolve_mesh(name, roots, "f:7: <mesh>"); }),
                "outside the folders for meshes; give its folder");
  EXPECT_EQ(resolve_mesh("loop", roots, "w"), fs::path());
}

}  // namespace
}  // namespace axode::test::text_file_test
