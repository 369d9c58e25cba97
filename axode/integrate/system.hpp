/// What an integrator asks of a system: the group its state lies on and how fast the state moves.
///
/// A Flow is x' = rate(t, x) in the group's algebra. A Mechanical system is a Flow whose state is
/// x = (q, v, extra): configuration, its velocity, and further numbers that only add up along the
/// way (usually one, the work done on the system), so that its acceleration alone is enough.
/// All functions return false where there is no value (a singular configuration), and may not
/// allocate. They are not const: systems hold scratch memory, one object per thread.
/// Tests: tests/integrate/system_test.cpp
#pragma once
#include <concepts>
#include <span>
#include <utility>

#include "axode/integrate/lie_group.hpp"

namespace axode {

/// rate(t, x, x'): `x` has group().nx numbers, the rate group().nv.
template <class System>
concept Flow = requires(System& system, double t, std::span<const double> x, std::span<double> r) {
  { std::as_const(system).group() } -> std::same_as<const LieGroup&>;
  { system.rate(t, x, r) } -> std::same_as<bool>;
};

/// acceleration(t, q, v, v') of the configuration's group.
template <class System>
concept Mechanical = Flow<System> &&
    requires(System& system, double t, std::span<const double> x, std::span<double> r) {
  { std::as_const(system).configuration() } -> std::same_as<const LieGroup&>;
  { system.acceleration(t, x, x, r) } -> std::same_as<bool>;
};

/// A Mechanical system with p = dL/dv, for variational integrators.
///   momentum(q, v, p):               p = M(q) v
///   lagrangian_rate(t, q, v, g):     g = dL/dq along the group's tangent with v held, plus the
///                                    generalized forces that have no potential
///   solve_mass(q, r):                r := M(q)^-1 r
template <class System>
concept Lagrangian = Mechanical<System> &&
    requires(System& system, double t, std::span<const double> x, std::span<double> r) {
  { system.momentum(x, x, r) } -> std::same_as<bool>;
  { system.lagrangian_rate(t, x, x, r) } -> std::same_as<bool>;
  { system.solve_mass(x, r) } -> std::same_as<bool>;
};

/// A Mechanical system with the balance of its momenta in space (steppers/momentum_preserving.hpp).
///   carried_size():                  how many numbers a step hands on to the next
///   start_balance(t, q, v, carried): these numbers at a start
///   momentum_balance(t, h, q0, v0, q_mid, v_mid, q1, v1, carried, residual, next_carried):
///       residual = J(q_mid)^T (Pi(q1, v1) - Pi_0 - h W(t + h/2, q_mid, v_mid)), one per velocity
///   solve_mass(q, r):                r := M(q)^-1 r
template <class System>
concept MomentumBalanced = Mechanical<System> &&
    requires(System& system, double t, std::span<const double> x, std::span<double> r) {
  { std::as_const(system).carried_size() } -> std::same_as<int>;
  { system.start_balance(t, x, x, r) } -> std::same_as<bool>;
  { system.momentum_balance(t, t, x, x, x, x, x, x, x, r, r) } -> std::same_as<bool>;
  { system.solve_mass(x, r) } -> std::same_as<bool>;
};

}  // namespace axode
