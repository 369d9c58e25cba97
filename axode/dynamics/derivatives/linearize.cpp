#include "axode/dynamics/derivatives/linearize.hpp"

#include <algorithm>
#include <utility>

#include "axode/dynamics/derivatives/inverse_derivatives.hpp"
#include "axode/dynamics/errors.hpp"
#include "axode/dynamics/forward/forward_dynamics.hpp"
#include "axode/dynamics/matrices/expansion.hpp"
#include "axode/dynamics/matrices/mass_matrix.hpp"
#include "axode/dynamics/matrices/path_matrix.hpp"

namespace axode {

namespace {

constexpr const char* in_linearize = "linearize";

DenseMatrix<double> zeros(int rows, int columns) {
  return {rows, columns, std::vector<double>(std::size_t(rows) * columns, 0.)};
}

/// The block of one joint of G.
void add_kinematics(const Link& link, const double* v, DenseMatrix<double>& G, int first) {
  if (link.map == JointMap::quaternion) {
    const Mat3<double> turn = skew(Vec3<double>{v[0], v[1], v[2]});
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) G(first + i, first + j) = -turn(i, j);
  } else if (link.map == JointMap::free) {
    const bool hybrid = link.velocity == Rep::hybrid, body = link.velocity == Rep::body;
    Mat6<double> bracket = ad_matrix(Vec6<double>{{v[0], v[1], v[2]}, {v[3], v[4], v[5]}});
    if (hybrid) bracket.la = bracket.ll = {};
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) G(first + i, first + j) = body ? -bracket(i, j) : bracket(i, j);
  }
}

/// A and B from the other matrices.
void state_space(const PathMatrix<double>& factors, Linearization& result) {
  const int n = result.M.rows;
  DenseMatrix<double> right = zeros(n, 3 * n);
  for (int i = 0; i < n; ++i) {
    right(i, 2 * n + i) = 1;
    for (int j = 0; j < n; ++j) {
      right(i, j) = -result.K(i, j);
      right(i, n + j) = -result.D(i, j);
    }
  }
  solve_columns(factors, right);
  result.A = zeros(2 * n, 2 * n);
  result.B = zeros(2 * n, n);
  for (int i = 0; i < n; ++i) {
    result.A(i, n + i) = 1;
    for (int j = 0; j < n; ++j) {
      result.A(i, j) = result.G(i, j);
      result.A(n + i, j) = right(i, j);
      result.A(n + i, n + j) = right(i, n + j);
      result.B(n + i, j) = right(i, 2 * n + j);
    }
  }
}

}  // namespace

Linearization linearize_motion(const Tree& tree, In<double> q, In<double> v, In<double> a,
                               const DynamicsOptions& options) {
  check_velocity(tree, v);
  check_velocity(tree, a, "a");
  const Poses<double> at = poses(tree, q);
  const std::vector<Wrench<Rep::body>> external =
      external_wrenches(tree, at, options.external, options.body_wrenches, in_linearize);
  detail::check_couplings(tree, q, v, in_linearize);
  detail::check_couplings(tree, q, a, in_linearize);
  InverseDerivativesWork<double> work(tree);
  InverseDynamicsDerivatives<double> d(tree);
  inverse_dynamics_derivatives<double>(tree, at, v, a, work, d, external, options.effects);
  const Expansion E(tree);
  PathMatrix<double> M(tree);
  mass_matrix(tree, work.composite, M, options.effects);
  if (E.coupled()) {
    PathMatrix<double> all = full_matrix(E.size());
    reduce(E, M, all);
    M = std::move(all);
  }
  Linearization result;
  result.a.assign(a.begin(), a.end());
  result.tau = d.tau;
  result.M = dense(M);
  result.D = reduce(E, d.by_v);
  result.K = reduce(E, d.by_q);
  result.G = zeros(result.M.rows, result.M.rows);
  for (const Link& link : tree.links)
    if (link.nv > 0) add_kinematics(link, v.data() + link.v, result.G, E.column[link.v]);
  if (const MassOutcome found = factorize(M); !found.ok())
    detail::throw_singular(
        tree, detail::body_of_velocity(tree, E.velocity[found.singular_velocity]), in_linearize);
  state_space(M, result);
  return result;
}

Linearization linearize(const Tree& tree, In<double> q, In<double> v, In<double> tau,
                        const DynamicsOptions& options) {
  const std::vector<double> a = reference::forward_dynamics(tree, q, v, tau, Rep::body, options);
  Linearization result = linearize_motion(tree, q, v, a, options);
  result.tau.assign(tau.begin(), tau.end());
  return result;
}

}  // namespace axode
