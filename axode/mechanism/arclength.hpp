/// A one-parameter family of configurations followed by its arclength, past where the parameter turns.
///
///   [Phi_q Phi_s; w^T] (q', s') = (0, 1),    w: the tangent before                      [Keller1977]
///
/// The tangent turns from s' > 0 to s' < 0 at a dead point, which is located on the path; across a
/// branch point it goes on. Cost: a factorisation per step.
/// Tests: tests/mechanism/arclength_test.cpp
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "axode/mechanism/system.hpp"

namespace axode {

struct ArclengthResult {
  enum class Kind : std::uint8_t {
    turned,  ///< s is largest (smallest) here: a dead point
    passed,  ///< s goes on
    lost,    ///< the path could not be followed
  };
  Kind kind = Kind::lost;
  double s = 0;
  std::vector<double> q;
};
/// From (q, s) with velocity v = dq/ds on, s in the sense of `direction`. `system` has s as time.
ArclengthResult arclength_past(MechanismSystem& system, double s, std::span<const double> q,
                               std::span<const double> v, double direction);

}  // namespace axode
