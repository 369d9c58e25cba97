/// Runs of flexible trees as run files have them: q, v, a and tau are those of all joints and modes.
/// Tests: tests/io/flexible/flexible_run_test.cpp
#pragma once
#include "axode/flexible/tree/flexible_tree.hpp"
#include "axode/io/run/run_file.hpp"

namespace axode {

/// Names and units, the tree's name and Axode's version.
RunMetadata run_metadata(const FlexibleTree& tree);

}  // namespace axode
