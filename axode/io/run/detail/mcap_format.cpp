#include "axode/io/run/detail/mcap_format.hpp"

#include <zstd.h>

#include "axode/io/text/crc32.hpp"
#include "axode/io/text/text_file.hpp"
#include "axode/version.hpp"

namespace axode::mcap {

void put_map(std::string& to, const McapMap& map) {
  std::string items;
  for (const auto& [key, value] : map) {
    put_text(items, key);
    put_text(items, value);
  }
  put_text(to, items);
}

void put_map(std::string& to, const std::map<std::uint16_t, std::uint64_t>& map) {
  put(to, static_cast<std::uint32_t>(10 * map.size()));
  for (const auto& [key, value] : map) {
    put(to, key);
    put(to, value);
  }
}

void put_record(std::string& to, Kind kind, std::string_view content) {
  put(to, static_cast<std::uint8_t>(kind));
  put(to, static_cast<std::uint64_t>(content.size()));
  to += content;
}

std::string content_of(const McapSchema& schema) {
  std::string to;
  put(to, schema.id);
  put_text(to, schema.name);
  put_text(to, schema.encoding);
  put_text(to, schema.data);
  return to;
}

std::string content_of(const McapChannel& channel) {
  std::string to;
  put(to, channel.id);
  put(to, channel.schema);
  put_text(to, channel.topic);
  put_text(to, channel.encoding);
  put_map(to, channel.metadata);
  return to;
}

std::string content_of(const McapMetadata& metadata) {
  std::string to;
  put_text(to, metadata.name);
  put_map(to, metadata.values);
  return to;
}

std::string content_of(const McapAttachment& attachment) {
  std::string to;
  put(to, std::uint64_t{0});  // when it was recorded and made: the same run is to give the same
  put(to, std::uint64_t{0});  // file
  put_text(to, attachment.name);
  put_text(to, attachment.media_type);
  put(to, static_cast<std::uint64_t>(attachment.data.size()));
  to += attachment.data;
  put(to, crc32(to));
  return to;
}

std::string content_of(const McapIndex::Chunk& chunk) {
  std::string to;
  for (const std::uint64_t n : {chunk.first_time, chunk.last_time, chunk.offset, chunk.length})
    put(to, n);
  put_map(to, chunk.message_indexes);
  put(to, chunk.indexes_length);
  put_text(to, chunk.compression);
  put(to, chunk.compressed);
  put(to, chunk.uncompressed);
  return to;
}

std::string file_start(std::string_view profile) {
  std::string start(magic), content;
  put_text(content, profile);
  put_text(content, std::string("axode ") + version);
  put_record(start, Kind::header, content);
  return start;
}

McapMap Bytes::map() {
  Bytes items{take(number<std::uint32_t>())};
  McapMap result;
  while (!items.rest.empty()) {
    std::string key = items.text();
    result.emplace_back(std::move(key), items.text());
  }
  return result;
}

McapSchema schema_from(Bytes content) {
  McapSchema schema;
  schema.id = content.number<std::uint16_t>();
  schema.name = content.text();
  schema.encoding = content.text();
  schema.data = content.text();
  if (schema.id == 0) throw Damage("a schema has the number 0");
  return schema;
}

McapChannel channel_from(Bytes content) {
  McapChannel channel;
  channel.id = content.number<std::uint16_t>();
  channel.schema = content.number<std::uint16_t>();
  channel.topic = content.text();
  channel.encoding = content.text();
  channel.metadata = content.map();
  return channel;
}

McapMessage message_from(Bytes content) {
  McapMessage message;
  message.channel = content.number<std::uint16_t>();
  message.sequence = content.number<std::uint32_t>();
  message.time = content.number<std::uint64_t>();
  content.number<std::uint64_t>();  // when it was published
  message.data = content.rest;
  return message;
}

McapMetadata metadata_from(Bytes content) {
  McapMetadata metadata;
  metadata.name = content.text();
  metadata.values = content.map();
  return metadata;
}

McapAttachment attachment_from(Bytes content) {
  const std::string_view all = content.rest;
  content.take(16);  // times
  McapAttachment attachment;
  attachment.name = content.text();
  attachment.media_type = content.text();
  attachment.data = content.take(content.number<std::uint64_t>());
  const std::string_view checked = all.substr(0, all.size() - content.rest.size());
  const auto crc = content.number<std::uint32_t>();
  if (crc != 0 && crc != crc32(checked)) throw Damage("the checksum of an attachment is wrong");
  return attachment;
}

ChunkHead unpack_chunk(Bytes content, std::string& records) {
  ChunkHead head;
  head.first_time = content.number<std::uint64_t>();
  head.last_time = content.number<std::uint64_t>();
  head.uncompressed = content.number<std::uint64_t>();
  const auto crc = content.number<std::uint32_t>();
  head.compression = content.text();
  const std::string_view packed = content.take(content.number<std::uint64_t>());
  head.compressed = packed.size();
  if (!content.rest.empty()) throw Damage("a chunk is longer than it should be");
  if (head.uncompressed > most)
    throw Damage("a chunk has more than 256 MB, or a length that is wrong");
  if (head.compression.empty()) {
    records = packed;
  } else if (head.compression == "zstd") {
    records.resize(head.uncompressed);
    const std::size_t n =
        ZSTD_decompress(records.data(), records.size(), packed.data(), packed.size());
    if (ZSTD_isError(n) != 0) throw Damage("a chunk cannot be decompressed");
    records.resize(n);
  } else {
    throw Damage("a chunk is compressed by " + in_quotes(head.compression) +
                 ", which is not known here");
  }
  if (records.size() != head.uncompressed) throw Damage("a chunk has not the length it states");
  if (crc != 0 && crc != crc32(records)) throw Damage("the checksum of a chunk is wrong");
  return head;
}

std::string compressed(std::string_view records) {
  std::string packed(ZSTD_compressBound(records.size()), '\0');
  constexpr int level = 1;  // numbers of a simulation gain little by higher ones
  const std::size_t n =
      ZSTD_compress(packed.data(), packed.size(), records.data(), records.size(), level);
  if (ZSTD_isError(n) != 0) throw Error("a chunk cannot be compressed", "mcap");
  packed.resize(n);
  return packed;
}

}  // namespace axode::mcap
