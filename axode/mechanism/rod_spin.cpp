#include "axode/mechanism/rod_spin.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace axode::detail {
namespace {

/// What joints hold of a body.
struct Held {
  std::vector<Vec3<double>> points;
  bool more = false;  ///< a joint knows more of the body than a point
};
/// By body, for the rods of spatial mechanisms.
std::vector<Held> held_of_rods(const Mechanism& m) {
  std::vector<Held> held(m.bodies.size());
  if (m.is_planar) return held;
  for (const MechanismJoint& joint : m.joints)
    for (std::size_t side = 0; side < 2; ++side) {
      const std::size_t body = joint.body[side];
      if (!m.bodies[body].rod) continue;
      const bool by_point = joint.type == PairType::spherical || joint.type == PairType::rod;
      const bool is_guided = side == 1 && (joint.type == PairType::point_on_line ||
                                           joint.type == PairType::point_on_plane ||
                                           joint.type == PairType::point_line_distance);
      if (by_point || is_guided)
        held[body].points.push_back(joint.point[side]);
      else
        held[body].more = true;
    }
  return held;
}

/// The direction of the line through all points and the centre of mass, if there is one.
std::optional<Vec3<double>> line_of(const std::vector<Vec3<double>>& points,
                                    const Vec3<double>& com) {
  constexpr double off = 1e-6;
  Vec3<double> along{};
  for (const Vec3<double>& p : points)
    if (norm(p - points[0]) > norm(along)) along = p - points[0];
  const double length = norm(along);
  if (!(length > 0)) return std::nullopt;
  const Vec3<double> u = along * (1 / length);
  const auto is_off = [&](const Vec3<double>& p) {
    return norm(cross(u, p - points[0])) > off * length;
  };
  if (std::ranges::any_of(points, is_off) || is_off(com)) return std::nullopt;
  return u;
}

/// The line of a rod that may spin.
std::optional<Vec3<double>> line_of(const MechanismBody& rod, const Held& held) {
  if (held.more || held.points.size() < 2) return std::nullopt;
  return line_of(held.points, rod.inertia.com);
}
std::string remark_on(const MechanismBody& rod) {
  return "rod " + rod.name + " may spin: a small inertia about its line keeps its spin";
}
/// Some inertia of the model, for rods without any.
double usual_inertia(const Mechanism& m) {
  double most = 0;
  for (const MechanismBody& body : m.bodies) most = std::max(most, trace(body.inertia.about_com));
  return most > 0 ? most : 1;
}

}  // namespace

void hold_spin_of_rods(MechanismEquations& equations) {
  constexpr double part = 1e-2, none = 1e-6;
  Mechanism& m = equations.mechanism;
  const std::vector<Held> held = held_of_rods(m);
  const double usual = usual_inertia(m);
  for (std::size_t b = 1; b < m.bodies.size(); ++b) {
    const auto u = line_of(m.bodies[b], held[b]);
    if (!u) continue;
    Sym3<double>& I = m.bodies[b].inertia.about_com;
    const double about = dot(*u, I * *u), across = 0.5 * (trace(I) - about);
    if (!(about <= none * across)) continue;
    const double add = part * (across > 0 ? across : usual) - about;
    I.xx += add * u->x * u->x;
    I.yy += add * u->y * u->y;
    I.zz += add * u->z * u->z;
    I.xy += add * u->x * u->y;
    I.xz += add * u->x * u->z;
    I.yz += add * u->y * u->z;
    equations.remarks.push_back(remark_on(m.bodies[b]));
  }
}

void stop_spin_of_rods(MechanismSystem& system, std::span<const double> q, std::vector<double>& v) {
  const MechanismEquations& eq = system.equations();
  const Mechanism& m = eq.mechanism;
  std::vector<SE3<double>> poses(m.bodies.size());
  std::vector<Twist<Rep::hybrid>> twists(m.bodies.size());
  const std::vector<Held> held = held_of_rods(m);
  const std::unordered_set<std::string_view> remarks(eq.remarks.begin(), eq.remarks.end());
  bool any = false;
  for (std::size_t b = 1; b < m.bodies.size(); ++b) {
    const auto line = line_of(m.bodies[b], held[b]);
    if (!line || !remarks.contains(remark_on(m.bodies[b]))) continue;
    if (!any) system.motion(q, v, poses, twists);
    any = true;
    const Vec3<double> u = poses[b].R * *line, arm = poses[b].R * m.bodies[b].inertia.com;
    const Vec3<double> spin = u * dot(u, twists[b].angular);
    twists[b].angular -= spin;
    twists[b].linear += cross(spin, arm);
  }
  if (any) v = system.from_twists(q, twists);
}

}  // namespace axode::detail
