#include "axode/io/text/json_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "axode/io/text/text_file.hpp"
#include "axode/lie/homogeneous.hpp"
#include "axode/lie/rotation.hpp"

namespace axode {

namespace {

constexpr std::array<std::string_view, 4> rotation_keys{"rpy", "quaternion", "axis_angle",
                                                        "rotation"};
constexpr std::array<std::string_view, 6> pose_keys{"position",   "rpy",      "quaternion",
                                                    "axis_angle", "rotation", "matrix"};
constexpr std::array<std::string_view, 2> axis_angle_keys{"axis", "angle"};
constexpr std::array<std::string_view, 5> inertia_keys{"mass", "com", "about_com", "about_origin",
                                                       "axes"};
constexpr std::array<JsonObjectKeys, 4> value_keys{{{"rotation", rotation_keys},
                                                    {"pose", pose_keys},
                                                    {"axis_angle", axis_angle_keys},
                                                    {"inertia", inertia_keys}}};

/// n rows of n numbers.
template <std::size_t n>
std::array<std::array<double, n>, n> matrix_from_json(const JsonValue& value) {
  if (value.kind() != JsonKind::list || value.size() != n)
    value.fail(fmt::format("{} must be a list of {} rows", value.title(), n),
               fmt::format("write {0} lists of {0} numbers", n));
  std::array<std::array<double, n>, n> M{};
  std::size_t i = 0;
  for (const JsonValue& row : value.items()) row.numbers(M[i++]);
  return M;
}
Mat3<double> mat3(const std::array<std::array<double, 3>, 3>& M) {
  const auto row = [&](std::size_t i) { return Vec3<double>{M[i][0], M[i][1], M[i][2]}; };
  return Mat3<double>::rows(row(0), row(1), row(2));
}

SO3<double> rotation_of_quaternion(const JsonValue& value) {
  std::array<double, 4> q{};
  value.numbers(q);
  if (q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0)
    value.fail("\"quaternion\" is zero", "give (w, x, y, z), not all of them 0");
  return rotation_from_euler_parameters(q);
}
SO3<double> rotation_of_axis_angle(const JsonValue& value) {
  value.check_keys(axis_angle_keys, "\"axis_angle\"");
  const JsonValue axis = value.at("axis", "add \"axis\": [x, y, z]");
  const Vec3<double> e = vec3_from_json(axis);
  if (max_abs(e) == 0) axis.fail("\"axis\" is zero", "give a direction of any length but zero");
  return rotation_from_axis_angle(e, value.at("angle", "add \"angle\" in rad").number());
}

/// The rotation among the members of an object, whose keys are checked already.
SO3<double> rotation_member(const JsonValue& object) {
  std::optional<JsonValue> given;
  for (const std::string_view key : rotation_keys) {
    const std::optional<JsonValue> member = object.find(key);
    if (!member) continue;
    if (given)
      member->fail(fmt::format("two rotations, {} and {}", given->title(), member->title()),
                   "keep one of them");
    given = member;
  }
  if (!given) return {};
  SO3<double> R;
  if (given->key() == "rpy") {
    const Vec3<double> a = vec3_from_json(*given);
    R = rotation_from_roll_pitch_yaw(a.x, a.y, a.z);
  } else if (given->key() == "quaternion") {
    R = rotation_of_quaternion(*given);
  } else if (given->key() == "axis_angle") {
    R = rotation_of_axis_angle(*given);
  } else {
    const Mat3<double> M = mat3(matrix_from_json<3>(*given));
    R = located(*given, [&] { return rotation_from_matrix(M); });
  }
  if (!is_finite(R.matrix.x) || !is_finite(R.matrix.y) || !is_finite(R.matrix.z))
    given->fail(given->title() + " holds numbers too large for an angle", "give angles in rad");
  return R;
}

Sym3<double> tensor_from_json(const JsonValue& value) {
  const std::string forms = "write [xx, yy, zz], [xx, yy, zz, xy, xz, yz] or three rows of three";
  if (value.kind() != JsonKind::list || (value.size() != 3 && value.size() != 6))
    value.fail(value.title() + " must be a list of 3 or 6 numbers or of 3 rows", forms);
  if (value.size() == 6) {
    std::array<double, 6> t{};
    value.numbers(t);
    return {t[0], t[1], t[2], t[3], t[4], t[5]};
  }
  if (value.items().front().kind() != JsonKind::list)
    return Sym3<double>::diagonal(vec3_from_json(value));
  const auto M = matrix_from_json<3>(value);
  double largest = 0;
  for (const auto& row : M)
    for (const double x : row) largest = std::max(largest, std::abs(x));
  const double skew = std::max(
      {std::abs(M[0][1] - M[1][0]), std::abs(M[0][2] - M[2][0]), std::abs(M[1][2] - M[2][1])});
  if (skew > 1e-9 * largest)
    value.fail(value.title() + " is not symmetric; entries differ by " + shortest(skew),
               "write the same number on both sides of the diagonal");
  return {M[0][0], M[1][1], M[2][2], M[0][1], M[0][2], M[1][2]};
}

}  // namespace

std::span<const JsonObjectKeys> json_value_keys() noexcept { return value_keys; }

Vec3<double> vec3_from_json(const JsonValue& value) {
  std::array<double, 3> v{};
  value.numbers(v);
  return {v[0], v[1], v[2]};
}

SO3<double> rotation_from_json(const JsonValue& value) {
  value.check_keys(rotation_keys, "a rotation");
  return rotation_member(value);
}

SE3<double> pose_from_json(const JsonValue& value) {
  value.check_keys(pose_keys, "a pose");
  if (const std::optional<JsonValue> matrix = value.find("matrix")) {
    if (value.size() > 1)
      matrix->fail(
          fmt::format("\"matrix\" is a whole pose, yet there is more in {}", value.title()),
          "remove \"matrix\" or the rest");
    const Mat4<double> M = matrix_from_json<4>(*matrix);
    return located(*matrix, [&] { return pose_from_matrix(M); });
  }
  SE3<double> T{rotation_member(value), {}};
  if (const auto position = value.find("position")) T.p = vec3_from_json(*position);
  return T;
}

std::vector<Vec6<double>> screws_from_json(const JsonValue& value) {
  if (value.kind() != JsonKind::list || value.size() < 1 || value.size() > 6)
    value.fail(value.title() + " must be a list of one to six screws",
               "write [[ex, ey, ez, mx, my, mz], ...], also for a single one");
  std::vector<Vec6<double>> screws;
  for (const JsonValue& row : value.items()) {
    if (row.kind() != JsonKind::list || row.size() != 6)
      row.fail("a screw in " + value.title() + " is not a list of 6 numbers",
               "write [[ex, ey, ez, mx, my, mz], ...], also for a single one");
    std::array<double, 6> x{};
    row.numbers(x);
    screws.push_back({{x[0], x[1], x[2]}, {x[3], x[4], x[5]}});
  }
  return screws;
}

Inertia<double> inertia_from_json(const JsonValue& value) {
  value.check_keys(inertia_keys, "an inertia");
  Inertia<double> I;
  I.mass = value.at("mass", "add \"mass\" in kg").number();
  if (const auto com = value.find("com")) I.com = vec3_from_json(*com);
  const auto about_com = value.find("about_com"), about_origin = value.find("about_origin"),
             axes = value.find("axes");
  if (about_com && about_origin)
    about_origin->fail("both \"about_com\" and \"about_origin\" are given", "keep one of them");
  if (!about_com && !about_origin) {
    if (axes) axes->fail("\"axes\" without a tensor", "add \"about_com\" or remove \"axes\"");
    return I;
  }
  Sym3<double> tensor = tensor_from_json(about_com ? *about_com : *about_origin);
  if (axes) tensor = congruence(rotation_from_json(*axes).matrix, tensor);
  I.about_com = about_com ? tensor : tensor - minus_skew_squared(I.com) * I.mass;
  return I;
}

std::string json_number(double value) {
  if (!std::isfinite(value))
    throw Error("a number is not finite", "native_text", "models hold finite numbers only");
  return shortest(value + 0.0);  // no minus before a zero
}
std::string json_numbers(std::span<const double> values) {
  std::vector<std::string> texts;
  for (const double x : values) texts.push_back(json_number(x));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}
std::string json_text(const Vec3<double>& v) {
  return json_numbers(std::array<double, 3>{v.x, v.y, v.z});
}
std::string json_text(const Vec6<double>& X) {
  return json_numbers(std::array<double, 6>{X[0], X[1], X[2], X[3], X[4], X[5]});
}

namespace {
/// The member of an object that says the rotation; empty for none.
std::string rotation_text(const SO3<double>& R) {
  const Mat3<double>& M = R.matrix;
  if (M == Mat3<double>::identity()) return "";
  if (const Vec3<double> rpy = to_roll_pitch_yaw(R);
      rotation_from_roll_pitch_yaw(rpy.x, rpy.y, rpy.z) == R)
    return fmt::format("\"rpy\": {}", json_text(rpy));
  const auto row = [&](int i) { return json_text(Vec3<double>{M(i, 0), M(i, 1), M(i, 2)}); };
  return fmt::format("\"rotation\": [{}, {}, {}]", row(0), row(1), row(2));
}
}  // namespace

std::string json_text(const SO3<double>& R) { return fmt::format("{{{}}}", rotation_text(R)); }
std::string json_text(const SE3<double>& T) {
  const std::string position =
      T.p == Vec3<double>{} ? "" : fmt::format("\"position\": {}", json_text(T.p));
  const std::string rotation = rotation_text(T.R);
  const bool both = !position.empty() && !rotation.empty();
  return fmt::format("{{{}{}{}}}", position, both ? ", " : "", rotation);
}
std::string json_text(const Inertia<double>& I) {
  std::string text = fmt::format("{{\"mass\": {}", json_number(I.mass));
  if (I.com != Vec3<double>{}) text += fmt::format(", \"com\": {}", json_text(I.com));
  const Sym3<double>& t = I.about_com;
  if (t != Sym3<double>{})
    text += fmt::format(", \"about_com\": {}",
                        json_numbers(std::array<double, 6>{t.xx, t.yy, t.zz, t.xy, t.xz, t.yz}));
  return text + "}";
}

void JsonMembers::add(std::string_view key, const std::string& value) {
  list.push_back(fmt::format("{}: {}", json_string(key), value));
}
std::string JsonMembers::text() const { return fmt::format("{{{}}}", fmt::join(list, ", ")); }

std::vector<double> number_list(const JsonValue& value) {
  std::vector<double> numbers;
  for (const JsonValue& item : value.items()) numbers.push_back(item.number());
  return numbers;
}
std::string text_member(const JsonValue& object, std::string_view key, std::string otherwise) {
  const auto given = object.find(key);
  return given ? std::string(given->text()) : std::move(otherwise);
}

}  // namespace axode
