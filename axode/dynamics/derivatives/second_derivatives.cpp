#include "axode/dynamics/derivatives/second_derivatives.hpp"

#include "axode/dynamics/any_scalar/inverse_derivatives.hpp"
#include "axode/dynamics/any_scalar/joint_second_partials.hpp"
#include "axode/dynamics/derivatives/detail/mass_matrix_derivatives.hpp"
#include "axode/dynamics/errors.hpp"
#include "axode/lie/dual.hpp"

namespace axode {

template <class S>
InverseDynamicsSecondDerivatives<S>::InverseDynamicsSecondDerivatives(const Tree& tree)
    : by_qq(tree.nv),
      by_qv(tree.nv),
      by_vv(tree.nv),
      by_aq(tree.nv),
      first(tree),
      first_work(tree),
      scratch{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, JointSecondPartials<S>(tree)},
      mass(tree) {
  const std::size_t n = tree.screws.size();
  for (OwnPairs* pairs : {&scratch.qq, &scratch.qv, &scratch.vv})
    pairs->twist = pairs->acceleration = std::vector<std::array<Vec6<S>, 6>>(n);
  std::size_t entries = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const Link& link = tree.links[mass.body[k]];
    scratch.row.push_back(entries);
    entries += link.nv;
    for (int m = mass.parent[link.v]; m >= 0; m = mass.parent[m]) ++entries;
  }
  scratch.twist = std::vector<Vec3<S>>(entries);
  scratch.acceleration = std::vector<Vec6<S>>(entries);
  scratch.wrench = scratch.zero = std::vector<Vec6<S>>(n);
  scratch.coriolis = std::vector<CoriolisSum<S>>(n);
  scratch.coriolis_along_j = std::vector<Vec3<S>>(n);
}

namespace detail {

/// T, P and R of all velocities, for changes along q or along v.
template <class S>
struct Changes {
  const Vec6<S>*turn, *twist, *acceleration;
  bool of_q;
};

/// B of bodies moving as one.
template <class S>
CoriolisSum<S> coriolis_of(const InertiaParameters<S>& M, const Vec6<S>& V) noexcept {
  // Theta' = X + X^T with X = w~ Theta - v~ h~, h the first moment  [MuellerDyn (37)]
  const Vec6<S> P = M * V;
  const Mat3<S> X = skew(V.angular) * M.about_origin.matrix() - outer(M.first_moment, V.linear);
  const S trace = S(2) * dot(V.linear, M.first_moment);
  return {X + transpose(X) + Mat3<S>::diagonal({trace, trace, trace}) - skew(P.angular), P.linear};
}
/// The angular part of B^T X; the linear part is zero.
template <class S>
Vec3<S> transpose_times(const CoriolisSum<S>& B, const Vec6<S>& X) noexcept {
  return transpose_times(B.turning, X.angular) + cross(B.momentum, X.linear) * S(2);
}

/// What velocities k and m of joint i, of moving screws, do to each other, beside what they do where
/// the screws are constant. T is the pose of the body.
template <class S>
void add_own_screws(std::size_t first, std::size_t k, std::size_t m, const SE3<S>& T,
                    const Vec6<S>& V, const Vec6<S>& V_p, const Vec6<S>& A_p,
                    InverseDynamicsSecondDerivatives<S>& d) noexcept {
  const JointSecondPartials<S>& second = d.scratch.joint;
  const Vec6<S>*J = d.first_work.composite.screws.data(), *P = d.first_work.twist_by_q.data();
  const Vec6<S>&s_mk = d.mass.own_screws[first + m][k], &s_km = d.mass.own_screws[first + k][m];
  // D_k = d_k U, D_mk = d_m d_k U and the same of U' and dU'/dv, turned into world axes
  const Vec6<S> D_k = Ad(T, d.mass.joint.twist[k]), D_mk = Ad(T, second.twist[m][k]);
  d.scratch.qq.twist[first + k][m] += ad(V_p, s_mk) + D_mk;
  d.scratch.qq.acceleration[first + k][m] +=
      ad(A_p, s_mk) + ad(P[first + m], D_k) + ad(V, D_mk) + Ad(T, second.acceleration[m][k]);
  d.scratch.qv.twist[first + k][m] = s_km;
  d.scratch.qv.acceleration[first + k][m] =
      ad(V_p + V, s_km) + ad(J[first + m], D_k) + Ad(T, second.acceleration_by_v[k][m]);
  d.scratch.vv.acceleration[first + k][m] += s_km + s_mk;
}

/// Pairs of velocities of one joint, and what d_m d_k S_j does to by_qq within it.
template <class S>
void own_pairs(const Tree& tree, std::size_t i, const Poses<S>& poses, In<S> v, In<S> a,
               const Vec6<S>& world, InverseDynamicsSecondDerivatives<S>& d) noexcept {
  const Link& link = tree.links[i];
  const Composite<S>& c = d.first_work.composite;
  const std::size_t parent = link.parent, first = link.v;
  const bool root = link.parent < 0, moving = !has_constant_screws(link);
  const Vec6<S> V_p = root ? zero_six<S> : c.twists[parent];
  const Vec6<S> A_p = root ? world : c.accelerations[parent];
  const SE3<S> T = pose_about(c.point, poses.T_WB[i]);
  const Vec6<S> W_B = Ad_transpose(T, c.wrenches[i]);
  if (moving) {
    joint_partials(tree, static_cast<int>(i), poses, v, a, d.mass.joint);
    joint_second_partials(tree, static_cast<int>(i), poses, v, a, d.mass.joint, d.scratch.joint);
  }
  for (std::size_t k = 0; k < link.nv; ++k)
    for (std::size_t m = 0; m < link.nv; ++m) {
      const Vec6<S>&J_k = c.screws[first + k], &J_m = c.screws[first + m];
      const Vec6<S> V_J = ad(V_p, J_m);
      Vec6<S>& twist = d.scratch.qq.twist[first + k][m];
      Vec6<S>& acceleration = d.scratch.qq.acceleration[first + k][m];
      // d_m P_k = [[V_p, J_m], J_k], d_m R_k = [[A_p, J_m], J_k] + [[V_p, J_m], P_k]
      //                                                              + [V_p, d_m P_k]
      twist = ad(V_J, J_k);
      acceleration = ad(ad(A_p, J_m), J_k) + ad(V_J, d.first_work.twist_by_q[first + k]);
      d.scratch.vv.acceleration[first + k][m] = ad(J_m, J_k);
      if (moving) add_own_screws(first, k, m, T, c.twists[i], V_p, A_p, d);
      acceleration += ad(V_p, twist);
      for (std::size_t j = 0; j < link.nv; ++j)
        d.by_qq(link.v + static_cast<int>(j), link.v + static_cast<int>(k),
                link.v + static_cast<int>(m)) =
            moving ? dot(d.scratch.joint.screws[m][k][j], W_B) : S(0);
    }
}

/// Calls f(m, e) for the second changes m that are paired with velocity k: of its own joint, and of
/// those above; e is the place of their numbers.
template <class S, class F>
void for_pairs(const Tree& tree, const InverseDynamicsSecondDerivatives<S>& d, bool own, int k,
               F&& f) noexcept {
  const Link& link = tree.links[d.mass.body[k]];
  std::size_t e = d.scratch.row[k];
  for (int m = link.v; m < link.v + link.nv; ++m, ++e)
    if (own) f(m, e);
  for (int m = d.mass.parent[link.v]; m >= 0; m = d.mass.parent[m], ++e) f(m, e);
}

/// One of the four kinds of second derivatives: first along x, then along y.
template <class S>
struct SecondPass {
  Changes<S> x, y;
  /// Pairs within joints, or none: those of q and v are the same in either order.
  const typename InverseDynamicsSecondDerivatives<S>::OwnPairs* own;
};

/// The changes of P and R of the velocities of joint i, and the sums over its bodies for each y.
template <class S>
void prepare_pairs(const Tree& tree, std::size_t i, const SecondPass<S>& pass,
                   InverseDynamicsSecondDerivatives<S>& d) noexcept {
  const Link& link = tree.links[i];
  const Composite<S>& c = d.first_work.composite;
  const Changes<S>&x = pass.x, &y = pass.y;
  const auto* own = pass.own;
  for (int k = link.v; k < link.v + link.nv; ++k)
    for_pairs(tree, d, own != nullptr, k, [&](int m, std::size_t e) {
      if (m >= link.v) {
        const std::size_t l = m - link.v, g = k;
        d.scratch.twist[e] = own->twist[g][l].angular;
        d.scratch.acceleration[e] = own->acceleration[g][l];
      } else {
        // P_x changes by [P_y, T_x], R_x by [R_y, T_x] + 2 [P_y, P_x]
        d.scratch.twist[e] = cross(y.twist[m].angular, x.turn[k].angular);
        d.scratch.acceleration[e] =
            ad(y.acceleration[m], x.turn[k]) + ad(y.twist[m], x.twist[k]) * S(2);
      }
    });
  for (int m = link.v + link.nv - 1; m >= 0; m = d.mass.parent[m]) {
    const std::size_t g = m;
    // changes of W_i and of B_i along y: M_i R_y + B_i P_y, and B of M_i with the twist P_y
    d.scratch.wrench[g] = c.inertias[i] * y.acceleration[m] + c.coriolis[i] * y.twist[m];
    d.scratch.coriolis[g] = coriolis_of(c.inertias[i], y.twist[m]);
  }
}

/// Entries of velocities k of joint i with all j above: calls put(j, k, m, value).
template <class S, class F>
void entries_above(const Tree& tree, std::size_t i, const SecondPass<S>& pass,
                   InverseDynamicsSecondDerivatives<S>& d, F&& put) noexcept {
  const Link& link = tree.links[i];
  const Composite<S>& c = d.first_work.composite;
  const Changes<S>&x = pass.x, &y = pass.y;
  const auto* own = pass.own;
  const int top = d.mass.parent[link.v];
  if (top < 0) return;
  for (int k = link.v; k < link.v + link.nv; ++k) {
    // H = M_i R_x + B_i P_x - ad_T^T W_i of x
    const Vec6<S> H = c.inertias[i] * x.acceleration[k] + c.coriolis[i] * x.twist[k] -
                      ad_transpose(x.turn[k], c.wrenches[i]);
    for_pairs(tree, d, own != nullptr, k, [&](int m, std::size_t e) {
      const std::size_t g = m;
      const Link& joint = tree.links[d.mass.body[g]];
      const Vec6<S> dP{d.scratch.twist[e], {S(0), S(0), S(0)}};
      // Y = M_i dR + B_i dP + dB P_x - ad_T^T dW, the change of H but for its turning with h
      Vec6<S> Y = c.inertias[i] * d.scratch.acceleration[e] + c.coriolis[i] * dP +
                  d.scratch.coriolis[g] * x.twist[k] - ad_transpose(x.turn[k], d.scratch.wrench[g]);
      if (m >= link.v && y.of_q && x.of_q)
        Y -= ad_transpose(d.mass.own_screws[g][k - link.v], c.wrenches[i]);
      // j above h is not turned: - [T_y, J_j] . H = J_j . (-ad_{T_y}^T H)
      const Vec6<S> above = Y - ad_transpose(y.turn[m], H);
      for (int j = top; j >= 0; j = d.mass.parent[j]) {
        const Vec6<S>& J = c.screws[j];
        S value = dot(J, j < joint.v ? above : Y);
        if (y.of_q && j >= joint.v && j < joint.v + joint.nv)
          value += dot(d.mass.own_screws[g][j - joint.v], H);
        put(j, k, m, value);
      }
    });
  }
}

/// Entries of velocities j of joint i with all k of it and above: calls put(j, k, m, value).
template <class S, class F>
void entries_below(const Tree& tree, std::size_t i, const SecondPass<S>& pass,
                   InverseDynamicsSecondDerivatives<S>& d, F&& put) noexcept {
  const Link& link = tree.links[i];
  const Composite<S>& c = d.first_work.composite;
  const Changes<S>&x = pass.x, &y = pass.y;
  const auto* own = pass.own;
  const std::vector<int>& parent = d.mass.parent;
  const int last = link.v + link.nv - 1;
  for (int j = link.v; j <= last; ++j) {
    const Vec6<S>& J = c.screws[j];
    const Vec6<S> MJ = c.inertias[i] * J;
    const Vec3<S> BJ = transpose_times(c.coriolis[i], J);
    for (int m = last; m >= 0; m = parent[m]) {
      const std::size_t g = m;
      d.scratch.coriolis_along_j[g] = transpose_times(d.scratch.coriolis[g], J);
    }
    const auto plain = [&](int k, int m, std::size_t e) {
      // J_j . (M_i dR + B_i dP + dB P_x)
      return dot(MJ, d.scratch.acceleration[e]) + dot(BJ, d.scratch.twist[e]) +
             dot(d.scratch.coriolis_along_j[m], x.twist[k].angular);
    };
    for (int k = parent[link.v]; k >= 0; k = parent[k])
      for_pairs(tree, d, own != nullptr, k,
                [&](int m, std::size_t e) { put(j, k, m, plain(k, m, e)); });
    const auto change = [&](int m) -> const Vec6<S>& {  // of J_j by m of the same joint
      return d.mass.own_screws[m][j - link.v];
    };
    for (int k = link.v; k <= last; ++k) {
      const Vec6<S> F_k = c.inertias[i] * x.acceleration[k] + c.coriolis[i] * x.twist[k];
      for_pairs(tree, d, own != nullptr, k, [&](int m, std::size_t e) {
        S value = plain(k, m, e);
        if (x.of_q) value += dot(change(k), d.scratch.wrench[m]);
        if (y.of_q && m >= link.v) value += dot(change(m), F_k);
        put(j, k, m, value);
      });
    }
  }
}

template <class S, class F>
void second_pass(const Tree& tree, const SecondPass<S>& pass,
                 InverseDynamicsSecondDerivatives<S>& d, F&& put) noexcept {
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    if (tree.links[i].nv == 0) continue;
    prepare_pairs(tree, i, pass, d);
    entries_above(tree, i, pass, d, put);
    entries_below(tree, i, pass, d, put);
  }
}

}  // namespace detail

template <class S>
void inverse_dynamics_second_derivatives(const Tree& tree, const Poses<S>& poses, In<S> v, In<S> a,
                                         InverseDynamicsSecondDerivatives<S>& result,
                                         In<Wrench<Rep::body, S>> external,
                                         const Effects& effects) noexcept {
  inverse_dynamics_derivatives(tree, poses, v, a, result.first_work, result.first, external,
                               effects);
  prepare_mass_matrix_derivatives(tree, poses, result.mass);
  mass_matrix_derivatives(tree, result.mass, result.by_aq);
  const Vec6<S> world{{S(0), S(0), S(0)}, world_acceleration<S>(tree, effects)};
  for (std::size_t i = 0; i < tree.links.size(); ++i)
    detail::own_pairs(tree, i, poses, v, a, world, result);

  const Vec6<S>* J = result.first_work.composite.screws.data();
  const detail::Changes<S> q{J, result.first_work.twist_by_q.data(),
                             result.first_work.acceleration_by_q.data(), true};
  const detail::Changes<S> u{result.scratch.zero.data(), J,
                             result.first_work.acceleration_by_v.data(), false};
  const auto body = [&](int k) { return result.mass.body[k]; };
  detail::second_pass<S>(tree, {q, q, &result.scratch.qq}, result,
                         [&](int j, int k, int m, const S& value) {
                           if (body(k) != body(m))
                             result.by_qq(j, k, m) = result.by_qq(j, m, k) = value;
                           else if (body(j) != body(k))
                             result.by_qq(j, k, m) = value;
                           else
                             result.by_qq(j, k, m) += value;
                         });
  detail::second_pass<S>(
      tree, {q, u, &result.scratch.qv}, result,
      [&](int j, int k, int m, const S& value) { result.by_qv(j, k, m) = value; });
  detail::second_pass<S>(tree, {u, q, nullptr}, result, [&](int j, int k, int m, const S& value) {
    result.by_qv(j, m, k) = value;
  });
  detail::second_pass<S>(tree, {u, u, &result.scratch.vv}, result,
                         [&](int j, int k, int m, const S& value) {
                           result.by_vv(j, k, m) = result.by_vv(j, m, k) = value;
                         });
}

InverseDynamicsSecondDerivatives<double> inverse_dynamics_second_derivatives(
    const Tree& tree, In<double> q, In<double> v, In<double> a,
    In<Wrench<Rep::body, double>> external, const Effects& effects) {
  check_velocity(tree, v);
  check_velocity(tree, a, "a");
  detail::check_external(tree, external, "second derivatives of inverse dynamics");
  const Poses<double> p = poses(tree, q);
  InverseDynamicsSecondDerivatives<double> result(tree);
  inverse_dynamics_second_derivatives<double>(tree, p, v, a, result, external, effects);
  return result;
}

template struct InverseDynamicsSecondDerivatives<double>;
template void inverse_dynamics_second_derivatives(const Tree&, const Poses<double>&, In<double>,
                                                  In<double>,
                                                  InverseDynamicsSecondDerivatives<double>&,
                                                  In<Wrench<Rep::body, double>>,
                                                  const Effects&) noexcept;
template struct InverseDynamicsSecondDerivatives<Dual<double>>;
template void inverse_dynamics_second_derivatives(const Tree&, const Poses<Dual<double>>&,
                                                  In<Dual<double>>, In<Dual<double>>,
                                                  InverseDynamicsSecondDerivatives<Dual<double>>&,
                                                  In<Wrench<Rep::body, Dual<double>>>,
                                                  const Effects&) noexcept;

}  // namespace axode
