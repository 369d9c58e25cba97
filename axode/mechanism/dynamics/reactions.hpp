/// Forces that a motion needs: of drivers, and the reactions in joints.
///
///   Phi_q^T lambda = Q - M a            multipliers of least norm               [GarciaBayo ch. 6]
///   sum of wrenches on each body = rate of its momentum
///
/// The second, in terms of the wrenches each joint passes on, holds for all formulations, also where
/// shared points leave joints without equations. Redundant joints make reactions not unique: those of
/// least norm are given and flagged. Cost: O(fill); flags O(n) per redundant force.
/// Tests: tests/mechanism/dynamics/reactions_test.cpp
#pragma once
#include <span>
#include <string>
#include <vector>

#include "axode/mechanism/equations/system.hpp"

namespace axode {

struct JointReaction {
  int joint = 0;
  Vec3<double> point{};            ///< of the joint on body j, in the world [m]
  Vec3<double> torque{}, force{};  ///< on body j, world axes, about `point` [N m, N]
  bool unique = true;
};
struct DriverForce {
  int driver = 0;
  double force = 0;  ///< on the coordinate [N m, N]
  bool unique = true;
};
/// What no reaction and no driver can balance: a degree of freedom without driver that is not in equilibrium
/// with the accelerations given.
struct UnbalancedForce {
  double force = 0;        ///< largest part of Q - M a - Phi_q^T lambda, 0 in balance [N m, N]
  std::string coordinate;  ///< it is on, by its name; empty in balance
};
struct [[nodiscard]] ReactionsResult {
  std::vector<double> lambda;  ///< by equation, of least norm
  std::vector<JointReaction> joints;
  std::vector<DriverForce> drivers;
  std::vector<double> couplings;  ///< force of each coupling: factor times it on coordinates
  double residual = 0;            ///< largest wrench left without cause [N m, N]
  bool consistent = false;        ///< these forces make this motion
  UnbalancedForce unbalanced;
  bool unique = true;
  std::string message;  ///< empty where forces are unique and in balance
};
ReactionsResult reactions(MechanismSystem& system, double t, std::span<const double> q,
                          std::span<const double> v, std::span<const double> a);

}  // namespace axode
