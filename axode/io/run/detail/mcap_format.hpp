/// Records of MCAP files as bytes [MCAP]: one byte that says which, eight for the length, the
/// content. Numbers are little endian, texts and lists begin with their length.
/// Tests: tests/io/run/detail/mcap_format_test.cpp
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "axode/core/error.hpp"
#include "axode/io/run/mcap.hpp"

namespace axode::mcap {

static_assert(std::endian::native == std::endian::little);

inline constexpr std::string_view magic = "\x89MCAP0\r\n";
inline constexpr std::size_t head_size = 9;                      ///< of a record
inline constexpr std::uint64_t most = std::uint64_t{256} << 20;  ///< bytes of a record or chunk

enum class Kind : std::uint8_t {
  header = 1,
  footer,
  schema,
  channel,
  message,
  chunk,
  message_index,
  chunk_index,
  attachment,
  attachment_index,
  statistics,
  metadata,
  metadata_index,
  summary_offset,
  data_end
};

template <class T>
void put(std::string& to, T number) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &number, sizeof(T));
  to.append(bytes, sizeof(T));
}
inline void put_text(std::string& to, std::string_view text) {
  put(to, static_cast<std::uint32_t>(text.size()));
  to += text;
}
void put_map(std::string& to, const McapMap& map);
void put_map(std::string& to, const std::map<std::uint16_t, std::uint64_t>& map);
/// Adds a record of that content.
void put_record(std::string& to, Kind kind, std::string_view content);

std::string content_of(const McapSchema& schema);
std::string content_of(const McapChannel& channel);
std::string content_of(const McapMetadata& metadata);
/// With its checksum; there are no times in it.
std::string content_of(const McapAttachment& attachment);
std::string content_of(const McapIndex::Chunk& chunk);

/// What a file written by this version begins with: the magic bytes and its header.
std::string file_start(std::string_view profile);

/// A record that is not what it should be.
class Damage : public Error {
 public:
  using Error::Error;
};

/// Takes numbers and texts from the front of bytes. Throws Damage if there are too few.
struct Bytes {
  std::string_view rest;

  std::string_view take(std::uint64_t n) {
    if (n > rest.size()) throw Damage("a record is shorter than it should be");
    const std::string_view taken = rest.substr(0, n);
    rest.remove_prefix(taken.size());
    return taken;
  }
  template <class T>
  T number() {
    T value{};
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }
  std::string text() { return std::string(take(number<std::uint32_t>())); }
  McapMap map();
};

struct RecordHead {
  Kind kind{};
  std::uint64_t length = 0;
};
inline RecordHead take_head(Bytes& bytes) {
  const auto kind = static_cast<Kind>(bytes.number<std::uint8_t>());
  return {kind, bytes.number<std::uint64_t>()};
}

McapSchema schema_from(Bytes content);
McapChannel channel_from(Bytes content);
McapMessage message_from(Bytes content);
McapMetadata metadata_from(Bytes content);
/// Checks its checksum.
McapAttachment attachment_from(Bytes content);

/// A chunk's records, uncompressed and checked.
struct ChunkHead {
  std::uint64_t first_time = 0, last_time = 0, uncompressed = 0, compressed = 0;
  std::string compression;
};
ChunkHead unpack_chunk(Bytes content, std::string& records);

/// The records as zstd packs them.
std::string compressed(std::string_view records);

}  // namespace axode::mcap
