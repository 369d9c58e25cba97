/// Reading MCAP files: see mcap.hpp.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <system_error>

#include "axode/io/crc32.hpp"
#include "axode/io/mcap.hpp"
#include "axode/io/mcap_format.hpp"

namespace axode {
using namespace mcap;  // NOLINT(google-build-using-namespace): the parts of this very format

namespace {

/// A regular file, read by position.
class InputFile {
 public:
  explicit InputFile(const std::filesystem::path& file) : name(file.string()) {
    fd_ = ::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status {};
    if (fd_ < 0 || ::fstat(fd_, &status) != 0) fail(errno);
    if (!S_ISREG(status.st_mode)) {
      ::close(fd_);
      throw IoError("is not a regular file", name, "give the name of a file");
    }
    size = static_cast<std::uint64_t>(status.st_size);
  }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile() {
    if (fd_ >= 0) ::close(fd_);
  }

  /// n bytes from there on; fewer if the file has become shorter.
  void read(std::uint64_t offset, std::uint64_t n, std::string& to) {
    to.resize(n);
    std::size_t done = 0;
    while (done < to.size()) {
      const ssize_t got =
          ::pread(fd_, to.data() + done, to.size() - done, static_cast<off_t>(offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail(errno);
      if (got == 0) break;
      done += got;
    }
    to.resize(done);
  }

  std::string name;
  std::uint64_t size = 0;

 private:
  [[noreturn]] void fail(int error) {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
    throw IoError("cannot be read: " + std::generic_category().message(error), name,
                  "check the name and the permissions");
  }
  int fd_ = -1;
};

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

  void read_all();
  bool read_record(RecordHead& head);
  Next data_record(const RecordHead& head, Bytes content);
  void summary();
  void chunk(Bytes content);
  void chunk_records();
  void add(McapSchema schema);
  void add(McapChannel channel);
  void message(const McapMessage& message);
  void message_index(Bytes content);

  InputFile file_;
  const McapHandlers& handlers_;
  const McapReadOptions& options_;
  McapContents contents_;
  std::string record_, records_;
  std::set<std::uint16_t> schemas_;
  std::map<std::uint16_t, McapChannel> channels_;
  std::set<std::uint16_t> expected_;  ///< channels whose message index of this chunk is to come
};

void Reader::read_all() {
  file_.read(0, magic.size(), record_);
  if (record_ != magic.substr(0, record_.size()) || record_.empty())
    throw Error("is no MCAP file", file_.name, "give a run that `axode simulate` has written");
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
}

void Reader::chunk_records() {
  Bytes bytes{records_};
  while (!bytes.rest.empty()) {
    const RecordHead head = take_head(bytes);
    const Bytes content{bytes.take(head.length)};
    if (head.kind == Kind::schema) add(schema_from(content));
    if (head.kind == Kind::channel) add(channel_from(content));
    if (head.kind == Kind::message) message(message_from(content));
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

void Reader::message(const McapMessage& message) {
  const auto channel = channels_.find(message.channel);
  if (channel == channels_.end()) throw Damage("a message of a channel that nobody has declared");
  McapIndex& index = contents_.index;
  index.first_time =
      index.message_count == 0 ? message.time : std::min(index.first_time, message.time);
  index.last_time = std::max(index.last_time, message.time);
  ++index.message_count;
  ++index.messages[message.channel];
  expected_.insert(message.channel);
  if (handlers_.message) handlers_.message(channel->second, message);
}

void Reader::message_index(Bytes content) {
  const auto channel = content.number<std::uint16_t>();
  content.take(content.number<std::uint32_t>());
  if (!content.rest.empty()) throw Damage("a message index is longer than it should be");
  if (contents_.index.chunks.empty()) throw Damage("a message index before all chunks");
  expected_.erase(channel);
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
