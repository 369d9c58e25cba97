#include "axode/view/page/live.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <nlohmann/json.hpp>
#include <thread>

#include "axode/view/scene/scene.hpp"
#include "tests/view/unpacked.hpp"

namespace axode::test::live {
namespace {

using nlohmann::json;

void push(LiveSamples& samples, int from, int to) {
  for (int t = from; t < to; ++t) samples.push(std::vector<double>{double(t), -t / 8.0});
}
std::vector<float> times(std::string_view bytes) {
  std::vector<float> all;
  const std::vector<float> numbers = floats(bytes);
  for (std::size_t i = 0; i < numbers.size(); i += 2) {
    all.push_back(numbers[i]);
    EXPECT_EQ(numbers[i + 1], -numbers[i] / 8);
  }
  return all;
}

TEST(Live, RowsComeAsTheyWerePushed) {
  LiveSamples samples(3);
  LiveSamples::Reader reader;
  EXPECT_TRUE(samples.take(reader, 1000).bytes.empty());
  samples.push(std::vector<double>{0, 1.5, -2});
  samples.push(std::vector<double>{0.1, NAN, 1e300});
  const std::vector<float> got = floats(samples.take(reader, 1000).bytes);
  ASSERT_EQ(got.size(), 6U);
  EXPECT_EQ(got[1], 1.5F);
  EXPECT_EQ(got[2], -2.F);
  EXPECT_EQ(got[3], 0.1F);
  EXPECT_TRUE(std::isnan(got[4]));
  EXPECT_TRUE(std::isinf(got[5]));
  EXPECT_TRUE(samples.take(reader, 1000).bytes.empty());
  EXPECT_EQ(reader.left_out, 0U);
}

TEST(Live, RowsOfAnotherLengthAreCutOrFilled) {
  LiveSamples samples(2);
  LiveSamples::Reader reader;
  samples.push(std::vector<double>{1, 2, 3});
  samples.push(std::vector<double>{4});
  EXPECT_EQ(floats(samples.take(reader, 1000).bytes), (std::vector<float>{1, 2, 4, 0}));
}

TEST(Live, WhoComesLateGetsAll) {
  LiveSamples samples(2);
  push(samples, 0, 100);
  LiveSamples::Reader reader;
  std::vector<float> got;
  for (int k = 0; k < 10; ++k)
    for (const float t : times(samples.take(reader, 80).bytes)) got.push_back(t);
  ASSERT_EQ(got.size(), 100U);
  for (int t = 0; t < 100; ++t) EXPECT_EQ(got[std::size_t(t)], float(t));
  EXPECT_EQ(reader.left_out, 0U);
}

TEST(Live, WhoIsSlowGetsTheNewestAndIsTold) {
  LiveSamples samples(2);
  LiveSamples::Reader reader;
  samples.take(reader, 80);
  push(samples, 0, 95);
  const std::vector<float> got = times(samples.take(reader, 80).bytes);  // ten rows
  ASSERT_EQ(got.size(), 10U);
  EXPECT_EQ(got.back(), 94);
  for (std::size_t k = 1; k < got.size(); ++k) EXPECT_EQ(got[k] - got[k - 1], 10);
  EXPECT_EQ(reader.left_out, 85U);
  EXPECT_TRUE(samples.take(reader, 80).bytes.empty());
  push(samples, 95, 97);
  EXPECT_EQ(times(samples.take(reader, 80).bytes), (std::vector<float>{95, 96}));
  EXPECT_EQ(reader.left_out, 85U);
}

TEST(Live, AfterTheEndAllThatIsThereComes) {
  LiveSamples samples(2);
  LiveSamples::Reader reader;
  samples.take(reader, 80);
  push(samples, 0, 25);
  samples.end("over");
  push(samples, 25, 30);  // too late
  std::vector<float> got;
  LiveSamples::Batch batch;
  for (int k = 0; k < 3; ++k) {
    EXPECT_FALSE(batch.is_last);
    batch = samples.take(reader, 80);
    for (const float t : times(batch.bytes)) got.push_back(t);
  }
  EXPECT_TRUE(batch.is_last);
  EXPECT_EQ(batch.end, "over");
  ASSERT_EQ(got.size(), 25U);
  EXPECT_EQ(got.back(), 24);
  EXPECT_EQ(reader.left_out, 0U);
}

TEST(Live, MemoryIsBounded) {
  for (const int n : {100, 101, 1000, 12345}) {
    LiveSamples samples(2, 64);
    LiveSamples::Reader early;
    std::vector<float> seen;
    for (int t = 0; t < n; t += 7) {  // reads at odd moments, while memory is halved
      push(samples, t, std::min(t + 7, n));
      for (const float x : times(samples.take(early, 1 << 20).bytes)) seen.push_back(x);
    }
    samples.end({});
    for (const float x : times(samples.take(early, 1 << 20).bytes)) seen.push_back(x);
    for (std::size_t k = 1; k < seen.size(); ++k) ASSERT_LT(seen[k - 1], seen[k]);
    EXPECT_EQ(seen.front(), 0);
    EXPECT_EQ(seen.back(), n - 1);
    EXPECT_EQ(early.received + early.left_out, std::uint64_t(n));

    LiveSamples::Reader late;
    const std::vector<float> got = times(samples.take(late, 1 << 20).bytes);
    ASSERT_LE(got.size(), 65U);
    ASSERT_GE(got.size(), 32U);
    EXPECT_EQ(got.back(), n - 1);
    for (std::size_t k = 2; k + 1 < got.size(); ++k) EXPECT_EQ(got[k] - got[k - 1], got[1]);
    EXPECT_EQ(late.left_out, std::uint64_t(n) - got.size());
  }
}

TEST(Live, WideRowsTakeNoMoreMemory) {
  LiveSamples samples(1'000'000);  // 4 MB each
  const std::vector<double> row(1'000'000);
  for (int k = 0; k < 40; ++k) samples.push(row);
  LiveSamples::Reader reader;
  EXPECT_EQ(samples.take(reader, 10).bytes.size(), 4'000'000U);  // at least one
  EXPECT_LE(samples.take(reader, std::size_t(-1)).bytes.size(), 68'000'000U);
}

TEST(Live, TwoThreads) {
  LiveSamples samples(2, 500);
  std::thread writer([&] {
    push(samples, 0, 20000);
    samples.end({});
  });
  LiveSamples::Reader reader;
  float last = -1;
  for (bool over = false; !over;) {
    const LiveSamples::Batch batch = samples.take(reader, 400);
    for (const float t : times(batch.bytes)) {
      EXPECT_GT(t, last);
      last = t;
    }
    over = batch.is_last;
  }
  writer.join();
  EXPECT_EQ(last, 19999);
  EXPECT_EQ(reader.received + reader.left_out, 20000U);
}

TEST(Live, MessagesAreJsonWhateverTheNames) {
  const json head = json::parse(live_head({{"q", {"</script>\xff", "b\""}, {"rad", "m"}, {}}}));
  EXPECT_EQ(head["series"].size(), 1U);
  EXPECT_EQ(head["series"][0]["name"], "q");
  EXPECT_EQ(head["series"][0]["names"][0], "</script>\xef\xbf\xbd");
  EXPECT_EQ(head["series"][0]["units"], json::array({"rad", "m"}));
  EXPECT_EQ(json::parse(live_thinned(12))["thinned"], 12);
  const json end = json::parse(live_end("finished", 2.5, ""));
  EXPECT_EQ(end["ended"], "finished");
  EXPECT_EQ(end["t"], 2.5);
  EXPECT_EQ(end["message"], "");
}

TEST(Live, PagesConnectToTheirStreamAlone) {
  const std::string page = live_page("{}", "ws://127.0.0.1:1/x/stream");
  const std::string_view policy = policy_of(page);
  EXPECT_TRUE(policy.starts_with("default-src 'none'; script-src 'sha256-")) << policy;
  EXPECT_NE(policy.find("connect-src ws://127.0.0.1:1/x/stream;"), std::string_view::npos);
  EXPECT_NE(policy_of(view_page({"{}"})).find("connect-src 'none'"), std::string_view::npos);
  EXPECT_EQ(policy_of("no page"), "default-src 'none'");
}

}  // namespace
}  // namespace axode::test::live
