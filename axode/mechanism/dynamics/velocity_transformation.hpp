/// Dynamics in two stages: forces and masses in the coordinates q of one formulation, motion in the
/// relative velocities z' of another [GarciaBayo 2.1.4, ch. 5]:
///
///   q' = R z',   q'' = R z'' + R' z'
///   R^T M R z'' + Phi_z^T mu = R^T (Q - M R' z'),   Phi_z z'' = c
///   Phi_z^T lambda = Q_z - M_z z''            M_z, Q_z: of the relative formulation
///
/// Column k of R holds the velocities that joint velocity k gives all bodies beyond it; Phi are the
/// equations of cut joints, couplings and drivers in relative coordinates, none for open chains.
/// The equations of the other formulation are not needed: what moves by R meets those of bodies and
/// joints in the tree. mu is lambda only where the other coordinates can take cut joints apart. Natural
/// ones that share points and vectors there cannot: R moves only one of the bodies with such a point.
/// Cost: O(bodies) for each column of R, and two sparse factorisations.
/// Tests: tests/mechanism/dynamics/velocity_transformation_test.cpp
#pragma once
#include <span>
#include <string>
#include <vector>

#include "axode/linalg/constrained_solve.hpp"
#include "axode/mechanism/equations/system.hpp"

namespace axode {

class VelocityTransformation {
 public:
  /// Two formulations of one mechanism, the first in relative coordinates; both are kept and used.
  /// Throws Error if they are not.
  VelocityTransformation(MechanismSystem& relative, MechanismSystem& other);

  /// The configuration and velocity of the other formulation at (z, z'); may change its forms.
  void move_to(std::span<const double> z, std::span<const double> rates);
  const std::vector<double>& q() const noexcept { return q_; }
  const std::vector<double>& velocity() const noexcept { return v_; }
  /// R, and R' z': what q'' is where z'' is zero. Of the state moved to.
  const SparseRows& matrix();
  const std::vector<double>& bias();

  /// z'' and the multipliers of the equations in relative coordinates at (t, z, z'), those of least
  /// norm where equations are redundant: lambda of M_z z'' + Phi_z^T lambda = Q_z. False: they are not
  /// determined, the equations cannot be met, or the state misses them; why() says it.
  bool accelerate(double t, std::span<const double> z, std::span<const double> rates,
                  std::span<double> acceleration, std::span<double> lambda);
  /// q'' = R z'' + R' z', of the state moved to.
  std::vector<double> transformed(std::span<const double> acceleration);
  const std::string& why() const noexcept { return why_; }

 private:
  void correct_parameters();
  void correct_nodes(std::span<const Vec6<double>> rates);
  void correct_mixed();
  void reduce(double t);
  bool find_multipliers(double t, std::span<const double> acceleration, std::span<double> lambda);

  MechanismSystem* relative_;
  MechanismSystem* other_;
  struct Angle {
    int x;                                        ///< number of q
    double start;                                 ///< its value at start_z_
    std::vector<std::pair<int, double>> factors;  ///< by relative velocity
  };
  void find_angles();
  void unwind();
  std::vector<Angle> angles_;
  std::vector<double> start_z_;
  std::vector<double> z_, rates_, q_, v_, bias_;
  std::vector<SE3<double>> poses_;
  std::vector<Twist<Rep::hybrid>> twists_;
  SparseRows R_, M_, reduced_, J_;
  std::vector<double> Q_, right_, c_;
  bool has_matrix_ = false, has_bias_ = false;
  ConstrainedSolve solver_;
  std::string why_;
};

}  // namespace axode
