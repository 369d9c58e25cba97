/// A tree as a system to integrate, in its joint coordinates.
///
///   q' = v along the tangent,   a = M(q)^-1 (tau + J^T W - c(q, v) - g(q) - damping)
///
/// by the articulated-body algorithm of the engine, O(n), which keeps couplings. The state is x = (q, v, work): coordinates and
/// velocities of the joints that follow no other, and, if anything acts beside gravity, the work
/// done by all of that [J]. Besides the accelerations there is what geometric methods ask for:
/// momenta and the balance of spatial momentum [MuellerDyn (36), (79)], the derivative of the
/// Lagrangian, and the Jacobian for implicit methods.
/// Tests: tests/simulate/systems/tree_system_test.cpp
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "axode/dynamics/matrices/expansion.hpp"
#include "axode/dynamics/matrices/momentum_form.hpp"
#include "axode/engine/engine.hpp"
#include "axode/integrate/lie_group.hpp"
#include "axode/kinematics/motion.hpp"
#include "axode/simulate/forces/forces.hpp"

namespace axode {

/// The group of a tree's coordinates, those of followers left out.
LieGroup configuration_group(const Tree& tree);

class TreeSystem {
 public:
  /// Refers to tree and forces, which must outlive it, unchanged.
  TreeSystem(const Tree& tree, const Forces& forces);

  const LieGroup& group() const noexcept { return group_; }
  const LieGroup& configuration() const noexcept { return configuration_; }
  /// Whether the state ends with the work done.
  bool has_work() const noexcept { return group_.nx > configuration_.nx + configuration_.nv; }

  // All of these return false where there is no value: a degree of freedom without inertia, numbers that are
  // not finite. None allocates, but for solve_mass on first use and jacobian.

  bool rate(double t, std::span<const double> x, std::span<double> rate);
  bool acceleration(double t, std::span<const double> q, std::span<const double> v,
                    std::span<double> a);
  /// Derivative of the rate along the tangent of x, row by row.
  bool jacobian(double t, std::span<const double> x, std::span<double> rows);

  /// p = M(q) v.
  bool momentum(std::span<const double> q, std::span<const double> v, std::span<double> p);
  /// dL/dq along the tangent with v held, and the forces that have no potential here.
  bool lagrangian_rate(double t, std::span<const double> q, std::span<const double> v,
                       std::span<double> g);
  /// r becomes M(q)^-1 r.
  bool solve_mass(std::span<const double> q, std::span<double> r);

  /// Numbers of momentum kept from step to step: twelve for each body on the world by a free joint.
  int carried_size() const noexcept;
  bool start_balance(double t, std::span<const double> q, std::span<const double> v,
                     std::span<double> carried);
  /// residual = J(q_mid)^T (Pi(q1, v1) - Pi(q0, v0) - h W(mid)), sums over what each joint carries.
  /// For bodies on free joints Pi(q0, v0) is the momentum carried, so that rounding errors do not add
  /// up; `next` becomes what to carry from q1.
  bool momentum_balance(double t, double h, std::span<const double> q0, std::span<const double> v0,
                        std::span<const double> q_mid, std::span<const double> v_mid,
                        std::span<const double> q1, std::span<const double> v1,
                        std::span<const double> carried, std::span<double> residual,
                        std::span<double> next);

  /// All coordinates and velocities of the tree from those of the state.
  void expand_state(std::span<const double> q, std::span<const double> v);
  const std::vector<double>& all_q() const noexcept { return q_; }
  const std::vector<double>& all_v() const noexcept { return v_; }
  /// Takes all coordinates and velocities of the tree as they are.
  void set_state(std::span<const double> q, std::span<const double> v);
  /// Forces, accelerations and power at (t, all_q, all_v).
  bool evaluate(double t);
  /// Of all forces but gravity, at the last evaluation [W].
  double power() const;
  /// Those of the state from all.
  std::vector<double> reduce_state(const State<double>& state) const;
  /// Joint forces at the last evaluation.
  const std::vector<double>& joint_forces() const noexcept { return tau_; }
  /// Accelerations of all joints at the last evaluation.
  const std::vector<double>& all_a() const noexcept { return a_; }
  /// The body found without inertia at the last evaluation, or -1.
  int singular_body() const noexcept { return singular_; }
  /// Poses and twists at (all_q, all_v).
  const Poses<double>& poses_now();
  const Motion<Rep::body>& motion_now();
  /// Energy of the state in springs, stops and contacts [J].
  double stored_energy_now(double t);

 private:
  const BodyMotion& bodies();
  bool solve_accelerations();
  bool factorize_mass();
  void evaluate_forces(double t);
  std::span<const Wrench<Rep::body>> external() const;
  void spatial_momenta(std::span<const double> q, std::span<const double> v,
                       std::vector<Vec6<double>>& momenta);

  const Tree* tree_;
  const Forces* forces_;
  LieGroup group_, configuration_;
  Expansion expansion_;
  std::vector<int> independent_q_;  ///< by number of the state's q: its number in the tree's
  struct Follower {
    int q, leader;
    double ratio, offset;
  };
  std::vector<Follower> followers_;
  Engine engine_;
  ForceWork work_;
  Poses<double> poses_;
  Motion<Rep::body> motion_;
  BodyMotion bodies_;
  std::vector<double> q_, v_, a_, tau_, rest_, zero_;
  std::vector<Wrench<Rep::body>> wrenches_;
  PathMatrix<double> mass_, reduced_;
  std::vector<double> mass_q_;  ///< coordinates the factors belong to
  std::vector<double> reduced_force_;
  bool losses_ = false, bodies_known_ = false, factored_ = false;
  int singular_ = -1;
  MomentumForm<double> form_;
  std::vector<Vec6<double>> momenta_, momenta_before_;
  std::unique_ptr<InverseDynamicsDerivatives<double>> derivatives_;
  std::unique_ptr<ForceDerivatives> force_derivatives_;
};

}  // namespace axode
