/// Accelerations of mechanisms, and the way back to their equations.
///
///   [M Phi_q^T; Phi_q 0] (a, lambda) = (Q, c - 2 alpha (Phi_q v + Phi_t) - beta^2 Phi)
///   position:  min |dq|_M with Phi(q + dq) = 0;   velocity: min |dv|_M with Phi_q v = -Phi_t
///                                                              [GarciaBayo ch. 5]
/// Where coordinates have no mass the equations say how they move. Redundant equations: a is
/// unique,
/// lambda that of least norm. Cost: one factorisation each.
/// Tests: tests/mechanism/dynamics/mechanism_dynamics_test.cpp
#pragma once
#include <span>
#include <string>
#include <vector>

#include "axode/linalg/constrained_solve.hpp"
#include "axode/mechanism/equations/system.hpp"

namespace axode {

class MechanismDynamics {
 public:
  explicit MechanismDynamics(MechanismSystem& system);
  MechanismSystem& system() noexcept { return *system_; }

  // Baumgarte's alpha and beta [1/s]; those of the augmented Lagrangian: alpha = Omega mu, beta =
  // Omega.
  double alpha = 0, beta = 0;
  /// Of the accelerations.
  ConstrainedSolve solver;
  /// Some equations follow from the others, but on the equations only: in stages of a step, which
  /// are off them, Phi_q is nearly singular then, and accelerations across it would be anything.
  /// Accelerations are those of the nearest state on the equations.
  bool redundant = false;
  /// Finds that out at a configuration on the equations; how many.
  int count_redundant(double t, std::span<const double> q);
  /// Whether every motion that the equations allow has inertia; else why() names a coordinate of
  /// one that has none. Cost: a solution per degree of freedom; more than 200 degrees of freedom are not looked at.
  bool has_inertia(double t, std::span<const double> q);
  /// What may be left of Phi_q a = c, relative to its terms: near singular positions that states
  /// off the equations see it cannot be met. worst_residual() tells what was.
  double row_tolerance = 1e-3;

  /// Patterns have changed.
  void forget();
  /// Appends what accelerations and projections depend on beside the state, such as scales found at an
  /// earlier one; factorizations begin again, as they do after load: from both on results are the same to
  /// the bit. load takes the numbers from the front and throws Error on those of another system.
  void save(std::vector<double>& numbers);
  void load(std::span<const double>& numbers);
  /// a and lambda at (t, q, v). False: they are not determined or the equations cannot be met;
  /// why() says it.
  bool accelerate(double t, std::span<const double> q, std::span<const double> v,
                  std::span<double> a, std::span<double> lambda);
  /// The same, with the multipliers of least norm where equations are redundant.
  bool multipliers(double t, std::span<const double> q, std::span<const double> v,
                   std::span<double> a, std::span<double> lambda);
  /// q and v moved onto the equations. False: not reached; why() names the equation.
  bool project(double t, std::span<double> q, std::span<double> v);
  bool project_position(double t, std::span<double> q);
  bool project_velocity(double t, std::span<const double> q, std::span<double> v);
  /// The largest |Phi| and |Phi_q v + Phi_t|, and their rows.
  struct Violation {
    double position = 0, velocity = 0;
    int position_row = 0, velocity_row = 0;
  };
  Violation violation(double t, std::span<const double> q, std::span<const double> v);
  /// Whether anything does work beside gravity and springs.
  bool does_work() const noexcept { return loaded_; }
  /// [W] of drivers, dampers and forces that depend on time; loads on bodies.
  double power(double t, std::span<const double> q, std::span<const double> v,
               std::span<const double> lambda);
  /// Of velocities: the size of the model for lengths, 1 for angles and directions.
  std::span<const double> sizes(double t, std::span<const double> q) {
    measure(t, q);
    return sizes_;
  }
  const std::string& why() const noexcept { return why_; }
  /// The largest part of Phi_q a = c that was left by any call, relative to its terms.
  double worst_residual() const noexcept { return worst_residual_; }
  long factorizations() const noexcept { return factorizations_; }

 private:
  void measure(double t, std::span<const double> q);
  bool refactor(double t, std::span<const double> q);
  bool least_move(std::span<double> missed);
  double coordinate_power(double t, std::span<const double> v) const;
  double body_power(double t) const;
  bool solve_at(double t, std::span<const double> q, std::span<const double> v, std::span<double> a,
                std::span<double> lambda);
  bool explain(const ConstrainedSolve::Outcome& outcome);

  MechanismSystem* system_;
  SparseRows M_, J_, weight_, rows_;
  ConstrainedSolve projector_;
  std::vector<double> phi_, rate_, c_, Q_, move_, multiplier_, stabilize_, still_, trial_;
  std::vector<double> near_q_, near_v_;
  std::vector<SE3<double>> poses_;
  std::vector<Twist<Rep::hybrid>> twists_;
  std::vector<double> scales_, sizes_;       ///< of equations, of velocities
  double largest_scale_ = 1, heaviest_ = 1;  ///< heaviest_: inertia of a coordinate, by sizes
  bool scaled_ = false;
  bool loaded_ = false;  ///< something does work
  std::string why_;
  double worst_residual_ = 0;
  long factorizations_ = 0;
};

}  // namespace axode
