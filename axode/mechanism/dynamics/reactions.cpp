#include "axode/mechanism/dynamics/reactions.hpp"

#include <algorithm>
#include <cmath>

#include "axode/linalg/rank.hpp"
#include "axode/mechanism/analysis/position.hpp"
#include "axode/mechanism/dynamics/body_wrenches.hpp"

namespace axode {
namespace {

using W = Vec6<double>;

/// The balance of all bodies: a column per unknown force, 6 or 3 rows per moving body.
struct Balance {
  const Mechanism& mechanism;
  std::vector<SE3<double>> poses;
  struct Column {
    int joint = -1, coupling = -1, driver = -1;
    W wrench{};  ///< joints: on body j
  };
  std::vector<Column> columns{};
  SparseRows A{};

  void add(int body, int column, const W& wrench) {
    if (body == 0) return;
    const bool planar = mechanism.is_planar;
    const int first = (body - 1) * (planar ? 3 : 6);
    constexpr int in_plane[3] = {2, 3, 4};
    for (int k = 0; k < (planar ? 3 : 6); ++k) {
      const double x = wrench[planar ? in_plane[k] : k];
      if (x != 0) A.add(first + k, column, x);
    }
  }
  void add(const CoordinateWrench& w, int column, double factor) {
    for (std::size_t side = 0; side < 2; ++side) add(w.body[side], column, w.wrench[side] * factor);
  }
  void assemble() {
    for (std::size_t j = 0; j < mechanism.joints.size(); ++j)
      for (const W& wrench : joint_wrenches(mechanism, static_cast<int>(j), poses))
        columns.push_back({.joint = static_cast<int>(j), .wrench = wrench});
    for (std::size_t k = 0; k < mechanism.couplings.size(); ++k)
      columns.push_back({.coupling = static_cast<int>(k)});
    for (std::size_t k = 0; k < mechanism.drivers.size(); ++k)
      columns.push_back({.driver = static_cast<int>(k)});
    const int bodies = static_cast<int>(mechanism.bodies.size()) - 1;
    A.begin(bodies * (mechanism.is_planar ? 3 : 6), static_cast<int>(columns.size()));
    for (std::size_t n = 0; n < columns.size(); ++n) {
      const Column& c = columns[n];
      const int column = static_cast<int>(n);
      if (c.joint >= 0) {
        add(mechanism.joints[c.joint].body[0], column, -c.wrench);
        add(mechanism.joints[c.joint].body[1], column, c.wrench);
      } else if (c.coupling >= 0) {
        for (const auto& part : mechanism.couplings[c.coupling].parts)
          add(coordinate_wrench(mechanism, part.coordinate, poses), column, part.factor);
      } else {
        const int coordinate = mechanism.drivers[c.driver].coordinate;
        add(coordinate_wrench(mechanism, coordinate, poses), column, 1);
      }
    }
    A.end();
  }
  std::vector<double> right(std::span<const W> inertia, std::span<const W> applied) const {
    std::vector<double> b;
    for (std::size_t k = 1; k < inertia.size(); ++k) {
      const W missing = inertia[k] - applied[k];
      if (mechanism.is_planar)
        b.insert(b.end(), {missing.angular.z, missing.linear.x, missing.linear.y});
      else
        for (int i = 0; i < 6; ++i) b.push_back(missing[i]);
    }
    return b;
  }
};

/// The largest part of r = Q - M a - Phi_q^T lambda by its power at motions of the size of the
/// model, as lengths and angles differ; nothing where it is rounding of the terms.
UnbalancedForce unbalanced(const MechanismSystem& system, std::span<const double> r,
                           std::span<const double> terms) {
  constexpr double rounding = 1e-9;
  const std::vector<double> size = velocity_scales(system);
  double largest = 0, whole = 0;
  std::size_t worst = 0;
  for (std::size_t k = 0; k < r.size(); ++k) {
    whole = std::max(whole, std::abs(terms[k]) * size[k]);
    if (std::abs(r[k]) * size[k] <= largest) continue;
    largest = std::abs(r[k]) * size[k];
    worst = k;
  }
  if (!(largest > rounding * whole)) return {};
  return {r[worst], system.equations().velocity_names[worst]};
}

std::vector<double> multipliers(MechanismSystem& system, double t, std::span<const double> q,
                                std::span<const double> v, std::span<const double> a,
                                UnbalancedForce& left) {
  SparseRows J, M;
  system.jacobian(t, q, J);
  system.mass(q, M);
  std::vector<double> Q(v.size()), Ma(v.size()), lambda(J.rows);
  system.forces(t, q, v, Q);
  M.multiply(a, Ma);
  std::vector<double> terms(Q.size());
  for (std::size_t k = 0; k < Q.size(); ++k) {
    terms[k] = std::max(std::abs(Q[k]), std::abs(Ma[k]));
    Q[k] -= Ma[k];
  }
  LeastNorm solver;
  solver.factor(J);
  solver.solve_transposed(Q, lambda);
  for (int i = 0; i < J.rows; ++i)
    for (int e = J.start[i]; e < J.start[i + 1]; ++e) {
      const std::size_t k = J.column[e];
      const double push = J.value[e] * lambda[i];
      Q[k] -= push;
      terms[k] = std::max(terms[k], std::abs(push));
    }
  left = unbalanced(system, Q, terms);
  return lambda;
}

/// Coordinates that forces act on, with full turns, as the coordinates of the formulation have them.
std::vector<double> force_values(const MechanismSystem& system, std::span<const double> q) {
  std::vector<double> values;
  const MechanismEquations& eq = system.equations();
  if (eq.loads.coordinate_forces.size() != eq.mechanism.coordinate_forces.size()) return values;
  for (const int scalar : eq.loads.coordinate_forces) {
    if (scalar < 0) return {};
    double x = eq.scalars[scalar].constant;
    for (const auto& part : eq.scalars[scalar].parts) x += part.factor * q[part.x];
    values.push_back(x);
  }
  return values;
}

void collect(const Balance& balance, std::span<const double> x, ReactionsResult& result) {
  const Mechanism& m = balance.mechanism;
  for (std::size_t j = 0; j < m.joints.size(); ++j)
    result.joints.push_back({.joint = static_cast<int>(j),
                             .point = balance.poses[m.joints[j].body[1]] * m.joints[j].point[1]});
  for (std::size_t n = 0; n < x.size(); ++n) {
    const Balance::Column& c = balance.columns[n];
    if (c.joint >= 0) {
      JointReaction& r = result.joints[c.joint];
      r.force += c.wrench.linear * x[n];
      r.torque += (c.wrench.angular - cross(r.point, c.wrench.linear)) * x[n];
    } else if (c.coupling >= 0) {
      result.couplings.push_back(x[n]);
    } else {
      result.drivers.push_back({.driver = c.driver, .force = x[n]});
    }
  }
}

void flag(const Balance& balance, ReactionsResult& result) {
  const auto free = null_space(balance.A);
  if (free.empty()) return;
  result.unique = false;
  for (const auto& vector : free)
    for (std::size_t n = 0; n < vector.size(); ++n) {
      if (std::abs(vector[n]) < 1e-7) continue;
      const Balance::Column& c = balance.columns[n];
      if (c.joint >= 0) result.joints[c.joint].unique = false;
      if (c.driver >= 0) result.drivers[c.driver].unique = false;
    }
  result.message = std::to_string(free.size()) + " reactions are redundant; not unique in";
  for (const JointReaction& r : result.joints)
    if (!r.unique && result.message.size() < 300)
      result.message += " '" + balance.mechanism.joints[r.joint].name + "'";
  result.message += ": those of least norm are given";
}

}  // namespace

ReactionsResult reactions(MechanismSystem& system, double t, std::span<const double> q,
                          std::span<const double> v, std::span<const double> a) {
  ReactionsResult result;
  const Mechanism& m = system.mechanism();
  result.lambda = multipliers(system, t, q, v, a, result.unbalanced);
  Balance balance{.mechanism = m, .poses = std::vector<SE3<double>>(m.bodies.size())};
  std::vector<Twist<Rep::hybrid>> twists(m.bodies.size());
  std::vector<W> rates(m.bodies.size());
  system.motion(q, v, balance.poses, twists);
  system.accelerations(q, v, a, rates);
  balance.assemble();
  const std::vector<double> values = force_values(system, q);
  const auto applied = applied_wrenches(m, t, balance.poses, twists, values);
  const auto inertia = inertia_wrenches(m, balance.poses, twists, rates);
  const std::vector<double> b = balance.right(inertia, applied);
  std::vector<double> x(balance.columns.size());
  LeastNorm solver;
  solver.factor(balance.A);
  result.residual = solver.solve(b, x);
  double scale = 0;
  for (std::size_t k = 1; k < inertia.size(); ++k)
    scale = std::max({scale, max_abs(inertia[k]), max_abs(applied[k])});
  result.consistent = result.residual <= 1e-8 * scale;
  if (result.consistent) result.unbalanced = {};
  collect(balance, x, result);
  flag(balance, result);
  if (!result.consistent) {
    const UnbalancedForce& left = result.unbalanced;
    const std::string what =
        std::to_string(result.residual) + " N or N m are missing" +
        (left.coordinate.empty() ? ""
                                 : ", and " + std::to_string(left.force) + " on coordinate '" +
                                       left.coordinate + "' is not balanced");
    result.message = "the forces do not make this motion: " + what +
                     "; drive it or solve for accelerations" +
                     (result.message.empty() ? "" : "; " + result.message);
  }
  return result;
}

}  // namespace axode
