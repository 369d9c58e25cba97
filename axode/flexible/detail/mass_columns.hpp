/// Columns of the linear mass matrix, several side by side.
///
/// The momenta of unit rates of a link's joint and modes are moved inwards two in one vector.
/// Each is held as order 0 and as the sum of orders 0 and 1, because what is
/// wanted of a product with a twist h_0 + h_1 is h_0 (m_0 + m_1) + h_1 m_0, orders 0 and 1 together
/// [CibicikEgeland (97)-(100), (110)-(112)].
/// Tests: tests/flexible/detail/mass_columns_test.cpp
#pragma once
#include <span>

#include "axode/flexible/detail/motion.hpp"

namespace axode {

/// Rows and columns of the mass matrix that belong to the joint and the modes of link i: with each other
/// and with those of all links before it. `composite` is of links with all that they carry in
/// their frames, `moved` the same seen from the sections that carry them, in the parents' axes;
/// `momentum` is scratch, one for each mode and one for the joint.
void linear_mass_columns(const FlexibleTree& tree, const FlexibleMotion<FirstOrder>& motion,
                         std::span<const InertiaParameters<Dual<double>>> composite,
                         std::span<const InertiaParameters<Dual<double>>> moved, int i,
                         std::span<Vec6<Dual<double>>> momentum, std::span<double> mass) noexcept;

/// Adds to the forces of an elastic link's modes those of the wrench of one child, which is about the
/// link's origin.
void linear_mode_forces(const FlexibleLink& link, const StationModes& at_,
                        const LinkMotion<FirstOrder>& child, const Vec6<Dual<double>>& wrench,
                        std::span<double> forces) noexcept;

}  // namespace axode
