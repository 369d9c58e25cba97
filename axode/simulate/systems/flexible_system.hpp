/// A flexible tree as a system to integrate, with what acts on it.
///
///   q' = v,   M(q) v' = tau(t, q, v) - forces(q, v) - K q - D v            [CibicikEgeland (111)]
///
/// tau: PD control of joints (torques are generalized forces [CibicikEgeland (125)-(127),
/// corrected]), given joint forces, loads on sections. Joints whose motion is
/// prescribed have the place and rates of their function at every evaluation, so they do not drift;
/// the forces they need come out. The state is x = (q, v, work): the work [J] done since the start
/// by all that is no potential of the tree: tau, prescribed joints, and damping (negative). Cost:
/// one evaluation and factorisation of the equations, the Jacobian one for each number of the
/// state.
/// Tests: tests/simulate/systems/flexible_system_test.cpp
#pragma once
#include <span>
#include <vector>

#include "axode/flexible/tree/dynamics.hpp"
#include "axode/flexible/tree/loads.hpp"
#include "axode/integrate/constrained.hpp"
#include "axode/integrate/lie_group.hpp"
#include "axode/mechanism/description/mechanism.hpp"
#include "axode/simulate/forces/signal.hpp"

namespace axode {

/// tau = kp (target - q) - kd v on joints; targets[k] holds from times[k] on, the first also
/// before.
struct FlexibleControl {
  std::vector<double> kp, kd;                ///< by joint [N m/rad, N/m; N m s/rad, N s/m]
  std::vector<double> times;                 ///< [s], rising
  std::vector<std::vector<double>> targets;  ///< by time and joint [rad, m]
};
/// A joint that follows a function of time, whatever force it takes.
struct PrescribedJoint {
  int coordinate = 0;
  TimeFunction motion;
  std::vector<double> switches{};  ///< times at which the acceleration jumps, rising [s]
};
/// All that acts on a flexible tree beside gravity, elasticity and damping; what is empty is not
/// there.
struct FlexibleForces {
  FlexibleControl control{};
  std::vector<Signal>
      joint_forces{};  ///< by joint [N m, N]; q and v of signals are all of the tree
  std::vector<FlexibleLoad> loads{};
  std::vector<Signal> load_factors{};  ///< by load, or none: all 1
  std::vector<PrescribedJoint> prescribed{};
};
/// Throws Error on numbers, sizes, joints, links or stations that do not belong to the tree.
void check_forces(const FlexibleTree& tree, const FlexibleForces& forces);
/// The first time after t at which something switches; infinity if there is none.
double next_discontinuity(const FlexibleForces& forces, double t) noexcept;

class FlexibleSystem {
 public:
  /// Refers to tree and forces, which must outlive it, unchanged. Throws Error as check_forces
  /// does.
  FlexibleSystem(const FlexibleTree& tree, const FlexibleForces& forces,
                 const FlexibleDynamicsOptions& options = {});

  const LieGroup& group() const noexcept { return group_; }
  const LieGroup& configuration() const noexcept { return configuration_; }

  // These return false where the mass matrix is not positive definite or numbers are not finite;
  // none allocates.

  bool rate(double t, std::span<const double> x, std::span<double> rate);
  bool acceleration(double t, std::span<const double> q, std::span<const double> v,
                    std::span<double> a);
  /// Derivative of the rate by x, row by row, by differences: exact where the rate is linear.
  bool jacobian(double t, std::span<const double> x, std::span<double> rows);

  /// p = M(q) v of the model.
  bool momentum(std::span<const double> q, std::span<const double> v, std::span<double> p);
  /// d(M v)/dt - the part M v': of the exact equations dL/dq with v held, and forces without
  /// potential.
  bool lagrangian_rate(double t, std::span<const double> q, std::span<const double> v,
                       std::span<double> g);
  /// r becomes M(q)^-1 r.
  bool solve_mass(std::span<const double> q, std::span<double> r);

  // Without constraints, for methods of constrained systems; x = (q, v).

  static constexpr int constraints() noexcept { return 0; }
  bool residual(const ConstrainedPoint& at, const ConstrainedResidual& r);
  static void constraint_rate(const ConstrainedPoint&, std::span<double>) noexcept {}
  void tangent(const ConstrainedPoint& at, const TangentScale& scale, SparseAssembly& matrix);

  /// Coordinates and rates with those of prescribed joints in place.
  void place(double t, std::span<const double> q, std::span<const double> v);
  const std::vector<double>& q() const noexcept { return q_; }
  const std::vector<double>& v() const noexcept { return v_; }
  /// Forces, accelerations and power there; false as above.
  bool evaluate(double t);
  const std::vector<double>& rates() const noexcept { return rates_; }
  const std::vector<double>& tau() const noexcept {
    return tau_;
  }                               ///< with those of prescribed ones
  double power() const noexcept;  ///< of tau and damping [W]
  FlexibleDynamics::Energies energies();
  /// Time of the last evaluation that had no acceleration; -infinity if there was none.
  double failed_at() const noexcept { return failed_at_; }

  /// How much of its definiteness the linear mass matrix keeps at q(): the smallest ratio of its
  /// pivots to those of the exact one; 0 where it is lost. 1 of exact equations.
  struct Definiteness {
    double left = 1;
    int coordinate = -1;  ///< whose pivot it is
  };
  Definiteness definiteness();
  /// Smallest eigenvalue of the model's mass matrix at q(). Allocates.
  double smallest_mass();
  /// Takes the exact equations instead of the linear ones from now on, or these again.
  void take_exact(bool exact) noexcept { exact_now_ = exact; }
  bool takes_exact() const noexcept { return exact_now_; }
  /// Evaluations by the exact equations instead of the linear ones.
  long fallbacks() const noexcept { return dynamics_.fallbacks() + exact_evaluations_; }

  const FlexibleDynamics& dynamics() const noexcept { return dynamics_; }
  const FlexibleTree& tree() const noexcept { return *tree_; }

 private:
  void applied_forces(double t);
  void add_loads(double t);
  FlexibleDynamics& equations() noexcept { return exact_now_ ? exact_ : dynamics_; }

  const FlexibleTree* tree_;
  const FlexibleForces* forces_;
  LieGroup group_, configuration_;
  FlexibleDynamics dynamics_, exact_;  ///< as asked for; those to fall back to
  bool exact_now_ = false;
  long exact_evaluations_ = 0;
  FlexibleLoads<FirstOrder> linear_loads_;
  FlexibleLoads<Exact<double>> exact_loads_;
  double failed_at_;
  std::vector<int> prescribed_;
  std::vector<double> q_, v_, rates_, tau_;
  // Scratch of differences, and the mass matrix factored last with its coordinates.
  std::vector<double> scratch_, column_, state_, base_, moved_, tangent_, factor_, factor_q_,
      exact_factor_;
};

}  // namespace axode
