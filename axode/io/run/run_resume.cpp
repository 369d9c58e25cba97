/// Going on with runs that were interrupted: see run_file.hpp.
#include <algorithm>
#include <fstream>

#include "axode/io/run/detail/run_head.hpp"
#include "axode/version.hpp"

namespace axode {
namespace {

/// Whether the file was finished, as its last bytes say, or its data were: the record at `end`.
bool has_end(const std::filesystem::path& file, std::uint64_t end) {
  std::ifstream stream(file, std::ios::binary);
  stream.seekg(static_cast<std::streamoff>(end));
  if (stream.get() == static_cast<int>(mcap::Kind::data_end)) return true;
  std::string last(mcap::magic.size(), '\0');
  stream.clear();
  stream.seekg(-static_cast<std::streamoff>(last.size()), std::ios::end);
  stream.read(last.data(), static_cast<std::streamsize>(last.size()));
  return stream && last == mcap::magic;
}

/// Going on keeps what is before the checkpoint, so that must be as it was written. Chunks, metadata
/// and model have checksums; this is about the rest. Behind the last whole chunk a run that was
/// killed may hold anything, one that was finished may not.
void check_to_resume(const McapContents& contents, const RunMetadata& metadata,
                     const std::filesystem::path& file) {
  const std::string where = file.string();
  constexpr const char* remedy =
      "the file is damaged; take another copy of it or start the run anew";
  if (!contents.damage.empty() && has_end(file, contents.end))
    throw Error(contents.damage.substr(where.size() + 2), where, remedy);
  // Of another version it is for the caller to say so.
  const bool by_this = contents.library == std::string("axode ") + version;
  if (contents.profile != run::profile || (!by_this && metadata.axode_version == version))
    throw Error("the header is not that of a run", where, remedy);
}

bool is_binary(const McapContents& contents) {
  const auto is_row = [](const McapChannel& c) { return c.topic == "/state_binary"; };
  return std::ranges::any_of(contents.index.channels, is_row);
}

/// What a file has of a run.
struct Interrupted {
  run::Head head;
  McapContents contents;
  std::optional<RunCheckpoint> checkpoint;  ///< the last one in a whole chunk
  std::uint64_t end = 0;                    ///< of that chunk
};

Interrupted interrupted_run(const std::filesystem::path& file) {
  const std::string where = file.string();
  Interrupted found;
  RunCheckpoint candidate;
  bool last_is_checkpoint = false;
  McapHandlers handlers;
  found.head.add_to(handlers, where);
  handlers.message = [&](const McapChannel& channel, const McapMessage& message) {
    found.head.expect(where);
    last_is_checkpoint = channel.topic == "/checkpoint";
    if (last_is_checkpoint) candidate = run::checkpoint_from(message.data, where);
  };
  handlers.chunk = [&](std::uint64_t offset) {
    if (!last_is_checkpoint) return;
    found.checkpoint.emplace(std::move(candidate));
    found.end = offset;
    last_is_checkpoint = false;
  };
  found.contents = read_mcap(file, handlers, {.salvage = true, .strict = true});
  return found;
}

/// Whether the file may be one that was cut within what stands before the first sample: empty, or begun
/// as runs are and not longer than that.
bool is_cut_in_its_head(const std::filesystem::path& file, const RunMetadata& metadata) {
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(file, error);
  if (error) return false;
  const std::string start = mcap::file_start(run::profile);
  std::string found(std::min<std::uint64_t>(size, start.size()), '\0');
  std::ifstream(file, std::ios::binary)
      .read(found.data(), static_cast<std::streamsize>(found.size()));
  constexpr std::uint64_t room = 4096;  // the command lines need not be equally long
  const std::uint64_t most = start.size() + mcap::content_of(run::record_of(metadata)).size() +
                             metadata.model_text.size() + room;
  return start.starts_with(found) && size <= most;
}

/// A run goes on only as it began.
void check_same_run(const RunMetadata& was, const RunMetadata& is, bool has_model,
                    const std::string& where) {
  const auto refuse = [&](const char* what) {
    throw Error("the run was made with " + std::string(what), where,
                "go on with the command it was begun with: " + was.command_line);
  };
  if (has_model && was.model_text != is.model_text) refuse("another model");
  if (was.options != is.options) refuse("other options");
  if (was.axode_version != is.axode_version)
    throw Error("the run was made by Axode " + was.axode_version, where,
                "go on with that version, whose numbers are the same to the last bit");
}

}  // namespace

RunWriter RunWriter::going_on(const std::filesystem::path& file, const RunMetadata& metadata,
                              std::uint64_t end, bool binary) {
  // NOLINTNEXTLINE(modernize-make-unique): an aggregate
  return RunWriter(std::unique_ptr<Data>(new Data{.file{file, end},
                                                  .nq = metadata.q_names.size(),
                                                  .nv = metadata.v_names.size(),
                                                  .extras = metadata.extras,
                                                  .binary = binary,
                                                  .text{}}));
}

RunWriter::Resumed RunWriter::resume(const std::filesystem::path& file) {
  const std::string where = file.string();
  Interrupted run = interrupted_run(file);
  run.head.expect(where);
  check_to_resume(run.contents, run.head.metadata, file);
  if (!run.checkpoint)
    throw Error("there is no checkpoint to go on from", where, "start the run anew");
  RunWriter writer = going_on(file, run.head.metadata, run.end, is_binary(run.contents));
  return {std::move(writer), std::move(run.head.metadata), std::move(*run.checkpoint)};
}

RunWriter::Continued RunWriter::resume_or_start(const std::filesystem::path& file,
                                                const RunMetadata& metadata,
                                                const RunWriterOptions& options) {
  const std::string where = file.string();
  const auto started = [&](const RunMetadata& with, bool overwrite) {
    return Continued{RunWriter(file, with, {.overwrite = overwrite, .binary = options.binary}), {}};
  };
  std::error_code error;
  if (!std::filesystem::exists(std::filesystem::symlink_status(file, error)))
    return started(metadata, false);
  const bool is_short = is_cut_in_its_head(file, metadata);
  if (is_short && std::filesystem::is_empty(file, error)) return started(metadata, true);
  Interrupted run = interrupted_run(file);
  const bool has_model = !run.contents.index.attachments.empty();
  const bool is_cut = is_short && run.contents.damage.empty() && !run.contents.complete;
  if (is_cut && !run.head.found) return started(metadata, true);
  run.head.expect(where);
  check_to_resume(run.contents, run.head.metadata, file);
  check_same_run(run.head.metadata, metadata, has_model || !is_cut, where);
  if (!run.checkpoint) {
    RunMetadata again = metadata;
    again.command_line = run.head.metadata.command_line;  // the file is that of the first attempt
    return started(again, true);
  }
  RunWriter writer = going_on(file, run.head.metadata, run.end, is_binary(run.contents));
  return {std::move(writer), std::move(run.checkpoint)};
}

}  // namespace axode
