/// Reading MCAP files: see mcap.hpp.
#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "axode/io/run/detail/mcap_format.hpp"
#include "axode/io/run/mcap.hpp"
#include "axode/io/text/crc32.hpp"
#include "axode/io/text/input_file.hpp"

namespace axode {
using namespace mcap;  // NOLINT(google-build-using-namespace): the parts of this very format

namespace {

class Reader {
 public:
  Reader(const std::filesystem::path& file, const McapHandlers& handlers,
         const McapReadOptions& options)
      : file_(file), handlers_(handlers), options_(options) {}

  McapContents read() {
    try {
      read_all();
    } catch (const Damage& damage) {
      const std::string where = file_.name + ": byte " + std::to_string(contents_.end);
      if (!options_.salvage)
        throw Error(damage.problem(), where, "the file is damaged; take another copy of it");
      contents_.damage = where + ": " + damage.problem();
    }
    return std::move(contents_);
  }

 private:
  enum class Next { go_on, stop };
  using Position = std::pair<std::uint64_t, std::uint64_t>;

  void read_all();
  bool read_record(RecordHead& head);
  Next data_record(const RecordHead& head, Bytes content);
  void summary();
  void chunk(Bytes content);
  void chunk_records();
  void check_times(const ChunkHead& head) const;
  void add(McapSchema schema);
  void add(McapChannel channel);
  void message(const McapMessage& message, std::uint64_t offset);
  void message_index(Bytes content);

  InputFile file_;
  const McapHandlers& handlers_;
  const McapReadOptions& options_;
  McapContents contents_;
  std::string record_, records_;
  std::set<std::uint16_t> schemas_;
  std::map<std::uint16_t, McapChannel> channels_;
  /// By channel the (time, offset) of messages in this chunk whose index is to come.
  std::map<std::uint16_t, std::vector<Position>> expected_;
};

void Reader::read_all() {
  file_.read(0, magic.size(), record_);
  if (record_ != magic.substr(0, record_.size()) || record_.empty())
    throw Error("is not an MCAP file", file_.name, "give a run that `axode simulate` has written");
  if (record_.size() < magic.size()) return;
  contents_.crc = crc32(record_);
  contents_.end = magic.size();
  RecordHead head;
  while (contents_.end < options_.end && read_record(head)) {
    const Next next = data_record(head, {std::string_view(record_).substr(head_size)});
    contents_.crc = crc32(record_, contents_.crc);
    contents_.end += record_.size();
    if (next == Next::stop) return summary();
    if (head.kind == Kind::message_index && expected_.empty() && handlers_.chunk)
      handlers_.chunk(contents_.end);
  }
}

/// False if the file ends before the record does.
bool Reader::read_record(RecordHead& head) {
  file_.read(contents_.end, head_size, record_);
  if (record_.size() < head_size) return false;
  Bytes bytes{record_};
  head = take_head(bytes);
  if (head.kind < Kind::header) {
    // Where power failed, blocks that were never written may read as zeros.
    const std::uint64_t left = std::min<std::uint64_t>(file_.size - contents_.end, 1 << 20);
    file_.read(contents_.end, left, record_);
    if (record_.find_first_not_of('\0') == std::string::npos) return false;
    throw Damage("a record of kind 0");
  }
  if (head.length > file_.size - contents_.end - head_size) return false;
  if (head.length > most) throw Damage("a record of more than 256 MB");
  file_.read(contents_.end, head_size + head.length, record_);
  return record_.size() == head_size + head.length;
}

Reader::Next Reader::data_record(const RecordHead& head, Bytes content) {
  switch (head.kind) {
    case Kind::header:
      if (contents_.end != magic.size()) throw Damage("a second header");
      contents_.profile = content.text();
      contents_.library = content.text();
      return Next::go_on;
    case Kind::schema:
      add(schema_from(content));
      return Next::go_on;
    case Kind::channel:
      add(channel_from(content));
      return Next::go_on;
    case Kind::chunk:
      chunk(content);
      return Next::go_on;
    case Kind::message_index:
      message_index(content);
      return Next::go_on;
    case Kind::metadata: {
      const McapMetadata metadata = metadata_from(content);
      contents_.index.metadata.push_back({contents_.end, record_.size(), 0, metadata.name, {}});
      if (handlers_.metadata) handlers_.metadata(metadata);
      return Next::go_on;
    }
    case Kind::attachment: {
      const McapAttachment a = attachment_from(content);
      contents_.index.attachments.push_back(
          {contents_.end, record_.size(), a.data.size(), a.name, a.media_type});
      if (handlers_.attachment) handlers_.attachment(a);
      return Next::go_on;
    }
    case Kind::data_end: {
      const auto crc = content.number<std::uint32_t>();
      if (crc != 0 && crc != contents_.crc) throw Damage("the checksum of the data is wrong");
      return Next::stop;
    }
    case Kind::footer:
      throw Damage("the end of the data is missing");
    case Kind::message:
      throw Damage("a message outside of chunks, where it has no checksum");
    default:  // passed over, a chunk whose kind was damaged would be missed by nobody
      throw Damage("a record of kind " + std::to_string(static_cast<int>(head.kind)));
  }
}

/// What is in the index is known from the data; here only whether it is whole.
void Reader::summary() {
  const std::uint64_t start = contents_.end;
  std::uint32_t crc = 0;
  RecordHead head;
  while (contents_.end < options_.end && read_record(head)) {
    const std::string_view record = record_;
    if (head.kind != Kind::footer) {
      crc = crc32(record, crc);
      contents_.end += record.size();
      continue;
    }
    if (record.size() != head_size + 20) throw Damage("the footer has a wrong length");
    Bytes footer{record.substr(head_size)};
    const auto summary_start = footer.number<std::uint64_t>();
    footer.number<std::uint64_t>();
    const auto stated = footer.number<std::uint32_t>();
    if (summary_start != 0 && summary_start != start)
      throw Damage("the footer says that the index is elsewhere");
    if (stated != 0 && stated != crc32(record.substr(0, record.size() - 4), crc))
      throw Damage("the checksum of the index is wrong");
    contents_.end += record.size();
    file_.read(contents_.end, magic.size(), record_);
    contents_.complete = record_ == magic;
    if (record_ != magic.substr(0, record_.size())) throw Damage("the last bytes are wrong");
    if (contents_.complete) contents_.end += magic.size();
    return;
  }
}

void Reader::chunk(Bytes content) {
  const ChunkHead head = unpack_chunk(content, records_);
  expected_.clear();
  contents_.index.chunks.push_back({head.first_time,
                                    head.last_time,
                                    contents_.end,
                                    record_.size(),
                                    {},
                                    0,
                                    head.compressed,
                                    head.uncompressed,
                                    head.compression});
  chunk_records();
  check_times(head);
}

/// The times in the head of a chunk, which its checksum does not cover; 0 where it has no messages.
void Reader::check_times(const ChunkHead& head) const {
  std::uint64_t first = 0, last = 0;
  bool any = false;
  for (const auto& [channel, positions] : expected_)
    for (const auto& [time, offset] : positions) {
      first = any ? std::min(first, time) : time;
      last = std::max(last, time);
      any = true;
    }
  if (options_.strict && (head.first_time != first || head.last_time != last))
    throw Damage("the times of a chunk are not those of its messages");
}

void Reader::chunk_records() {
  Bytes bytes{records_};
  while (!bytes.rest.empty()) {
    const std::uint64_t offset = records_.size() - bytes.rest.size();
    const RecordHead head = take_head(bytes);
    const Bytes content{bytes.take(head.length)};
    if (head.kind == Kind::schema) add(schema_from(content));
    if (head.kind == Kind::channel) add(channel_from(content));
    if (head.kind == Kind::message) message(message_from(content), offset);
  }
}

void Reader::add(McapSchema schema) {
  if (!schemas_.insert(schema.id).second) return;  // may be repeated
  contents_.index.schemas.push_back(std::move(schema));
}

void Reader::add(McapChannel channel) {
  if (channels_.contains(channel.id)) return;
  contents_.index.messages.emplace(channel.id, 0);
  contents_.index.channels.push_back(channel);
  channels_.emplace(channel.id, std::move(channel));
}

void Reader::message(const McapMessage& message, std::uint64_t offset) {
  const auto channel = channels_.find(message.channel);
  if (channel == channels_.end()) throw Damage("a message of a channel that nobody has declared");
  McapIndex& index = contents_.index;
  index.first_time =
      index.message_count == 0 ? message.time : std::min(index.first_time, message.time);
  index.last_time = std::max(index.last_time, message.time);
  ++index.message_count;
  ++index.messages[message.channel];
  expected_[message.channel].emplace_back(message.time, offset);
  if (handlers_.message) handlers_.message(channel->second, message);
}

void Reader::message_index(Bytes content) {
  const auto channel = content.number<std::uint16_t>();
  Bytes items{content.take(content.number<std::uint32_t>())};
  if (!content.rest.empty()) throw Damage("a message index is longer than it should be");
  if (contents_.index.chunks.empty()) throw Damage("a message index before all chunks");
  std::vector<Position> positions;
  while (!items.rest.empty()) {
    const auto time = items.number<std::uint64_t>();
    positions.emplace_back(time, items.number<std::uint64_t>());
  }
  std::ranges::sort(positions, {}, &Position::second);  // others may sort them by time
  const auto expected = expected_.extract(channel);
  if (options_.strict && positions != (expected ? expected.mapped() : std::vector<Position>{}))
    throw Damage("a message index is not that of its chunk");
  McapIndex::Chunk& chunk = contents_.index.chunks.back();
  chunk.message_indexes[channel] = contents_.end;
  chunk.indexes_length += record_.size();
}

}  // namespace

McapContents read_mcap(const std::filesystem::path& file, const McapHandlers& handlers,
                       const McapReadOptions& options) {
  return Reader(file, handlers, options).read();
}

}  // namespace axode
