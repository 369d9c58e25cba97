/// A mechanism in several coordinates at the same configuration: how much the results differ.
///
/// Compared are points fixed to the bodies (origin and one along each axis, named points, points of
/// joints) and the coordinates of the mechanism, angles as arcs: positions relative to the size of the
/// mechanism, velocities and accelerations to the largest ones. What the equations of any formulation
/// leave free is not compared. Cost: that of assembling in each, and of a null space, O(n^3).
/// Tests: tests/mechanism/analysis/compare_formulations_test.cpp
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "axode/mechanism/analysis/assemble.hpp"

namespace axode {

struct ComparedFormulation {
  FormulationOptions how{};
  std::string problem{};                    ///< why there is nothing to compare; else empty
  std::optional<MechanismSystem> system{};  ///< assembled
  Assembly at{};
  double position = 0, velocity = 0,
         acceleration = 0;  ///< largest relative differences to the first
};
struct [[nodiscard]] FormulationComparison {
  std::vector<ComparedFormulation> formulations{};  ///< in the order given
  int first = -1;                   ///< the one the others are compared with; -1: none is assembled
  std::vector<int> undetermined{};  ///< bodies of which something is left free
};

/// The first that can be assembled at time t chooses the branch of all.
FormulationComparison compare_formulations(const Mechanism& mechanism,
                                           std::span<const FormulationOptions> formulations,
                                           double t = 0);

}  // namespace axode
