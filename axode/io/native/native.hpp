/// Axode's own model format: a tree as JSON, with all that axode/model can say.
///
/// docs/model_format.md explains it, docs/axode-model.schema.json is its schema, models/ has files.
/// Made to be written by hand: comments are allowed, axes and points are given in the world at the
/// zero configuration or in any other geometry form, what is left out has a default. Reading and
/// writing are O(n).
/// Tests: tests/io/native/native_test.cpp, tests/io/native/hostile_native_test.cpp, tests/fuzz/native_fuzz.cpp
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "axode/io/text/json_values.hpp"
#include "axode/model/builder.hpp"
#include "axode/model/tree.hpp"

namespace axode {

/// The version of the format that is read and written.
inline constexpr int native_version = 1;

struct NativeOptions {
  /// Folders in which mesh files are looked for; read_native adds the folder of the file.
  std::vector<std::filesystem::path> mesh_roots;
};

/// The description in the text; `source` names it in messages. Throws Error "source:line: problem;
/// remedy" on everything that is not the format; what it says is checked by build.
TreeDescription parse_native(std::string_view text, std::string source,
                             const NativeOptions& options = {});
/// The same from a file; IoError if it cannot be read, LimitError if it is too large.
TreeDescription read_native(const std::filesystem::path& file, const NativeOptions& options = {});

struct NativeWriteOptions {
  /// The geometry form of all bodies; by default that in which each was given. In body_screws the
  /// geometry reads back to the same bits, in the others to rounding.
  std::optional<GeometryForm> form = {};
  /// Further members of the file, as scene_parts (scene_file.hpp) says them.
  std::string parts = {};
};
/// The tree as a file: all but its warnings. Throws Error if a name is not UTF-8.
std::string native_text(const Tree& tree, const NativeWriteOptions& options = {});

/// The keys of every kind of object in the format, by the names of the schema's definitions.
std::vector<JsonObjectKeys> native_keys();

}  // namespace axode
