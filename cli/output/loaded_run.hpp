/// A run file with the model that is kept in it.
/// Tests: tests/cli/view_test.py
#pragma once
#include <string>
#include <variant>
#include <vector>

#include "axode/io/flexible/flexible_file.hpp"
#include "axode/mechanism/description/mechanism.hpp"
#include "axode/model/tree.hpp"
#include "axode/simulate/forces/forces.hpp"
#include "axode/view/scene/clip.hpp"

namespace axode::cli {

struct LoadedRun {
  Run run;
  std::variant<Tree, FlexibleSetup, Mechanism> model;
  Forces forces;                      ///< of the file of a tree
  Clip clip;                          ///< all that was recorded
  std::vector<std::string> messages;  ///< the run is cut, the file of the model has changed since
};
/// Throws Error where the run cannot be read, or its model does not fit. The messages are also
/// warnings on standard error.
LoadedRun load_run(const std::string& file, bool salvage = false,
                   const std::vector<std::string>& mesh_roots = {});

/// "arm: fall.mcap".
std::string title_of(const RunMetadata& metadata, const std::string& file);

}  // namespace axode::cli
