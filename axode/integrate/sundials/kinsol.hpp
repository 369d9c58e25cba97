/// The configuration nearest to a guess that meets the constraints, by SUNDIALS KINSOL.
///
/// q = plus(guess, d) with |d|^2/2 least under Phi(q) = 0: the unknowns are d and multipliers eta,
///
///   d + dexp_{-d}^T G(q)^T eta = 0,   Phi(q) = 0
///
/// solved by Newton's method with line search and the matrix [1 G^T; G 0], of which curvature is
/// left out: it converges linearly, fast for guesses near by [Sundials]. The last digits come from
/// steps of least length. Lengths in m and angles in rad count alike.
/// Tests: tests/integrate/sundials/kinsol_test.cpp
#pragma once
#include <span>

#include "axode/integrate/constrained.hpp"

namespace axode {

/// Moves q. If KINSOL finds no closest point, plain Newton steps of least length are tried from the
/// guess; the result is then near, but not nearest.
struct [[nodiscard]] ClosestResult {
  bool converged = false;  ///< the constraints are met
  bool nearest = false;    ///< and d is the least
  double residual = 0;     ///< largest |Phi| left
};
ClosestResult closest_configuration(const ConstrainedView& system, std::span<double> q,
                                    double tolerance = 1e-13);

}  // namespace axode
