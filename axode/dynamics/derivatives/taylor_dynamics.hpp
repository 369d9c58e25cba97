/// Inverse dynamics along a motion q(t) given by Taylor polynomials: time derivatives of the joint
/// forces of any order, O(n nu^2).
///
///   tau^(k),  k = 0..nu,   from   q, v, v', ..., v^(nu+1)
///
/// The recursive algorithm itself (inverse_dynamics.hpp) runs on polynomials (lie/taylor.hpp) instead
/// of numbers, an independent way to what time_derivatives.hpp does by its own recursions for
/// nu <= 2 [MuellerDyn sec. 6.3]. Coordinates that are no integrals of velocities have their
/// polynomials from their differential equations, coefficient by coefficient:
///
///   quaternions  2 q' = q (0, w), or (0, w) q if w is in the axes of the parent
///   positions of free joints  p' = R(q) u, u + w x p, or u, in body, spatial, hybrid velocities
///
/// The library holds the orders 1 to 6; for others include dynamics/any_scalar/taylor_dynamics.hpp. The forces grow like
/// nu! times the nu-th power of the frequencies in the motion, and rounding errors with them.
/// Tests: tests/dynamics/derivatives/taylor_dynamics_test.cpp
#pragma once
#include <vector>

#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/lie/taylor.hpp"

namespace axode {

/// The motion and the forces as polynomials of time. Make one per tree and thread, then reuse it.
template <int order, class S = double>
struct TaylorDynamics {
  using T = Taylor<S, order>;
  explicit TaylorDynamics(const Tree& tree);
  std::vector<T> q, v, a;                  ///< nq, nv, nv
  std::vector<T> tau;                      ///< joint forces: tau[i].derivative(k)
  Poses<T> poses;                          ///< of the bodies
  InverseDynamics<Rep::body, T> dynamics;  ///< twists, accelerations and wrenches
};

/// Polynomials of the coordinates that start at q with the velocities v(t): v has nv polynomials,
/// result nq of them. Does not allocate.
template <int order, class S>
void coordinate_polynomials(const Tree& tree, In<S> q, In<Taylor<S, order>> v,
                            Out<Taylor<S, order>> result) noexcept;

/// Writes work.tau and all the rest of `work`. velocities[k] points to the k-th time derivative of
/// v, nv numbers; there are order + 2 of them, v to v^(order+1). External wrenches are polynomials of
/// their components in the body frames. Does not allocate.
template <int order, class S>
void inverse_dynamics_rates(const Tree& tree, In<S> q,
                            std::type_identity_t<std::span<const S* const>> velocities,
                            TaylorDynamics<order, S>& work,
                            In<Wrench<Rep::body, Taylor<S, order>>> external = {},
                            const Effects& effects = {}) noexcept;

/// The highest order of the checked function below.
inline constexpr int max_force_rates = 6;
/// tau, tau', .. tau^(nu) [N m/s^k, N/s^k] from velocities = {v, v', .. v^(nu+1)}, that is with nu =
/// velocities.size() - 2 from 1 to 6. Throws Error otherwise, or if a vector has the wrong length or
/// is not finite. Without external wrenches.
std::vector<std::vector<double>> inverse_dynamics_rates(
    const Tree& tree, In<double> q, std::span<const std::vector<double>> velocities,
    const Effects& effects = {});

}  // namespace axode
