/// Trees and states of the reference vectors in tests/data.
#pragma once
#include <nlohmann/json.hpp>
#include <vector>

#include "axode/model/tree.hpp"

namespace axode::test {

/// The tree of a file's "model", its geometry given in that form. A free base has quaternion
/// coordinates and the velocity form asked for. Bodies, coordinates and velocities are in the
/// order of the file (a free base has one coordinate more than velocities).
Tree tree_from_reference(const nlohmann::json& model,
                         GeometryForm form = GeometryForm::zero_reference,
                         Rep base_velocity = Rep::body);
/// The description it is built from, for tests that want to change it first.
TreeDescription description_from_reference(const nlohmann::json& model, GeometryForm form,
                                           Rep base_velocity = Rep::body);

/// The moving base of moving_base.json: coordinates of an "input" (quaternion, position, joints).
std::vector<double> moving_base_configuration(const nlohmann::json& input);
/// Ten numbers of that file, base twist or wrench linear part first, to ours: angular part first.
std::vector<double> base_angular_first(const nlohmann::json& numbers);
/// Six numbers linear part first to ours.
Vec6<double> vec6_linear_first(const nlohmann::json& a);

}  // namespace axode::test
