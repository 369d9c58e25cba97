/// MCAP files there and back, cut at every byte, damaged, resumed, on full disks.
#include "axode/io/run/mcap.hpp"

#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <ctime>
#include <fstream>
#include <functional>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/errors.hpp"

namespace axode::test::mcap_test {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}
void put(const fs::path& file, std::string_view bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

/// In memory if possible: thousands of small files are written.
fs::path fast_folder() {
  return fs::exists("/dev/shm") ? fs::path("/dev/shm") : fs::temp_directory_path();
}

struct Found {
  std::vector<std::string> messages, metadata, attachments;
  McapContents contents;
};
Found read(const fs::path& file, bool salvage = false) {
  Found found;
  McapHandlers handlers;
  handlers.message = [&](const McapChannel& channel, const McapMessage& message) {
    found.messages.push_back(channel.topic + " " + std::to_string(message.time) + " " +
                             std::string(message.data));
  };
  handlers.metadata = [&](const McapMetadata& m) { found.metadata.push_back(m.name); };
  handlers.attachment = [&](const McapAttachment& a) { found.attachments.push_back(a.data); };
  found.contents = read_mcap(file, handlers, {.salvage = salvage});
  return found;
}

class Mcap : public testing::Test {
 protected:
  Mcap() : folder(fast_folder() / ("axode_mcap_" + std::to_string(::getpid()))) {
    fs::remove_all(folder);
    fs::create_directories(folder);
    file = folder / "a.mcap";
  }
  ~Mcap() override { fs::remove_all(folder); }

  static void begin(McapWriter& writer) {
    writer.metadata({"about", {{"key", "value"}}});
    writer.attachment({"model", "text/plain", "all of it"});
    writer.schema({1, "s", "jsonschema", "{}"});
    writer.channel({1, 1, "/one", "json", {}});
    writer.channel({2, 0, "/two", "raw", {{"a", "b"}}});
  }
  /// The i-th message; every fifth chunk by chunk.
  static void add(McapWriter& writer, int i) {
    writer.message(i % 3 == 0 ? 2 : 1, static_cast<std::uint64_t>(100 * i),
                   "{\"i\":" + std::to_string(i) + "}");
    if (i % 5 == 4) writer.close_chunk();
  }
  void write(int n, bool overwrite = false) const {
    McapWriter writer(file, "test", overwrite);
    begin(writer);
    for (int i = 0; i < n; ++i) add(writer, i);
    writer.finish();
  }
  fs::path folder, file;
};

TEST_F(Mcap, ThereAndBack) {
  write(12);
  const Found found = read(file);
  ASSERT_EQ(found.messages.size(), 12U);
  EXPECT_EQ(found.messages[3], "/two 300 {\"i\":3}");
  EXPECT_EQ(found.messages[11], "/one 1100 {\"i\":11}");
  EXPECT_EQ(found.metadata, std::vector<std::string>{"about"});
  EXPECT_EQ(found.attachments, std::vector<std::string>{"all of it"});
  const McapContents& c = found.contents;
  EXPECT_TRUE(c.complete);
  EXPECT_EQ(c.end, fs::file_size(file));
  EXPECT_EQ(c.profile, "test");
  EXPECT_EQ(c.index.chunks.size(), 3U);
  EXPECT_EQ(c.index.message_count, 12U);
  EXPECT_EQ(c.index.last_time, 1100U);
  EXPECT_EQ(c.index.messages.at(2), 4U);
}

TEST_F(Mcap, NothingInIt) {
  { McapWriter writer(file, "", false); }
  const Found found = read(file);
  EXPECT_TRUE(found.contents.complete);
  EXPECT_TRUE(found.messages.empty());
}

TEST_F(Mcap, ChunksAreClosedWhenFull) {
  McapWriter writer(file, "", false);
  begin(writer);
  const std::string data(10000, 'x');
  for (std::uint64_t i = 0; i < 100; ++i) writer.message(1, i, data);  // 1 MB
  EXPECT_EQ(writer.index().chunks.size(), 3U);
  writer.finish();
  EXPECT_EQ(read(file).messages.size(), 100U);
  EXPECT_LT(fs::file_size(file), 20000U);
}

TEST_F(Mcap, CutAtAnyByteAPrefixIsRead) {
  write(23);
  const Found whole = read(file);
  std::size_t before = 23;
  for (std::size_t n = fs::file_size(file) - 1; n > 0; --n) {
    fs::resize_file(file, n);
    const Found found = read(file);
    EXPECT_FALSE(found.contents.complete);
    ASSERT_LE(found.messages.size(), before) << n;
    ASSERT_TRUE(std::equal(found.messages.begin(), found.messages.end(), whole.messages.begin()));
    before = found.messages.size();
  }
  EXPECT_EQ(before, 0U);
}

TEST_F(Mcap, ZerosAfterAPowerFailureAreTheEnd) {
  write(23);
  const std::string all = contents(file);
  const std::uint64_t end = read(file).contents.index.chunks[3].offset;
  put(file, all.substr(0, end) + std::string(5000, '\0'));
  const Found found = read(file);
  EXPECT_EQ(found.messages.size(), 15U);
  EXPECT_FALSE(found.contents.complete);
}

TEST_F(Mcap, DamageIsFoundWhereverItIs) {
  write(23);
  const std::string all = contents(file);
  const Found whole = read(file);
  std::mt19937 random(1);
  int refused = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string bytes = all;
    const int changes = i % 4 == 3 ? 20 : 1;
    for (int k = 0; k < changes; ++k)
      bytes[random() % bytes.size()] ^= static_cast<char>(1 + random() % 255);
    put(folder / "bad", bytes);
    try {
      const Found found = read(folder / "bad");
      // A length that now points beyond the end looks like a cut; nothing else may pass.
      EXPECT_FALSE(found.contents.complete);
      EXPECT_TRUE(std::equal(found.messages.begin(), found.messages.end(), whole.messages.begin()));
    } catch (const Error&) {
      ++refused;
    }
    if (bytes.starts_with(all.substr(0, 8))) {
      const Found salvaged = read(folder / "bad", true);
      EXPECT_TRUE(
          std::equal(salvaged.messages.begin(), salvaged.messages.end(), whole.messages.begin()));
    }
  }
  EXPECT_GT(refused, 1500);
}

TEST_F(Mcap, ManySchemasTakeNoLongTime) {
  {
    McapWriter writer(file, "test", false);
    for (int round = 0; round < 10; ++round)
      for (unsigned id = 1; id < 65536; ++id)
        writer.schema({static_cast<std::uint16_t>(id), round == 0 ? "first" : "again", "", ""});
    writer.channel({1, 1, "/one", "raw", {}});
    writer.message(1, 0, "a");
    writer.close_chunk();
  }
  const std::clock_t begin = std::clock();
  const McapContents contents = read_mcap(file, {});
  EXPECT_LT(std::clock() - begin, 8 * CLOCKS_PER_SEC);  // searched one by one: 50 s
  ASSERT_EQ(contents.index.schemas.size(), 65535U);
  for (const McapSchema& schema : contents.index.schemas) ASSERT_EQ(schema.name, "first");
}

TEST_F(Mcap, NoMcapFile) {
  put(file, "{\"axode\": 1}");
  expect_says(message([&] { read(file); }), "is not an MCAP file");
  put(file, "");
  expect_says(message([&] { read(file); }), "is not an MCAP file");
  expect_says(message([&] { read(folder / "none"); }), "cannot be read: No such file");
  expect_says(message([&] { read(folder); }), "not a regular file");
  EXPECT_THROW(read(folder), IoError);
}

TEST_F(Mcap, ResumedTheFileIsTheSame) {
  write(23);
  const std::string all = contents(file);
  std::vector<std::uint64_t> ends;
  McapHandlers handlers;
  handlers.chunk = [&](std::uint64_t end) { ends.push_back(end); };
  read_mcap(file, handlers);
  ASSERT_EQ(ends.size(), 5U);
  for (int chunk = 0; chunk < 4; ++chunk) {
    put(file, all);
    McapWriter writer(file, ends[chunk]);
    for (int i = 5 * (chunk + 1); i < 23; ++i) add(writer, i);
    writer.finish();
    EXPECT_EQ(contents(file), all) << chunk;
  }
  EXPECT_THROW(McapWriter(file, ends[1] - 1), Error);
}

TEST_F(Mcap, ExistingFilesAndOtherPlaces) {
  write(5);
  expect_says(message([&] { write(5); }), "exists already");
  write(7, true);
  EXPECT_EQ(read(file).messages.size(), 7U);
  file = folder / "none" / "a.mcap";
  expect_says(message([&] { write(1); }), "cannot be written: No such file");
  file = "/dev/full";
  expect_says(message([&] { write(1, true); }), "not a regular file");
}

TEST_F(Mcap, TwoWritersOfOneFile) {
  McapWriter first(file, "", false);
  begin(first);
  expect_says(message([&] { McapWriter second(file, "", true); }), "another program");
  first.message(1, 5, "{}");
  first.finish();
  EXPECT_EQ(read(file).messages.size(), 1U);
}

TEST_F(Mcap, RemovedOrChangedByOthersIsSaidAndLeftAlone) {
  const std::vector<std::pair<std::string, std::function<void()>>> others{
      {"was removed", [&] { fs::remove(file); }},
      {"was removed", [&] { put(folder / "b", ""), fs::rename(folder / "b", file); }},
      {"was changed", [&] { fs::resize_file(file, 0); }},
      {"was changed", [&] { fs::resize_file(file, fs::file_size(file) - 1); }},
      {"was changed", [&] { std::ofstream(file, std::ios::app) << 'x'; }}};
  for (const auto& [words, act] : others)
    for (const bool at_end : {false, true}) {
      std::string left = "none";
      {
        McapWriter writer(file, "test", true);
        begin(writer);
        for (int i = 0; i < 7; ++i) add(writer, i);
        act();
        if (fs::exists(file)) left = contents(file);
        expect_says(message([&] { at_end ? writer.finish() : writer.close_chunk(); }), words);
        EXPECT_THROW(writer.metadata({}), Error);
      }
      EXPECT_EQ(fs::exists(file) ? contents(file) : "none", left);
    }
}

TEST_F(Mcap, MovedByOthersIsSaidAtTheEndAndWhole) {
  const fs::path elsewhere = folder / "elsewhere";
  for (const bool another : {false, true}) {
    McapWriter writer(file, "test", true);
    begin(writer);
    for (int i = 0; i < 7; ++i) add(writer, i);
    fs::rename(file, elsewhere);
    if (another) put(file, "another");
    writer.close_chunk();
    expect_says(message([&] { writer.finish(); }), "was moved while it was written");
    EXPECT_EQ(fs::exists(file), another);
    fs::remove(file);
    fs::rename(elsewhere, file);
    const Found found = read(file);
    EXPECT_TRUE(found.contents.complete);
    EXPECT_EQ(found.messages.size(), 7U);
  }
}

TEST_F(Mcap, AnotherCurrentFolderIsNoMove) {
  const fs::path before = fs::current_path();
  fs::current_path(folder);
  {
    McapWriter writer("a.mcap", "test", false);
    begin(writer);
    add(writer, 0);
    fs::current_path(before);
    EXPECT_NO_THROW(writer.finish());
  }
  EXPECT_TRUE(read(file).contents.complete);
}

TEST_F(Mcap, WhatIsInAnOpenChunkIsSavedSoon) {
  write(23);
  const std::string all = contents(file);
  McapWriter writer(file, "test", true);
  begin(writer);
  for (int i = 0; i < 23; ++i) {
    const bool waits = i == 3 || i == 11 || i == 12;
    if (waits) std::this_thread::sleep_for(std::chrono::milliseconds(250));
    add(writer, i);
    if (!waits && i > 0) continue;
    const Found found = read(file);  // as if the program were killed here
    EXPECT_EQ(found.messages.size(), static_cast<std::size_t>(i + 1));
    EXPECT_FALSE(found.contents.complete);
    EXPECT_EQ(found.contents.end, fs::file_size(file));
  }
  writer.finish();
  EXPECT_TRUE(contents(file) == all) << "the file depends on the clock";
}

TEST_F(Mcap, MessagesWithoutChannelAndAfterTheEnd) {
  McapWriter writer(file, "", false);
  expect_says(message([&] { writer.message(1, 0, ""); }), "no channel 1");
  writer.finish();
  writer.finish();
  expect_says(message([&] { writer.metadata({}); }), "after its end");
}

/// Writes until the disk takes no more; the number of messages that were written.
int fill(McapWriter& writer) {
  std::mt19937_64 random(1);
  std::string data(1000, '\0');
  for (int i = 0; i < 100000; ++i) {
    for (char& c : data) c = static_cast<char>(random());
    writer.message(1, static_cast<std::uint64_t>(i), data);
  }
  return 100000;
}

void expect_kept(const fs::path& file, const std::string& reason) {
  {
    McapWriter writer(file, "", false);
    writer.channel({1, 0, "/one", "raw", {}});
    expect_says(message([&] { fill(writer); }), "cannot be written: " + reason);
  }
  const Found found = read(file);
  EXPECT_FALSE(found.contents.complete);
  EXPECT_GT(found.messages.size(), 200U);
  EXPECT_EQ(found.contents.end, fs::file_size(file)) << "part of a chunk was left";
}

TEST_F(Mcap, LimitOfFileSizeKeepsWholeChunks) {
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit small = before;
  small.rlim_cur = 1000000;
  setrlimit(RLIMIT_FSIZE, &small);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  expect_kept(file, "File too large");
  std::signal(SIGXFSZ, handler);
  setrlimit(RLIMIT_FSIZE, &before);
}

TEST_F(Mcap, FullDiskKeepsWholeChunks) {
  const fs::path disk = folder / "disk";
  fs::create_directory(disk);
  if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=1m") != 0)
    GTEST_SKIP() << "no small disk can be mounted here";
  expect_kept(disk / "a.mcap", "No space left");
  ::umount(disk.c_str());
}

}  // namespace
}  // namespace axode::test::mcap_test
