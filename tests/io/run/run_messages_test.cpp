/// Messages of run files: numbers to the last bit, base64, texts that are not what they should be.
#include "axode/io/run/run_messages.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "tests/support/errors.hpp"

namespace axode::test::run_messages_test {
namespace {

using Json = nlohmann::json;

Run empty_run() {
  Run run;
  run.metadata.q_names = {"a", "b"};
  run.metadata.v_names = {"a"};
  return run;
}

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

TEST(RunMessages, NumbersKeepTheirBits) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 5000; ++i) {
    std::array<double, 8> x{};
    for (double& value : x) {
      do value = std::bit_cast<double>(random());
      while (!std::isfinite(value));
    }
    if (i == 0) x = {-0.0, 0.0, 1e23, 5e-324, 1.7976931348623157e308, 1.0, 0.1, -1e-300};
    const RunSample sample{x[0], {&x[1], 2}, {&x[3], 1}, {&x[4], 1}, {&x[5], 1},
                           x[6], x[7],       x[2],       x[0]};
    auto run = empty_run();
    std::string text, row;
    run::put_json(text, sample);
    run::put_row(row, sample);
    ASSERT_EQ(row.size(), 10 * sizeof(double));
    run::add_json(run, text, "here");
    run::add_row(run, row, "here");
    const Json other = Json::parse(text);  // another reader
    EXPECT_EQ(bits(other["q"][1].get<double>()), bits(x[2]));
    for (const std::size_t k : {0U, 1U}) {
      EXPECT_EQ(bits(run.times[k]), bits(x[0]));
      EXPECT_EQ(bits(run.q[2 * k]), bits(x[1]));
      EXPECT_EQ(bits(run.q[2 * k + 1]), bits(x[2]));
      EXPECT_EQ(bits(run.v[k]), bits(x[3]));
      EXPECT_EQ(bits(run.a[k]), bits(x[4]));
      EXPECT_EQ(bits(run.tau[k]), bits(x[5]));
      EXPECT_EQ(bits(run.kinetic[k]), bits(x[6]));
      EXPECT_EQ(bits(run.potential[k]), bits(x[7]));
      EXPECT_EQ(bits(run.stored[k]), bits(x[2]));
      EXPECT_EQ(bits(run.work[k]), bits(x[0]));
    }
  }
}

TEST(RunMessages, WhatIsNotFiniteIsNull) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::array q{infinity, std::nan("")};
  std::string text;
  run::put_json(text, {0, q, {q.data(), 1}, {q.data(), 1}, {q.data(), 1}, -infinity, 1, 2, 3});
  EXPECT_TRUE(Json::parse(text)["kinetic"].is_null());
  auto run = empty_run();
  run::add_json(run, text, "here");
  EXPECT_TRUE(std::isnan(run.q[0]) && std::isnan(run.kinetic[0]));
}

TEST(RunMessages, CheckpointsKeepAllBits) {
  std::vector<double> numbers{std::nan("7"), -std::numeric_limits<double>::infinity(), -0.0, 0.1};
  for (int n = 0; n < 7; ++n) {
    const RunCheckpoint found = run::checkpoint_from(run::json_of(0.3, numbers), "here");
    EXPECT_EQ(found.t, 0.3);
    ASSERT_EQ(found.numbers.size(), numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i)
      EXPECT_EQ(bits(found.numbers[i]), bits(numbers[i]));
    numbers.push_back(n / 3.0);
  }
  EXPECT_TRUE(run::checkpoint_from(run::json_of(0, {}), "here").numbers.empty());
}

TEST(RunMessages, Base64AsPublished) {  // RFC 4648, section 10
  const std::pair<const char*, const char*> known[] = {{"", ""},
                                                       {"f", "Zg=="},
                                                       {"fo", "Zm8="},
                                                       {"foo", "Zm9v"},
                                                       {"foob", "Zm9vYg=="},
                                                       {"fooba", "Zm9vYmE="},
                                                       {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : known) {
    EXPECT_EQ(run::base64(bytes), text);
    EXPECT_EQ(run::from_base64(text, ""), bytes);
  }
  for (const char* bad : {"Zg=", "Z", "Zg==Zg==", "====", "Zm9\n", "Zm9-"})
    EXPECT_THROW(run::from_base64(bad, "here"), Error) << bad;
}

TEST(RunMessages, EventsAndWhatIsNoMessage) {
  const RunEvent event{1.5, "hit \"floor\"", "body\n1"};
  EXPECT_EQ(run::event_from(run::json_of(event), ""), event);
  auto run = empty_run();
  expect_says(message([&] { run::add_json(run, "{}", "here"); }), "here");
  EXPECT_THROW(run::add_json(run, "[1]", "here"), Error);
  EXPECT_THROW(run::add_json(run, "", "here"), Error);
  expect_says(message([&] { run::add_row(run, "12345678", "here"); }), "8 bytes instead of 80");
  EXPECT_THROW(run::checkpoint_from(R"({"t":0,"numbers":"Zg=="})", "here"), Error);
  EXPECT_TRUE(run.times.empty());
}

TEST(RunMessages, MetadataAndSchemas) {
  RunMetadata metadata;
  metadata.axode_version = "0.1.0";
  metadata.command_line = "axode simulate 'a b'";
  metadata.options = "{\"rtol\": 1e-6}";
  metadata.q_names = {"a", "b\"["};
  metadata.q_units = {"rad", ""};
  metadata.v_names = {"a"};
  metadata.v_units = {"rad/s"};
  metadata.a_units = {"rad/s^2"};
  metadata.tau_units = {"N m"};
  EXPECT_EQ(run::metadata_from(run::record_of(metadata), "here"), metadata);
  for (const bool binary : {false, true}) {
    for (const McapSchema& schema : run::schemas(metadata, binary))
      EXPECT_TRUE(Json::parse(schema.data).is_object()) << schema.name;
    EXPECT_EQ(run::channels(binary).size(), 4U);
  }
  const Json row = Json::parse(run::schemas(metadata, true).front().data);
  EXPECT_EQ(row["columns"], Json({"t", "q:a", "q:b\"[", "v:a", "a:a", "tau:a", "kinetic",
                                  "potential", "stored", "work"}));
  EXPECT_EQ(row["units"].size(), row["columns"].size());
  McapMetadata record = run::record_of(metadata);
  record.values[0].second = "axode.run/99";
  expect_says(message([&] { run::metadata_from(record, "here"); }), "axode.run/99");
  EXPECT_THROW(run::metadata_from({"axode.run", {}}, "here"), Error);
}

}  // namespace
}  // namespace axode::test::run_messages_test
