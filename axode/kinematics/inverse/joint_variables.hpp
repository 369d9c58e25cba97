/// The variables of a search over configurations: the velocities that are free to choose.
///
/// Those of joints that are not held and follow no other joint, each with the interval its own limits
/// and those of its followers leave. The velocities of all joints are v = E x, where E holds ones and
/// the ratios of couplings; plus(q, E x) is the step, so quaternions stay of unit length. Limits of
/// joints with quaternions have no meaning and are left out.
/// Tests: tests/kinematics/inverse/joint_variables_test.cpp
#pragma once
#include <random>
#include <span>
#include <string>
#include <vector>

#include "axode/model/state.hpp"

namespace axode {

struct HeldJoints {
  std::vector<std::string> joints =
      {};             ///< names; holding a coupled joint holds those coupled with it
  bool base = false;  ///< also the free joints on the world
};

/// One free velocity.
struct JointVariable {
  int velocity = 0;     ///< its number among those of the tree
  int coordinate = -1;  ///< its number in q, -1 for velocities of joints with quaternions
  double lower = 0, upper = 0;
  int lower_of = 0, upper_of = 0;  ///< velocity whose limit that is: its own, or of a follower
  bool rotates = false;            ///< rad, else m
};

struct JointVariables {
  /// `moves` tells by body which joints may matter; those that do not stay as they are, but within
  /// their limits. Empty: all do. Throws Error on unknown joint names and if limits of coupled joints
  /// contradict each other.
  explicit JointVariables(const Tree& tree, const HeldJoints& held = {},
                          std::span<const char> moves = {});
  int size() const noexcept { return static_cast<int>(variables.size()); }

  std::vector<JointVariable> variables;
  std::vector<JointVariable> idle;  ///< degrees of freedom that do not matter, for their limits
  std::vector<int> variable_of;     ///< by velocity of the tree; -1: held or idle
  std::vector<double> ratio;        ///< by velocity of the tree: dv/dx of its variable
  std::vector<double> step;         ///< scratch: v = E x
};

/// Puts followers where their leaders want them and all variables into their intervals.
void enforce(const Tree& tree, const JointVariables& variables, Out<double> q) noexcept;
/// Throws Error if a held joint is outside its limits, which no choice of the variables can mend.
void check_held(const Tree& tree, const JointVariables& variables, In<double> q);
/// q moved by x, then `enforce`; result may be q. Does not allocate.
void move(const Tree& tree, JointVariables& variables, In<double> q, In<double> x,
          Out<double> result);
/// The room between q and the bounds: lower[i] <= x[i] <= upper[i]. Does not allocate.
void room(const JointVariables& variables, In<double> q, Out<double> lower,
          Out<double> upper) noexcept;
/// Writes a random configuration within the limits; without limits pi rad or 1 m about the one
/// given, which also lends held joints and the free joints, so that a robot keeps its place. Rotations
/// of spherical joints are uniform. The same numbers on every machine. Does not allocate.
void random_start(const Tree& tree, const JointVariables& variables, In<double> about,
                  std::mt19937_64& random, Out<double> q) noexcept;

}  // namespace axode
