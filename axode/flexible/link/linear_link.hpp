/// What one elastic link brings into the linear equations, from constants that are as few as the orders
/// allow.
///
/// To first order in modal coordinates e and rates r each pair of modes (k, j) has one number in
///   the angular momentum of mode k's unit rate,  about the axis that is neither's      (`momentum`)
///   its force by turning of the link, times the product of two angular velocities      (`turning`)
///   its Coriolis force, times one angular velocity                                     (`coriolis`)
/// displacement and rotary inertia of sections together [CibicikEgeland (104)-(112), with the inertia of
/// sections turning with them and the first-order part of partial velocities]. Cost: 4 m^2 products.
/// Tests: tests/flexible/link/linear_link_test.cpp
#pragma once
#include <span>
#include <vector>

#include "axode/flexible/link/section_motion.hpp"

namespace axode {

/// Matrices are by rows, m x m.
struct LinearLinkConstants {
  std::vector<double> momentum, turning, coriolis;
  std::vector<double> square;  ///< turning of modes about one axis by rotary inertia
  std::vector<double> modal_mass;
  // By mode:
  std::vector<double>
      angular;  ///< order 0 of the angular momentum, about the axis the mode turns about
  std::vector<double> centrifugal;  ///< order 0 of the force by turning
  std::vector<double> inertia;      ///< change of the one product of inertia that the mode changes
  std::vector<double> torque_next, torque_last;  ///< torques of rates about the other two axes
  /// integrals of rho kappa alpha_t alpha_y alpha_z for modal masses of (torsion, bend_z), (torsion,
  /// bend_y), (bend_z, bend_y); indexed as ModalInvariants::angle_triple
  std::vector<double> pair_xy, pair_xz, pair_yz;
  std::vector<double>
      axial_shortening;  ///< by axial mode a: integrals of mu psi_a (shortening at x)
};
LinearLinkConstants linear_link_constants(const FlexibleTree& tree, const ModalInvariants& beam);

/// The terms of LinkTerms at one state; see there.
struct LinearLinkResult {
  InertiaParameters<Dual<double>>& inertia;
  std::span<Vec6<Dual<double>>> momentum;
  std::span<Dual<double>> modal_mass;
  Vec6<Dual<double>>& bias;
  std::span<Dual<double>> modal_bias;
};
void linear_link_terms(const FlexibleTree& tree, const ModalInvariants& b,
                       const LinearLinkConstants& c, const Vec3<Dual<double>>& w,
                       std::span<const double> e, std::span<const double> r,
                       const LinearLinkResult& out) noexcept;

}  // namespace axode
