/// A robot on four legs, symmetric about two planes, and matrices of contacts written out in full.
#pragma once
#include <Eigen/Core>
#include <span>
#include <vector>

#include "axode/dynamics/contact/contact.hpp"

namespace axode::test {

/// A free "trunk" and legs "fl", "fr", "hl", "hr" of three joints each, hip about x and y, knee about
/// y; the feet are frames "fl_foot" ... with the axes of the shanks. Vertical at q = 0, the trunk at
/// the origin. If stiff, the legs have no joints.
struct FourLegs {
  static constexpr double thigh = .35, shank = .35, length = .5, width = .3;
  static constexpr const char* names[4] = {"fl", "fr", "hl", "hr"};
};
Tree four_legs(Rep base_velocity = Rep::body, bool stiff = false);
/// Standing with bent knees, those in front and behind bent to opposite sides, feet on the plane
/// z = 0, the trunk level.
std::vector<double> standing(const Tree& tree, double bend = .6);
/// All feet on the ground, in frames at the feet with the axes of the world.
std::vector<Contact> feet_on_ground(const Tree& tree, const Directions& directions);
/// Total mass.
double mass(const Tree& tree);

/// The rows of J that the contacts hold, m x nv.
Eigen::MatrixXd held_rows(const Tree& tree, const Poses<double>& poses,
                          std::span<const Contact> contacts);
/// The entries of six-vectors that the contacts hold, one after the other.
Eigen::VectorXd held_entries(std::span<const Contact> contacts, std::span<const Vec6<>> values);
/// The mass matrix, nv x nv.
Eigen::MatrixXd full_mass_matrix(const Tree& tree, const std::vector<double>& q);

}  // namespace axode::test
