// Forward dynamics of trees with coupled joints (gears, mimic joints).
//
//   E^T (M a + c + g + ...) = E^T tau,   a = E y
//
// Coupled joints move as a = E y with the accelerations y of their leaders; the others move freely
// beside them. By prescribed dynamics with E y given, the forces that the coupled joints then need,
// taken together, E^T tau, are linear in y:
//
//   A y + r_0 = E^T tau_given,
//
// A the mass matrix of the leaders alone, the free joints eliminated. One O(n) call for each column.
// The whole mass matrix may well be singular: a massless gear wheel gets its inertia by its coupling.
#include <algorithm>
#include <map>

#include "axode/dynamics/any_scalar/forward_dynamics_joints.hpp"
#include "axode/dynamics/forward/forward_dynamics.hpp"
#include "axode/dynamics/forward/prescribed_dynamics.hpp"
#include "axode/dynamics/matrices/path_matrix.hpp"

namespace axode {

namespace {

/// a_k = ratio y[leader] of coupled velocities.
struct Coupled {
  int velocity, leader;
  double ratio;
};
struct Groups {
  std::vector<Coupled> coupled;
  std::vector<int> bodies;  ///< by leader
  std::vector<Given> given;
};
Groups groups(const Tree& tree) {
  Groups g{{}, {}, std::vector<Given>(tree.nv, Given::force)};
  std::map<int, int> numbers;
  for (const Coupling& c : tree.couplings) {
    const auto [found, is_new] = numbers.try_emplace(c.leader, static_cast<int>(g.bodies.size()));
    if (is_new) {
      g.bodies.push_back(c.leader);
      g.coupled.push_back({tree.links[c.leader].v, found->second, 1});
    }
    g.coupled.push_back({tree.links[c.follower].v, found->second, c.ratio});
  }
  for (const Coupled& c : g.coupled) g.given[c.velocity] = Given::acceleration;
  return g;
}

/// Hybrid dynamics with the coupled joints following y.
struct Follower {
  const Tree& tree;
  const Poses<double>& poses;
  const Groups& g;
  ForwardDynamics<Rep::body>& work;
  std::vector<double> a, tau;
  ForwardOutcome found{};  ///< of the last run

  /// The joint forces `tau` become those the motion needs; returns them on the leaders, E^T tau.
  std::vector<double> run(In<double> v, In<double> y, In<Wrench<Rep::body, double>> external,
                          const Effects& effects) {
    for (const Coupled& c : g.coupled) a[c.velocity] = c.ratio * y[c.leader];
    found = prescribed_dynamics<double>(tree, poses, v, g.given, work, a, tau, external, effects);
    std::vector<double> sums(g.bodies.size(), 0);
    for (const Coupled& c : g.coupled) sums[c.leader] += c.ratio * tau[c.velocity];
    return sums;
  }
};

/// A. The rounding errors of A(j, j) are those of all degrees of freedom that move with leader j, a_k^2 times
/// those of D_k: gears that undo each other's motion leave nothing else.
PathMatrix<double> leader_matrix(Follower& f, const Effects& effects) {
  const int n = static_cast<int>(f.g.bodies.size());
  const std::vector<double> rest(f.a.size(), 0);
  const Effects inertia_only{false, effects.armature, false, false};
  PathMatrix<double> A = full_matrix(n);
  for (int j = 0; j < n; ++j) {
    std::vector<double> unit(n, 0);
    unit[j] = 1;
    std::fill(f.tau.begin(), f.tau.end(), 0.0);
    const std::vector<double> column = f.run(rest, unit, {}, inertia_only);
    for (int i = j; i < n; ++i) A.row(i)[i - j] = column[i];
    for (std::size_t k = 0; k < f.a.size(); ++k)
      A.scale[j] += f.a[k] * f.a[k] * f.work.dofs[k].noise / detail::rounding_of_D<double>;
  }
  return A;
}

/// A y = f, leaders without inertia locked. Returns the first of these that is found, or -1.
int solve_leaders(PathMatrix<double> A, std::vector<double>& f) {
  int singular = -1;
  PathMatrix<double> factors = A;
  for (MassOutcome found; !(found = factorize(factors)).ok();) {
    const int bad = found.singular_velocity;
    if (singular < 0) singular = bad;
    for (int j = 0; j < bad; ++j) A.row(bad)[bad - j] = 0;
    for (int i = bad + 1; i < A.size(); ++i) A.row(i)[i - bad] = 0;
    A.row(bad)[0] = A.scale[bad] = 1;
    f[bad] = 0;
    factors = A;
  }
  solve<double>(factors, f);
  return singular;
}

}  // namespace

ForwardOutcome reference::forward_dynamics(const Tree& tree, const Poses<double>& poses,
                                           In<double> v, In<double> tau,
                                           ForwardDynamics<Rep::body>& work, Out<double> a,
                                           In<Wrench<Rep::body, double>> external,
                                           const Effects& effects) {
  if (tree.couplings.empty())
    return axode::forward_dynamics<Rep::body, double>(tree, poses, v, tau, work, a, external,
                                                      effects);
  const Groups g = groups(tree);
  const std::vector<double> zero(tree.dofs.size(), 0);
  Follower f{tree, poses, g, work, zero, zero};
  const PathMatrix<double> A = leader_matrix(f, effects);

  std::vector<double> y(g.bodies.size(), 0);
  f.tau.assign(tau.begin(), tau.end());
  const std::vector<double> needed = f.run(v, y, external, effects);
  for (std::size_t j = 0; j < y.size(); ++j) y[j] = -needed[j];
  for (const Coupled& c : g.coupled) y[c.leader] += c.ratio * tau[c.velocity];
  const int locked = solve_leaders(A, y);
  f.run(v, y, external, effects);
  std::copy(f.a.begin(), f.a.end(), a.begin());
  if (!f.found.ok() || locked < 0) return f.found;
  return {g.bodies[locked]};
}

}  // namespace axode
