/// Writing MCAP files: see mcap.hpp.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "axode/io/crc32.hpp"
#include "axode/io/mcap.hpp"
#include "axode/io/mcap_format.hpp"
#include "axode/version.hpp"

namespace axode {
using namespace mcap;  // NOLINT(google-build-using-namespace): the parts of this very format

namespace {

constexpr std::size_t full_chunk = std::size_t{256} << 10;

[[noreturn]] void fail(const std::string& name, int error) {
  if (error == EEXIST)
    throw IoError("exists already", name, "choose another name, or overwrite it with --force");
  if (error == EWOULDBLOCK)
    throw IoError("is being written by another program", name,
                  "wait for that, or choose another name");
  throw IoError("cannot be written: " + std::generic_category().message(error), name,
                "check folder, permissions and free space");
}

}  // namespace

McapWriter::McapWriter(const std::filesystem::path& file, std::string_view profile, bool overwrite)
    : name_(file.string()) {
  open(overwrite, false);
  std::string start(magic), content;
  put_text(content, profile);
  put_text(content, std::string("axode ") + version);
  put_record(start, Kind::header, content);
  append(start);
}

McapWriter::McapWriter(const std::filesystem::path& file, std::uint64_t end)
    : name_(file.string()) {
  open(true, true);
  McapContents contents = read_mcap(file, {}, {.salvage = true, .end = end});
  if (contents.end != end)
    throw Error("is damaged before the place to go on at", name_, "start anew");
  to_cut_ = true;
  offset_ = end;
  crc_ = contents.crc;
  index_ = std::move(contents.index);
}

McapWriter::Descriptor::~Descriptor() {
  if (fd >= 0) ::close(fd);
}

McapWriter::~McapWriter() {
  if (to_cut_ && chunk_.empty()) done_ = true;  // resumed in vain: the file stays as it was
  try {
    finish();
  } catch (const Error&) {  // what is whole stays; who wants to know calls finish()
    done_ = true;
  }
}

void McapWriter::open(bool overwrite, bool resume) {
  const int create = resume ? 0 : O_CREAT | (overwrite ? 0 : O_EXCL);
  // O_NONBLOCK: a pipe without a reader is refused below instead of waited for.
  file_.fd = ::open(name_.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | create, 0666);
  const int fd = file_.fd;
  if (fd < 0) fail(name_, errno);
  struct stat status {};
  int error = ::fstat(fd, &status) != 0 ? errno : 0;
  const bool regular = error == 0 && S_ISREG(status.st_mode);
  if (regular && ::flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) error = EWOULDBLOCK;
  if (regular && error == 0 && !resume && ::ftruncate(fd, 0) != 0) error = errno;
  if (error != 0) fail(name_, error);
  if (!regular) throw IoError("is not a regular file", name_, "choose another name");
}

void McapWriter::append(std::string_view bytes) {
  if (done_) throw Error("is written to after its end", name_, "open it anew");
  if (to_cut_) {
    if (::ftruncate(file_.fd, static_cast<off_t>(offset_)) != 0 ||
        ::lseek(file_.fd, static_cast<off_t>(offset_), SEEK_SET) < 0)
      fail(name_, errno);
    to_cut_ = false;
  }
  for (std::string_view rest = bytes; !rest.empty();) {
    const ssize_t n = ::write(file_.fd, rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      const int error = errno;
      done_ = true;
      // Part of a chunk is of no use to anybody; that this fails, too, does no harm.
      [[maybe_unused]] const int cut = ::ftruncate(file_.fd, static_cast<off_t>(offset_));
      fail(name_, error);
    }
    rest.remove_prefix(n);
  }
  crc_ = crc32(bytes, crc_);
  offset_ += bytes.size();
}

void McapWriter::schema(McapSchema schema) {
  put_record(chunk_, Kind::schema, content_of(schema));
  index_.schemas.push_back(std::move(schema));
}

void McapWriter::channel(McapChannel channel) {
  put_record(chunk_, Kind::channel, content_of(channel));
  index_.messages.emplace(channel.id, 0);
  index_.channels.push_back(std::move(channel));
}

void McapWriter::message(std::uint16_t channel, std::uint64_t time, std::string_view data) {
  const auto known = index_.messages.find(channel);
  if (known == index_.messages.end())
    throw Error("has no channel " + std::to_string(channel), name_,
                "declare it before its messages");
  std::string& positions = positions_[channel];
  put(positions, time);
  put(positions, static_cast<std::uint64_t>(chunk_.size()));
  put(chunk_, static_cast<std::uint8_t>(Kind::message));
  put(chunk_, static_cast<std::uint64_t>(22 + data.size()));
  put(chunk_, channel);
  put(chunk_, static_cast<std::uint32_t>(known->second));
  put(chunk_, time);
  put(chunk_, time);
  chunk_ += data;
  first_time_ = has_messages_ ? std::min(first_time_, time) : time;
  last_time_ = has_messages_ ? std::max(last_time_, time) : time;
  has_messages_ = true;
  ++known->second;
  if (chunk_.size() >= full_chunk) close_chunk();
}

void McapWriter::close_chunk() {
  if (chunk_.empty()) return;
  const std::string packed = compressed(chunk_);
  McapIndex::Chunk chunk{first_time_, last_time_,    offset_,       0,     {},
                         0,           packed.size(), chunk_.size(), "zstd"};
  std::string content, record;
  put(content, first_time_);
  put(content, last_time_);
  put(content, static_cast<std::uint64_t>(chunk_.size()));
  put(content, crc32(chunk_));
  put_text(content, chunk.compression);
  put(content, static_cast<std::uint64_t>(packed.size()));
  content += packed;
  put_record(record, Kind::chunk, content);
  chunk.length = record.size();
  std::uint64_t count = 0;
  for (const auto& [channel, positions] : positions_) {
    chunk.message_indexes[channel] = offset_ + record.size();
    content.clear();
    put(content, channel);
    put_text(content, positions);
    put_record(record, Kind::message_index, content);
    count += positions.size() / 16;
  }
  chunk.indexes_length = record.size() - chunk.length;
  append(record);
  if (count > 0) {
    const bool first = index_.message_count == 0;
    index_.first_time = first ? first_time_ : std::min(index_.first_time, first_time_);
    index_.last_time = std::max(index_.last_time, last_time_);
    index_.message_count += count;
  }
  index_.chunks.push_back(std::move(chunk));
  chunk_.clear();
  positions_.clear();
  first_time_ = last_time_ = 0;
  has_messages_ = false;
}

void McapWriter::metadata(const McapMetadata& metadata) {
  close_chunk();
  std::string record;
  put_record(record, Kind::metadata, content_of(metadata));
  index_.metadata.push_back({offset_, record.size(), 0, metadata.name, {}});
  append(record);
}

void McapWriter::attachment(const McapAttachment& attachment) {
  close_chunk();
  std::string record;
  put_record(record, Kind::attachment, content_of(attachment));
  index_.attachments.push_back(
      {offset_, record.size(), attachment.data.size(), attachment.name, attachment.media_type});
  append(record);
}

void McapWriter::finish() {
  if (done_) return;
  close_chunk();
  std::string end, content;
  put(content, crc_);
  put_record(end, Kind::data_end, content);
  append(end);
  std::string summary;
  add_summary(summary);
  append(summary);
  done_ = true;
  if (::fsync(file_.fd) != 0) fail(name_, errno);
}

namespace {

std::string content_of_item(const McapIndex::Item& item, bool attachment) {
  std::string to;
  put(to, item.offset);
  put(to, item.length);
  if (attachment) {
    put(to, std::uint64_t{0});
    put(to, std::uint64_t{0});
    put(to, item.size);
  }
  put_text(to, item.name);
  if (attachment) put_text(to, item.media_type);
  return to;
}

std::string statistics_of(const McapIndex& index) {
  std::string to;
  put(to, index.message_count);
  put(to, static_cast<std::uint16_t>(index.schemas.size()));
  for (const std::size_t n : {index.channels.size(), index.attachments.size(),
                              index.metadata.size(), index.chunks.size()})
    put(to, static_cast<std::uint32_t>(n));
  put(to, index.first_time);
  put(to, index.last_time);
  put_map(to, index.messages);
  return to;
}

}  // namespace

void McapWriter::add_summary(std::string& to) const {
  std::string offsets;
  const auto group = [&](Kind kind, const auto& items, const auto& content) {
    const std::size_t start = to.size();
    for (const auto& item : items) put_record(to, kind, content(item));
    if (to.size() == start) return;
    std::string place;
    put(place, static_cast<std::uint8_t>(kind));
    put(place, offset_ + start);
    put(place, static_cast<std::uint64_t>(to.size() - start));
    put_record(offsets, Kind::summary_offset, place);
  };
  const auto plain = [](const auto& item) { return content_of(item); };
  group(Kind::schema, index_.schemas, plain);
  group(Kind::channel, index_.channels, plain);
  group(Kind::statistics, std::initializer_list<const McapIndex*>{&index_},
        [](const McapIndex* index) { return statistics_of(*index); });
  group(Kind::chunk_index, index_.chunks, plain);
  group(Kind::attachment_index, index_.attachments,
        [](const auto& item) { return content_of_item(item, true); });
  group(Kind::metadata_index, index_.metadata,
        [](const auto& item) { return content_of_item(item, false); });
  const std::uint64_t offsets_start = offset_ + to.size();
  to += offsets;
  put(to, static_cast<std::uint8_t>(Kind::footer));
  put(to, std::uint64_t{20});
  put(to, offset_);
  put(to, offsets_start);
  put(to, crc32(to));
  to += magic;
}

}  // namespace axode
