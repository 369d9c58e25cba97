// Definitions of coriolis.hpp; instantiated by coriolis.cpp.
#pragma once
#include "axode/dynamics/any_scalar/composite.hpp"
#include "axode/dynamics/any_scalar/path_matrix.hpp"
#include "axode/dynamics/detail/screw_rates.hpp"
#include "axode/dynamics/matrices/coriolis.hpp"

namespace axode {

template <class S>
Coriolis<S>::Coriolis(const Tree& tree)
    : rows(tree),
      columns(tree),
      composite(tree),
      screw_rates(tree.screws.size()),
      inertia_rates(tree.links.size()) {}

namespace detail {

/// N of one body; I in world axes about the point, V its twist.
template <class S>
Mat6<S> inertia_rate(const Inertia<S>& I, const Vec6<S>& V, CoriolisChoice choice) noexcept {
  // -ad_V^T M  [MuellerDyn (84), corrected: docs/errata.md]
  const Mat6<S> N = -(transpose(ad_matrix(V)) * matrix(I));
  if (choice == CoriolisChoice::skew) return N;
  // M' = -ad_V^T M - M ad_V, the printed (84)  [MuellerDyn (37), (84)]
  const Mat6<S> rate = N + transpose(N);
  if (choice == CoriolisChoice::uncorrected) return rate;
  // half of M' less X -> ad_X^T M V: the C of Christoffel symbols  [MuellerDyn (85)]
  const Vec6<S> P = times(I, V);
  const Mat3<S> h = skew(P.linear);  // ad_X^T P as a matrix times X
  const Mat6<S> turned{skew(P.angular), h, h, {}};
  return (rate - turned) * S(Real<S>(0.5));
}

}  // namespace detail

template <class S>
void coriolis_matrix(const Tree& tree, const Poses<S>& poses, In<S> v, Coriolis<S>& result,
                     CoriolisChoice choice) noexcept {
  Composite<S>& sums = result.composite;
  composite_momenta(tree, poses, v, sums);
  const Vec6<S>*J = sums.screws.data(), *J_rate = result.screw_rates.data();
  detail::moving_screw_rates(tree, poses, sums.point, v.data(), sums.twists.data(), J,
                             result.screw_rates.data());
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Inertia<S> I =
        transform(pose_about(sums.point, poses.T_WB[i]), detail::cast<S>(tree.bodies[i].inertia));
    result.inertia_rates[i] = detail::inertia_rate(I, sums.twists[i], choice);
  }
  detail::sum_inwards(tree, result.inertia_rates.data(),
                      [](const Mat6<S>& a, const Mat6<S>& b) { return a + b; });
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    const Mat6<S>&N = result.inertia_rates[i], N_transpose = transpose(N);
    for (int k = link.v; k < link.v + link.nv; ++k) {
      // C_jk = J_j^T (M_i J'_k + N_i J_k) and C_kj, i the joint of k, the outer one
      // [MuellerDyn (84), corrected: docs/errata.md], in world axes
      const Vec6<S> MJ = sums.inertias[i] * J[k], NJ = N_transpose * J[k];
      const Vec6<S> W = sums.inertias[i] * J_rate[k] + N * J[k];
      S *row = result.rows.row(k), *column = result.columns.row(k);
      for (int j = k; j >= 0; j = result.rows.parent[j]) {
        *row++ = dot(MJ, J_rate[j]) + dot(NJ, J[j]);
        *column++ = dot(J[j], W);
      }
    }
  }
}

template <class S>
void multiply(const Coriolis<S>& C, In<S> x, Out<S> result) noexcept {
  for (int k = 0; k < C.rows.size(); ++k) {
    const S *row = C.rows.row(k), *column = C.columns.row(k);
    const S x_k = x[k];
    S sum = row[0] * x_k;
    for (int i = C.rows.parent[k]; i >= 0; i = C.rows.parent[i]) {
      sum += *++row * x[i];
      result[i] += *++column * x_k;
    }
    result[k] = sum;
  }
}

template <class S>
DenseMatrix<S> dense(const Coriolis<S>& C) {
  const int n = C.rows.size();
  DenseMatrix<S> result{n, n, std::vector<S>(std::size_t(n) * C.rows.parent.size(), S(0))};
  for (int k = 0; k < n; ++k) {
    const S *row = C.rows.row(k), *column = C.columns.row(k);
    for (int i = k; i >= 0; i = C.rows.parent[i]) {
      result(i, k) = *column++;
      result(k, i) = *row++;
    }
  }
  return result;
}

}  // namespace axode
