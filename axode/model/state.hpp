/// States of a tree: neutral and random ones, moving along a velocity, differences, coupled joints.
///
/// The coordinates q of a tree are numbers that may be added, except the quaternions of spherical
/// and free joints. `plus` and `difference` do for them what + and - do for the others:
/// plus(q, d) moves q for unit time with the constant velocity d; for free joints d is in the form
/// the joint's velocity has.
/// Tests: tests/model/state_test.cpp
#pragma once
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "axode/core/spans.hpp"
#include "axode/model/tree.hpp"

namespace axode {

template <class S = double>
struct State {
  std::vector<S> q, v;
};

/// Names of the numbers in q and in v, as in tables of runs: that of the joint, or "joint[k]" for number
/// k of a joint that has several.
std::vector<std::string> coordinate_names(const Tree& tree);
std::vector<std::string> velocity_names(const Tree& tree);

/// The numbers of one joint: {"elbow", {1.2}}.
struct JointNumbers {
  std::string_view joint;
  std::vector<double> numbers;
};
/// The neutral configuration with these joints moved to other coordinates [rad, m], quaternions (w, x, y, z)
/// of unit length to two digits (written_quaternion_tolerance); joints that follow others follow. Throws Error on an unknown joint, proposing the most
/// similar one, on one that follows another or stands twice, and on another count of numbers.
std::vector<double> configuration(const Tree& tree, std::span<const JointNumbers> joints);
/// Velocities, zero but for these joints and those that follow them [rad/s, m/s]. Throws Error likewise.
std::vector<double> velocity(const Tree& tree, std::span<const JointNumbers> joints);

/// Whether the first four coordinates of the joint are a quaternion w, x, y, z.
inline bool has_quaternion(const Link& link) noexcept {
  return link.map == JointMap::quaternion || link.map == JointMap::free;
}

/// How far numbers of people and of files, which are rounded, may be from what couplings [rad, m; relative above
/// 1] and the unit length of quaternions demand: three and two digits. Those accepted are made exact. States
/// that are evaluated must be so: check_configuration.
inline constexpr double written_coupling_tolerance = 1e-3, written_quaternion_tolerance = 1e-2;
/// Completes what somebody wrote: joints that follow others get their numbers where these were not `given`,
/// a flag for each number; those given, and quaternions, are made exact within the tolerances. Throws Error
/// beyond them, naming the joint, and as check_configuration and check_velocity. `what` names the argument.
void complete_configuration(const Tree& tree, std::span<const char> given, Out<double> q,
                            const char* what = "q");
/// The same of velocities or accelerations.
void complete_velocity(const Tree& tree, std::span<const char> given, Out<double> v,
                       const char* what = "v");

/// The zero configuration: all numbers 0, quaternions 1, joints that follow others where those put
/// them.
std::vector<double> neutral(const Tree& tree);
/// Uniform within the limits (degrees of freedom without: [-pi, pi] rad, [-1, 1] m), rotations uniform;
/// coupled joints follow.
std::vector<double> random_configuration(const Tree& tree, std::mt19937_64& random);

/// Throws Error if q (or v) has the wrong length, a number that is not finite or a quaternion whose
/// length differs from 1 by more than 1e-6, naming the joint. `what` names the argument.
void check_configuration(const Tree& tree, In<double> q, const char* what = "q");
void check_velocity(const Tree& tree, In<double> v, const char* what = "v");

/// q moved for unit time with the constant velocity d: writes nq numbers; result may be q itself.
template <class S = double>
void plus(const Tree& tree, In<S> q, In<S> d, Out<S> result);
/// The velocity d with plus(from, d) = to: writes nv numbers. Rotations take the shorter way.
template <class S = double>
void difference(const Tree& tree, In<S> from, In<S> to, Out<S> result);
/// dq/dt of the velocity v: the numbers themselves, quaternions by their differential equation.
template <class S = double>
void coordinate_rate(const Tree& tree, In<S> q, In<S> v, Out<S> rate);

// Coupled joints (gears, mimic joints). All algorithms work on all coordinates; these map between
// them and the independent ones, which are the others in the same order.

/// Number of independent coordinates and velocities.
int independent_nq(const Tree& tree);
int independent_nv(const Tree& tree);
/// All coordinates from the independent ones.
std::vector<double> expand_configuration(const Tree& tree, In<double> independent);
/// All velocities, accelerations (or higher derivatives) from the independent ones.
std::vector<double> expand_velocity(const Tree& tree, In<double> independent);
/// The independent part of q, of v.
std::vector<double> independent_configuration(const Tree& tree, In<double> q);
std::vector<double> independent_velocity(const Tree& tree, In<double> v);
/// Forces on the independent velocities that do the same work: transpose of expand_velocity. Also
/// takes a row of a Jacobian to the one for independent velocities.
std::vector<double> reduce_force(const Tree& tree, In<double> force);
/// Largest violation of the couplings [rad or m] by q, and the body of its follower (-1 if none).
struct CouplingError {
  double error = 0;
  int body = -1;
};
CouplingError coupling_error(const Tree& tree, In<double> q);

}  // namespace axode
