/// Energies, power and momenta of a tree.
///
///   d/dt (T + U) = v^T tau + sum V_i^T W_i + losses      with T of bodies and drives, U of gravity
///   Pi_i = M_i V_i,  sum Pi_i' = sum of the wrenches on the tree    [MuellerDyn (35)-(36), (79)]
///
/// Centroidal quantities are about the centre of mass, in world axes, "hybrid" for that point:
///
///   h_G = A_G v,  h_G' = A_G v' + A_G' v,  h_G = I_G V_G
///
/// with the centroidal momentum matrix A_G, the inertia I_G the tree has with all joints locked,
/// and its average velocity V_G. All O(n). Units: J, W, kg m^2/s and kg m/s, N m and N.
/// Tests: tests/dynamics/energy_test.cpp, tests/dynamics/centroidal_test.cpp
#pragma once
#include <vector>

#include "axode/dynamics/detail/composite.hpp"
#include "axode/kinematics/motion.hpp"

namespace axode {

/// Kinetic energy of the bodies; `motion` holds the twists. None of the following allocates.
template <class S>
S kinetic_energy(const Tree& tree, const Motion<Rep::body, S>& motion) noexcept;
/// Kinetic energy of the drives, 1/2 armature v^2.
template <class S>
S armature_energy(const Tree& tree, In<S> v) noexcept;

/// The rate of the energy, by what it comes from.
template <class S = double>
struct Power {
  S joints;    ///< v^T tau
  S external;  ///< of the wrenches on the bodies
  S losses;    ///< of damping and friction: not above zero
};
/// `motion` holds the twists at v; `external` is by body, or empty.
template <class S>
Power<S> power(const Tree& tree, const Motion<Rep::body, S>& motion, In<S> v, In<S> tau,
               In<Wrench<Rep::body, S>> external = {}, const Effects& effects = {}) noexcept;

/// Writes the momentum of each body about the world's origin.
template <class S>
void body_momenta(const Tree& tree, const Poses<S>& poses, const Motion<Rep::body, S>& motion,
                  Out<Momentum<Rep::spatial, S>> momenta) noexcept;

// From a composite with inertias; those of momenta need composite_momenta. Of the whole tree, or of
// a body and all it carries.

/// Momentum about the world's origin.
template <class S>
Momentum<Rep::spatial, S> spatial_momentum(const Tree& tree, const Composite<S>& composite,
                                           int body = -1) noexcept;
/// The inertia with all joints locked, in the world's frame. Without mass its centre is put at the
/// point of the composite.
template <class S>
Inertia<S> locked_inertia(const Tree& tree, const Composite<S>& composite, int body = -1) noexcept;

/// Momentum h_G of the tree.
template <class S>
Momentum<Rep::hybrid, S> centroidal_momentum(const Tree& tree,
                                             const Composite<S>& composite) noexcept;
/// Writes the nv columns of A_G.
template <class S>
void centroidal_momentum_matrix(const Tree& tree, const Composite<S>& composite,
                                Out<Momentum<Rep::hybrid, S>> columns) noexcept;
/// h_G' = A_G a + A_G' v, from composite_motion(..., v, a, composite, {}, no_effects); so A_G' v
/// for a = 0.
template <class S>
Wrench<Rep::hybrid, S> centroidal_momentum_rate(const Tree& tree,
                                                const Composite<S>& composite) noexcept;

/// V_G, the twist of the locked tree that has the momentum of the moving one.
template <class S = double>
struct AverageVelocity {
  Twist<Rep::hybrid, S> twist;
  bool determined = true;  ///< false, and the twist of no use, if there is no mass off a line
};
template <class S>
AverageVelocity<S> average_velocity(const Tree& tree, const Composite<S>& composite) noexcept;

/// What energy (engine/energy.hpp, engine/calls.hpp) returns.
struct Energy {
  double kinetic;    ///< of the bodies
  double armature;   ///< of the drives
  double potential;  ///< of gravity, zero at the world's origin
};

}  // namespace axode
