#include "axode/kinematics/higher_order.hpp"

#include <algorithm>
#include <string>

#include "axode/core/error.hpp"
#include "axode/lie/adjoint.hpp"
#include "axode/lie/dual.hpp"
#include "axode/model/joint_map.hpp"

namespace axode {

namespace {

constexpr int highest_order = 56;  // the last row of Pascal's triangle exact in double

int checked_order(int asked, int least, int most) {
  if (asked < least || asked > most)
    throw Error("order " + std::to_string(asked) + " of derivatives", "higher_order",
                "ask for " + std::to_string(least) + " to " + std::to_string(most));
  return asked;
}

template <class S>
constexpr Mat3<S> zero33() {
  return {Vec3<S>{}, Vec3<S>{}, Vec3<S>{}};
}
/// a x each column.
template <class S>
constexpr Mat3<S> cross(const Vec3<S>& a, const Mat3<S>& M) noexcept {
  return {axode::cross(a, M.x), axode::cross(a, M.y), axode::cross(a, M.z)};
}

/// Sums binom(k, j) term(j) over j = 0..k to what is there.
template <class S, class T, class F>
void leibniz(const std::vector<Real<S>>& binomials, int k, T& sum, F&& term) {
  const Real<S>* row = binomials.data() + k * (k + 1) / 2;
  for (int j = 0; j <= k; ++j) sum += term(j) * S(row[j]);
}

/// R^(k) for R' = +-w~ R: needs w^(j) for j < k.
template <class S, class W>
Mat3<S> turn(const std::vector<Real<S>>& binomials, int k, const std::vector<Mat3<S>>& R, W&& w) {
  Mat3<S> sum = zero33<S>();
  leibniz<S>(binomials, k - 1, sum, [&](int j) { return cross(w(j), R[k - 1 - j]); });
  return sum;
}
/// M^(k) for the lower left block of Ad, M' = w~ M + v~ R.
template <class S, class U>
Mat3<S> turn_moment(const std::vector<Real<S>>& binomials, int k, const std::vector<Mat3<S>>& R,
                    const std::vector<Mat3<S>>& M, U&& u) {
  Mat3<S> sum = zero33<S>();
  leibniz<S>(binomials, k - 1, sum, [&](int j) {
    const Vec6<S> u_j = u(j);
    return cross(u_j.angular, M[k - 1 - j]) + cross(u_j.linear, R[k - 1 - j]);
  });
  return sum;
}

/// U^(k) = sum binom(k, j) S^(j) v^(k-j) of joint i, k = 0..order.
template <Rep rep, class S>
void relative_twists(const Tree& tree, const Poses<S>& poses, int i,
                     std::span<const S* const> velocities, int order, HigherOrder<rep, S>& w) {
  const Link& link = tree.links[i];
  const int m = link.nv;
  const bool constant = has_constant_screws(link);
  const Vec6<S>* screws = poses.screws.data() + link.v;
  if (!constant) {
    std::copy(screws, screws + m, w.scratch.screws.begin());
    joint_screw_derivatives(tree, i, poses.q.data(), velocities, order, w.scratch.screws.data());
    screws = w.scratch.screws.data();
  }
  for (int k = 0; k <= order; ++k) {
    Vec6<S>& U = w.scratch.relative[k];
    U = {Vec3<S>{}, Vec3<S>{}};
    if (constant) {
      for (int f = 0; f < m; ++f) U += screws[f] * velocities[k][link.v + f];
      continue;
    }
    leibniz<S>(w.scratch.binomials, k, U, [&](int j) {
      Vec6<S> part{Vec3<S>{}, Vec3<S>{}};
      for (int f = 0; f < m; ++f) part += screws[j * m + f] * velocities[k - j][link.v + f];
      return part;
    });
  }
}

/// The derivatives V^(k) of one body, from its parent's (null: the world, which rests) and U^(k).
template <class S>
void body_step(const SE3<S>& T_PB, int order, typename HigherOrder<Rep::body, S>::Scratch& w,
               const Vec6<S>* parent, Vec6<S>* V) {
  const auto& U = w.relative;
  if (!parent) {
    std::copy(U.begin(), U.begin() + order + 1, V);
    return;
  }
  const SE3<S> T_BP = inverse(T_PB);
  w.rotation[0] = T_BP.R.matrix;
  w.moment[0] = cross(T_BP.p, T_BP.R.matrix);
  const auto minus_U = [&](int j) { return -U[j]; };
  for (int k = 0; k <= order; ++k) {
    if (k > 0) {
      w.moment[k] = turn_moment<S>(w.binomials, k, w.rotation, w.moment, minus_U);
      w.rotation[k] = turn<S>(w.binomials, k, w.rotation, [&](int j) { return -U[j].angular; });
    }
    V[k] = U[k];
    leibniz<S>(w.binomials, k, V[k], [&](int j) {
      const Mat3<S>& R = w.rotation[j];
      const Vec6<S>& Z = parent[k - j];
      return Vec6<S>{R * Z.angular, w.moment[j] * Z.angular + R * Z.linear};
    });
  }
}

template <class S>
void spatial_step(const SE3<S>& T_WB, int order, typename HigherOrder<Rep::spatial, S>::Scratch& w,
                  const Vec6<S>* parent, Vec6<S>* V) {
  w.rotation[0] = T_WB.R.matrix;
  w.moment[0] = cross(T_WB.p, T_WB.R.matrix);
  for (int k = 0; k <= order; ++k) {
    if (k > 0) {  // Ad(C_i)^(k) needs V_i below k only
      w.moment[k] =
          turn_moment<S>(w.binomials, k, w.rotation, w.moment, [&](int j) { return V[j]; });
      w.rotation[k] = turn<S>(w.binomials, k, w.rotation, [&](int j) { return V[j].angular; });
    }
    V[k] = parent ? parent[k] : Vec6<S>{Vec3<S>{}, Vec3<S>{}};
    leibniz<S>(w.binomials, k, V[k], [&](int j) {
      const Mat3<S>& R = w.rotation[j];
      const Vec6<S>& U = w.relative[k - j];
      return Vec6<S>{R * U.angular, w.moment[j] * U.angular + R * U.linear};
    });
  }
}

template <class S>
void hybrid_step(const SE3<S>& T_WB, const Vec3<S>& r_p, int order,
                 typename HigherOrder<Rep::hybrid, S>::Scratch& w, const Vec6<S>* parent,
                 Vec6<S>* V) {
  const Vec3<S> r = r_p - T_WB.p;
  w.rotation[0] = T_WB.R.matrix;
  for (int k = 0; k <= order; ++k) {
    if (k > 0)
      w.rotation[k] = turn<S>(w.binomials, k, w.rotation, [&](int j) { return V[j].angular; });
    V[k] = parent ? parent[k] : Vec6<S>{Vec3<S>{}, Vec3<S>{}};
    leibniz<S>(w.binomials, k, V[k], [&](int j) {
      const Vec6<S>& U = w.relative[k - j];
      Vec6<S> sum{w.rotation[j] * U.angular, w.rotation[j] * U.linear};
      if (parent) {  // r_ip^(j) x w_p^(k-j)
        const Vec3<S> r_j = j == 0 ? r : parent[j - 1].linear - V[j - 1].linear;
        sum.linear += axode::cross(r_j, parent[k - j].angular);
      }
      return sum;
    });
  }
}

/// `angular` holds (R w)^(k) of the body, `parent_angular` that of the parent.
template <class S>
void mixed_step(const SE3<S>& T_WB, const SE3<S>& T_PB, const Vec3<S>& r_p, int order,
                typename HigherOrder<Rep::mixed, S>::Scratch& w, const Vec6<S>* parent,
                const Vec3<S>* parent_angular, Vec6<S>* V, Vec3<S>* angular) {
  const Vec3<S> r = r_p - T_WB.p;
  const auto& U = w.relative;
  w.rotation[0] = transpose(T_PB.R.matrix);  // R_ip
  w.turned[0] = T_WB.R.matrix;
  for (int k = 0; k <= order; ++k) {
    if (k > 0) {
      if (parent)
        w.rotation[k] = turn<S>(w.binomials, k, w.rotation, [&](int j) { return -U[j].angular; });
      w.turned[k] = turn<S>(w.binomials, k, w.turned, [&](int j) { return angular[j]; });
    }
    V[k] = {U[k].angular, parent ? parent[k].linear : Vec3<S>{}};
    leibniz<S>(w.binomials, k, V[k], [&](int j) {
      Vec6<S> sum{Vec3<S>{}, w.turned[j] * U[k - j].linear};
      if (parent) {
        const Vec3<S> r_j = j == 0 ? r : parent[j - 1].linear - V[j - 1].linear;
        sum.angular = w.rotation[j] * parent[k - j].angular;
        sum.linear += axode::cross(r_j, parent_angular[k - j]);
      }
      return sum;
    });
    angular[k] = Vec3<S>{};
    leibniz<S>(w.binomials, k, angular[k], [&](int j) { return w.turned[j] * V[k - j].angular; });
  }
}

}  // namespace

template <Rep rep, class S>
HigherOrder<rep, S>::HigherOrder(const Tree& tree, int order_)
    : order(checked_order(order_, 0, highest_order)) {
  const std::size_t n = order + 1, all = std::size_t(tree.size()) * n;
  derivatives.resize(all);
  auto& row = scratch.binomials;
  for (int k = 0; k <= order; ++k)
    for (int j = 0; j <= k; ++j) {
      const std::size_t above = row.size() - k;  // entry j of the row before
      row.push_back(j == 0 || j == k ? Real<S>(1) : row[above - 1] + row[above]);
    }
  int most = 0;
  for (const Link& link : tree.links) most = std::max<int>(most, link.nv);
  scratch.screws.resize(std::size_t(most) * n);
  scratch.relative.resize(n);
  scratch.rotation.resize(n);
  if (rep == Rep::body || rep == Rep::spatial) scratch.moment.resize(n);
  if (rep == Rep::mixed) {
    scratch.turned.resize(n);
    scratch.angular.resize(all);
  }
}

template <Rep rep, class S>
void twist_derivatives(const Tree& tree, const Poses<S>& poses,
                       std::type_identity_t<std::span<const S* const>> velocities,
                       HigherOrder<rep, S>& result) {
  const int order = std::min(static_cast<int>(velocities.size()) - 1, result.order);
  const int n = result.order + 1;
  auto& w = result.scratch;
  for (int i = 0; i < tree.size(); ++i) {
    relative_twists(tree, poses, i, velocities, order, result);
    const int p = tree.links[i].parent;
    Vec6<S>* V = result.derivatives.data() + i * n;
    const Vec6<S>* parent = p < 0 ? nullptr : result.derivatives.data() + p * n;
    const Vec3<S> r_p = p < 0 ? Vec3<S>{} : poses.T_WB[p].p;
    // The scratch has the same members in all representations, though not the same type.
    if constexpr (rep == Rep::body) body_step<S>(poses.T_PB[i], order, w, parent, V);
    if constexpr (rep == Rep::spatial) spatial_step<S>(poses.T_WB[i], order, w, parent, V);
    if constexpr (rep == Rep::hybrid) hybrid_step<S>(poses.T_WB[i], r_p, order, w, parent, V);
    if constexpr (rep == Rep::mixed)
      mixed_step<S>(poses.T_WB[i], poses.T_PB[i], r_p, order, w, parent,
                    p < 0 ? nullptr : w.angular.data() + p * n, V, w.angular.data() + i * n);
  }
  result.computed = order;
}

template <class S>
PoseDerivatives<S>::PoseDerivatives(const Tree& tree, int order_)
    : order(checked_order(order_, 0, highest_order + 1)) {
  derivatives.resize(std::size_t(tree.size()) * std::size_t(order + 1));
}

template <Rep rep, class S>
void pose_derivatives(const Tree& tree, const Poses<S>& poses, const HigherOrder<rep, S>& twists,
                      PoseDerivatives<S>& result) noexcept {
  constexpr bool body_axes = rep == Rep::body || rep == Rep::mixed;
  const int order = std::min(result.order, twists.computed + 1);
  for (int i = 0; i < tree.size(); ++i) {
    PoseDerivative<S>* C = result.derivatives.data() + i * (result.order + 1);
    C[0] = {poses.T_WB[i].R.matrix, poses.T_WB[i].p};
    std::fill(C + 1, C + result.order + 1, PoseDerivative<S>{zero33<S>(), Vec3<S>{}});
    for (int k = 0; k < order; ++k) {
      const auto V = [&](int j) { return twists.derivative(i, j); };
      leibniz<S>(twists.scratch.binomials, k, C[k + 1].R, [&](int j) {
        return body_axes ? C[k - j].R * skew(V(j).angular) : cross(V(j).angular, C[k - j].R);
      });
      if constexpr (rep == Rep::hybrid || rep == Rep::mixed) {
        C[k + 1].p = V(k).linear;
      } else if constexpr (rep == Rep::body) {
        leibniz<S>(twists.scratch.binomials, k, C[k + 1].p,
                   [&](int j) { return C[k - j].R * V(j).linear; });
      } else {
        C[k + 1].p = V(k).linear;
        leibniz<S>(twists.scratch.binomials, k, C[k + 1].p,
                   [&](int j) { return axode::cross(V(j).angular, C[k - j].p); });
      }
    }
  }
}

template <class S>
PoseDerivative<S> taylor_pose(const PoseDerivatives<S>& poses, int body,
                              const std::type_identity_t<S>& dt) noexcept {
  PoseDerivative<S> sum = poses.derivative(body, poses.order);
  for (int k = poses.order; k > 0; --k) {  // Horner
    const S factor = dt / S(Real<S>(k));
    const PoseDerivative<S>& C = poses.derivative(body, k - 1);
    sum = {C.R + sum.R * factor, C.p + sum.p * factor};
  }
  return sum;
}

using V = std::span<const double* const>;
template struct PoseDerivatives<double>;
template PoseDerivative<double> taylor_pose(const PoseDerivatives<double>&, int,
                                            const double&) noexcept;
template struct HigherOrder<Rep::body, double>;
template struct HigherOrder<Rep::spatial, double>;
template struct HigherOrder<Rep::hybrid, double>;
template struct HigherOrder<Rep::mixed, double>;
template void twist_derivatives(const Tree&, const Poses<double>&, V,
                                HigherOrder<Rep::body, double>&);
template void twist_derivatives(const Tree&, const Poses<double>&, V,
                                HigherOrder<Rep::spatial, double>&);
template void twist_derivatives(const Tree&, const Poses<double>&, V,
                                HigherOrder<Rep::hybrid, double>&);
template void twist_derivatives(const Tree&, const Poses<double>&, V,
                                HigherOrder<Rep::mixed, double>&);
template void pose_derivatives(const Tree&, const Poses<double>&,
                               const HigherOrder<Rep::body, double>&,
                               PoseDerivatives<double>&) noexcept;
template void pose_derivatives(const Tree&, const Poses<double>&,
                               const HigherOrder<Rep::spatial, double>&,
                               PoseDerivatives<double>&) noexcept;
template void pose_derivatives(const Tree&, const Poses<double>&,
                               const HigherOrder<Rep::hybrid, double>&,
                               PoseDerivatives<double>&) noexcept;
template void pose_derivatives(const Tree&, const Poses<double>&,
                               const HigherOrder<Rep::mixed, double>&,
                               PoseDerivatives<double>&) noexcept;

using VD = std::span<const Dual<double>* const>;
template struct PoseDerivatives<Dual<double>>;
template PoseDerivative<Dual<double>> taylor_pose(const PoseDerivatives<Dual<double>>&, int,
                                                  const Dual<double>&) noexcept;
template struct HigherOrder<Rep::body, Dual<double>>;
template struct HigherOrder<Rep::spatial, Dual<double>>;
template struct HigherOrder<Rep::hybrid, Dual<double>>;
template struct HigherOrder<Rep::mixed, Dual<double>>;
template void twist_derivatives(const Tree&, const Poses<Dual<double>>&, VD,
                                HigherOrder<Rep::body, Dual<double>>&);
template void twist_derivatives(const Tree&, const Poses<Dual<double>>&, VD,
                                HigherOrder<Rep::spatial, Dual<double>>&);
template void twist_derivatives(const Tree&, const Poses<Dual<double>>&, VD,
                                HigherOrder<Rep::hybrid, Dual<double>>&);
template void twist_derivatives(const Tree&, const Poses<Dual<double>>&, VD,
                                HigherOrder<Rep::mixed, Dual<double>>&);
template void pose_derivatives(const Tree&, const Poses<Dual<double>>&,
                               const HigherOrder<Rep::body, Dual<double>>&,
                               PoseDerivatives<Dual<double>>&) noexcept;
template void pose_derivatives(const Tree&, const Poses<Dual<double>>&,
                               const HigherOrder<Rep::spatial, Dual<double>>&,
                               PoseDerivatives<Dual<double>>&) noexcept;
template void pose_derivatives(const Tree&, const Poses<Dual<double>>&,
                               const HigherOrder<Rep::hybrid, Dual<double>>&,
                               PoseDerivatives<Dual<double>>&) noexcept;
template void pose_derivatives(const Tree&, const Poses<Dual<double>>&,
                               const HigherOrder<Rep::mixed, Dual<double>>&,
                               PoseDerivatives<Dual<double>>&) noexcept;

}  // namespace axode
