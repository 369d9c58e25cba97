// Writing a motion: axis, point and so on are guessed from the screws and kept if they give the same
// bits.
#include <fmt/format.h>

#include <algorithm>

#include "axode/core/error.hpp"
#include "axode/io/native/detail/native_motion.hpp"
#include "axode/io/text/json_values.hpp"
#include "axode/lie/rotation.hpp"

namespace axode {

namespace {

bool same(const ScrewSystem<double>& a, const ScrewSystem<double>& b) {
  return a.size == b.size && std::equal(a.begin(), a.end(), b.begin());
}
std::string member(std::string_view key, const std::string& value) {
  return fmt::format("\"{}\": {}", key, value);
}
void add_point(const Vec3<double>& point, std::vector<std::string>& members) {
  if (point != Vec3<double>{}) members.push_back(member("point", json_text(point)));
}

/// The point where rotation axes meet: that of the first nearest to the origin, or for several the
/// common one, sum e x m = 2 p for orthonormal axes.
Vec3<double> common_point(const Vec6<double>* X, int count) {
  Vec3<double> p{};
  for (int k = 0; k < count; ++k) p += cross(X[k].angular, X[k].linear);
  return count == 3 ? p * 0.5 : p;
}

/// Axis, point and so on that should give the joint, and the joint they do give.
struct Guess {
  Joint joint;
  std::vector<std::string> members;
};
Guess guess_one_axis(const Joint& joint) {
  const ScrewSystem<double>& X = joint.screws;
  const Vec6<double>& last = X.screws[X.size - 1];
  if (joint.type == JointType::prismatic)
    return {prismatic({last.linear}), {member("axis", json_text(last.linear))}};
  Guess guess{{}, {member("axis", json_text(last.angular))}};
  const Vec3<double> point = cross(last.angular, last.linear);
  add_point(point, guess.members);
  if (joint.type == JointType::helical) {
    const double pitch = dot(last.angular, last.linear);
    guess.members.push_back(member("pitch", json_number(pitch)));
    guess.joint = helical({last.angular, point, pitch});
  } else {
    guess.joint = joint.type == JointType::revolute ? revolute({last.angular, point})
                                                    : cylindrical({last.angular, point});
  }
  return guess;
}
Guess guess_universal(const Joint& joint) {
  const Vec6<double>&a = joint.screws.screws[0], &b = joint.screws.screws[1];
  // p = e1 x m1 + (e1 . p) e1, and m2 . (e1 x e2) gives the part along e1.
  const Vec3<double> normal = cross(a.angular, b.angular), foot = cross(a.angular, a.linear);
  const Vec3<double> rest = b.linear - cross(foot, b.angular);
  const Vec3<double> point = foot + a.angular * (dot(rest, normal) / squared_norm(normal));
  Guess guess{
      universal({a.angular, b.angular, point}),
      {member("first_axis", json_text(a.angular)), member("second_axis", json_text(b.angular))}};
  add_point(point, guess.members);
  return guess;
}
/// Joints placed by a frame: its axes are the directions of the translations, else of the rotations.
Guess guess_frame(const Joint& joint) {
  const auto& X = joint.screws.screws;
  const bool rotations_first = joint.type == JointType::spherical || joint.type == JointType::free;
  const Vec3<double> x = rotations_first ? X[0].angular : X[0].linear,
                     y = rotations_first ? X[1].angular : X[1].linear;
  const Vec6<double>& last = X[joint.screws.size - 1];
  const bool turns = rotations_first || max_abs(last.angular) > 0;
  const Vec3<double> z = rotations_first                          ? X[2].angular
                         : joint.type == JointType::translation_2 ? cross(x, y)
                         : joint.type == JointType::translation_3 ? X[2].linear
                                                                  : last.angular;
  const Vec3<double> point = rotations_first ? common_point(X.data(), 3)
                             : turns         ? common_point(&last, 1)
                                             : Vec3<double>{};
  const SE3<double> at{{Mat3<double>{x, y, z}}, point};
  if (orthogonality_error(at.R.matrix) > 1e-12 || determinant(at.R.matrix) < 0) return {};
  const Coordinates coordinates = joint.coordinates;
  Guess guess;
  if (joint.type == JointType::spherical) {
    guess.joint = spherical({point, coordinates, at.R});
    add_point(point, guess.members);
    if (at.R != SO3<double>{}) guess.members.push_back(member("axes", json_text(at.R)));
  } else if (joint.type == JointType::planar) {
    guess.joint = planar({x, z, point, coordinates});
    guess.members = {member("x_axis", json_text(x)), member("z_axis", json_text(z))};
    add_point(point, guess.members);
  } else {
    const bool pitched = joint.type == JointType::helical_planar;
    const double pitch = pitched ? dot(last.angular, last.linear) : 0;
    guess.joint = joint.type == JointType::free
                      ? free_joint({joint.velocity, at, coordinates})
                      : subgroup_joint(macro_subgroup(joint.type), at, pitch, coordinates);
    if (at != SE3<double>{}) guess.members.push_back(member("at", json_text(at)));
    if (pitched) guess.members.push_back(member("pitch", json_number(pitch)));
  }
  return guess;
}
Guess guess(const Joint& joint) {
  switch (joint.type) {
    case JointType::fixed:
      return {fixed(), {}};
    case JointType::screws:
      return {};
    case JointType::revolute:
    case JointType::prismatic:
    case JointType::helical:
    case JointType::cylindrical:
      return guess_one_axis(joint);
    case JointType::universal:
      return guess_universal(joint);
    default:
      return guess_frame(joint);
  }
}

}  // namespace

std::vector<std::string> motion_text(const Joint& joint) {
  std::vector<std::string> members{member("type", fmt::format("\"{}\"", name(joint.type)))};
  if (joint.coordinates != default_coordinates(joint.type))
    members.push_back(member("coordinates", fmt::format("\"{}\"", name(joint.coordinates))));
  if (joint.velocity != Rep::body)
    members.push_back(member(
        "velocity", fmt::format("\"{}\"", joint.velocity == Rep::spatial ? "spatial" : "hybrid")));
  Guess pleasant;
  try {
    pleasant = guess(joint);
  } catch (const Error&) {  // no such axes: the screws it is
    pleasant = {};
  }
  if (same(pleasant.joint.screws, joint.screws)) {
    members.insert(members.end(), pleasant.members.begin(), pleasant.members.end());
    return members;
  }
  std::string screws;
  for (const Vec6<double>& X : joint.screws) screws += (screws.empty() ? "" : ", ") + json_text(X);
  members.push_back(member("screws", "[" + screws + "]"));
  return members;
}

}  // namespace axode
