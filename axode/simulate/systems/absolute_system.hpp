/// A tree in absolute coordinates: every body a pose in SE(3), every joint a constraint.
///
/// Unknowns are the poses T_i of the bodies with their body twists V_i, then the coordinates q_j,
/// v_j of all joints; with R = T_P^-1 T_B the pose of a body in its parent a joint demands
///
///   Phi_j = log((B D(q_j))^-1 R) = 0,    V_B - Ad(R^-1) V_P - S(q_j) v_j = 0
///
/// six numbers for any kind of joint. Inertias act on the bodies, armature, damping and joint
/// forces on the joint coordinates; -lambda is the wrench the joint transmits on the body, in its
/// frame:
///
///   M_i V_i' - ad(V_i)^T M_i V_i = W_i - (G^T lambda)_i,   [MuellerDyn (41); BruelsCardona2012]
///   armature v_j' = tau_j - damping v_j + S^T lambda_j
///
/// so that springs and drives of joints are the same as in relative coordinates, and q, v of the
/// tree are among the unknowns. Coulomb friction and limits are forces that the caller adds. Loops
/// are closed by further joints between any two bodies; a constraint must not be stated twice: in a
/// planar loop one joint is given four degrees of freedom, and so on. Coupled joints are linear constraints.
/// Cost of all functions: O(bodies).
/// Tests: tests/simulate/systems/absolute_system_test.cpp
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "axode/integrate/constrained.hpp"
#include "axode/model/state.hpp"
#include "axode/model/tree.hpp"

namespace axode {

/// A joint that closes a loop. Its screws are in the joint frame, which is `on_a` in body a and
/// `on_b` in body b when its coordinates are zero; it moves b in a.
struct LoopJoint {
  int body_a = -1, body_b = -1;  ///< -1: the world
  SE3<double> on_a{}, on_b{};
  Joint joint{};
};

/// Adds the joint forces at (t, q, v) of the tree to tau [nv] and the wrenches on bodies, in body
/// frames, to wrenches [bodies]; returns false where they have no value. Poses and body twists of
/// all bodies come with the call. Must not allocate.
using AddAbsoluteForces =
    std::function<bool(double t, std::span<const double> q, std::span<const double> v,
                       std::span<const SE3<double>> T_WB, std::span<const Twist<Rep::body>> twists,
                       std::span<double> tau, std::span<Wrench<Rep::body>> wrenches)>;
/// Derivatives of the forces in the joint coordinates of the tree, for stiff springs and drives: of
/// tau + sum J^T W, so that wrenches on bodies have theirs, too. `add` adds by entry (row, column)
/// -d tau_row/dq_column, along the tangent of q, and -d tau_row/dv_column. They only help Newton's
/// iteration; what is left out costs iterations, and much of it steps.
struct ForceSlopes {
  struct Entry {
    int row, column;  ///< velocities of the tree
  };
  std::vector<Entry> entries{};
  std::function<void(double t, std::span<const double> q, std::span<const double> v,
                     std::span<double> stiffness, std::span<double> damping)>
      add{};
};

class AbsoluteSystem {
 public:
  /// Copies what it needs of the tree. Throws Error on bodies that do not exist.
  explicit AbsoluteSystem(const Tree& tree, const std::vector<LoopJoint>& loops = {},
                          AddAbsoluteForces forces = {}, ForceSlopes slopes = {});

  const LieGroup& configuration() const noexcept { return group_; }
  int constraints() const noexcept { return constraints_; }
  int bodies() const noexcept { return bodies_; }
  /// First number and first velocity of the joint coordinates, those of the tree before the loops'.
  int joint_x() const noexcept { return 7 * bodies_; }
  int joint_v() const noexcept { return 6 * bodies_; }
  /// First multiplier of joint j; loops follow the joints of the tree, couplings the loops.
  static int joint_lambda(int j) noexcept { return 6 * j; }

  bool residual(const ConstrainedPoint& p, const ConstrainedResidual& r);
  void constraint_rate(const ConstrainedPoint& p, std::span<double> result);
  void tangent(const ConstrainedPoint& p, const TangentScale& scale, SparseAssembly& m);

  /// The state (x, v), one after the other, of the tree's (q, v), loops closed: coordinates of loop
  /// joints are sought from `loop_q` (empty: zero), then all is moved as little as possible to meet
  /// the constraints. Throws Error when that fails or constraints are redundant.
  std::vector<double> state(In<double> q, In<double> v, In<double> loop_q = {});
  /// The tree's q and v of a state; a of an acceleration is read like v.
  std::span<const double> tree_q(std::span<const double> x) const noexcept;
  std::span<const double> tree_v(std::span<const double> v) const noexcept;
  /// The velocities in a state.
  std::span<const double> velocity(std::span<const double> state) const noexcept;
  /// Acceleration [configuration().nv] and multipliers [constraints()] at a state; false if the
  /// constraints are redundant there, or the forces have no value.
  bool acceleration(double t, std::span<const double> state, std::span<double> a,
                    std::span<double> lambda);
  /// Joint forces applied at a state, nv of the tree.
  std::vector<double> joint_forces(double t, std::span<const double> state);
  const Tree& joints() const noexcept { return joints_; }

 private:
  struct JointNow {
    SE3<double> R, E;         ///< pose of b in a; what is left of it by the joint's coordinates
    Vec6<double> screws[12];  ///< S, and room for one derivative
  };
  SE3<double> pose(int body) const noexcept;
  Vec6<double> twist(int body) const noexcept;
  void add_loop(const LoopJoint& loop);
  void move(std::span<const double> q, std::span<const double> v);
  bool apply_forces(double t, std::span<const double> q, std::span<const double> v);
  void body_residual(int i, const ConstrainedPoint& p, std::span<double> force) const;
  void joint_residual(int j, const ConstrainedPoint& p, const ConstrainedResidual& r) const;
  void coupling_residual(std::size_t c, const ConstrainedPoint& p,
                         const ConstrainedResidual& r) const;
  void screw_slope(int j, std::span<const double> q, int k, Vec6<double>* screws);
  void body_tangent(int i, const TangentScale& scale, SparseAssembly& m);
  void joint_tangent(int j, const ConstrainedPoint& p, const TangentScale& scale,
                     SparseAssembly& m);
  void closure_tangent(int j, const ConstrainedPoint& p, const TangentScale& scale,
                       SparseAssembly& m);
  void fit_loop(int j, std::span<double> x, std::span<double> v);
  void fill_state(In<double> q, In<double> v, In<double> loop_q, std::span<double> state);

  Tree joints_;  ///< the tree and behind its links those of the loops
  int bodies_ = 0, nq_ = 0, nv_ = 0, constraints_ = 0;
  std::vector<int> child_;  ///< by joint, -1: world
  LieGroup group_;
  AddAbsoluteForces forces_;
  ForceSlopes slopes_;
  std::vector<Mat6<double>> inertias_;
  std::vector<SE3<double>> poses_;
  std::vector<Twist<Rep::body>> twists_;
  std::vector<JointNow> now_;
  std::vector<double> tau_, stiffness_, damping_, unit_;
  std::vector<Wrench<Rep::body>> wrenches_;
  ConstrainedWork work_;
};

}  // namespace axode
