/// Equations of motion of a tree on a free base, with the velocity of the base in the form asked for.
///
///   M nu' + C nu + G = S tau + sum J_k^T f_k                        [TraversaroSaccon (80), (83)]
///
/// nu holds the twist of the first body in that form, angular part first, then the velocities of all
/// other joints; S puts zeros before the joint forces tau. The tree's own velocities v, whatever form
/// its free joint has, are v = Y nu with Y = diag(Y_6, I) [TraversaroSaccon (76)-(79)], and
///
///   M' = Y^T M Y,   G' = Y^T G,   J' = J Y,   f' = Y^T f
///   v' = Y nu' + Y' nu,   C' = Y^T (C Y + M dY/dt)      [sec. 9, corrected: docs/errata.md]
///
/// dM'/dt - 2 C' is Y^T (dM/dt - 2 C) Y plus the skew matrix dY^T M Y - Y^T M dY: it stays skew if it
/// was. Without the term M dY/dt it would not, and C' nu would be wrong in hybrid form (in spatial
/// form dY/dt nu = 0). O(n); O(sum of depths) with M. Units: kg m^2, kg m, kg; N m, N.
/// Tests: tests/dynamics/matrices/moving_base_test.cpp
#pragma once
#include <vector>

#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/dynamics/matrices/mass_matrix.hpp"

namespace axode {

/// Whether the first body moves freely in the world.
bool has_free_base(const Tree& tree) noexcept;
/// Throws Error if it does not; `where` names the function.
void check_free_base(const Tree& tree, const char* where);

/// A change of the first six velocities, v = Y nu: from old velocities v to new ones nu.
template <class S = double>
struct BaseChange {
  Mat6<S> Y, Y_inverse, Y_rate;  ///< Y_rate = dY/dt along the motion
  bool singular = false;  ///< no such change: six coordinates of a free joint in a singularity
};
/// The old velocity is the twist of a body in form `old_form`, the new one in form `new_form`. T_WB
/// is its pose, V its twist.
template <class S>
BaseChange<S> base_change(const SE3<S>& T_WB, const Twist<Rep::body, S>& V, Rep old_form,
                          Rep new_form) noexcept;
/// The old velocities are the tree's own, the new have the twist of the base in that form. The tree
/// must have a free base. v is the tree's own velocity; Y_rate alone depends on it.
template <class S>
BaseChange<S> base_change(const Tree& tree, const Poses<S>& poses, In<S> v, Rep form) noexcept;
/// The change back: nu = Y^-1 v.
template <class S>
BaseChange<S> inverse(const BaseChange<S>& change) noexcept;

// Old quantities to new ones. The result may be the argument itself. None of these allocates.

/// nu = Y^-1 v.
template <class S>
void change_velocity(const BaseChange<S>& change, In<S> v, Out<S> nu) noexcept;
/// nu' = Y^-1 (v' - dY/dt nu); nu is the new velocity.
template <class S>
void change_acceleration(const BaseChange<S>& change, In<S> nu, In<S> a, Out<S> result) noexcept;
/// Y^T f of generalized forces: G, J^T W, forces of motors. The power f^T v stays.
template <class S>
void change_force(const BaseChange<S>& change, In<S> force, Out<S> result) noexcept;
/// J Y, in place. The rows of the Jacobian stand in the six-vectors.
template <class S>
void change_jacobian(const BaseChange<S>& change, Out<Vec6<S>> columns) noexcept;
/// Y^T M Y, in place. (Not of factors.)
template <class S>
void change_mass_matrix(const BaseChange<S>& change, PathMatrix<S>& M) noexcept;
template <class S>
void change_mass_matrix(const BaseChange<S>& change, DenseMatrix<S>& M) noexcept;
/// Y^T (C Y + M dY/dt), in place; M is the old one. Takes any of the many matrices C.
template <class S>
void change_coriolis_matrix(const BaseChange<S>& change, const DenseMatrix<S>& M,
                            DenseMatrix<S>& C) noexcept;
/// S tau: the forces on all velocities from those of the joints behind the base. They are the same
/// in all forms.
template <class S>
void force_of_joints(In<S> tau, Out<S> force) noexcept;

/// The terms of the equation of motion. Make it once per tree and thread, then reuse it.
template <class S = double>
struct MovingBaseDynamics {
  /// Throws Error if the tree has no free base.
  explicit MovingBaseDynamics(const Tree& tree);
  BaseChange<S> change;     ///< from the tree's own velocities to nu
  std::vector<S> nu;        ///< the velocity
  PathMatrix<S> M;          ///< with armatures unless left out; dense(M) has all entries
  std::vector<S> coriolis;  ///< C nu, and damping and friction unless left out
  std::vector<S> gravity;   ///< G

  Composite<S> composite;  ///< scratch, as the following
  InverseDynamics<Rep::body, S> recursion;
  std::vector<S> zero, acceleration;
};
/// Writes all terms at the tree's own velocity v, with the base velocity in that form. Does not
/// allocate.
template <class S>
void moving_base_dynamics(const Tree& tree, const Poses<S>& poses, In<S> v, Rep form,
                          MovingBaseDynamics<S>& result, const Effects& effects = {}) noexcept;
/// The same from coordinates, checked, as a new object.
MovingBaseDynamics<double> moving_base_dynamics(const Tree& tree, In<double> q, In<double> v,
                                                Rep form, const Effects& effects = {});

}  // namespace axode
