/// Centres of mass of a tree and of its subtrees: position, velocity, acceleration, Jacobian.
///
///   m c = sum m_i r_i,   m c' = sum m_i r'_i,   m c'' = sum m_i r''_i
///
/// summed from the leaves to the root, O(n), so that each body has the sums over itself and all it
/// carries, and the world those over the tree. With them a column of the Jacobian is, for a joint j
/// that carries the mass m_j with first moment h_j, (m_j eta_j + e_j x (h_j - m_j r_j)) / m: the part
/// of the mass it carries moves about its screw (e_j, eta_j at r_j). All vectors are in world axes.
/// Units: kg, m, m/s, m/s^2.
/// Tests: tests/kinematics/centre_of_mass_test.cpp
#pragma once
#include <vector>

#include "axode/kinematics/motion.hpp"
#include "axode/kinematics/poses.hpp"

namespace axode {

/// Sums over the bodies that each body carries, itself included: number body + 1, so that number 0
/// is the whole tree, body -1. Make it once per tree, then reuse it.
template <class S = double>
struct MassSums {
  explicit MassSums(const Tree& tree);
  std::vector<double> mass;       ///< constant, set at once [kg]
  std::vector<Vec3<S>> moment;    ///< sum m r [kg m]
  std::vector<Vec3<S>> momentum;  ///< sum m r' [kg m/s]
  std::vector<Vec3<S>> force;     ///< sum m r'' [N]
};

/// Mass of the tree, or of a body and all it carries [kg].
double total_mass(const Tree& tree, int body = -1);

/// Writes the moments. Does not allocate; nor do the next two.
template <class S>
void mass_moments(const Tree& tree, const Poses<S>& poses, MassSums<S>& result) noexcept;
/// Writes moments and momenta; `motion` holds the twists.
template <class S>
void mass_momenta(const Tree& tree, const Poses<S>& poses, const Motion<Rep::body, S>& motion,
                  MassSums<S>& result) noexcept;
/// Writes all three; `motion` holds twists and accelerations.
template <class S>
void mass_forces(const Tree& tree, const Poses<S>& poses, const Motion<Rep::body, S>& motion,
                 MassSums<S>& result) noexcept;

/// Of the tree, or of a body and all it carries, from sums written before. They throw Error if that
/// has no mass.
template <class S>
Vec3<S> centre_of_mass(const MassSums<S>& sums, int body = -1);
template <class S>
Vec3<S> centre_of_mass_velocity(const MassSums<S>& sums, int body = -1);
template <class S>
Vec3<S> centre_of_mass_acceleration(const MassSums<S>& sums, int body = -1);
/// Writes the nv columns of the Jacobian: c' = J v. Needs the moments. O(n), for a subtree
/// O(n depth). Does not allocate.
template <class S>
void centre_of_mass_jacobian(const Tree& tree, const Poses<S>& poses, const MassSums<S>& sums,
                             Out<Vec3<S>> columns, int body = -1);

}  // namespace axode
