/// Linearized equations of motion of a mechanism in independent coordinates z, about any motion.
///
///   M dz'' + D dz' + K dz = dtau
///   x' = A x + B dtau,   x = (dz, dz'),   A = [0, 1; -M^-1 K, -M^-1 D],   B = [0; M^-1]
///
/// z are coordinates of the mechanism, such as the angle of a crank; tau are forces on them; drivers and
/// couplings stay as they are. With z held by drivers the equations Phi(q, t) = 0 determine all of the
/// motion: v = R z' + b and a = R z'' + c, and their slopes along z and z' follow from the same matrix,
///
///   dq = R dz,   dv = R dz' + S dz,   da = R dz'' + W dz' + U dz
///   M = R^T M_q R,   D = R^T (D_q R + M_q W),   K = R^T (K_q R + D_q S + M_q U)
///
/// with D_q and K_q those of M_q a - Q + Phi_q^T lambda (MechanismSystem::tangent), lambda including the
/// forces that hold z [GarciaBayo ch. 5, 6]. All are exact but U of a moving mechanism, which is found by
/// differences of order four; at rest U = S = W = 0. Cost: one factorisation, then O(fill) for each degree
/// of degree of freedom, and their number cubed.
/// Tests: tests/mechanism/dynamics/linearize_test.cpp
#pragma once
#include <span>
#include <string>
#include <vector>

#include "axode/linalg/dense.hpp"
#include "axode/mechanism/equations/system.hpp"

namespace axode {

struct MechanismLinearizeOptions {
  double t = 0;                    ///< of the drivers [s]
  std::vector<int> independent{};  ///< numbers of coordinates; empty: chosen (dofs_left)
  /// Forces on the independent coordinates [N m, N]; empty: those that make z'' = 0.
  std::vector<double> tau{};
};

/// n is the number of degrees of freedom.
struct [[nodiscard]] MechanismLinearization {
  bool solved = false;
  std::string message{}, remedy{};    ///< why it is not solved, and what to do about it
  std::vector<int> independent{};     ///< coordinates of the mechanism
  std::vector<double> q{}, v{}, a{};  ///< z [rad, m], z' and z'' of the motion itself
  std::vector<double> tau{};          ///< forces that this motion needs
  DenseMatrix<double> A{};            ///< 2n x 2n
  DenseMatrix<double> B{};            ///< 2n x n
  DenseMatrix<double> M{}, D{}, K{};  ///< n x n: mass, damping, stiffness
};

/// About the motion through (q, v), which meets the equations at time t (assemble). Not solved: no degree
/// of degree of freedom is left, or one has no coordinate or no inertia. Throws Error on wrong sizes and on
/// coordinates that do not exist, are driven or depend on each other, LimitError above 1000 velocities.
MechanismLinearization linearize(MechanismSystem& system, std::span<const double> q,
                                 std::span<const double> v,
                                 const MechanismLinearizeOptions& options = {});

}  // namespace axode
