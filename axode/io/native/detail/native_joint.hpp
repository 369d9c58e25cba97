/// Joints of Axode's model format: geometry in any form, degrees of freedom, couplings; read and written.
///
/// The format is explained in docs/model_format.md. Geometry is given by axis, point and pitch as
/// the type needs, by raw screws, or by a Denavit-Hartenberg row.
/// Tests: tests/io/native/detail/native_joint_test.cpp
#pragma once
#include <string>

#include "axode/io/text/json_values.hpp"
#include "axode/model/tree.hpp"

namespace axode {

/// The keys of "joint", "limits", "mimic" and "dh".
std::span<const JsonObjectKeys> native_joint_keys() noexcept;

/// The joint that carries the body `child`. Throws Error with file:line.
JointDescription joint_from_json(const JsonValue& value, const std::string& child);

/// The joint of body i with its geometry in the given form, as a JSON object whose members stand on
/// lines of their own after `indent`. A_body: the pose of the body in the world at q = 0. Axis, point
/// and so on are written if they give the same bits as the screws, else the screws.
std::string joint_text(const Tree& tree, int i, const SE3<double>& A_body, GeometryForm form,
                       const Coupling* coupling, const std::string& indent);

}  // namespace axode
