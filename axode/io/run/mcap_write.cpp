/// Writing MCAP files: see mcap.hpp.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "axode/io/run/detail/mcap_format.hpp"
#include "axode/io/run/mcap.hpp"
#include "axode/io/text/crc32.hpp"

namespace axode {
using namespace mcap;  // NOLINT(google-build-using-namespace): the parts of this very format

namespace {

constexpr std::size_t full_chunk = std::size_t{256} << 10;
/// Between two savings of an open chunk: below 1 % of the time is spent on them.
constexpr std::chrono::milliseconds save_interval{200};

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
  append(file_start(profile));
}

McapWriter::McapWriter(const std::filesystem::path& file, std::uint64_t end)
    : name_(file.string()) {
  open(true, true);
  McapContents contents = read_mcap(file, {}, {.salvage = true, .end = end});
  if (contents.end != end)
    throw Error("is damaged before the place to go on at", name_, "start anew");
  is_as_found_ = true;
  offset_ = end;
  crc_ = contents.crc;
  index_ = std::move(contents.index);
}

McapWriter::~McapWriter() {
  if (is_as_found_ && chunk_.empty()) done_ = true;  // resumed in vain: the file stays as it was
  try {
    finish();
  } catch (const Error&) {  // what is whole stays; who wants to know calls finish()
    done_ = true;
  }
}

void McapWriter::open(bool overwrite, bool resume) {
  const int create = resume ? 0 : O_CREAT | (overwrite ? 0 : O_EXCL);
  // O_NONBLOCK: a pipe without a reader is refused below instead of waited for.
  file_ = Descriptor(open_apart(name_.c_str(), O_WRONLY | O_NONBLOCK | create));
  const int fd = file_.fd;
  if (fd < 0) fail(name_, errno);
  struct stat status {};
  int error = ::fstat(fd, &status) != 0 ? errno : 0;
  const bool regular = error == 0 && S_ISREG(status.st_mode);
  if (regular && ::flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) error = EWOULDBLOCK;
  if (regular && error == 0 && !resume && ::ftruncate(fd, 0) != 0) error = errno;
  if (error != 0) fail(name_, error);
  if (!regular) throw IoError("is not a regular file", name_, "choose another name");
  has_links_ = status.st_nlink > 0;
  std::error_code unknown;  // the folder one is in may change until the end
  place_ = std::filesystem::absolute(name_, unknown);
  length_ = resume ? static_cast<std::uint64_t>(status.st_size) : 0;
}

/// Throws IoError unless the file is still there and as long as this writer has left it. Otherwise the
/// samples written so far are lost, or a gap of zeros would come into the file.
void McapWriter::check_file() {
  struct stat status {};
  if (::fstat(file_.fd, &status) != 0) fail(name_, errno);
  const bool removed = has_links_ && status.st_nlink == 0;
  if (!removed && static_cast<std::uint64_t>(status.st_size) == length_) return;
  done_ = true;
  throw IoError(removed ? "was removed while it was written"
                        : "was changed by another program while it was written",
                name_, "write it again, to a place that nothing else uses");
}

/// Throws IoError unless the name is still that of the file: a summary must not name a file that is
/// elsewhere.
void McapWriter::check_name() const {
  struct stat file {
  }, named{};
  if (!has_links_ || place_.empty() || ::fstat(file_.fd, &file) != 0) return;
  if (::stat(place_.c_str(), &named) == 0 && named.st_dev == file.st_dev &&
      named.st_ino == file.st_ino)
    return;
  throw IoError("was moved while it was written", name_,
                "it is whole where it is now; leave it in its place until it is finished");
}

/// Replaces all behind offset_, which stays: that is cut off first, so that the file ends early, instead
/// of being damaged, if the program is killed here.
void McapWriter::write_at_end(std::string_view bytes) {
  if (done_) throw Error("is written to after its end", name_, "open it anew");
  check_file();
  if (length_ > offset_ && ::ftruncate(file_.fd, static_cast<off_t>(offset_)) != 0)
    fail(name_, errno);
  is_as_found_ = false;
  length_ = offset_;
  for (std::string_view rest = bytes; !rest.empty();) {
    const auto at = static_cast<off_t>(offset_ + bytes.size() - rest.size());
    const ssize_t n = ::pwrite(file_.fd, rest.data(), rest.size(), at);
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
  length_ = offset_ + bytes.size();
}

void McapWriter::append(std::string_view bytes) {
  write_at_end(bytes);
  crc_ = crc32(bytes, crc_);
  offset_ = length_;
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
  if (chunk_.size() >= full_chunk) return close_chunk();
  if (Clock::now() >= next_save_) save_open_chunk();
}

void McapWriter::save_open_chunk() {
  McapIndex::Chunk chunk;
  write_at_end(packed_chunk(chunk));
  next_save_ = Clock::now() + save_interval;
}

/// The open chunk with its message indexes as they stand in a file, and its place in the index of the
/// file.
std::string McapWriter::packed_chunk(McapIndex::Chunk& chunk) const {
  const std::string packed = compressed(chunk_);
  chunk = {first_time_, last_time_, offset_, 0, {}, 0, packed.size(), chunk_.size(), "zstd"};
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
  for (const auto& [channel, positions] : positions_) {
    chunk.message_indexes[channel] = offset_ + record.size();
    content.clear();
    put(content, channel);
    put_text(content, positions);
    put_record(record, Kind::message_index, content);
  }
  chunk.indexes_length = record.size() - chunk.length;
  return record;
}

void McapWriter::close_chunk() {
  if (chunk_.empty()) return;
  McapIndex::Chunk chunk;
  append(packed_chunk(chunk));
  std::uint64_t count = 0;
  for (const auto& [channel, positions] : positions_) count += positions.size() / 16;
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
  check_file();  // from here on it is the user's
  check_name();
}

}  // namespace axode
