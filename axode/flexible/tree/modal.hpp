/// Vibrations of a whole flexible tree about a pose, and its equations linearized about a motion.
///
///   M x'' + (D + servo) x' + (K + d(gravity)/dq + servo) x = 0         modes
///   M dv' + D dv + K dq = dtau                                         linearize
///   x' = A x + B dtau,   x = (dq, dv),   A = [0, 1; -M^-1 K, -M^-1 D],   B = [0; M^-1]
/// Derivatives are taken by dual numbers, to rounding. For the linear model they are those of the
/// linear equations: numbers have two dual parts, the elastic order and the derivative. Undamped
/// modes of the exact model are those of a symmetric problem; all others come from A. Cost O(N)
/// evaluations of the equations and O(N^3) for eigenvalues; for analyses, not for loops.
/// Tests: tests/flexible/tree/modal_test.cpp
#pragma once
#include <complex>
#include <span>
#include <string>
#include <vector>

#include "axode/flexible/tree/dynamics.hpp"
#include "axode/linalg/dense.hpp"

namespace axode {

struct FlexibleMode {
  double frequency = 0;      ///< |eigenvalue| [rad/s]; 0: motion as a rigid body
  double damping_ratio = 0;  ///< -real part / |eigenvalue|; 1: not oscillating, negative: it grows
  std::complex<double> eigenvalue{};  ///< [1/s]; of a pair the one with positive imaginary part
  std::vector<double> shape;       ///< of all coordinates; the largest is 1 (0 for locked joints)
  std::vector<double> quadrature;  ///< imaginary part of the shape; empty if all move in phase
};

struct FlexibleModesOptions {
  enum class Joints : std::uint8_t { locked, free, servo };
  FlexibleModel model = FlexibleModel::nonlinear;
  Joints joints = Joints::locked;
  std::vector<double> kp, kd;  ///< of servos, by joint coordinate [N m/rad, N m s/rad, ...]
  bool gravity = true;         ///< its stiffness and the static deflection
  bool settle = true;   ///< modes about the static deflection at these joints, else about q itself
  bool damping = true;  ///< structural damping of the tree
};
struct [[nodiscard]] FlexibleModesResult {
  bool solved = false;
  std::string message;              ///< why not
  std::vector<FlexibleMode> modes;  ///< by rising frequency; pairs are one mode
  std::vector<double> q;            ///< the pose, with its static deflection
};
/// Modes about the joint angles of q. Joints are held by constant forces and move freely about
/// them, are locked, or have servos. Throws Error on lists of wrong length.
FlexibleModesResult find_flexible_modes(const FlexibleTree& tree, std::span<const double> q,
                                        const FlexibleModesOptions& options = {});
/// The modes alone; throws Error where they are not found.
std::vector<FlexibleMode> flexible_modes(const FlexibleTree& tree, std::span<const double> q,
                                         const FlexibleModesOptions& options = {});

/// Elastic coordinates at rest under gravity with the joints of q held, by Newton's method.
struct [[nodiscard]] StaticDeflection {
  bool converged = false;
  int iterations = 0;
  std::vector<double> q;             ///< joints as given
  std::vector<double> joint_forces;  ///< that hold them [N m, N]
};
StaticDeflection static_deflection(const FlexibleTree& tree, std::span<const double> q,
                                   FlexibleModel model = FlexibleModel::nonlinear);

struct FlexibleLinearizeOptions {
  FlexibleDynamicsOptions dynamics{.model = FlexibleModel::nonlinear};
  std::vector<double> kp{}, kd{};  ///< servos tau - kp dq - kd dv, by joint; empty: none
  /// Forces on all coordinates [N m, N]. Empty: of a state without velocities those that hold the joints at
  /// the static deflection, which replaces the elastic coordinates of q; of a moving state zero.
  std::vector<double> tau{};
};
struct [[nodiscard]] FlexibleLinearization {
  bool solved = false;
  std::string message{}, remedy{};    ///< why it is not solved, and what to do about it
  std::vector<double> q{}, v{}, a{};  ///< of the motion itself; need not be an equilibrium
  std::vector<double> tau{};          ///< its forces
  DenseMatrix<double> A{};            ///< 2N x 2N
  DenseMatrix<double> B{};            ///< 2N x N, by generalized forces
  DenseMatrix<double> M{}, D{}, K{};  ///< N x N; gravity, servos and motion included in D and K
};
/// About the motion through (q, v). Not solved: the mass matrix is not positive definite, a number is not
/// finite, or no static deflection is found. Throws Error on lists of wrong length.
FlexibleLinearization linearize(const FlexibleTree& tree, std::span<const double> q,
                                std::span<const double> v,
                                const FlexibleLinearizeOptions& options = {});

}  // namespace axode
