/// MCAP files: messages of several channels with their times, in compressed chunks.
///
/// Written and read to the public specification [MCAP]; other readers understand the files, too.
/// A file is a row of records, each with its length. Messages lie in chunks that carry a checksum;
/// at the end stand an index and a footer. A file is written from front to back, so what a writer
/// that was killed has left is good up to the last whole chunk, and is read so. Compression is
/// zstd's; O(n), one chunk in memory. Of what the specification allows, messages outside of chunks and
/// unknown records are refused.
/// Tests: tests/io/run/mcap_test.cpp
#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "axode/core/error.hpp"
#include "axode/io/text/descriptor.hpp"

namespace axode {

using McapMap = std::vector<std::pair<std::string, std::string>>;

/// What the messages of a channel are made of; `id` is not 0.
struct McapSchema {
  std::uint16_t id = 0;
  std::string name, encoding, data;
};
struct McapChannel {
  std::uint16_t id = 0, schema = 0;  ///< schema 0: none
  std::string topic, encoding;       ///< of messages
  McapMap metadata;
};
struct McapMetadata {
  std::string name;
  McapMap values;
};
struct McapAttachment {
  std::string name, media_type, data;
};
/// The data is good only as long as it is handled.
struct McapMessage {
  std::uint16_t channel = 0;
  std::uint32_t sequence = 0;
  std::uint64_t time = 0;  ///< [ns]
  std::string_view data;
};

/// What a file holds and where: the content of its index.
struct McapIndex {
  struct Chunk {
    std::uint64_t first_time = 0, last_time = 0, offset = 0, length = 0;
    std::map<std::uint16_t, std::uint64_t> message_indexes;  ///< offset by channel
    std::uint64_t indexes_length = 0, compressed = 0, uncompressed = 0;
    std::string compression;
  };
  struct Item {  ///< attachment or metadata
    std::uint64_t offset = 0, length = 0, size = 0;
    std::string name, media_type;
  };
  std::vector<McapSchema> schemas;
  std::vector<McapChannel> channels;
  std::vector<Chunk> chunks;
  std::vector<Item> attachments, metadata;
  std::map<std::uint16_t, std::uint64_t> messages;  ///< number by channel
  std::uint64_t message_count = 0, first_time = 0, last_time = 0;
};

// --- writing --------------------------------------------------------------------------------------

/// Writes a file, chunk after chunk. What fails throws IoError; the file then ends with the last
/// whole chunk, and nothing more is written. A file that somebody else removed or changed meanwhile is
/// such a failure, too.
class McapWriter {
 public:
  /// Creates the file, or empties it if it exists and `overwrite`.
  McapWriter(const std::filesystem::path& file, std::string_view profile, bool overwrite);
  /// Goes on with a file that is good up to byte `end`, the end of a chunk with its indexes
  /// (McapHandlers::chunk); what follows is cut off when there is something to write.
  McapWriter(const std::filesystem::path& file, std::uint64_t end);
  McapWriter(const McapWriter&) = delete;
  McapWriter& operator=(const McapWriter&) = delete;
  ~McapWriter();

  /// Declared before the first message that needs them; they lie in the chunk.
  void schema(McapSchema schema);
  void channel(McapChannel channel);
  /// Adds to the open chunk, and closes that when it is full (256 kB). Five times a second the chunk
  /// that is still open is saved as it is, to be replaced later: a program that is killed loses no more
  /// than that, and the finished file does not depend on the clock.
  void message(std::uint16_t channel, std::uint64_t time, std::string_view data);
  /// Close the chunk, if one is open, and stand after it.
  void metadata(const McapMetadata& metadata);
  void attachment(const McapAttachment& attachment);
  /// Writes the open chunk, if there is one, to the file.
  void close_chunk();
  /// Ends the file with index and footer, and syncs it.
  void finish();

  const McapIndex& index() const noexcept { return index_; }

 private:
  using Clock = std::chrono::steady_clock;
  void open(bool overwrite, bool resume);
  void write_at_end(std::string_view bytes);
  void append(std::string_view bytes);
  std::string packed_chunk(McapIndex::Chunk& chunk) const;
  void save_open_chunk();
  void check_file();
  void check_name() const;
  void add_summary(std::string& to) const;

  std::string name_;
  std::filesystem::path place_;  ///< the name in full
  Descriptor file_;
  bool has_links_ = true;     ///< the file system counts them
  bool is_as_found_ = false;  ///< resumed, and nothing written so far
  bool done_ = false;         ///< finished or failed
  std::uint64_t offset_ = 0;  ///< end of what is whole
  std::uint64_t length_ = 0;  ///< of the file: behind offset_ it may hold what is to be replaced
  std::uint32_t crc_ = 0;     ///< of all before offset_
  Clock::time_point next_save_{};  ///< of the open chunk
  McapIndex index_;
  std::string chunk_;  ///< records of the open chunk
  std::uint64_t first_time_ = 0, last_time_ = 0;
  bool has_messages_ = false;
  std::map<std::uint16_t, std::string> positions_;  ///< (time, offset) of messages in the chunk
};

// --- reading --------------------------------------------------------------------------------------

/// What to call for what is found, in the order of the file; empty ones are left out.
struct McapHandlers {
  std::function<void(const McapChannel&, const McapMessage&)> message;
  std::function<void(const McapMetadata&)> metadata;
  std::function<void(const McapAttachment&)> attachment;
  /// After a chunk and all its message indexes: the offset behind them.
  std::function<void(std::uint64_t end)> chunk;
};
struct McapReadOptions {
  bool salvage = false;  ///< at damage stop, as at the end of a cut file, instead of throwing
  std::uint64_t end = ~std::uint64_t{0};  ///< read no further
  /// Damage is also what only the end of a file has a checksum for and readers do not need: message
  /// indexes and the times in the heads of chunks. For files that are to be gone on with.
  bool strict = false;
};
struct McapContents {
  std::string profile, library;
  McapIndex index;
  bool complete = false;  ///< the end is there, footer and all; false: the file was cut
  std::string damage;     ///< with `salvage`: what is wrong, and where
  std::uint64_t end = 0;  ///< after the last whole record
  std::uint32_t crc = 0;  ///< of all before it
};
/// Reads a file from front to back. A file that ends early gives what is in its whole chunks. Throws
/// IoError if it cannot be read, Error "file: byte n: ..." if it is no MCAP file, is damaged or has a
/// record above 256 MB.
McapContents read_mcap(const std::filesystem::path& file, const McapHandlers& handlers,
                       const McapReadOptions& options = {});

}  // namespace axode
