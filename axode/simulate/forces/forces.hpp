/// All that acts on a tree in a simulation beside gravity and the damping of its degrees of freedom.
///
///   joint springs      tau = -k (q - q0) - c v
///   joint friction     tau = -F v / sqrt(v^2 + w^2)          F: friction of the tree's degrees of freedom
///   joint stops        tau = s (k x + b x') > 0 inwards, s = x/(x + w), x: beyond the limit
///   points             f = -k (l - l0) - c l' + u(t, q, v) along the line, > 0 pushes apart
///   wrenches, joint forces, controllers (controller.hpp) and contacts (contact_force.hpp)
///
/// Friction and limits are those of Tree::dofs, so that evaluate with Effects{.friction = false}. All
/// laws are smooth enough for adaptive steps; where time switches them, next_discontinuity says so.
/// The work they do is tau . v + sum W . V; what is elastic is stored_energy. O(n + forces).
/// Tests: tests/simulate/forces/forces_test.cpp
#pragma once
#include <array>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "axode/kinematics/system_jacobian.hpp"
#include "axode/model/frames.hpp"
#include "axode/model/state.hpp"
#include "axode/screw/twist.hpp"
#include "axode/simulate/forces/contact_force.hpp"
#include "axode/simulate/forces/controller.hpp"
#include "axode/simulate/forces/signal.hpp"

namespace axode {

struct JointSpringDamper {
  int velocity = 0;      ///< the degree of freedom: dof_index(tree, "elbow")
  double stiffness = 0;  ///< [N m/rad, N/m]; not for degrees of freedom of quaternions
  double rest = 0;       ///< [rad, m]
  double damping = 0;    ///< [N m s/rad, N s/m], beside that of the tree
};
struct JointForce {
  int velocity = 0;
  Signal force{};  ///< [N m, N]
};
/// A wrench on a body, torque about the origin of the frame and force in its axes [N m, N].
struct BodyForce {
  int body = 0;
  std::array<Signal, 6> wrench{};
  FrameChoice expressed_in{};  ///< by default the world
};
/// Spring, damper and actuator on the line between two points, each on a body or in the world (-1).
struct PointForce {
  int body_a = -1, body_b = -1;
  Vec3<double> point_a{}, point_b{};                   ///< in the body frames [m]
  double stiffness = 0, damping = 0, free_length = 0;  ///< [N/m, N s/m, m]
  Signal force{};                                      ///< [N], > 0 pushes apart
};
/// Coulomb friction of Tree::dofs.
struct JointFriction {
  bool on = true;
  double width = 1e-3;  ///< [rad/s, m/s]
};
/// Limits of Tree::dofs as compliant stops.
struct JointStops {
  bool on = true;
  /// Of the degree of freedom on its stop, its inertia that at the neutral configuration with all others free.
  double frequency = 25;            ///< [Hz]
  double damping_ratio = 1;         ///< of the same; 1: critical
  double width = 1e-3;              ///< over which the force sets in [rad, m]
  std::vector<double> stiffness{};  ///< by velocity, or empty: from the frequency [N m/rad, N/m]
};

struct Forces {
  JointFriction friction;
  JointStops stops;
  std::vector<JointSpringDamper> springs;
  std::vector<JointForce> joint_forces;
  std::vector<BodyForce> wrenches;
  std::vector<PointForce> points;
  std::vector<Controller> controllers;
  bool effort_limits = true;  ///< cut the sum of the controllers
  std::vector<CompliantContact> contacts;
};

/// Throws Error if something of it is not finite, out of range or on no body or degree of freedom of the tree.
void check_forces(const Tree& tree, const Forces& forces);

/// Poses and twists of all bodies, in the body frames.
struct BodyMotion {
  std::span<const SE3<double>> T_WB;
  std::span<const Twist<Rep::body>> twists;
};

struct ForceScratch;
/// Constants looked up in the tree and memory to work in. Tree and forces must outlive it, unchanged.
struct ForceWork {
  /// Throws Error like check_forces.
  ForceWork(const Tree& tree, const Forces& forces);
  ~ForceWork();
  ForceWork(ForceWork&&) noexcept;
  ForceWork& operator=(ForceWork&&) noexcept;

  bool needs_bodies = false;  ///< else BodyMotion may be empty
  /// Between these times nothing switches. Evaluation sets them, at t outside them.
  double from = std::numeric_limits<double>::infinity(), until = -from;
  std::unique_ptr<ForceScratch> scratch;
};
/// Adds joint forces to tau [nv] and wrenches, in the frames of the bodies they act on, to wrenches
/// [bodies]. What switches at t has switched: a step must end before the next switch, by a rounding or
/// more. Does not allocate.
void add_forces(const Tree& tree, const Forces& forces, double t, In<double> q, In<double> v,
                const BodyMotion& bodies, ForceWork& work, Out<double> tau,
                Out<Wrench<Rep::body, double>> wrenches);

/// Energy [J] in joint springs, stops, point springs and contacts.
double stored_energy(const Tree& tree, const Forces& forces, double t, In<double> q,
                     const BodyMotion& bodies, ForceWork& work);
/// Its rate [W] at the velocities of the state: minus the power of the elastic parts of the forces.
double stored_energy_rate(const Tree& tree, const Forces& forces, double t, In<double> q,
                          In<double> v, const BodyMotion& bodies, ForceWork& work);

/// The smallest time > t at which a signal, a controller or a reference switches, or infinity.
double next_discontinuity(const Forces& forces, double t) noexcept;

/// Derivatives of the generalized force tau + sum J^T W along the tangent of q and by v, nv x nv,
/// without the part of wrenches held in body axes, which the engine's derivatives have.
struct ForceDerivatives {
  ForceDerivatives() = default;
  explicit ForceDerivatives(const Tree& tree);
  DenseMatrix<double> by_q, by_v;
};
/// Adds them, exact to rounding but for functions of the user (central differences). O(n nv). The
/// first call allocates.
void add_force_derivatives(const Tree& tree, const Forces& forces, double t, In<double> q,
                           In<double> v, ForceWork& work, ForceDerivatives& result);

}  // namespace axode
