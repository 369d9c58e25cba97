/// The model file a run was made from: whether it still is what it was.
///
/// Most run files keep the text of the model file. Where their model is another one, as a tree that a
/// program has built or an option has changed, they keep the checksum of the file.
/// Tests: tests/io/run/run_model_file_test.cpp
#pragma once
#include <cstdint>
#include <optional>

#include "axode/io/run/run_file.hpp"

namespace axode {

/// Records the checksum that the model file had when the model was read (Tree::source_crc32), unless the
/// text of the model is that of the file. None: the model is not of a file.
void note_model_file(RunMetadata& metadata, std::optional<std::uint32_t> crc);

/// The checksum that was recorded; none: the model is not of a file.
std::optional<std::uint32_t> model_file_crc(const RunMetadata& metadata);

/// Whether the model file is there, can be read, and is not what it was when the run was made.
bool model_file_has_changed(const RunMetadata& metadata);

}  // namespace axode
