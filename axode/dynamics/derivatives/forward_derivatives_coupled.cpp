#include "axode/dynamics/derivatives/forward_derivatives_coupled.hpp"

#include "axode/dynamics/forward/forward_dynamics_coupled.hpp"
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

void coupled_forward_derivatives(const Tree& tree, const Poses<double>& poses, In<double> v,
                                 In<double> tau, ForwardDynamicsDerivatives<double>& result,
                                 In<Wrench<Rep::body, double>> external, const Effects& effects) {
  ForwardDynamics<Rep::body> work(tree);
  const ForwardOutcome found =
      coupled_forward_dynamics(tree, poses, v, tau, work, result.a, external, effects);
  inverse_dynamics_derivatives<double>(tree, poses, v, result.a, result.inverse, external, effects);
  result.singular_velocity =
      invert_reduced(tree, result.inverse.by_a, result.by_tau).singular_velocity;
  if (result.singular_velocity < 0 && !found.ok())
    result.singular_velocity = tree.links[found.singular_body].v;
  multiply_negative(result.by_tau, result.inverse.by_q, result.by_q);
  multiply_negative(result.by_tau, result.inverse.by_v, result.by_v);
}

}  // namespace axode
