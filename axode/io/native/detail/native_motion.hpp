/// The motion of a joint in Axode's model format: its type and what that needs (axis, point, pitch,
/// axes or frame), or raw screws; read and written.
///
/// Raw screws are checked to be such as the type has. They are written where axis, point and so on
/// would not give the same bits.
/// Tests: tests/io/native/detail/native_motion_test.cpp
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "axode/io/text/json.hpp"
#include "axode/model/joint.hpp"

namespace axode {

/// Quaternions for spherical and free joints, else the second kind.
Coordinates default_coordinates(JointType type) noexcept;
/// The subgroup of translation_2, translation_3, helical_planar and schoenflies joints.
MotionSubgroup macro_subgroup(JointType type) noexcept;

/// The type of the joint object j. Throws Error with file:line if it is missing or unknown.
JointType type_from_json(const JsonValue& j);
/// Its coordinates, or those by default.
Coordinates coordinates_from_json(const JsonValue& j, JointType type);
/// The motion that the members of the joint object j say. Throws Error with file:line.
Joint motion_from_json(const JsonValue& j, JointType type);
/// Throws Error on members of j that say a motion, because `other` does it already.
void refuse_motion(const JsonValue& j, std::string_view other);

/// The motion as members of an object, such as "\"axis\": [0, 0, 1]".
std::vector<std::string> motion_text(const Joint& joint);

}  // namespace axode
