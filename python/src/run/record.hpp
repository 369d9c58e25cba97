/// A run as the dictionary of which axode/_run_files.py makes a Run, and the reverse.
#pragma once
#include "axode/io/run/run_file.hpp"
#include "src/shared/arrays.hpp"

namespace axode::python {

/// Names and units of the metadata, the texts beside them.
void write_metadata(const RunMetadata& metadata, nb::dict& to);
/// All of a run: metadata, arrays, events, checkpoint, summary.
void write_run(const Run& run, nb::dict& to);
/// Throws Error on arrays whose shapes do not fit together.
Run run_from(const nb::dict& from);

}  // namespace axode::python
