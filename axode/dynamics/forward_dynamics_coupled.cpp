// Forward dynamics of trees with couplings. Coupled joints move as a = E y with the accelerations y
// of their leaders; the others move freely beside them. By hybrid dynamics with E y prescribed, the
// forces that the coupled joints then need, taken together, E^T tau, are linear in y:
//
//   A y + r_0 = E^T tau_given,
//
// A the mass matrix of the leaders alone, the free joints eliminated. One O(n) call for each column.
// The whole mass matrix may well be singular: a massless gear wheel gets its inertia by its coupling.
#include <algorithm>
#include <map>

#include "axode/dynamics/errors.hpp"
#include "axode/dynamics/hybrid_dynamics.hpp"

namespace axode::detail {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

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
  Groups g{{}, {}, std::vector<Given>(at(tree.nv), Given::force)};
  std::map<int, int> numbers;
  for (const Coupling& c : tree.couplings) {
    const auto [found, is_new] = numbers.try_emplace(c.leader, static_cast<int>(g.bodies.size()));
    if (is_new) {
      g.bodies.push_back(c.leader);
      g.coupled.push_back({tree.links[at(c.leader)].v, found->second, 1});
    }
    g.coupled.push_back({tree.links[at(c.follower)].v, found->second, c.ratio});
  }
  for (const Coupled& c : g.coupled) g.given[at(c.velocity)] = Given::acceleration;
  return g;
}

/// Cholesky factors of a symmetric matrix, stored by rows, in place. Returns the first row whose
/// pivot is not above the noise, -1 if there is none.
int cholesky(std::vector<double>& A, const std::vector<double>& noise) {
  const std::size_t n = noise.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = A[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= A[i * n + k] * A[j * n + k];
      if (i != j) {
        A[i * n + j] = sum / A[j * n + j];
      } else {
        if (!(sum > noise[i] + 64 * epsilon<double> * A[i * n + i])) return static_cast<int>(i);
        A[i * n + i] = std::sqrt(sum);
      }
    }
  return -1;
}
void cholesky_solve(const std::vector<double>& L, std::vector<double>& x) {
  const std::size_t n = x.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) x[i] -= L[i * n + k] * x[k];
    x[i] /= L[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) x[i] -= L[k * n + i] * x[k];
    x[i] /= L[i * n + i];
  }
}

/// Hybrid dynamics with the coupled joints following y.
struct Follower {
  const Tree& tree;
  const Poses<double>& poses;
  const Groups& g;
  ForwardDynamics<Rep::body> work;
  std::vector<double> a, tau;

  /// The joint forces `tau` become those the motion needs; returns them on the leaders, E^T tau.
  std::vector<double> run(In<double> v, In<double> y, In<Wrench<Rep::body, double>> external,
                          const Effects& effects) {
    for (const Coupled& c : g.coupled) a[at(c.velocity)] = c.ratio * y[at(c.leader)];
    hybrid_dynamics<double>(tree, poses, v, g.given, work, a, tau, external, effects);
    if (work.singular_body >= 0) throw_singular(tree, work.singular_body, "forward dynamics");
    std::vector<double> sums(g.bodies.size(), 0);
    for (const Coupled& c : g.coupled) sums[at(c.leader)] += c.ratio * tau[at(c.velocity)];
    return sums;
  }
};

/// A, by rows, and the noise of its diagonal.
struct LeaderMatrix {
  std::vector<double> values, noise;
};
LeaderMatrix leader_matrix(Follower& f, const Effects& effects) {
  const std::size_t n = f.g.bodies.size();
  const std::vector<double> rest(f.a.size(), 0);
  const Effects inertia_only{false, effects.armature, false, false};
  LeaderMatrix A{std::vector<double>(n * n), std::vector<double>(n, 0)};
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<double> unit(n, 0);
    unit[j] = 1;
    std::fill(f.tau.begin(), f.tau.end(), 0.0);
    const std::vector<double> column = f.run(rest, unit, {}, inertia_only);
    for (std::size_t i = 0; i < n; ++i) A.values[i * n + j] = column[i];
  }
  for (const Coupled& c : f.g.coupled)
    A.noise[at(c.leader)] += c.ratio * c.ratio * f.work.freedoms[at(c.velocity)].noise;
  return A;
}

}  // namespace

std::vector<double> coupled_forward_dynamics(const Tree& tree, const Poses<double>& poses,
                                             In<double> v, In<double> tau,
                                             const ForwardDynamicsOptions& options) {
  const Groups g = groups(tree);
  const std::vector<double> zero(tree.dofs.size(), 0);
  Follower f{tree, poses, g, ForwardDynamics<Rep::body>(tree), zero, zero};
  LeaderMatrix A = leader_matrix(f, options.effects);
  const int bad = cholesky(A.values, A.noise);
  if (bad >= 0) throw_singular(tree, g.bodies[at(bad)], "forward dynamics");

  std::vector<double> y(g.bodies.size(), 0);
  f.tau.assign(tau.begin(), tau.end());
  const std::vector<double> needed = f.run(v, y, options.external, options.effects);
  for (std::size_t j = 0; j < y.size(); ++j) y[j] = -needed[j];
  for (const Coupled& c : g.coupled) y[at(c.leader)] += c.ratio * tau[at(c.velocity)];
  cholesky_solve(A.values, y);
  f.run(v, y, options.external, options.effects);
  return f.a;
}

}  // namespace axode::detail
