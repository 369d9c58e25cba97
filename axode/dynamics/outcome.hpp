/// Outcomes of evaluations that divide by an inertia, which a correct model may lack in some direction.
///
///   if (const ForwardOutcome found = forward_dynamics(engine, q, v, tau, a); !found.ok())
///     std::puts(tree.bodies[found.singular_body].name.c_str());
///
/// The compiler warns where an outcome is ignored.
/// Tests: tests/dynamics/outcome_test.cpp
#pragma once
#include <cstddef>

namespace axode {

/// Of a matrix over velocities, such as the mass matrix, that is factorized or inverted.
struct [[nodiscard]] MassOutcome {
  int singular_velocity = -1;  ///< at which the matrix is not positive definite; -1: none
  bool ok() const noexcept { return singular_velocity < 0; }
};

/// Of accelerations under given forces.
struct [[nodiscard]] ForwardOutcome {
  /// Whose joint has a degree of freedom without inertia, taken as locked; -1: none.
  int singular_body = -1;
  bool ok() const noexcept { return singular_body < 0; }
};

/// Of many states.
struct [[nodiscard]] BatchOutcome {
  std::ptrdiff_t singular_state = -1;  ///< the first without a regular inertia; -1: none
  bool ok() const noexcept { return singular_state < 0; }
};

}  // namespace axode
