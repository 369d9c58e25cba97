// The matrices of closed_form.hpp, multiplied as they stand in print: nothing here is shared with
// the sweeps, so that the one checks the other.
#include "axode/dynamics/detail/screw_rates.hpp"
#include "axode/dynamics/matrices/closed_form.hpp"
#include "axode/kinematics/motion.hpp"
#include "axode/screw/inertia.hpp"

namespace axode {

namespace {

/// diag of one 6x6 block for each body.
template <class F>
DenseMatrix<double> block_diagonal(int bodies, F&& block) {
  DenseMatrix<double> D = zero_matrix(6 * bodies, 6 * bodies);
  for (int b = 0; b < bodies; ++b) {
    const Mat6<double> B = block(b);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) D(6 * b + i, 6 * b + j) = B(i, j);
  }
  return D;
}
DenseMatrix<double> screw_rate_matrix(const Tree& tree, const Poses<double>& poses, In<double> v) {
  DenseMatrix<double> X_rate = zero_matrix(6 * tree.size(), tree.nv);
  std::array<Vec6<double>, 6> rates;
  for (int b = 0; b < tree.size(); ++b) {
    const Link& link = tree.links[b];
    detail::joint_screw_rates(tree, b, poses, v.data(), rates.data());
    for (int k = 0; k < link.nv; ++k)
      for (int i = 0; i < 6; ++i) X_rate(6 * b + i, link.v + k) = rates[k][i];
  }
  return X_rate;
}

}  // namespace

ClosedFormMatrices closed_form_matrices(const Tree& tree, In<double> q, In<double> v) {
  const Poses<double> at = poses(tree, q);
  check_velocity(tree, v);
  Motion<Rep::body> motion(tree);
  twists(tree, at, v, motion);
  const SystemJacobian<Rep::body> factors(tree, at);
  const int n = tree.size();
  ClosedFormMatrices r;
  r.A = dense_A(factors);
  r.X = dense_X(factors);
  r.X_rate = screw_rate_matrix(tree, at, v);
  r.a = block_diagonal(n, [&](std::size_t i) {
    Vec6<double> U{};
    const Link& link = tree.links[i];
    for (int k = link.v; k < link.v + link.nv; ++k) U += at.screws[k] * v[k];
    return ad_matrix(U);
  });
  r.b = block_diagonal(n, [&](std::size_t i) { return ad_matrix(motion.twists[i].six()); });
  r.inertia = block_diagonal(n, [&](std::size_t i) { return matrix(tree.bodies[i].inertia); });
  r.J = r.A * r.X;
  r.J_rate = r.A * (r.X_rate + r.a * r.X - r.a * r.J);
  const DenseMatrix<double> J_transpose = transpose(r.J), MJ = r.inertia * r.J;
  r.M = J_transpose * MJ;
  const DenseMatrix<double> accelerating = J_transpose * (r.inertia * r.J_rate);
  r.C_84 = accelerating - J_transpose * (transpose(r.b) * MJ);
  r.C_83 = accelerating - transpose(r.a * r.J + (r.b - r.a) * r.X) * (transpose(r.A) * MJ);
  return r;
}

}  // namespace axode
