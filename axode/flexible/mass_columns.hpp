/// Columns of the linear mass matrix, several side by side.
///
/// The momenta of unit rates of a link's joint and modes are moved inwards together, so that the compiler
/// works on all of them at once. Each is held as order 0 and as the sum of orders 0 and 1, because what is
/// wanted of a product with a twist h_0 + h_1 is h_0 (m_0 + m_1) + h_1 m_0, orders 0 and 1 together
/// [CibicikEgeland (97), (110)].
/// Tests: tests/flexible/mass_columns_test.cpp
#pragma once
#include <span>

#include "axode/flexible/flexible_motion.hpp"

namespace axode {

/// Momenta of `width` unit rates about the origin and in the axes of one link.
template <int width>
struct MomentumBlock {
  double angular[3][width] = {}, linear[3][width] = {};          ///< order 0
  double angular_sum[3][width] = {}, linear_sum[3][width] = {};  ///< orders 0 and 1
  int coordinate[width] = {};                                    ///< whose rates
  int count = 0;
};

/// Rows and columns of the mass matrix that belong to the joint and the modes of link i: with each other
/// and with those of all links before it. `composite` and `moved` (seen from the parent) are the inertias
/// of links with all that they carry; `momentum` is scratch, one for each mode and one for the joint.
void linear_mass_columns(const FlexibleTree& tree, const FlexibleMotion<FirstOrder>& motion,
                         std::span<const InertiaParameters<Dual<double>>> composite,
                         std::span<const InertiaParameters<Dual<double>>> moved, int i,
                         std::span<Vec6<Dual<double>>> momentum, std::span<double> mass) noexcept;

}  // namespace axode
