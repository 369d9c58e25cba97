#include "axode/mechanism/description/named_points.hpp"

#include <algorithm>

#include "axode/core/error.hpp"
#include "axode/model/checks.hpp"

namespace axode {

namespace {

void add_points(const Mechanism& mechanism, std::size_t body, std::vector<PointName>& points) {
  for (const NamedVector& point : mechanism.bodies[body].points)
    points.push_back(
        {mechanism.bodies[body].name + "." + point.name, static_cast<int>(body), point.at});
}

std::string known_names(std::span<const PointName> points) {
  constexpr std::size_t enough = 200;
  std::string known;
  for (const PointName& point : points)
    if (known.size() < enough) known += (known.empty() ? "" : ", ") + detail::printable(point.name);
  return known.empty() ? "add points to the bodies" : "there are: " + known;
}

}  // namespace

std::vector<PointName> all_points(const Mechanism& mechanism) {
  std::vector<PointName> points;
  for (std::size_t b = 1; b < mechanism.bodies.size(); ++b) add_points(mechanism, b, points);
  return points;
}

std::vector<PointName> points_named(const Mechanism& mechanism,
                                    std::span<const std::string> names) {
  std::vector<PointName> known = all_points(mechanism), points;
  const std::vector<PointName> of_bodies = known;
  if (!mechanism.bodies.empty()) add_points(mechanism, 0, known);
  for (const std::string& name : names) {
    const std::string shown = "'" + detail::printable(name) + "'";
    if (std::ranges::find(points, name, &PointName::name) != points.end())
      throw Error(shown + " is given twice", "points", "name it once");
    const auto found = std::ranges::find(known, name, &PointName::name);
    if (found == known.end())
      throw Error("there is no point " + shown, "points", known_names(of_bodies));
    points.push_back(*found);
  }
  return points;
}

Vec3<double> position_of(const PointName& point, std::span<const SE3<double>> T_WB) {
  return T_WB[point.body] * point.local;
}

Vec3<double> velocity_of(const PointName& point, std::span<const SE3<double>> T_WB,
                         std::span<const Twist<Rep::hybrid>> twists) {
  const Twist<Rep::hybrid>& twist = twists[point.body];
  return twist.linear + cross(twist.angular, T_WB[point.body].R * point.local);
}

Vec3<double> acceleration_of(const PointName& point, std::span<const SE3<double>> T_WB,
                             std::span<const Twist<Rep::hybrid>> twists,
                             std::span<const Vec6<double>> rates) {
  const Vec3<double> r = T_WB[point.body].R * point.local, w = twists[point.body].angular;
  const Vec6<double>& rate = rates[point.body];
  return rate.linear + cross(rate.angular, r) + cross(w, cross(w, r));
}

}  // namespace axode
