#include "axode/mechanism/coordinates/rod_spin.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace axode::detail {
namespace {

/// What joints hold of a body, and where else forces act on it.
struct Held {
  std::vector<Vec3<double>> points, loaded;
  bool more = false;  ///< a joint knows more of the body than a point
};
/// Points whose distances are driven, coupled or loaded.
void add_measured(const Mechanism& m, int coordinate, std::vector<Held>& held) {
  const MechanismCoordinate& c = m.coordinates[coordinate];
  if (c.kind != MechanismCoordinate::Kind::distance &&
      c.kind != MechanismCoordinate::Kind::component)
    return;
  for (std::size_t side = 0; side < 2; ++side) held[c.body[side]].loaded.push_back(c.point[side]);
}
void add_loaded(const Mechanism& m, std::vector<Held>& held) {
  for (const MechanismDriver& driver : m.drivers) add_measured(m, driver.coordinate, held);
  for (const MechanismCoupling& coupling : m.couplings)
    for (const MechanismCoupling::Part& part : coupling.parts)
      add_measured(m, part.coordinate, held);
  for (const CoordinateForce& force : m.coordinate_forces) add_measured(m, force.coordinate, held);
  for (const PointSpring& spring : m.springs)
    for (std::size_t side = 0; side < 2; ++side)
      held[spring.body[side]].loaded.push_back(spring.point[side]);
  for (const BodyLoad& load : m.loads) held[load.body].loaded.push_back(load.point);
}
/// By body, for spatial mechanisms.
std::vector<Held> held_bodies(const Mechanism& m) {
  std::vector<Held> held(m.bodies.size());
  if (m.is_planar) return held;
  for (const MechanismJoint& joint : m.joints)
    for (std::size_t side = 0; side < 2; ++side) {
      const std::size_t body = joint.body[side];
      const bool by_point = joint.type == PairType::spherical || joint.type == PairType::rod;
      const bool is_guided = side == 1 && (joint.type == PairType::point_on_line ||
                                           joint.type == PairType::point_on_plane ||
                                           joint.type == PairType::point_line_distance);
      if (by_point || is_guided)
        held[body].points.push_back(joint.point[side]);
      else
        held[body].more = true;
    }
  add_loaded(m, held);
  return held;
}

constexpr double off_line = 1e-6;  ///< of the length between the points

/// The line through all points and the centre of mass, if there is one.
struct Line {
  Vec3<double> direction{}, through{};
  double length = 0;
  bool has(const Vec3<double>& p) const {
    return norm(cross(direction, p - through)) <= off_line * length;
  }
};
std::optional<Line> line_of(const MechanismBody& body, const Held& held) {
  if (held.more || held.points.size() < 2) return std::nullopt;
  Line line{.through = held.points[0]};
  for (const Vec3<double>& p : held.points)
    if (norm(p - line.through) > line.length) {
      line.length = norm(p - line.through);
      line.direction = normalized(p - line.through);
    }
  const auto has = [&](const Vec3<double>& p) { return line.has(p); };
  if (!(line.length > 0) || !std::ranges::all_of(held.points, has) || !has(body.inertia.com))
    return std::nullopt;
  return line;
}
/// Some inertia of the model, for rods without any.
double usual_inertia(const Mechanism& m) {
  double most = 0;
  for (const MechanismBody& body : m.bodies) most = std::max(most, trace(body.inertia.about_com));
  return most > 0 ? most : 1;
}

void add_about(Sym3<double>& I, const Vec3<double>& u, double add) {
  I.xx += add * u.x * u.x;
  I.yy += add * u.y * u.y;
  I.zz += add * u.z * u.z;
  I.xy += add * u.x * u.y;
  I.xz += add * u.x * u.z;
  I.yz += add * u.y * u.z;
}
}  // namespace

Sym3<double> slender_inertia(const Sym3<double>& inertia, const Vec3<double>& u) noexcept {
  // Theta = across (I - u u^T), across the mean of the two moments normal to u
  const double across = 0.5 * (trace(inertia) - dot(u, inertia * u));
  Sym3<double> I = Sym3<double>::diagonal({across, across, across});
  add_about(I, u, -across);
  return I;
}

void find_idle_spins(MechanismEquations& equations) {
  constexpr double part = 1e-2, none = 1e-6;
  Mechanism& m = equations.mechanism;
  const std::vector<Held> held = held_bodies(m);
  const double usual = usual_inertia(m);
  for (std::size_t b = 1; b < m.bodies.size(); ++b) {
    const auto line = line_of(m.bodies[b], held[b]);
    if (!line) continue;
    const Vec3<double>& u = line->direction;
    Sym3<double>& I = m.bodies[b].inertia.about_com;
    const double about = dot(u, I * u), across = 0.5 * (trace(I) - about);
    const bool is_slender = about <= none * across, is_rod = m.bodies[b].rod;
    const double small = part * (across > 0 ? across : usual);
    if (std::ranges::all_of(held[b].loaded, [&](const auto& p) { return line->has(p); })) {
      if (!is_slender && !is_rod) continue;
      equations.idle_spins.push_back({static_cast<int>(b), u, is_rod ? small : 0});
      if (!is_rod) continue;
      I = slender_inertia(I, u);
    } else if (is_slender && is_rod) {  // forces turn it
      add_about(I, u, small - about);
    } else {
      continue;
    }
    equations.remarks.push_back("rod " + m.bodies[b].name +
                                " may spin: its inertia about its line is not counted");
  }
}

void stop_idle_spins(MechanismSystem& system, std::span<const double> q, std::vector<double>& v) {
  const MechanismEquations& eq = system.equations();
  if (eq.idle_spins.empty()) return;
  const Mechanism& m = eq.mechanism;
  std::vector<SE3<double>> poses(m.bodies.size());
  std::vector<Twist<Rep::hybrid>> twists(m.bodies.size());
  system.motion(q, v, poses, twists);
  for (const IdleSpin& idle : eq.idle_spins) {
    const std::size_t b = idle.body;
    const Vec3<double> u = poses[b].R * idle.line, arm = poses[b].R * m.bodies[b].inertia.com;
    // u . omega = 0, turning about the line through the centre of mass, which so keeps its velocity
    const Vec3<double> spin = u * dot(u, twists[b].angular);
    twists[b].angular -= spin;
    twists[b].linear += cross(spin, arm);
  }
  v = system.from_twists(q, twists);
}

}  // namespace axode::detail
