/// The index at the end of an MCAP file: see mcap.hpp.
#include <initializer_list>
#include <string>

#include "axode/io/run/detail/mcap_format.hpp"
#include "axode/io/run/mcap.hpp"
#include "axode/io/text/crc32.hpp"

namespace axode {
using namespace mcap;  // NOLINT(google-build-using-namespace): the parts of this very format

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
