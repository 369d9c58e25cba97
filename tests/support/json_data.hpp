/// Reads the reference vectors of tests/data.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "axode/lie/homogeneous.hpp"
#include "axode/lie/vec6.hpp"

namespace axode::test {

nlohmann::json read_json(const std::string& name);

Vec3<double> vec3(const nlohmann::json& a);
Vec6<double> vec6(const nlohmann::json& a);
Mat3<double> mat3(const nlohmann::json& a);
Mat6<double> mat6(const nlohmann::json& a);
/// The numbers of a 4x4 matrix as a pose, unchecked: reference data are trusted.
SE3<double> pose(const nlohmann::json& a);
/// All numbers of nested lists, row by row.
std::vector<double> flat(const nlohmann::json& a);

}  // namespace axode::test
