/// Inverse dynamics with the first and second time derivative of the joint forces, O(n).
///
///   tau(t), tau'(t), tau''(t)   from   q, v, a = v', jerk = a', snap = jerk'
///
/// The recursive Newton-Euler algorithm, each line differentiated [MuellerDyn sec. 6.3]: outwards the
/// twists up to the snap, inwards the wrenches,
///
///   body    F'' = M V''' - ad_V''^T M V - 2 ad_V'^T M V' - ad_V^T M V''
///           W'' = F'' + sum over children of (Ad(C_ci)^T W_c)'',  d/dt Ad(C_ci) = -ad(U_c) Ad(C_ci)
///   hybrid  forces m c'' of the centres of mass c and torques (R Theta R^T w)' about them, in world
///           axes, differentiated there; the arms between bodies move by r'_ci = r'_i - r'_c
///
/// and tau = S^T W with the derivatives of the joint screws S where they move. Each representation is
/// a recursion of its own, to be read beside the theory: detail/time_derivatives_body.hpp, ..._hybrid.hpp.
/// Higher orders: taylor_dynamics.hpp. Motors behind springs need these: examples/elastic_joints.cpp.
/// Units: N m/s^k, N/s^k.
/// Tests: tests/dynamics/derivatives/time_derivatives_test.cpp
#pragma once
#include <vector>

#include "axode/dynamics/effects.hpp"
#include "axode/kinematics/poses.hpp"
#include "axode/screw/twist.hpp"

namespace axode {

/// Joint velocities and their time derivatives, nv numbers each. Without snap only the first
/// derivative of the forces is found.
template <class S = double>
struct JointMotion {
  std::span<const S> v, a, jerk, snap{};
};
/// Joint forces and their time derivatives, nv numbers each, to be written. `second` may be empty
/// if there is no snap.
template <class S = double>
struct JointForcesOut {
  std::span<S> tau, first, second{};
};
/// Wrenches on the bodies [N m, N], one for each, and the time derivatives of their components in
/// the body frame. What is empty is zero: wrenches alone are constant in the body frames.
template <class S = double>
struct ExternalWrenchRates {
  std::span<const Wrench<Rep::body, S>> wrenches{}, first{}, second{};
};

/// What a call leaves behind beside the joint forces. Make one per tree and thread, then reuse it.
template <Rep rep, class S = double>
struct InverseDynamicsRates {
  static_assert(rep == Rep::body || rep == Rep::hybrid);
  explicit InverseDynamicsRates(const Tree& tree);
  /// A quantity with its time derivatives.
  struct Twists {
    Vec6<S> value, first, second, third;
  };
  struct Wrenches {
    Vec6<S> value, first, second;
  };
  /// By body: twist, acceleration, jerk, snap. Gravity is in them, as a world accelerated by -g.
  std::vector<Twists> twists;
  /// By body: the wrench the joint transmits on the body, at the body's origin.
  std::vector<Wrenches> joint_wrenches;

  std::vector<Twists> relative;  ///< scratch: by body, twist in the parent, in the body frame
  std::vector<Vec6<S>> screws;   ///< scratch: S and its derivatives, joint by joint
};

/// Writes tau and its time derivatives for the motion of the joints at the configuration of the
/// poses. Friction is constant where a joint moves. Does not allocate.
template <Rep rep, class S>
void inverse_dynamics_rates(const Tree& tree, const Poses<S>& poses,
                            const std::type_identity_t<JointMotion<S>>& motion,
                            InverseDynamicsRates<rep, S>& work,
                            const std::type_identity_t<JointForcesOut<S>>& forces,
                            const std::type_identity_t<ExternalWrenchRates<S>>& external = {},
                            const Effects& effects = {}) noexcept;

/// tau and its two derivatives as new objects.
struct JointForceRates {
  std::vector<double> tau, first, second;
};
/// The same, checked: throws Error if a vector has the wrong length or is not finite. Without snap
/// `second` stays empty.
JointForceRates inverse_dynamics_rates(const Tree& tree, In<double> q,
                                       const JointMotion<double>& motion,
                                       const ExternalWrenchRates<double>& external = {},
                                       const Effects& effects = {});

}  // namespace axode
