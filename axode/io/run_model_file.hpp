/// The model file a run was made from: whether it still is what it was.
///
/// Most run files keep the text of the model file. Where their model is another one, as a tree that a
/// program has built or an option has changed, they keep the checksum of the file.
/// Tests: tests/io/run_model_file_test.cpp
#pragma once
#include "axode/io/run_file.hpp"

namespace axode {

/// Records the checksum of the model file as it is now, unless the text of the model is that of the file.
/// For what is about to record a run; reads the file.
void note_model_file(RunMetadata& metadata);

/// Whether the model file is there, can be read, and is not what it was when the run was made.
bool model_file_has_changed(const RunMetadata& metadata);

}  // namespace axode
