#include "axode/mechanism/analysis/compare_formulations.hpp"

#include <algorithm>
#include <cmath>

#include "axode/core/error.hpp"
#include "axode/linalg/rank.hpp"
#include "axode/mechanism/equations/formulate.hpp"

namespace axode {
namespace {

/// All bodies in motion, and what is read off them.
struct MovingBodies {
  std::vector<SE3<double>> poses;
  std::vector<Twist<Rep::hybrid>> twists;
  std::vector<Vec6<double>> rates;
  std::vector<TimeValue> coordinates;
};
MovingBodies moving_bodies(MechanismSystem& system, std::span<const double> q,
                           std::span<const double> v, std::span<const double> a) {
  const Mechanism& m = system.mechanism();
  const std::size_t n = m.bodies.size();
  MovingBodies now{std::vector<SE3<double>>(n),
                   std::vector<Twist<Rep::hybrid>>(n),
                   std::vector<Vec6<double>>(n),
                   {}};
  system.motion(q, v, now.poses, now.twists);
  if (!a.empty()) system.accelerations(q, v, a, now.rates);
  for (int c = 0; c < std::ssize(m.coordinates); ++c)
    now.coordinates.push_back(measure(m, c, now.poses, now.twists, now.rates));
  return now;
}

/// A point fixed to a body.
struct BodyPoint {
  int body = 0;
  Vec3<double> local{};
  Vec3<double> position(const MovingBodies& now) const { return now.poses[body] * local; }
  Vec3<double> velocity(const MovingBodies& now) const {
    const Twist<Rep::hybrid>& V = now.twists[body];
    return V.linear + cross(V.angular, now.poses[body].R * local);
  }
  Vec3<double> acceleration(const MovingBodies& now) const {
    const Vec3<double> arm = now.poses[body].R * local, omega = now.twists[body].angular;
    const Vec6<double>& A = now.rates[body];
    return A.linear + cross(A.angular, arm) + cross(omega, cross(omega, arm));
  }
};

/// What is compared: of each body four points, which tell its pose, then named points and joints.
struct ComparedPoints {
  std::vector<BodyPoint> points;
  double size = 0;  ///< of the mechanism [m]
};
ComparedPoints compared_points(const Mechanism& m, std::span<const SE3<double>> poses) {
  std::vector<BodyPoint> more;
  for (int b = 1; b < std::ssize(m.bodies); ++b)
    for (const NamedVector& point : m.bodies[b].points) more.push_back({b, point.at});
  for (const MechanismJoint& joint : m.joints)
    for (const std::size_t k : {0U, 1U}) more.push_back({joint.body[k], joint.point[k]});
  ComparedPoints all;
  const Vec3<double> middle = poses[0] * (more.empty() ? Vec3<double>{} : more.front().local);
  for (const BodyPoint& point : more)
    all.size = std::max(all.size, max_abs(poses[point.body] * point.local - middle));
  if (!(all.size > 0)) all.size = 1;
  for (int b = 1; b < std::ssize(m.bodies); ++b)
    for (const Vec3<double>& at :
         {Vec3<double>{}, Vec3<double>{1, 0, 0}, Vec3<double>{0, 1, 0}, Vec3<double>{0, 0, 1}})
      all.points.push_back({b, all.size * at});
  all.points.insert(all.points.end(), more.begin(), more.end());
  return all;
}

/// Adds to `free`, by points and then coordinates, those that motions left by the equations move.
void add_free(ComparedFormulation& formulation, const ComparedPoints& all,
              std::vector<bool>& free) {
  MechanismSystem& system = *formulation.system;
  const Mechanism& m = system.mechanism();
  const Assembly& at = formulation.at;
  SparseRows J;
  system.jacobian(at.t, at.q, J);
  for (const std::vector<double>& motion : null_space(J)) {
    const MovingBodies now = moving_bodies(system, at.q, motion, {});
    std::vector<double> speeds;
    for (const BodyPoint& point : all.points) speeds.push_back(norm(point.velocity(now)));
    for (std::size_t c = 0; c < m.coordinates.size(); ++c)
      speeds.push_back((m.coordinates[c].is_angle ? all.size : 1) *
                       std::abs(now.coordinates[c].rate));
    const double most = *std::ranges::max_element(speeds);
    for (std::size_t k = 0; k < free.size(); ++k)
      if (speeds[k] > 1e-6 * most) free[k] = true;
  }
}

void set_differences(const Mechanism& m, const ComparedPoints& all, const std::vector<bool>& free,
                     const MovingBodies& first, ComparedFormulation& c) {
  const MovingBodies now = moving_bodies(*c.system, c.at.q, c.at.v, c.at.a);
  double fastest = 1e-9 * all.size, strongest = 0;
  for (std::size_t k = 0; k < all.points.size(); ++k) {
    if (free[k]) continue;
    const BodyPoint& point = all.points[k];
    const Vec3<double> v = point.velocity(first), a = point.acceleration(first);
    fastest = std::max(fastest, norm(v));
    strongest = std::max(strongest, norm(a));
    c.position = std::max(c.position, max_abs(point.position(first) - point.position(now)));
    c.velocity = std::max(c.velocity, max_abs(v - point.velocity(now)));
    c.acceleration = std::max(c.acceleration, max_abs(a - point.acceleration(now)));
  }
  for (std::size_t k = 0; k < m.coordinates.size(); ++k) {
    if (free[all.points.size() + k]) continue;
    const bool is_angle = m.coordinates[k].is_angle;
    const double unit = is_angle ? all.size : 1;
    const TimeValue &x = first.coordinates[k], &y = now.coordinates[k];
    const double apart =
        is_angle ? std::remainder(x.value - y.value, 2 * pi<double>) : x.value - y.value;
    c.position = std::max(c.position, unit * std::abs(apart));
    c.velocity = std::max(c.velocity, unit * std::abs(x.rate - y.rate));
    c.acceleration = std::max(c.acceleration, unit * std::abs(x.acceleration - y.acceleration));
  }
  // At a dead point velocities are small by cancelling: accelerations tell how fast it could be.
  fastest = std::max(fastest, std::sqrt(strongest * all.size));
  c.position /= all.size;
  c.velocity /= fastest;
  c.acceleration /= std::max(strongest, fastest * fastest / all.size);
}

ComparedFormulation formulated(const Mechanism& mechanism, const FormulationOptions& how, double t,
                               std::span<const SE3<double>> near) {
  ComparedFormulation c{.how = how};
  try {
    c.system.emplace(make_equations(mechanism, how));
    AssembleOptions options{.t = t};
    if (!near.empty()) options.guess = c.system->from_poses(near);
    c.at = assemble(*c.system, options);
    if (c.at.is_assembled()) return c;
    c.problem = Error(c.at.message, {}, c.at.remedy).what();
  } catch (const Error& e) {  // a joint that these coordinates cannot express
    c.problem = e.what();
  }
  c.system.reset();
  return c;
}

}  // namespace

FormulationComparison compare_formulations(const Mechanism& mechanism,
                                           std::span<const FormulationOptions> formulations,
                                           double t) {
  FormulationComparison result;
  MovingBodies first;
  for (const FormulationOptions& how : formulations) {
    result.formulations.push_back(formulated(mechanism, how, t, first.poses));
    ComparedFormulation& c = result.formulations.back();
    if (!c.system || result.first >= 0) continue;
    result.first = static_cast<int>(result.formulations.size()) - 1;
    first = moving_bodies(*c.system, c.at.q, c.at.v, c.at.a);
  }
  if (result.first < 0) return result;
  const ComparedPoints all = compared_points(mechanism, first.poses);
  std::vector<bool> free(all.points.size() + mechanism.coordinates.size());
  for (ComparedFormulation& c : result.formulations)  // not all know the spin of a rod
    if (c.system) add_free(c, all, free);
  for (ComparedFormulation& c : result.formulations)
    if (c.system) set_differences(mechanism, all, free, first, c);
  for (int b = 1; b < std::ssize(mechanism.bodies); ++b)
    if (const auto at = free.begin() + 4 * std::ptrdiff_t(b - 1);
        std::find(at, at + 4, true) != at + 4)
      result.undetermined.push_back(b);
  return result;
}

}  // namespace axode
