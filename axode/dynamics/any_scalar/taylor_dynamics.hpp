// Definitions of taylor_dynamics.hpp; taylor_dynamics.cpp instantiates them for some orders.
#pragma once
#include "axode/dynamics/any_scalar/inverse_dynamics.hpp"
#include "axode/dynamics/derivatives/taylor_dynamics.hpp"
#include "axode/kinematics/any_scalar/motion.hpp"
#include "axode/kinematics/any_scalar/poses.hpp"
#include "axode/model/any_scalar/joint_map.hpp"

namespace axode {

template <int order, class S>
TaylorDynamics<order, S>::TaylorDynamics(const Tree& tree)
    : q(tree.nq), v(tree.nv), a(tree.nv), tau(tree.nv), poses(tree), dynamics(tree) {}

namespace detail {

/// x' = f where coefficient k of f needs those of x up to k only: rate(k) gives it.
template <int order, class S, class F>
void integrate_coefficients(int n, const S* start, Taylor<S, order>* x, F&& rate) noexcept {
  for (int c = 0; c < n; ++c) x[c] = Taylor<S, order>(start[c]);
  for (int k = 0; k < order; ++k) {
    const auto f = rate(k);
    const S divisor(static_cast<Real<S>>(k + 1));
    for (int c = 0; c < n; ++c) x[c][k + 1] = f[c] / divisor;
  }
}

/// Coefficient k of the product of two quaternions, the second without real part.
template <int order, class S>
std::array<S, 4> quaternion_product(int k, const Taylor<S, order>* q, const Taylor<S, order>* w,
                                    bool w_first) noexcept {
  Quaternion<S> sum{S(0), {S(0), S(0), S(0)}};
  for (int j = 0; j <= k; ++j) {
    const Quaternion<S> a{q[0][j], {q[1][j], q[2][j], q[3][j]}};
    const Quaternion<S> b{S(0), {w[0][k - j], w[1][k - j], w[2][k - j]}};
    const Quaternion<S> product = w_first ? b * a : a * b;
    sum = {sum.w + product.w, sum.v + product.v};
  }
  return {sum.w, sum.v.x, sum.v.y, sum.v.z};
}

template <int order, class S>
void free_position(const Link& link, const S* start, const Taylor<S, order>* q,
                   const Taylor<S, order>* v, Taylor<S, order>* p) noexcept {
  using T = Taylor<S, order>;
  const Vec3<T> w{v[0], v[1], v[2]}, u{v[3], v[4], v[5]};
  if (link.velocity == Rep::body) {
    const Vec3<T> along = quaternion_pose(q).R * u;
    return integrate_coefficients(3, start, p, [&](int k) {
      return Vec3<S>{along.x[k], along.y[k], along.z[k]};
    });
  }
  integrate_coefficients(3, start, p, [&](int k) {
    Vec3<S> rate{u.x[k], u.y[k], u.z[k]};
    if (link.velocity == Rep::spatial)
      for (int j = 0; j <= k; ++j)
        rate +=
            cross(Vec3<S>{w.x[j], w.y[j], w.z[j]}, Vec3<S>{p[0][k - j], p[1][k - j], p[2][k - j]});
    return rate;
  });
}

}  // namespace detail

template <int order, class S>
void coordinate_polynomials(const Tree& tree, In<S> q, In<Taylor<S, order>> v,
                            Out<Taylor<S, order>> result) noexcept {
  for (const Link& link : tree.links) {
    const S* start = q.data() + link.q;
    const Taylor<S, order>* u = v.data() + link.v;
    Taylor<S, order>* x = result.data() + link.q;
    if (link.map != JointMap::quaternion && link.map != JointMap::free) {
      for (int c = 0; c < link.nq; ++c)
        detail::integrate_coefficients(1, start + c, x + c,
                                       [&](int k) { return std::array<S, 1>{u[c][k]}; });
      continue;
    }
    const bool w_first = link.velocity != Rep::body;  // in the axes of the parent
    detail::integrate_coefficients(4, start, x, [&](int k) {
      std::array<S, 4> rate = detail::quaternion_product(k, x, u, w_first);
      for (S& c : rate) c *= S(Real<S>(0.5));
      return rate;
    });
    if (link.map == JointMap::free) detail::free_position(link, start + 4, x, u, x + 4);
  }
}

template <int order, class S>
void inverse_dynamics_rates(const Tree& tree, In<S> q,
                            std::type_identity_t<std::span<const S* const>> velocities,
                            TaylorDynamics<order, S>& work,
                            In<Wrench<Rep::body, Taylor<S, order>>> external,
                            const Effects& effects) noexcept {
  using T = Taylor<S, order>;
  for (std::size_t i = 0; i < work.v.size(); ++i) {
    const auto from = [&](int first) {
      return taylor_from_derivatives<S, order>([&](int k) { return velocities[first + k][i]; });
    };
    work.v[i] = from(0);
    work.a[i] = from(1);
  }
  coordinate_polynomials<order, S>(tree, q, work.v, work.q);
  poses<T>(tree, work.q, work.poses);
  inverse_dynamics<Rep::body, T>(tree, work.poses, work.v, work.a, work.dynamics, work.tau,
                                 external, effects);
}

}  // namespace axode
