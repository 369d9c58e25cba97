/// Runs there and back, cut, damaged, and interrupted and resumed at any byte.
#include "axode/io/run/run_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <random>
#include <sstream>
#include <utility>

#include "axode/io/model_file.hpp"
#include "axode/io/run/mcap.hpp"
#include "axode/model/builder.hpp"
#include "axode/version.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/sanitized.hpp"

namespace axode::test::run_file_test {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(const fs::path& file) {
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

/// Of cuts; at every byte it would take half a minute with sanitizers.
const std::size_t stride = is_sanitized() ? 7 : 1;

/// A run of known numbers: 2 coordinates, a checkpoint after every 4th sample.
struct Motion {
  int samples = 22;
  std::size_t dense = 1;  ///< numbers in a checkpoint
  int every = 4;          ///< samples from one checkpoint to the next

  static double number(int i, int k) { return std::sin(1.7 * i + k) * std::pow(10, k); }
  void write(RunWriter& writer, int from) const {
    for (int i = from; i < samples; ++i) {
      const double q[] = {number(i, 0), number(i, 1)}, v[] = {number(i, 2), number(i, 3)},
                   a[] = {number(i, 4), number(i, 5)}, tau[] = {number(i, 6), number(i, 7)};
      writer.sample(
          {0.1 * i, q, v, a, tau, number(i, 8), number(i, 9), number(i, 10), number(i, 11)});
      if (i % 7 == 3) writer.event({0.1 * i, "crossing", "up"});
      if (i % every == every - 1) writer.checkpoint(0.1 * i, std::vector<double>(dense, i + 1));
    }
    writer.finish(0.1 * samples, "{\"steps\": 7}");
  }
};

class RunFile : public testing::Test {
 protected:
  RunFile() : folder(fast_folder() / ("axode_run_" + std::to_string(::getpid()))) {
    fs::remove_all(folder);
    fs::create_directories(folder);
    file = folder / "a.mcap";
    metadata.axode_version = version;
    metadata.command_line = "axode simulate arm.json";
    metadata.model_file = "arm.json";
    metadata.model_text = "{\"axode\": 1}";
    metadata.q_names = metadata.v_names = {"shoulder", "elbow"};
    metadata.q_units = {"rad", "m"};
    metadata.v_units = {"rad/s", "m/s"};
    metadata.a_units = {"rad/s^2", "m/s^2"};
    metadata.tau_units = {"N m", "N"};
  }
  ~RunFile() override { fs::remove_all(folder); }
  void write(const Motion& motion, bool binary = false) {
    RunWriter writer(file, metadata, {.overwrite = true, .binary = binary});
    motion.write(writer, 0);
  }
  fs::path folder, file;
  RunMetadata metadata;
};

void expect_beginning(const Run& run) {
  for (std::size_t i = 0; i < run.times.size(); ++i) {
    const int n = static_cast<int>(i);
    ASSERT_EQ(run.times[i], 0.1 * n);
    for (std::size_t k = 0; k < 2; ++k) {
      const int j = static_cast<int>(k);
      ASSERT_EQ(run.q[2 * i + k], Motion::number(n, j));
      ASSERT_EQ(run.v[2 * i + k], Motion::number(n, 2 + j));
      ASSERT_EQ(run.a[2 * i + k], Motion::number(n, 4 + j));
      ASSERT_EQ(run.tau[2 * i + k], Motion::number(n, 6 + j));
    }
    ASSERT_EQ(run.kinetic[i], Motion::number(n, 8));
    ASSERT_EQ(run.potential[i], Motion::number(n, 9));
    ASSERT_EQ(run.stored[i], Motion::number(n, 10));
    ASSERT_EQ(run.work[i], Motion::number(n, 11));
  }
}

TEST_F(RunFile, ThereAndBackInBothForms) {
  for (const bool binary : {false, true}) {
    write({}, binary);
    const auto run = read_run(file);
    EXPECT_TRUE(run.complete);
    EXPECT_EQ(run.metadata, metadata);
    ASSERT_EQ(run.times.size(), 22U);
    expect_beginning(run);
    ASSERT_EQ(run.events.size(), 3U);
    EXPECT_EQ(run.events[1], (RunEvent{1.0, "crossing", "up"}));
    EXPECT_EQ(run.summary, "{\"steps\": 7}");
    ASSERT_TRUE(run.checkpoint);
    EXPECT_EQ(run.checkpoint->t, 0.1 * 19);
    EXPECT_EQ(run.checkpoint->numbers, std::vector<double>{20});
  }
}

TEST_F(RunFile, FurtherNumbersThereAndBackInBothForms) {
  metadata.extras = {{"poses", {"x \"\n", "y"}, {"m", "m"}}, {"violation", {"all"}, {""}}};
  for (const bool binary : {false, true}) {
    axode::Run run;
    run.metadata = metadata;
    for (int i = 0; i < 5; ++i) {
      const double two[] = {1.0 * i, 2.0 * i}, extras[] = {0.1 * i, 0.2 * i, 0.3 * i};
      append(run, {0.5 * i, two, two, two, two, 1, 2, 3, 4, extras});
    }
    run.events = {{0.7, "a", ""}, {9, "b", ""}};
    write_run(file, run, {.overwrite = true, .binary = binary});
    const axode::Run back = read_run(file);
    EXPECT_TRUE(back.complete);
    EXPECT_EQ(back.metadata, metadata);
    EXPECT_EQ(back.extras, run.extras);
    EXPECT_EQ(back.extras[1], (std::vector<double>{0, 0.3, 0.6, 0.3 * 3, 1.2}));
    EXPECT_EQ(back.q, run.q);
    EXPECT_EQ(back.events, run.events);
  }
  RunWriter writer(file, metadata, {.overwrite = true});
  const double two[] = {1, 2};
  EXPECT_THROW(writer.sample({0, two, two, two, two, 0, 0, 0, 0, two}), Error);
}

TEST_F(RunFile, FurtherNumbersOfADamagedFile) {
  for (const std::vector<RunExtra>& extras : {std::vector<RunExtra>{{"q", {"x"}, {"m"}}},
                                              {{"time", {"x"}, {"m"}}},
                                              {{"../x", {"x"}, {"m"}}},
                                              {{"", {"x"}, {"m"}}},
                                              {{"poses", {"x"}, {"m"}}, {"poses", {"y"}, {"m"}}},
                                              {{"poses", {"x"}, {}}}}) {
    metadata.extras = extras;
    { const RunWriter writer(file, metadata, {.overwrite = true}); }
    EXPECT_THROW(read_run(file), Error);
  }
}

TEST_F(RunFile, TheSameRunGivesTheSameBytes) {
  write({});
  const std::string first = bytes_of(file);
  write({});
  EXPECT_EQ(bytes_of(file), first);
}

TEST_F(RunFile, CutAtAnyByte) {
  for (const bool binary : {false, true}) {
    write({}, binary);
    std::size_t before = 22;
    const McapIndex::Item about = read_mcap(file, {}).index.metadata.at(0);
    for (std::size_t n = fs::file_size(file) - 1; n > 0; n -= std::min(n, stride)) {
      fs::resize_file(file, n);
      if (n < about.offset + about.length) {
        for (const bool salvage : {false, true})
          expect_says(message([&] { read_run(file, salvage); }),
                      "is not a run of Axode: its header");
        continue;
      }
      const auto run = read_run(file);
      ASSERT_FALSE(run.complete);
      ASSERT_LE(run.times.size(), before);
      ASSERT_EQ(run.work.size(), run.times.size());
      expect_beginning(run);
      before = run.times.size();
    }
    EXPECT_EQ(before, 0U);
  }
}

TEST_F(RunFile, ResumedFromAnyByteTheFileIsTheSame) {
  for (const bool binary : {false, true}) {
    write({}, binary);
    const std::string all = bytes_of(file);
    std::size_t resumed_from = 0;
    for (std::size_t n = 1; n <= all.size(); n += 11) {
      put(file, std::string_view(all).substr(0, n));
      try {
        RunWriter::Resumed resumed = RunWriter::resume(file);
        const auto next = static_cast<int>(resumed.checkpoint.numbers.at(0));
        EXPECT_EQ(resumed.metadata, metadata);
        Motion{}.write(resumed.writer, next);
        resumed_from = std::max(resumed_from, static_cast<std::size_t>(next));
      } catch (const Error& error) {
        ASSERT_EQ(resumed_from, 0U) << error.what();
        ASSERT_EQ(bytes_of(file).size(), n) << "changed though it cannot be resumed";
        continue;
      }
      ASSERT_EQ(bytes_of(file), all) << n;
    }
    EXPECT_EQ(resumed_from, 20U);
  }
}

/// Goes on with the file, or starts it, and writes the run to its end; where from, in samples.
int finished_from(const fs::path& file, const RunMetadata& metadata, bool binary) {
  RunWriter::Continued run = RunWriter::resume_or_start(file, metadata, {.binary = binary});
  const int from = run.checkpoint ? static_cast<int>(run.checkpoint->numbers.at(0)) : 0;
  Motion{}.write(run.writer, from);
  return from;
}

TEST_F(RunFile, KilledAtAnyTimeAndTriedAgainTheFileIsTheSame) {
  for (const bool binary : {false, true}) {
    write({}, binary);
    const std::string all = bytes_of(file);
    RunMetadata again = metadata;
    fs::remove(file);
    EXPECT_EQ(finished_from(file, again, binary), 0);
    ASSERT_TRUE(bytes_of(file) == all);
    const std::size_t first_chunk = read_mcap(file, {}).index.chunks.at(0).offset;
    int from = 0;
    for (std::size_t n = 0; n <= all.size(); n += n < first_chunk ? stride : 11 * stride) {
      // How the command was called the second time is seen only where the first one left no trace.
      again.command_line = metadata.command_line + (n < first_chunk ? "" : " --quiet");
      put(file, std::string_view(all).substr(0, n));
      const int next = finished_from(file, again, binary);
      EXPECT_GE(next, from);
      from = next;
      ASSERT_TRUE(bytes_of(file) == all) << n;
    }
    EXPECT_EQ(from, 20);
  }
}

TEST_F(RunFile, AnotherRunIsNotGoneOnWith) {
  write({});
  const std::string all = bytes_of(file);
  const std::size_t first_chunk = read_mcap(file, {}).index.chunks.at(0).offset;
  RunMetadata model = metadata, options = metadata, release = metadata;
  model.model_text = "{\"axode\": 2}";
  options.options = "{\"rtol\": 1}";
  release.axode_version = "0.0";
  for (const std::size_t n : {first_chunk + 50, all.size() / 2, all.size()}) {
    put(file, all.substr(0, n));
    for (const auto& [words, other] :
         {std::pair{"another model", model}, {"other options", options}, {"by Axode", release}}) {
      expect_says(message([&] { finished_from(file, other, false); }), words);
      ASSERT_EQ(bytes_of(file).size(), n);
    }
  }
  for (const std::string& other : {std::string("nothing"), std::string(10, '\0'), all.substr(1)}) {
    put(file, other);
    EXPECT_THROW(finished_from(file, metadata, false), Error);
    ASSERT_EQ(bytes_of(file), other);
  }
}

TEST_F(RunFile, DamageNeverGetsIntoAFileThatIsFinished) {
  for (const bool binary : {false, true}) {
    write({}, binary);
    const std::string all = bytes_of(file);
    const McapIndex index = read_mcap(file, {}).index;
    const std::string killed = all.substr(0, index.chunks.at(3).offset + 5);
    int different = 0;
    for (std::size_t i = 0; i < killed.size(); i += stride) {
      std::string bytes = killed;
      bytes[i] = static_cast<char>(bytes[i] ^ (1 << (i % 8)));
      put(file, bytes);
      try {
        finished_from(file, metadata, binary);
      } catch (const Error&) {
        ASSERT_TRUE(bytes_of(file) == bytes) << "changed though it is refused";
        continue;
      }
      // Not all bits of what zstd packs matter: other bytes may be the same samples.
      const auto run = read_run(file);
      ASSERT_TRUE(run.complete);
      ASSERT_EQ(run.metadata, metadata);
      ASSERT_EQ(run.times.size(), 22U) << i;
      ASSERT_EQ(run.events.size(), 3U);
      ASSERT_EQ(run.checkpoint->numbers, std::vector<double>{20});
      expect_beginning(run);
      different += bytes_of(file) == all ? 0 : 1;
    }
    EXPECT_LT(different, 10);
  }
}

TEST_F(RunFile, ResumedLongRun) {
  const Motion motion{6000, 30000, 1500};  // chunks full between checkpoints, and by a checkpoint
  {
    RunWriter writer(file, metadata);
    Motion part = motion;
    part.samples = 3002;
    part.write(writer, 0);
  }
  EXPECT_EQ(read_run(file).times.size(), 3002U);
  {
    RunWriter::Resumed resumed = RunWriter::resume(file);
    EXPECT_EQ(resumed.checkpoint.numbers, std::vector<double>(30000, 3000));
    motion.write(resumed.writer, 3000);
  }
  const std::string found = bytes_of(file);
  write(motion);
  EXPECT_TRUE(found == bytes_of(file));
  expect_beginning(read_run(file));
}

TEST_F(RunFile, NothingToResume) {
  Motion none;
  none.samples = 3;
  write(none);
  expect_says(message([&] { RunWriter::resume(file); }), "no checkpoint to go on from");
  EXPECT_EQ(read_run(file).times.size(), 3U) << "left as it was";
  put(file, "nothing");
  EXPECT_THROW(RunWriter::resume(file), Error);
  EXPECT_THROW(RunWriter::resume(folder / "none"), IoError);
}

TEST_F(RunFile, ResumedInVainTheFileStays) {
  write({});
  const std::string all = bytes_of(file);
  { const RunWriter::Resumed resumed = RunWriter::resume(file); }
  EXPECT_EQ(bytes_of(file), all);
}

TEST_F(RunFile, DamageBeforeTheFirstChunkIsNotResumed) {
  for (const bool binary : {false, true}) {
    write({}, binary);
    const std::string whole = bytes_of(file);
    const McapIndex index = read_mcap(file, {}).index;
    const std::string cut = whole.substr(0, index.chunks.at(3).offset + 5);
    for (const std::string& all : {whole, cut}) {
      put(file, all);
      EXPECT_GT(RunWriter::resume(file).checkpoint.t, 1);
      for (std::size_t i = 0; i < index.chunks.at(0).offset; ++i) {
        std::string bytes = all;
        bytes[i] = static_cast<char>(bytes[i] ^ (1 << (i % 7)));
        put(file, bytes);
        ASSERT_THROW(RunWriter::resume(file), Error) << i << " of " << all.size();
        ASSERT_EQ(bytes_of(file), bytes) << "changed though it cannot be resumed";
      }
    }
  }
}

TEST_F(RunFile, DamagedMetadata) {
  write({});
  std::string bytes = bytes_of(file);
  const McapIndex index = read_mcap(file, {}).index;
  bytes[bytes.find("simulate arm")] = 'S';
  for (const std::size_t n : {bytes.size(), bytes.size() - 1, index.chunks.at(3).offset + 5}) {
    put(file, bytes.substr(0, n));
    expect_says(message([&] { read_run(file); }), "checksum of the metadata is wrong");
    expect_says(message([&] { RunWriter::resume(file); }), "checksum of the metadata is wrong");
    const auto run = read_run(file, true);
    EXPECT_EQ(run.metadata.command_line, "axode Simulate arm.json");
    EXPECT_FALSE(run.complete);
    EXPECT_GT(run.times.size(), 10U);
    expect_beginning(run);
  }
}

TEST_F(RunFile, FinishedButDamagedItIsNotResumed) {
  write({});
  const std::string all = bytes_of(file);
  const McapIndex index = read_mcap(file, {}).index;
  const auto damaged = [&](std::size_t i) {
    std::string bytes = all;
    bytes[i] = static_cast<char>(bytes[i] ^ 1);
    return bytes;
  };
  const auto chunk = [&](std::size_t i) { return index.chunks.at(i).offset; };
  put(file, damaged(chunk(0) + 9));  // a time in the chunk's head, beside its checksum
  expect_says(message([&] { RunWriter::resume(file); }), ": the times of a chunk are not those ");
  put(file, damaged(chunk(4) + 80));
  EXPECT_THROW(RunWriter::resume(file), Error);
  put(file, damaged(chunk(4) + 80).substr(0, all.size() - 1));  // killed: all behind may be damaged
  {
    RunWriter::Resumed resumed = RunWriter::resume(file);
    ASSERT_EQ(resumed.checkpoint.numbers, std::vector<double>{16});
    Motion{}.write(resumed.writer, 16);
  }
  EXPECT_EQ(bytes_of(file), all);
}

TEST_F(RunFile, LengthOfTheHeaderDamaged) {
  write({});
  std::string bytes = bytes_of(file);
  bytes[10] = static_cast<char>(bytes[10] ^ 0x40);
  put(file, bytes);
  for (const bool salvage : {false, true})
    expect_says(message([&] { read_run(file, salvage); }), "is not a run of Axode: its header");
}

TEST_F(RunFile, LeftWithoutFinishItCanBeRead) {
  {
    RunWriter writer(file, metadata);
    const std::vector<double> x{1, 2};
    writer.sample({0, x, x, x, x, 0, 0, 0, 0});
  }
  const auto run = read_run(file);
  EXPECT_EQ(run.times.size(), 1U);
  EXPECT_TRUE(run.complete);
  EXPECT_TRUE(run.summary.empty());
}

TEST_F(RunFile, DamageNeverPasses) {
  write({});
  const std::string all = bytes_of(file);
  std::mt19937 random(2);
  for (int i = 0; i < 1500; ++i) {
    std::string bytes = all;
    for (int k = i % 5 == 0 ? 30 : 1; k > 0; --k)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    if (bytes == all) continue;
    put(folder / "bad", bytes);
    try {
      const auto run = read_run(folder / "bad");
      EXPECT_FALSE(run.complete);
      expect_beginning(run);
    } catch (const Error&) {
    }
    try {
      read_run(folder / "bad", true);
      if (i % 20 == 0) RunWriter::resume(folder / "bad");
    } catch (const Error&) {
    }
  }
}

TEST_F(RunFile, WrongNumbersOfNumbers) {
  RunWriter writer(file, metadata);
  const std::vector<double> x{1, 2, 3};
  expect_says(message([&] { writer.sample({0, x, x, x, x, 0, 0, 0, 0}); }), "q of 2");
}

TEST_F(RunFile, NamesAndUnitsOfATree) {
  const Tree tree = load_tree(fs::path(AXODE_TEST_DATA) / "../../models/all_joints.json");
  const RunMetadata found = run_metadata(tree);
  ASSERT_EQ(found.q_names.size(), static_cast<std::size_t>(tree.nq));
  ASSERT_EQ(found.v_names.size(), static_cast<std::size_t>(tree.nv));
  EXPECT_EQ(found.model_name, tree.name);
  EXPECT_EQ(found.axode_version, version);
  int free = 0;
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    const std::size_t q = link.q, v = link.v;
    const std::string& joint = tree.bodies[i].joint_name;
    if (link.nq == 1) {
      EXPECT_EQ(found.q_names[q], joint);
    }
    if (link.map == JointMap::translation) {
      EXPECT_EQ(found.q_units[q], "m");
      EXPECT_EQ(found.tau_units[v], "N");
    }
    if (link.map != JointMap::free) continue;
    ++free;
    EXPECT_EQ(found.q_names[q + 6], joint + "[6]");
    EXPECT_EQ(found.q_units[q], "");
    EXPECT_EQ(found.q_units[q + 4], "m");
    EXPECT_EQ(found.v_units[v], "rad/s");
    EXPECT_EQ(found.a_units[v + 3], "m/s^2");
  }
  EXPECT_GT(free, 0);
}

}  // namespace
}  // namespace axode::test::run_file_test
