/// Mechanisms in files: Axode's mechanism format, read and written, and URDF with a list of loops.
///
/// The format is explained in docs/mechanism_format.md, docs/axode-mechanism.schema.json is its
/// schema, examples/mechanisms/ has files. Readers throw Error "file:line: problem; remedy",
/// IoError and LimitError; unknown keys are refused with the nearest known one.
/// Tests: tests/io/mechanism/mechanism_file_test.cpp
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "axode/io/text/json_values.hpp"
#include "axode/mechanism/description/builder.hpp"

namespace axode {

inline constexpr int mechanism_version = 1;

Mechanism load_mechanism(const std::filesystem::path& file);
/// The tree of a model file (URDF or Axode's own) with joints that close its loops: the second
/// file is {"axode_mechanism": 1, "joints": [...], ...} with everything but bodies, which are the
/// links as they stand at q = 0 (mechanism/description/from_tree.hpp).
Mechanism load_mechanism(const std::filesystem::path& model, const std::filesystem::path& loops);
/// Of a text; `source` names it in messages.
Mechanism parse_mechanism(std::string_view text, const std::string& source);
/// The same, not yet checked and finished.
MechanismDescription describe_mechanism(std::string_view text, const std::string& source);

/// The text of a file that reads back as the same mechanism; gears and cables as what they were
/// turned into. Throws Error where a motion or force is a function of the program, which no file
/// can say.
std::string mechanism_text(const Mechanism& mechanism);

/// A function of time as files say it, and its JSON text: a number, "an expression in t",
/// {"polynomial": [c0, c1, ...]} or {"times": [...], "values": [...]} (natural cubic spline, held
/// outside).
struct TextFunction {
  TimeFunction function;
  std::string text;
};
TextFunction time_function_from_json(const JsonValue& value);
/// Of the command line: a number or an expression in t.
TextFunction time_function_from_text(std::string_view text, const std::string& where);

/// The keys of all objects of the format, as the schema has them.
std::vector<JsonObjectKeys> mechanism_keys();

namespace detail {
/// Two or three numbers in the plane, three in space.
Vec3<double> vector_from_json(const JsonValue& value, bool is_planar);
/// A name, or components.
Spot spot_from_json(const JsonValue& value, bool is_planar);
/// ["body", point].
SpotOn spot_on_from_json(const JsonValue& value, bool is_planar);
/// Adds what the text says; without bodies it is that of loops.
void describe_mechanism(std::string_view text, const std::string& source, bool with_bodies,
                        MechanismDescription& description);
/// The list of joints, with gears, racks and cables, added to the description.
void joints_from_json(const JsonValue& list, MechanismDescription& description);
void coordinates_from_json(const JsonValue& model, MechanismDescription& description);
void forces_from_json(const JsonValue& model, MechanismDescription& description);
std::span<const JsonObjectKeys> mechanism_joint_keys() noexcept;
std::span<const JsonObjectKeys> mechanism_force_keys() noexcept;
}  // namespace detail

}  // namespace axode
