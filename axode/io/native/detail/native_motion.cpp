#include "axode/io/native/detail/native_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "axode/io/text/json_values.hpp"
#include "axode/lie/rotation.hpp"
#include "axode/screw/screw.hpp"

namespace axode {

namespace {

/// What says the motion of a joint, by its type: the keys, and the pattern of its raw screws
/// (T translation, R screw of finite pitch).
struct TypeGeometry {
  JointType type;
  std::string_view pattern;
  std::array<std::string_view, 3> required, optional;
};
constexpr std::array<TypeGeometry, 14> geometries{
    {{JointType::fixed, "", {}, {}},
     {JointType::revolute, "R", {"axis"}, {"point"}},
     {JointType::prismatic, "T", {"axis"}, {}},
     {JointType::helical, "R", {"axis", "pitch"}, {"point"}},
     {JointType::cylindrical, "TR", {"axis"}, {"point"}},
     {JointType::spherical, "RRR", {}, {"point", "axes"}},
     {JointType::planar, "TTR", {}, {"x_axis", "z_axis", "point"}},
     {JointType::universal, "RR", {"first_axis", "second_axis"}, {"point"}},
     {JointType::translation_2, "TT", {}, {"at"}},
     {JointType::translation_3, "TTT", {}, {"at"}},
     {JointType::helical_planar, "TTR", {"pitch"}, {"at"}},
     {JointType::schoenflies, "TTTR", {}, {"at"}},
     {JointType::free, "RRRTTT", {}, {"at"}},
     {JointType::screws, "", {"screws"}, {}}}};
const TypeGeometry& geometry_of(JointType type) { return geometries[std::size_t(type)]; }

constexpr std::array<std::string_view, 10> motion_keys{
    "axis",   "point",      "pitch",       "axes", "x_axis",
    "z_axis", "first_axis", "second_axis", "at",   "screws"};
constexpr std::array<std::string_view, 3> coordinates_names{"second_kind", "first_kind",
                                                            "quaternion"};
constexpr std::array<std::string_view, 3> velocity_names{"body", "spatial", "hybrid"};

bool contains(std::span<const std::string_view> keys, std::string_view key) {
  return !key.empty() && std::find(keys.begin(), keys.end(), key) != keys.end();
}

Rep velocity_from_json(const JsonValue& j, JointType type) {
  const auto given = j.find("velocity");
  if (!given) return Rep::body;
  if (type != JointType::free)
    given->fail("only a free joint has a form of velocity", "remove \"velocity\"");
  constexpr std::array<Rep, 3> forms{Rep::body, Rep::spatial, Rep::hybrid};
  return forms[given->choice(velocity_names)];
}

Vec3<double> vec3_member(const JsonValue& j, std::string_view key, const Vec3<double>& other) {
  const auto given = j.find(key);
  return given ? vec3_from_json(*given) : other;
}

/// The joint from axes, points and frames. The functions that make joints know no file, so their
/// errors are placed here.
Joint joint_of_axes(const JsonValue& j, JointType type, Coordinates coordinates, Rep velocity) {
  const Vec3<double> axis = vec3_member(j, "axis", {0, 0, 1}), point = vec3_member(j, "point", {}),
                     x = vec3_member(j, "x_axis", {1, 0, 0}),
                     z = vec3_member(j, "z_axis", {0, 0, 1}),
                     first = vec3_member(j, "first_axis", {}),
                     second = vec3_member(j, "second_axis", {});
  const auto pitch_given = j.find("pitch"), at_given = j.find("at"), axes_given = j.find("axes");
  const double pitch = pitch_given ? pitch_given->number() : 0;
  const SE3<double> at = at_given ? pose_from_json(*at_given) : SE3<double>{};
  const SO3<double> axes = axes_given ? rotation_from_json(*axes_given) : SO3<double>{};
  try {
    switch (type) {
      case JointType::fixed:
      case JointType::screws:
        return fixed();
      case JointType::revolute:
        return revolute({axis, point});
      case JointType::prismatic:
        return prismatic({axis});
      case JointType::helical:
        return helical({axis, point, pitch});
      case JointType::cylindrical:
        return cylindrical({axis, point});
      case JointType::spherical:
        return spherical({point, coordinates, axes});
      case JointType::planar:
        return planar({x, z, point, coordinates});
      case JointType::universal:
        return universal({first, second, point});
      case JointType::free:
        return free_joint({velocity, at, coordinates});
      default:
        return subgroup_joint(macro_subgroup(type), at, pitch, coordinates);
    }
  } catch (const Error& e) {
    j.fail(e.where() + ": " + e.problem(), e.remedy());
  }
}

/// Whether the screws, unit ones of the right pattern, are those of a joint of its type.
bool screws_fit(const Joint& joint) {
  constexpr double tolerance = 1e-9;
  const ScrewSystem<double>& X = joint.screws;
  double length = 1;  // [m]
  for (const Vec6<double>& x : X) length = std::max(length, max_abs(x.linear));
  const Vec6<double>& first = X.screws[0];
  if (joint.type == JointType::revolute)
    return std::abs(dot(first.angular, first.linear)) <= tolerance * length;
  if (X.size == 1 || joint.type == JointType::screws) return true;
  if (joint.coordinates == Coordinates::quaternion) {  // its frame has these axes
    const Mat3<double> R{X.screws[0].angular, X.screws[1].angular, X.screws[2].angular};
    if (orthogonality_error(R) > tolerance || determinant(R) < 0) return false;
    for (int k = 3; k < X.size; ++k)
      if (max_abs(X.screws[k].linear - R.column(k - 3)) > tolerance) return false;
  }
  using G = MotionSubgroup;
  const G group =
      generated_subgroup<double>({X.begin(), std::size_t(X.size)}, length, tolerance).group;
  switch (joint.type) {
    case JointType::cylindrical:
      return group == G::cylindrical;
    case JointType::spherical:
    case JointType::universal:
      return group == G::spherical;
    case JointType::planar:
      return group == G::planar;
    case JointType::free:
      return group == G::full;
    case JointType::helical_planar:
      return group == G::helical_planar || group == G::planar;
    default:
      return group == macro_subgroup(joint.type);
  }
}

/// The joint from its raw screws, which must be such as the type has.
Joint joint_of_screws(const JsonValue& value, JointType type, Coordinates coordinates,
                      Rep velocity) {
  const std::vector<Vec6<double>> given = screws_from_json(value);
  Joint joint;
  try {
    joint = screws_joint(given, Coordinates::second_kind);
  } catch (const Error& e) {
    value.fail(e.where() + ": " + e.problem(), e.remedy());
  }
  // As given if that is within rounding, so that files reproduce it.
  for (std::size_t k = 0; k < given.size(); ++k)
    if (Vec6<double>& X = joint.screws.screws[k];
        max_abs(X - given[k]) <= 64 * epsilon<double> * std::max(1.0, max_abs(given[k])))
      X = given[k];
  std::string pattern;
  for (const Vec6<double>& X : joint.screws) pattern += max_abs(X.angular) == 0 ? 'T' : 'R';
  joint.type = type;
  joint.coordinates = coordinates;
  joint.velocity = velocity;
  const std::string_view wanted = geometry_of(type).pattern;
  if (type != JointType::screws && pattern != wanted)
    value.fail(fmt::format("the screws of a {} joint are of the kind {}, these are {}", name(type),
                           wanted, pattern),
               "T is a translation (0, e), R a rotation or screw (e, m); correct them or write "
               "\"type\": \"screws\"");
  if (!screws_fit(joint))
    value.fail(fmt::format("these screws do not make a {} joint", name(type)),
               "correct them, or write \"type\": \"screws\"");
  return joint;
}

}  // namespace

Coordinates default_coordinates(JointType type) noexcept {
  const bool turns_freely = type == JointType::spherical || type == JointType::free;
  return turns_freely ? Coordinates::quaternion : Coordinates::second_kind;
}
MotionSubgroup macro_subgroup(JointType type) noexcept {
  switch (type) {
    case JointType::translation_2:
      return MotionSubgroup::translation_2;
    case JointType::translation_3:
      return MotionSubgroup::translation_3;
    case JointType::helical_planar:
      return MotionSubgroup::helical_planar;
    default:
      return MotionSubgroup::schoenflies;
  }
}

JointType type_from_json(const JsonValue& j) {
  std::array<std::string_view, geometries.size()> names{};
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = name(geometries[i].type);
  return geometries[j.at("type", "add \"type\", such as \"revolute\" or \"fixed\"").choice(names)]
      .type;
}

Coordinates coordinates_from_json(const JsonValue& j, JointType type) {
  const auto given = j.find("coordinates");
  if (!given) return default_coordinates(type);
  constexpr std::array<Coordinates, 3> kinds{Coordinates::second_kind, Coordinates::first_kind,
                                             Coordinates::quaternion};
  const Coordinates coordinates = kinds[given->choice(coordinates_names)];
  if (coordinates == Coordinates::quaternion && default_coordinates(type) != coordinates)
    given->fail(fmt::format("a {} joint has no quaternion", name(type)),
                "write \"first_kind\" or \"second_kind\", or leave it out");
  return coordinates;
}

void refuse_motion(const JsonValue& j, std::string_view other) {
  for (const JsonValue& member : j.members())
    if (contains(motion_keys, member.key()) && member.key() != other)
      member.fail(fmt::format("{} and \"{}\" both say the motion", member.title(), other),
                  "keep one of them");
}

Joint motion_from_json(const JsonValue& j, JointType type) {
  const TypeGeometry& geometry = geometry_of(type);
  const Coordinates coordinates = coordinates_from_json(j, type);
  const Rep velocity = velocity_from_json(j, type);
  if (const auto screws = j.find("screws"); screws && type != JointType::fixed) {
    refuse_motion(j, "screws");
    return joint_of_screws(*screws, type, coordinates, velocity);
  }
  for (const JsonValue& member : j.members())
    if (contains(motion_keys, member.key()) && !contains(geometry.required, member.key()) &&
        !contains(geometry.optional, member.key()))
      member.fail(fmt::format("a {} joint has no {}", name(type), member.title()),
                  "remove it, or choose another \"type\"");
  for (const std::string_view key : geometry.required)
    if (!key.empty() && !j.find(key))
      j.fail(fmt::format("a {} joint needs \"{}\"", name(type), key),
             fmt::format("add \"{}\"{}", key,
                         type == JointType::screws ? "" : ", or \"screws\" in its place"));
  Joint joint = joint_of_axes(j, type, coordinates, velocity);
  joint.coordinates = coordinates;
  return joint;
}

}  // namespace axode
