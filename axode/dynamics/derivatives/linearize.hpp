/// Linearized equations of motion of a tree about any point (q, v, tau) of any motion: for control,
/// stability, natural frequencies, estimation.
///
///   M da + D dv + K dq = du            M mass, D = dtau/dv, K = dtau/dq         (inverse_derivatives.hpp)
///   d/dt dq = dv + G dq
///   x' = A x + B du,   x = (dq, dv),   A = [G, 1; -M^-1 K, -M^-1 D],   B = [0; M^-1]
///
/// dq is the displacement along the tangent, plus(q, dq), so that all vectors have as many numbers as
/// there are velocities. Where these are the rates of coordinates, G = 0. Otherwise neighbouring
/// motions with the same numbers v move apart or turn about each other:
///
///   quaternion, free joint in body velocities    d/dt dq = dv - [v, dq]
///   free joint in spatial velocities             d/dt dq = dv + [v, dq]
///   free joint in hybrid velocities              d/dt dq = dv + (w x dq_angular, 0)
///
/// At an equilibrium G = 0. Couplings are kept: all is then written in the independent velocities
/// (state.hpp), with M = E^T M_all E and so on. Friction is taken as constant, external wrenches as
/// fixed in the body frames, whatever frames they are given in. O(n^3).
/// Tests: tests/dynamics/derivatives/linearize_test.cpp
#pragma once
#include <vector>

#include "axode/dynamics/effects.hpp"
#include "axode/dynamics/external_wrench.hpp"
#include "axode/kinematics/system_jacobian.hpp"

namespace axode {

/// n is the number of independent velocities, nv without couplings.
struct Linearization {
  DenseMatrix<double> A;        ///< 2n x 2n
  DenseMatrix<double> B;        ///< 2n x n, by forces on the independent velocities
  DenseMatrix<double> M, D, K;  ///< n x n: mass, damping, stiffness
  DenseMatrix<double> G;        ///< n x n: kinematics
  std::vector<double> a, tau;   ///< of the motion itself, all nv numbers
};

/// About the motion that the joint forces tau cause at (q, v). With zero v and a in the result, that
/// is an equilibrium. Throws Error if numbers are missing or not finite, if q or v break couplings
/// and on wrenches on unknown frames, and SingularError if the mass matrix is singular, naming a body.
Linearization linearize(const Tree& tree, In<double> q, In<double> v, In<double> tau,
                        const DynamicsOptions& options = {});
/// About the motion with accelerations a, such as a planned one; tau in the result keeps it up.
Linearization linearize_motion(const Tree& tree, In<double> q, In<double> v, In<double> a,
                               const DynamicsOptions& options = {});

}  // namespace axode
