/// What inverse dynamics costs in each representation, counted in floating-point operations.
///
/// Counts are of the code as it is written, in which a product by a constant 0 or 1 is a product:
/// body frames need not lie on joint axes, and do not become cheaper if they do. Per body on
/// another one, with a joint of one degree of freedom:
///
///            multiplications   additions
///   body                 159         137
///   spatial              195         164
///   hybrid               195         164
///   mixed                204         167
///
/// The body form needs the fewest for every tree: bodies on the world, joints of several degrees of
/// freedom and fixed ones do not change the order. Measured times agree.
/// docs/operation_counts.md has the tables, beside the estimates of [MuellerDyn sec. 4].
/// Tests: tests/dynamics/inverse/operation_counts_test.cpp
#pragma once
#include "axode/model/tree.hpp"

namespace axode {

struct OperationCount {
  long multiplications = 0, additions = 0;
  constexpr long total() const noexcept { return multiplications + additions; }
  friend constexpr bool operator==(const OperationCount&, const OperationCount&) = default;
};

/// Operations of inverse_dynamics<rep>() without external wrenches, armature, damping and friction,
/// the poses given. Exact for joints whose screws are constant in the body (has_constant_screws);
/// what the derivatives of the others take comes on top, alike in all representations. O(n).
OperationCount inverse_dynamics_operations(const Tree& tree, Rep rep) noexcept;

}  // namespace axode
