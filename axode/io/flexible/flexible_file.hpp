/// Flexible manipulators in files: trees of rigid and elastic links with what acts on them.
///
/// The format is explained in docs/flexible.md, docs/axode-flexible.schema.json is its schema,
/// examples/flexible/ has files. Readers throw Error "file:line: problem; remedy", IoError and
/// LimitError; unknown keys are refused with the nearest known one. Cost: that of making modes.
/// Tests: tests/io/flexible/flexible_file_test.cpp
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "axode/flexible/tree/builder.hpp"
#include "axode/io/text/json_values.hpp"
#include "axode/simulate/systems/flexible_system.hpp"

namespace axode {

inline constexpr int flexible_version = 1;

/// All that a file says.
struct FlexibleSetup {
  FlexibleDescription description;  ///< as it was written
  FlexibleTree tree;                ///< made from it
  FlexibleForces forces;            ///< control, joint forces, loads, prescribed joints
  std::vector<double> q, v;         ///< initial state of all coordinates
  double duration = 0;              ///< of a simulation [s]; 0: not told
  /// JSON texts of functions of time: by joint ("" where there is no force), by load, by prescribed
  /// joint.
  std::vector<std::string> force_texts, factor_texts, motion_texts;
  std::optional<std::uint32_t> source_crc32;  ///< CRC-32 of the file as it was read, if it was one
};

FlexibleSetup load_flexible(const std::filesystem::path& file);
/// Of a text; `source` names it in messages.
FlexibleSetup parse_flexible(std::string_view text, const std::string& source);
/// The text of a file that reads back as the same; payloads become links. Throws Error where shapes
/// or functions are of the program, which no file can say.
std::string flexible_text(const FlexibleSetup& setup);

/// The keys of all objects of the format, as the schema has them.
std::vector<JsonObjectKeys> flexible_keys();

namespace detail {
/// One link, with its beam and modes.
FlexibleDescription::Link flexible_link_from_json(const JsonValue& value);
/// A mass on a link, as the fixed link of that name.
FlexibleDescription::Link payload_from_json(const JsonValue& value, const std::string& name);
/// Control, forces, loads, prescribed joints and the initial state, of the tree in `setup`.
void flexible_forces_from_json(const JsonValue& model, FlexibleSetup& setup);
std::span<const JsonObjectKeys> flexible_link_keys() noexcept;
std::span<const JsonObjectKeys> flexible_force_keys() noexcept;
/// A finite number above zero, or not below where zero is allowed.
double positive_from_json(const JsonValue& value, bool or_zero = false);
}  // namespace detail

}  // namespace axode
