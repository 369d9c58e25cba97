/// Model files of any format: the tree from a file, and back.
///
/// By the ending: .urdf and .xml are URDF, .json is Axode's own format; other files are told by
/// their first character.
/// Tests: tests/io/model_file_test.cpp
#pragma once
#include <filesystem>
#include <vector>

#include "axode/model/builder.hpp"
#include "axode/model/tree.hpp"

namespace axode {

struct LoadOptions {
  /// Folders in which mesh files are looked for, beside that of the model.
  std::vector<std::filesystem::path> mesh_roots;
  /// URDF only: the root link is on a free joint, with this form of velocity, instead of being fixed
  /// to the world. A model in Axode's format says that itself.
  bool free_base = false;
  Rep base_velocity = Rep::body;
  BuildOptions build;
};
enum class ModelFormat { urdf, native };
/// The format of a file, which must exist if the ending does not tell. Throws Error if it is neither.
ModelFormat model_format(const std::filesystem::path& file);

/// Reads, checks and builds. Throws IoError if the file cannot be read, LimitError if it is too
/// large, Error "file:line: problem; remedy" if it is not a model.
Tree load_tree(const std::filesystem::path& file, const LoadOptions& options = {});
/// Writes the tree in the format of the file's ending, all or nothing. Throws Error on another
/// ending or a tree the format cannot say, IoError if the file exists and may not be overwritten.
void save_tree(const Tree& tree, const std::filesystem::path& file, bool overwrite = false);

}  // namespace axode
