/// The step of damped least squares within bounds:
///
///   minimise  1/2 d^T (H + damping I) d + g^T d     subject to  lower <= d <= upper
///
/// with H = J^T J and g = J^T r of a residual r and its Jacobian J. A primal active set method: it
/// walks from d = 0 to the minimum over the free coordinates, stops where one meets its bound, fixes
/// it there, and frees those whose multiplier has the wrong sign. One Cholesky factorisation of the
/// free part per change of the set, O(n^3) each; seldom more than a few.
/// Tests: tests/kinematics/inverse/detail/box_step_test.cpp
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace axode {

/// Scratch. Make it once for n coordinates, then reuse it.
struct BoxStepWork {
  explicit BoxStepWork(int n);
  std::vector<double> factor, right, towards;
  std::vector<int> free_coordinates;
  std::vector<std::int8_t> active;  ///< -1 at the lower bound, 1 at the upper, 0 free, 2 no room
};

/// Writes the step d, n numbers that never leave the bounds. H is n x n and symmetric, damping > 0;
/// lower <= 0 <= upper, infinite where there is no bound. False if the set of active bounds did not
/// settle (rounding): d is then a feasible step of descent all the same. Does not allocate.
bool box_step(std::span<const double> H, std::span<const double> g, double damping,
              std::span<const double> lower, std::span<const double> upper, BoxStepWork& work,
              std::span<double> d) noexcept;

}  // namespace axode
