#include "axode/mechanism/dynamics/body_wrenches.hpp"

#include <cmath>

namespace axode {
namespace {

using V = Vec3<double>;
using W = Vec6<double>;
constexpr V z{0, 0, 1};

/// Two unit vectors normal to u; in the plane the first is in it.
std::array<V, 2> normals(const V& u) {
  if (std::abs(u.z) < 0.1) {
    const V n = normalized(cross(z, u));
    return {n, cross(u, n)};
  }
  const V n = normalized(cross(u, std::abs(u.x) < 0.7 ? V{1, 0, 0} : V{0, 1, 0}));
  return {n, cross(u, n)};
}

/// A joint as it stands in the world.
struct Placed {
  V u, w, zi, Pi, Pj, d;
};
Placed placed(const MechanismJoint& j, std::span<const SE3<double>> poses) {
  const SE3<double>&Ti = poses[j.body[0]], &Tj = poses[j.body[1]];
  const V Pi = Ti * j.point[0], Pj = Tj * j.point[1];
  return {Ti.R * j.axis[0], Tj.R * j.axis[1], Ti.R * j.zero[0], Pi, Pj, Pj - Pi};
}

W joint_coordinate_wrench(const MechanismJoint& j, int which, const Placed& p) {
  const W turn{p.u, {}}, along = wrench_of_force(p.Pj, p.u);
  switch (j.type) {
    case PairType::revolute:
      return turn;
    case PairType::helical:
      return which == 0 ? turn : along;
    case PairType::cylindrical:
      return which == 0 ? along : turn;
    case PairType::rolling:
      return which == 0 ? along : W{z, {}};
    case PairType::universal:
      return which == 0 ? turn : W{p.w, {}};
    case PairType::planar:
      if (which == 2) return turn;
      return wrench_of_force(p.Pj, which == 0 ? p.zi : cross(p.u, p.zi));
    default:
      return along;
  }
}

}  // namespace

Vec6<double> wrench_of_force(const Vec3<double>& at_point, const Vec3<double>& force) noexcept {
  return {cross(at_point, force), force};
}

CoordinateWrench coordinate_wrench(const Mechanism& mechanism, int coordinate,
                                   std::span<const SE3<double>> poses) {
  const MechanismCoordinate& c = mechanism.coordinates[coordinate];
  using Kind = MechanismCoordinate::Kind;
  if (c.kind == Kind::joint) {
    const MechanismJoint& j = mechanism.joints[c.joint];
    const W wrench = joint_coordinate_wrench(j, c.which, placed(j, poses));
    return {j.body, {-wrench, wrench}};
  }
  const V Pi = poses[c.body[0]] * c.point[0], Pj = poses[c.body[1]] * c.point[1];
  if (c.kind == Kind::component)
    return {c.body, {-wrench_of_force(Pi, c.axis), wrench_of_force(Pj, c.axis)}};
  W wrench{z, {}};
  if (c.kind == Kind::distance) {
    const double length = norm(Pj - Pi);
    wrench = length > 0 ? wrench_of_force(Pj, (Pj - Pi) / length) : W{};
  }
  return {c.body, {-wrench, wrench}};
}

double coordinate_rate(const CoordinateWrench& wrench, std::span<const SE3<double>> poses,
                       std::span<const Twist<Rep::hybrid>> twists) noexcept {
  double rate = 0;
  for (std::size_t k = 0; k < 2; ++k) {
    const std::size_t b = wrench.body[k];
    const V linear = twists[b].linear + cross(poses[b].p, twists[b].angular);
    rate += dot(wrench.wrench[k], W{twists[b].angular, linear});
  }
  return rate;
}

std::vector<Vec6<double>> joint_wrenches(const Mechanism& mechanism, int joint,
                                         std::span<const SE3<double>> poses) {
  const MechanismJoint& j = mechanism.joints[joint];
  const Placed p = placed(j, poses);
  const std::array<V, 2> n = normals(p.u);
  std::vector<W> result;
  const auto force = [&](const V& f) { result.push_back(wrench_of_force(p.Pj, f)); };
  const auto torque = [&](const V& m) { result.push_back({m, {}}); };
  const auto all_forces = [&] { force({1, 0, 0}), force({0, 1, 0}), force({0, 0, 1}); };
  const auto forces_across = [&] { force(n[0]), force(n[1]); };
  const auto torques_across = [&] { torque(n[0]), torque(n[1]); };
  switch (j.type) {
    case PairType::weld:
      all_forces(), torque({1, 0, 0}), torque({0, 1, 0}), torque({0, 0, 1});
      break;
    case PairType::revolute:
      all_forces(), torques_across();
      break;
    case PairType::prismatic:
      forces_across(), torques_across(), torque(p.u);
      break;
    case PairType::helical:
      forces_across(), torques_across();
      result.push_back(wrench_of_force(p.Pj, p.u) + W{p.u * -j.pitch, {}});
      break;
    case PairType::cylindrical:
      forces_across(), torques_across();
      break;
    case PairType::spherical:
      all_forces();
      break;
    case PairType::universal:
      all_forces(), torque(cross(p.u, p.w));
      break;
    case PairType::planar:
      force(p.u), torques_across();
      break;
    case PairType::point_on_line:
      forces_across();
      break;
    case PairType::point_on_plane:
      force(p.u);
      break;
    case PairType::point_line_distance:
    case PairType::rod: {
      const V across = j.type == PairType::rod ? p.d : p.d - p.u * dot(p.u, p.d);
      if (norm(across) > 0) force(normalized(across));
      break;
    }
    case PairType::rolling: {
      const V up = cross(z, p.u), contact = p.Pj - up * j.value;
      result = {wrench_of_force(contact, up), wrench_of_force(contact, p.u)};
      break;
    }
    case PairType::gear:
      break;  // made of revolutes and a coupling
  }
  // In the plane some of these do nothing.
  if (mechanism.is_planar)
    std::erase_if(result, [](const W& w) {
      return std::abs(w.angular.z) + std::abs(w.linear.x) + std::abs(w.linear.y) < 1e-12;
    });
  return result;
}

std::vector<Vec6<double>> applied_wrenches(const Mechanism& mechanism, double t,
                                           std::span<const SE3<double>> poses,
                                           std::span<const Twist<Rep::hybrid>> twists,
                                           std::span<const double> values) {
  std::vector<W> result(mechanism.bodies.size());
  const auto speed = [&](int body, const V& point) {
    return twists[body].linear + cross(twists[body].angular, point - poses[body].p);
  };
  for (std::size_t b = 1; b < result.size(); ++b) {
    const Inertia<double>& I = mechanism.bodies[b].inertia;
    result[b] += wrench_of_force(poses[b] * I.com, mechanism.gravity * I.mass);
  }
  for (const PointSpring& s : mechanism.springs) {
    const V P = poses[s.body[0]] * s.point[0], Q = poses[s.body[1]] * s.point[1];
    const double length = norm(Q - P);
    if (!(length > 0)) continue;
    const V n = (Q - P) / length;
    const double rate = dot(n, speed(s.body[1], Q) - speed(s.body[0], P));
    const double force =
        -s.stiffness * (length - s.length) - s.damping * rate + (s.force ? s.force(t) : 0.0);
    const W wrench = wrench_of_force(Q, n * force);
    result[s.body[0]] -= wrench;
    result[s.body[1]] += wrench;
  }
  for (std::size_t k = 0; k < mechanism.coordinate_forces.size(); ++k) {
    const CoordinateForce& f = mechanism.coordinate_forces[k];
    const CoordinateWrench w = coordinate_wrench(mechanism, f.coordinate, poses);
    const double value = values.empty() ? measure(mechanism, f.coordinate, poses) : values[k];
    const double force = -f.stiffness * (value - f.rest) -
                         f.damping * coordinate_rate(w, poses, twists) +
                         (f.force ? f.force(t) : 0.0);
    for (std::size_t side = 0; side < 2; ++side) result[w.body[side]] += w.wrench[side] * force;
  }
  for (const BodyLoad& load : mechanism.loads) {
    W total{load.torque, load.force};
    if (load.varying) total += load.varying(t);
    result[load.body] +=
        wrench_of_force(poses[load.body] * load.point, total.linear) + W{total.angular, {}};
  }
  return result;
}

std::vector<Vec6<double>> inertia_wrenches(const Mechanism& mechanism,
                                           std::span<const SE3<double>> poses,
                                           std::span<const Twist<Rep::hybrid>> twists,
                                           std::span<const Vec6<double>> rates) {
  std::vector<W> result(mechanism.bodies.size());
  for (std::size_t b = 1; b < result.size(); ++b) {
    const Inertia<double>& I = mechanism.bodies[b].inertia;
    const V arm = poses[b].R * I.com, omega = twists[b].angular, alpha = rates[b].angular;
    const V force =
        (rates[b].linear + cross(alpha, arm) + cross(omega, cross(omega, arm))) * I.mass;
    const V w = inverse_times(poses[b].R, omega), dw = inverse_times(poses[b].R, alpha);
    const V torque = poses[b].R * (I.about_com * dw + cross(w, I.about_com * w));
    result[b] = wrench_of_force(poses[b].p + arm, force) + W{torque, {}};
  }
  return result;
}

}  // namespace axode
