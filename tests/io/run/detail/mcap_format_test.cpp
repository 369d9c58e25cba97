/// Records of MCAP files byte by byte, as the specification writes them.
#include "axode/io/run/detail/mcap_format.hpp"

#include <gtest/gtest.h>

#include <string>

#include "axode/io/text/crc32.hpp"
#include "tests/support/errors.hpp"

namespace axode::test::mcap_format_test {
namespace {

using namespace mcap;  // NOLINT(google-build-using-namespace)
using namespace std::string_literals;

TEST(McapFormat, RecordsAreWhatTheSpecificationSays) {
  EXPECT_EQ(magic, "\x89MCAP\x30\r\n"s);
  std::string record;
  put_record(record, Kind::schema, content_of(McapSchema{2, "n", "jsonschema", "{}"}));
  EXPECT_EQ(record, "\x03\x1b\0\0\0\0\0\0\0\x02\0\x01\0\0\0n\x0a\0\0\0jsonschema\x02\0\0\0{}"s);
  EXPECT_EQ(content_of(McapChannel{1, 2, "/a", "json", {{"k", "v"}}}),
            "\x01\0\x02\0\x02\0\0\0/a\x04\0\0\0json\x0a\0\0\0\x01\0\0\0k\x01\0\0\0v"s);
  EXPECT_EQ(content_of(McapMetadata{"m", {{"k", ""}}}),
            "\x01\0\0\0m\x09\0\0\0\x01\0\0\0k\0\0\0\0"s);
  const std::string attachment = content_of(McapAttachment{"a", "t", "xyz"});
  const std::string before = std::string(16, '\0') + "\x01\0\0\0a\x01\0\0\0t\x03\0\0\0\0\0\0\0xyz"s;
  ASSERT_EQ(attachment.substr(0, attachment.size() - 4), before);
  EXPECT_EQ(Bytes{attachment.substr(before.size())}.number<std::uint32_t>(), crc32(before));
  EXPECT_EQ(static_cast<int>(Kind::data_end), 0x0f);
  EXPECT_EQ(static_cast<int>(Kind::summary_offset), 0x0e);
}

TEST(McapFormat, ThereAndBack) {
  const McapChannel channel =
      channel_from({content_of(McapChannel{7, 3, "/t", "json", {{"a", "b"}, {"c", ""}}})});
  EXPECT_EQ(channel.id, 7);
  EXPECT_EQ(channel.schema, 3);
  EXPECT_EQ(channel.topic, "/t");
  EXPECT_EQ(channel.metadata, (McapMap{{"a", "b"}, {"c", ""}}));
  EXPECT_EQ(schema_from({content_of(McapSchema{9, "n", "e", "d"})}).data, "d");
  EXPECT_EQ(metadata_from({content_of(McapMetadata{"n", {{"k", "v"}}})}).values.size(), 1U);
  EXPECT_EQ(attachment_from({content_of(McapAttachment{"n", "t", "data"})}).data, "data");
}

std::string chunk_content(const std::string& compression, std::string_view packed,
                          std::uint64_t length, std::uint32_t crc) {
  std::string to(16, '\0');
  put(to, length);
  put(to, crc);
  put_text(to, compression);
  put(to, static_cast<std::uint64_t>(packed.size()));
  return to + std::string(packed);
}

TEST(McapFormat, ChunksAreCheckedBeforeAnythingIsReadOfThem) {
  const std::string records(1000, 'r'), packed = compressed(records);
  std::string found;
  const auto unpack = [&](const std::string& compression, std::string_view bytes,
                          std::uint64_t length, std::uint32_t crc) {
    unpack_chunk({chunk_content(compression, bytes, length, crc)}, found);
  };
  unpack("zstd", packed, 1000, crc32(records));
  EXPECT_EQ(found, records);
  unpack("", records, 1000, crc32(records));
  EXPECT_EQ(found, records);
  unpack("", records, 1000, 0);  // 0: there is no checksum
  const auto says = [&](auto... arguments) { return message([&] { unpack(arguments...); }); };
  const std::uint32_t crc = crc32(records);
  expect_says(says("zstd", std::string_view(packed), 1000U, crc + 1), "checksum of a chunk");
  expect_says(says("zstd", std::string_view(packed), 1001U, crc), "not the length");
  expect_says(says("zstd", std::string_view(packed), 999U, crc), "cannot be decompressed");
  expect_says(says("zstd", std::string_view("nonsense"), 1000U, crc), "cannot be decompressed");
  expect_says(says("lz4", std::string_view(packed), 1000U, crc), "lz4");
  expect_says(says("zstd", std::string_view(packed), std::uint64_t{1} << 60, crc), "256 MB");
}

TEST(McapFormat, RecordsThatAreTooShort) {
  const auto cut_everywhere = [](const std::string& content, auto&& read) {
    for (std::size_t n = 0; n < content.size(); ++n)
      EXPECT_THROW(read(Bytes{std::string_view(content).substr(0, n)}), Damage) << n;
  };
  cut_everywhere(content_of(McapSchema{1, "name", "enc", "data"}), schema_from);
  cut_everywhere(content_of(McapChannel{1, 1, "t", "e", {{"k", "v"}}}), channel_from);
  cut_everywhere(content_of(McapMetadata{"m", {{"k", "v"}}}), metadata_from);
  cut_everywhere(content_of(McapAttachment{"a", "t", "data"}), attachment_from);
  EXPECT_THROW(message_from(Bytes{std::string_view("\0\0\0", 3)}), Damage);
  std::string damaged = content_of(McapAttachment{"a", "t", "data"});
  damaged[20] ^= 1;
  EXPECT_THROW(attachment_from({damaged}), Damage);
}

}  // namespace
}  // namespace axode::test::mcap_format_test
