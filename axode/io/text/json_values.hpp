/// Vectors, rotations, poses, screws and inertias as JSON values: how model files say them.
///
///   vector     [x, y, z]
///   rotation   {"rpy": [r, p, y]}, {"quaternion": [w, x, y, z]}, {"rotation": 3x3 rows} or
///              {"axis_angle": {"axis": [x, y, z], "angle": a}}; {} is no rotation
///   pose       {"position": [x, y, z]} with one of these or none, or {"matrix": 4x4 rows}
///   inertia    {"mass": m, "com": [x, y, z], "about_com" or "about_origin": tensor, "axes": rotation}
///   tensor     [xx, yy, zz], [xx, yy, zz, xy, xz, yz] or 3x3 rows
///
/// Angles in rad, lengths in m. Numbers are written in the fewest digits that read back as the same
/// number; matrices and six-number tensors are read unchanged. All readers throw Error with
/// file:line.
/// Tests: tests/io/text/json_values_test.cpp
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "axode/io/text/json.hpp"
#include "axode/lie/se3.hpp"
#include "axode/screw/inertia.hpp"

namespace axode {

/// The keys an object of a kind may have; the kinds are the definitions of the schema.
struct JsonObjectKeys {
  std::string_view kind;
  std::span<const std::string_view> keys;
};
/// Those of "rotation", "pose", "axis_angle" and "inertia".
std::span<const JsonObjectKeys> json_value_keys() noexcept;

Vec3<double> vec3_from_json(const JsonValue& value);
/// Orthonormal as given within 1e6 round-offs, or an Error says by how much it is not.
SO3<double> rotation_from_json(const JsonValue& value);
SE3<double> pose_from_json(const JsonValue& value);
/// One to six lists of six numbers, (e, p x e + h e) or (0, e); any numbers, unchecked.
std::vector<Vec6<double>> screws_from_json(const JsonValue& value);
Inertia<double> inertia_from_json(const JsonValue& value);
/// A list of numbers of any length.
std::vector<double> number_list(const JsonValue& value);
/// The text of a member, or `otherwise` where there is none.
std::string text_member(const JsonValue& object, std::string_view key, std::string otherwise = {});
/// Sets the number to that of the member; unchanged where there is none.
template <class Number>
void read_number(const JsonValue& object, std::string_view key, Number& number) {
  if (const auto given = object.find(key)) number = given->number();
}
/// The result of f(); an Error it throws is reported at this value of the file.
template <class F>
auto located(const JsonValue& value, const F& f) {
  try {
    return f();
  } catch (const Error& e) {
    value.fail(value.title() + ": " + e.problem(), e.remedy());
  }
}

/// The number in JSON. Throws Error if it is not finite.
std::string json_number(double value);
/// Numbers in brackets.
std::string json_numbers(std::span<const double> values);
std::string json_text(const Vec3<double>& v);
std::string json_text(const Vec6<double>& X);
/// Roll, pitch and yaw if these give the same bits, else the matrix.
std::string json_text(const SO3<double>& R);
std::string json_text(const SE3<double>& T);
std::string json_text(const Inertia<double>& I);

/// Members of an object that is written on one line.
struct JsonMembers {
  std::vector<std::string> list{};
  void add(std::string_view key, const std::string& value);
  void number(std::string_view key, double value) { add(key, json_number(value)); }
  void number_unless(std::string_view key, double value, double usual) {
    if (value != usual) number(key, value);
  }
  /// {"key": value, ...}
  std::string text() const;
};

}  // namespace axode
