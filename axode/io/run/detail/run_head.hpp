/// What run files begin with, and the inside of their writer: shared by run_file.cpp and run_resume.cpp.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "axode/io/run/detail/mcap_format.hpp"
#include "axode/io/run/mcap.hpp"
#include "axode/io/run/run_file.hpp"
#include "axode/io/run/run_messages.hpp"
#include "axode/io/text/crc32.hpp"

namespace axode {
namespace run {

inline constexpr const char* metadata_name = "axode.run";
inline constexpr const char* model_attachment = "model";
inline constexpr const char* checksum_key = "crc32";
inline constexpr const char* profile = "axode";

/// Adds the checksum of the record's content so far. MCAP has none for metadata but that at the end of
/// the file, which a run that was cut has not.
inline McapMetadata with_checksum(McapMetadata record) {
  std::string crc = std::to_string(crc32(mcap::content_of(record)));
  record.values.emplace_back(checksum_key, std::move(crc));
  return record;
}

inline void check_checksum(const McapMetadata& record, const std::string& where) {
  McapMetadata bare = record;
  if (!bare.values.empty()) bare.values.pop_back();
  if (with_checksum(std::move(bare)).values != record.values)
    throw Error("the checksum of the metadata is wrong", where,
                "the file is damaged; take another copy of it");
}

/// Collects metadata and model of a run while its file is read.
struct Head {
  bool salvage = false;  ///< take metadata that can be read, even if their checksum is wrong
  RunMetadata metadata;
  bool found = false;
  std::string model_text;

  void add_to(McapHandlers& handlers, const std::string& where) {
    handlers.metadata = [this, where](const McapMetadata& record) {
      if (record.name != metadata_name || found) return;
      metadata = metadata_from(record, where);
      if (!salvage) check_checksum(record, where);
      metadata.model_text = model_text;
      found = true;
    };
    handlers.attachment = [this](const McapAttachment& attachment) {
      if (attachment.name != model_attachment) return;
      model_text = attachment.data;
      metadata.model_text = model_text;
    };
  }
  /// Before the first message, and at the end.
  void expect(const std::string& where) const {
    if (!found)
      throw Error("is not a run of Axode: its header or metadata are missing or damaged", where,
                  "give a run that `axode simulate` has written, or another copy of it");
  }
};

}  // namespace run

struct RunWriter::Data {
  McapWriter file;
  std::size_t nq, nv;
  std::vector<RunExtra> extras;
  bool binary;
  std::string text;  ///< of a message; kept for its memory
};

}  // namespace axode
