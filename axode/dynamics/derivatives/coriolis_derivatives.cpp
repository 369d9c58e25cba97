#include "axode/dynamics/derivatives/coriolis_derivatives.hpp"

#include "axode/dynamics/any_scalar/joint_second_partials.hpp"
#include "axode/dynamics/detail/carries.hpp"
#include "axode/dynamics/detail/coriolis.hpp"
#include "axode/lie/dual.hpp"

namespace axode {

template <class S>
CoriolisDerivatives<S>::CoriolisDerivatives(const Tree& tree)
    : coriolis(tree),
      twist_by_q(tree.screws.size()),
      own_screws(tree.screws.size()),
      own_rates(tree.screws.size()),
      parent(parent_velocities(tree)),
      joint(tree),
      joint_second(tree),
      zero(tree.screws.size(), S(0)) {
  for (int i = 0; i < tree.size(); ++i) body.insert(body.end(), tree.links[i].nv, i);
}

namespace detail {

/// P, s and the changes of J' of the degrees of freedom of joint i.
template <class S>
void coriolis_changes(const Tree& tree, std::size_t i, const Poses<S>& poses, In<S> v,
                      CoriolisDerivatives<S>& at) noexcept {
  const Link& link = tree.links[i];
  const Composite<S>& c = at.coriolis.composite;
  const Vec6<S> V = c.twists[i];
  const Vec6<S> V_p = link.parent < 0 ? zero_six<S> : c.twists[link.parent];
  const SE3<S> T = pose_about(c.point, poses.T_WB[i]);
  const bool moving = !has_constant_screws(link);
  if (moving) {
    joint_partials<S>(tree, static_cast<int>(i), poses, v, at.zero, at.joint);
    joint_second_partials<S>(tree, static_cast<int>(i), poses, v, at.zero, at.joint,
                             at.joint_second);
  }
  for (std::size_t m = 0; m < link.nv; ++m) {
    const std::size_t g = link.v + m;
    Vec6<S>& P = at.twist_by_q[g];
    // P_m = [V_p, J_m] + Ad(C) d_m U
    P = ad(V_p, c.screws[g]);
    if (moving) P += Ad(T, at.joint.twist[m]);
    for (std::size_t k = 0; k < link.nv; ++k) {
      Vec6<S>&s = at.own_screws[g][k], &rate = at.own_rates[g][k];
      s = zero_six<S>;
      // J'_k = [V, J_k] + Ad(C) S'_k changes by [P_m, J_k] + [V, s_mk] + Ad(C) d_m S'_k,
      // S'_k = sum_l v_l d_l S_k
      rate = ad(P, c.screws[link.v + k]);
      if (!moving) continue;
      s = Ad(T, at.joint.screws[m][k]);
      Vec6<S> sum = zero_six<S>;
      for (std::size_t l = 0; l < link.nv; ++l)
        sum += v[link.v + l] * at.joint_second.screws[m][l][k];
      rate += ad(V, s) + Ad(T, sum);
    }
  }
}

}  // namespace detail

template <class S>
void prepare_coriolis_derivatives(const Tree& tree, const Poses<S>& poses, In<S> v,
                                  CoriolisDerivatives<S>& result, CoriolisChoice choice) noexcept {
  result.choice = choice;
  coriolis_matrix(tree, poses, v, result.coriolis, choice);
  for (std::size_t i = 0; i < tree.links.size(); ++i)
    detail::coriolis_changes(tree, i, poses, v, result);
}

namespace detail {

/// N X and N^T X of an inertia with a twist P.
template <class S>
struct RateProducts {
  Vec6<S> times, transpose_times;
};
template <class S>
RateProducts<S> rate_products(CoriolisChoice choice, const InertiaParameters<S>& M,
                              const Vec6<S>& P, const Vec6<S>& X) noexcept {
  // N of coriolis.hpp at the twist P: -ad_P^T M, or M' = -ad_P^T M - M ad_P, or half of M' less
  // X -> ad_X^T M P  [MuellerDyn (37), (84)-(85), corrected: docs/errata.md]
  const Vec6<S> one = -ad_transpose(P, M * X), other = -(M * ad(P, X));
  if (choice == CoriolisChoice::skew) return {one, other};
  if (choice == CoriolisChoice::uncorrected) return {one + other, one + other};
  const S half(Real<S>(0.5));
  const Vec6<S> turned = ad_transpose(X, M * P);
  return {(one + other - turned) * half, (one + other + turned) * half};
}

/// Entries C(b, a) and C(a, b), a before b on its path or b itself, for a direction m whose joint h is
/// not below that of b: calls put(a, dC(b, a), dC(a, b)) for all a from b to the root.
template <class S, class F>
void outer_coriolis_entries(const Tree& tree, const CoriolisDerivatives<S>& at, int m, int b,
                            F&& put) noexcept {
  const std::size_t g = m, l = b;
  const std::size_t i = at.body[l];
  const Link& link = tree.links[at.body[g]];
  const bool same = at.body[g] == at.body[l];
  const Vec6<S>*J = at.coriolis.composite.screws.data(), *rate = at.coriolis.screw_rates.data();
  const InertiaParameters<S>& M = at.coriolis.composite.inertias[i];
  const Mat6<S>& N = at.coriolis.inertia_rates[i];
  const Mat6<S> N_transpose = transpose(N);
  const Vec6<S>& P = at.twist_by_q[g];
  const std::size_t own = same ? l - link.v : 0;
  const Vec6<S> dJ = same ? at.own_screws[g][own] : zero_six<S>;
  const Vec6<S> drate = same ? at.own_rates[g][own] : ad(P, J[b]);
  const RateProducts<S> n = rate_products(at.choice, M, P, J[b]);
  // C_ab = J_a^T W, W = M J'_b + N J_b; C_ba = (M J_b)^T J'_a + (N^T J_b)^T J_a
  const Vec6<S> MJ = M * J[b], NJ = N_transpose * J[b], W = M * rate[b] + N * J[b];
  const Vec6<S> dMJ = M * dJ, dNJ = n.transpose_times + N_transpose * dJ;
  const Vec6<S> dW = n.times + M * drate + N * dJ;
  for (int a = b; a >= 0; a = at.parent[a]) {
    S row = dot(dNJ, J[a]) + dot(dMJ, rate[a]), column = dot(J[a], dW);
    if (a >= link.v + link.nv) {
      // a below h is turned with b: of J'_a only [P_m, J_a] is left
      row += dot(MJ, ad(P, J[a]));
    } else if (a >= link.v) {
      const Vec6<S>& s = at.own_screws[g][a - link.v];
      row += dot(MJ, at.own_rates[g][a - link.v]) + dot(NJ, s);
      column += dot(s, W);
    } else {
      // a above h is not turned: J_a and J'_a turn back against b
      const Vec6<S> back = ad(J[m], J[a]);
      row -= dot(MJ, ad(J[m], rate[a])) + dot(NJ, back);
      column -= dot(back, W);
    }
    put(a, row, column);
  }
}

/// The same for a direction m whose joint h is below that of b.
template <class S, class F>
void inner_coriolis_entries(const CoriolisDerivatives<S>& at, int m, int b, F&& put) noexcept {
  const std::size_t h = at.body[m];
  const Vec6<S>*J = at.coriolis.composite.screws.data(), *rate = at.coriolis.screw_rates.data();
  const InertiaParameters<S>& M = at.coriolis.composite.inertias[h];
  const Mat6<S>& N = at.coriolis.inertia_rates[h];
  const Mat6<S> N_transpose = transpose(N);
  // b and a are above h; of M and N the part beyond h turns: dM = -ad_J^T M - M ad_J, J = J_m
  const auto dM = [&](const Vec6<S>& x) { return -(ad_transpose(J[m], M * x) + M * ad(J[m], x)); };
  const RateProducts<S> n = rate_products(at.choice, M, at.twist_by_q[m], J[b]);
  const Vec6<S> back = ad(J[m], J[b]), dMJ = dM(J[b]);
  const Vec6<S> dW = dM(rate[b]) + n.times - ad_transpose(J[m], N * J[b]) - N * back;
  const Vec6<S> dNJ =
      n.transpose_times - ad_transpose(J[m], N_transpose * J[b]) - N_transpose * back;
  for (int a = b; a >= 0; a = at.parent[a])
    put(a, dot(dMJ, rate[a]) + dot(dNJ, J[a]), dot(J[a], dW));
}

/// All entries in which velocity b is the outermost: as row or column, for directions on its path and
/// in its joint; and as direction, for the velocities before its joint. Calls
/// put(m, k, a, dC(k, a), dC(a, k)) of direction m.
template <class S, class F>
void coriolis_entries_of(const Tree& tree, const CoriolisDerivatives<S>& at, int b,
                         F&& put) noexcept {
  const Link& link = tree.links[at.body[b]];
  for (int m = link.v + link.nv - 1; m >= 0; m = at.parent[m])
    outer_coriolis_entries(
        tree, at, m, b, [&](int a, const S& row, const S& column) { put(m, b, a, row, column); });
  for (int l = at.parent[link.v]; l >= 0; l = at.parent[l])
    inner_coriolis_entries(
        at, b, l, [&](int a, const S& row, const S& column) { put(b, l, a, row, column); });
}

}  // namespace detail

template <class S>
void coriolis_derivative(const Tree& tree, const CoriolisDerivatives<S>& at, int m,
                         DenseMatrix<S>& result) noexcept {
  const int h = at.body[m];
  for (S& x : result.values) x = S(0);
  for (int b = 0; b < tree.nv; ++b) {
    const int i = at.body[b];
    const auto put = [&](int a, const S& row, const S& column) {
      result(a, b) = column;
      result(b, a) = row;
    };
    if (detail::carries(tree, h, i))
      detail::outer_coriolis_entries(tree, at, m, b, put);
    else if (detail::carries(tree, i, h))
      detail::inner_coriolis_entries(at, m, b, put);
  }
}

template <class S>
void coriolis_derivatives(const Tree& tree, const CoriolisDerivatives<S>& at,
                          DenseTensor<S>& result) noexcept {
  for (int b = 0; b < tree.nv; ++b)
    detail::coriolis_entries_of(tree, at, b,
                                [&](int m, int k, int a, const S& row, const S& column) {
                                  result(a, k, m) = column;
                                  result(k, a, m) = row;
                                });
}

DenseTensor<double> coriolis_derivatives(const Tree& tree, In<double> q, In<double> v,
                                         CoriolisChoice choice) {
  check_velocity(tree, v);
  const Poses<double> p = poses(tree, q);
  DenseTensor<double> result(tree.nv);
  CoriolisDerivatives<double> at(tree);
  prepare_coriolis_derivatives<double>(tree, p, v, at, choice);
  coriolis_derivatives(tree, at, result);
  return result;
}

template struct CoriolisDerivatives<double>;
template void prepare_coriolis_derivatives(const Tree&, const Poses<double>&, In<double>,
                                           CoriolisDerivatives<double>&, CoriolisChoice) noexcept;
template void coriolis_derivative(const Tree&, const CoriolisDerivatives<double>&, int,
                                  DenseMatrix<double>&) noexcept;
template void coriolis_derivatives(const Tree&, const CoriolisDerivatives<double>&,
                                   DenseTensor<double>&) noexcept;
template struct CoriolisDerivatives<Dual<double>>;
template void prepare_coriolis_derivatives(const Tree&, const Poses<Dual<double>>&,
                                           In<Dual<double>>, CoriolisDerivatives<Dual<double>>&,
                                           CoriolisChoice) noexcept;
template void coriolis_derivative(const Tree&, const CoriolisDerivatives<Dual<double>>&, int,
                                  DenseMatrix<Dual<double>>&) noexcept;
template void coriolis_derivatives(const Tree&, const CoriolisDerivatives<Dual<double>>&,
                                   DenseTensor<Dual<double>>&) noexcept;

}  // namespace axode
