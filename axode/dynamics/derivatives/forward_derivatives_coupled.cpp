// Derivatives of forward dynamics of trees with coupled joints (gears, mimic joints). With v = E y of
// the independent velocities y (expansion.hpp)
//
//   a = W (tau - c(q, v) - ...),   W = E (E^T M E)^-1 E^T,
//
// and since W M a = a for accelerations that keep the couplings, as without these,
//
//   da/dq = -W dtau/dq,   da/dv = -W dtau/dv,   da/dtau = W
//
// from the derivatives of inverse dynamics at a. Columns are by each velocity on its own; times E they
// are those by the independent ones. E^T M E may be regular where M is not.
// O(n^3).
#include "axode/dynamics/derivatives/forward_derivatives.hpp"
#include "axode/dynamics/forward/forward_dynamics.hpp"
#include "axode/dynamics/matrices/expansion.hpp"

namespace axode {

namespace {

/// result = -W X.
void multiply_negative(const DenseMatrix<double>& W, const DenseMatrix<double>& X,
                       DenseMatrix<double>& result) {
  for (int i = 0; i < W.rows; ++i)
    for (int j = 0; j < X.columns; ++j) {
      double sum = 0;
      for (int k = 0; k < W.columns; ++k) sum -= W(i, k) * X(k, j);
      result(i, j) = sum;
    }
}

/// W = E (E^T M E)^-1 E^T.
MassOutcome invert_reduced(const Tree& tree, const PathMatrix<double>& M, DenseMatrix<double>& W) {
  const Expansion E(tree);
  const int n = E.size();
  PathMatrix<double> reduced = full_matrix(n);
  reduce(E, M, reduced);
  if (const MassOutcome found = factorize(reduced); !found.ok())
    return {E.velocity[found.singular_velocity]};
  DenseMatrix<double> X{n, n, std::vector<double>(std::size_t(n) * n)};
  inverse(reduced, X);
  for (int i = 0; i < W.rows; ++i)
    for (int j = 0; j < W.columns; ++j)
      W(i, j) = E.ratio[i] * E.ratio[j] * X(E.column[i], E.column[j]);
  return {};
}

}  // namespace

MassOutcome reference::forward_dynamics_derivatives(const Tree& tree, const Poses<double>& poses,
                                                    In<double> v, In<double> tau,
                                                    ForwardDerivativesWork<double>& work,
                                                    ForwardDynamicsDerivatives<double>& result,
                                                    In<Wrench<Rep::body, double>> external,
                                                    const Effects& effects) {
  if (tree.couplings.empty())
    return axode::forward_dynamics_derivatives<double>(tree, poses, v, tau, work, result, external,
                                                       effects);
  ForwardDynamics<Rep::body> forward(tree);
  const ForwardOutcome moved =
      forward_dynamics(tree, poses, v, tau, forward, result.a, external, effects);
  axode::inverse_dynamics_derivatives<double>(tree, poses, v, result.a, work.inverse,
                                              result.inverse, external, effects);
  MassOutcome found = invert_reduced(tree, result.inverse.by_a, result.by_tau);
  if (found.ok() && !moved.ok()) found.singular_velocity = tree.links[moved.singular_body].v;
  multiply_negative(result.by_tau, result.inverse.by_q, result.by_q);
  multiply_negative(result.by_tau, result.inverse.by_v, result.by_v);
  return found;
}

}  // namespace axode
