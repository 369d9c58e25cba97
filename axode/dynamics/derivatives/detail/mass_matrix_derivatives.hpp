// Definitions of mass_matrix_derivatives.hpp; instantiated by mass_matrix_derivatives.cpp.
#pragma once
#include <utility>

#include "axode/dynamics/any_scalar/joint_partials.hpp"
#include "axode/dynamics/any_scalar/mass_matrix.hpp"
#include "axode/dynamics/derivatives/mass_matrix_derivatives.hpp"
#include "axode/dynamics/detail/carries.hpp"
#include "axode/dynamics/matrices/path_matrix.hpp"

namespace axode {

template <class S>
MassMatrixDerivatives<S>::MassMatrixDerivatives(const Tree& tree)
    : composite(tree),
      own_screws(tree.screws.size()),
      parent(parent_velocities(tree)),
      joint(tree),
      zero(tree.screws.size(), S(0)) {
  for (int i = 0; i < tree.size(); ++i) body.insert(body.end(), tree.links[i].nv, i);
}

template <class S>
void prepare_mass_matrix_derivatives(const Tree& tree, const Poses<S>& poses,
                                     MassMatrixDerivatives<S>& result) noexcept {
  composite_inertias(tree, poses, result.composite);
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    if (has_constant_screws(link)) continue;  // zero since it was made
    joint_partials<S>(tree, static_cast<int>(i), poses, result.zero, result.zero, result.joint);
    const SE3<S> T = pose_about(result.composite.point, poses.T_WB[i]);
    for (std::size_t m = 0; m < link.nv; ++m)
      for (std::size_t a = 0; a < link.nv; ++a)
        result.own_screws[link.v + m][a] = Ad(T, result.joint.screws[m][a]);
  }
}

namespace detail {

/// Entries of velocity b, a before it on its path or b itself, for a direction m whose joint h is not
/// below that of b: calls put(a, value) for all a from b to the root.
template <class S, class F>
void outer_mass_entries(const Tree& tree, const MassMatrixDerivatives<S>& at, int m, int b,
                        F&& put) noexcept {
  const std::size_t g = m, l = b;
  const int h = at.body[g], i = at.body[l];
  const Vec6<S>* J = at.composite.screws.data();
  const InertiaParameters<S>& M = at.composite.inertias[i];
  const Link& link = tree.links[h];
  const Vec6<S> P = M * J[b];
  Vec6<S> P_change = zero_six<S>;
  if (h == i) P_change = M * at.own_screws[g][l - link.v];
  // -[J_m, J_a]^T M J_b where a is above h; zero where both are turned with it
  // [MuellerDyn (15), (81)]
  const Vec6<S> above = P_change - ad_transpose(J[m], P);
  for (int a = b; a >= 0; a = at.parent[a]) {
    if (a >= link.v + link.nv)
      put(a, S(0));
    else if (a >= link.v)
      put(a, dot(at.own_screws[g][a - link.v], P) + dot(J[a], P_change));
    else
      put(a, dot(J[a], above));
  }
}

/// The same for a direction m whose joint is below that of b.
template <class S, class F>
void inner_mass_entries(const MassMatrixDerivatives<S>& at, int m, int b, F&& put) noexcept {
  const Vec6<S>* J = at.composite.screws.data();
  const InertiaParameters<S>& M = at.composite.inertias[at.body[m]];
  // -J_a^T (ad_J^T M + M ad_J) J_b, M of all that h carries, J = J_m  [MuellerDyn (37), (81)]
  const Vec6<S> change = -(ad_transpose(J[m], M * J[b]) + M * ad(J[m], J[b]));
  for (int a = b; a >= 0; a = at.parent[a]) put(a, dot(J[a], change));
}

}  // namespace detail

template <class S>
void mass_matrix_derivative(const Tree& tree, const MassMatrixDerivatives<S>& at, int m,
                            PathMatrix<S>& result) noexcept {
  const int h = at.body[m];
  for (int b = 0; b < result.size(); ++b) {
    S* row = result.row(b);
    const int i = at.body[b];
    const auto put = [&row](int, const S& value) { *row++ = value; };
    if (detail::carries(tree, h, i))
      detail::outer_mass_entries(tree, at, m, b, put);
    else if (detail::carries(tree, i, h))
      detail::inner_mass_entries(at, m, b, put);
    else
      for (int d = result.row_length(b); d > 0; --d) *row++ = S(0);
  }
}

template <class S>
void mass_matrix_derivatives(const Tree& tree, const MassMatrixDerivatives<S>& at,
                             DenseTensor<S>& result) noexcept {
  for (int b = 0; b < tree.nv; ++b) {
    const Link& link = tree.links[at.body[b]];
    int m = link.v + link.nv - 1;
    for (; m >= 0; m = at.parent[m])
      detail::outer_mass_entries(tree, at, m, b, [&](int a, const S& value) {
        result(a, b, m) = result(b, a, m) = value;
      });
    for (int l = at.parent[link.v]; l >= 0; l = at.parent[l])
      detail::inner_mass_entries(
          at, b, l, [&](int a, const S& value) { result(a, l, b) = result(l, a, b) = value; });
  }
}

template <class S>
void inverse_mass_matrix_derivative(const PathMatrix<S>& factors, const PathMatrix<S>& derivative,
                                    DenseMatrix<S>& result) noexcept {
  const int n = derivative.size();
  for (S& x : result.values) x = S(0);
  for (int k = 0; k < n; ++k) {
    const S* entry = derivative.row(k);
    for (int i = k; i >= 0; i = derivative.parent[i], ++entry)
      result(k, i) = result(i, k) = -*entry;
  }
  solve_columns(factors, result);
  for (int i = 0; i < n; ++i)  // X M^-1 is the transpose of M^-1 X^T
    for (int j = 0; j < i; ++j) std::swap(result(i, j), result(j, i));
  solve_columns(factors, result);
}

}  // namespace axode
