/// Where a model file speaks of what a message names: "file:line".
///
/// What is found out after a file has been read (no assembly, a joint without inertia, no convergence)
/// names a joint, body or driver, but no line. This finds the object of that name in the file, so that
/// the user can go there. O(size of the file), for messages only.
/// Tests: tests/io/text/message_place_test.cpp
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace axode {

/// "file:line" of the object (JSON: with that "name", or a driver's "coordinate"; URDF: element) whose
/// name stands first in quotes in the message, perhaps as part of the name of a coordinate or equation:
/// 'elbow', 'elbow.angle', 'elbow: same point x'; without one, of the model as a whole. The name of the
/// file alone if it cannot be read or is no model.
std::string place_of_message(const std::filesystem::path& file, std::string_view message);

}  // namespace axode
