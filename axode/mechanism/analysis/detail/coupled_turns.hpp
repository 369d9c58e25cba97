/// Whole turns of angles that couplings know: gears and racks tell them apart, poses do not.
///
///   sum factor (angle + 2 pi k) = constant        for some whole k
///
/// An angle that is driven has its value, turns and all; others may be on any turn. In the plane the
/// angles between bodies are differences, psi_j - psi_i, of which natural coordinates know only sines
/// and cosines: there turns can disagree, and what meets the equations is not a configuration.
/// Cost: O(coordinates + joints).
/// Tests: tests/mechanism/analysis/detail/coupled_turns_test.cpp
#pragma once
#include <array>
#include <functional>
#include <span>
#include <vector>

#include "axode/mechanism/equations/equations.hpp"

namespace axode {

struct CoupledTurns {
  /// How far body j has turned against i since the start: sign scalar + constant, or constant alone.
  struct Relation {
    std::array<int, 2> body{};
    int scalar = -1;
    double sign = 1, constant = 0;
    int free = -1;  ///< the number of q that may be turned, -1: none, as it is driven or kept
  };
  std::vector<Relation> relations{};  ///< of planar natural coordinates, free ones last; else empty
  /// A number of q that is an angle of a coupling, and of no other equation that feels turns.
  struct Free {
    int x = 0;
    double factor = 1;  ///< in the coupling
  };
  struct Coupling {
    int row = 0;
    std::vector<Free> free{};
  };
  std::vector<Coupling> couplings{};
};
CoupledTurns coupled_turns(const MechanismEquations& equations);

/// Whether the driven and coupled angles of q are differences of angles of bodies, up to half a turn.
bool turns_agree(const CoupledTurns& turns, const MechanismEquations& equations,
                 std::span<const double> q);
/// Turns those that are not driven such that they agree with the others.
void turn_to_agree(const CoupledTurns& turns, const MechanismEquations& equations,
                   std::span<double> q);
/// Turns coupled angles by as many whole turns as `some` says at each call; the last of a coupling
/// such that the coupling is met best. Poses stay.
void turn_coupled(const CoupledTurns& turns, const MechanismEquations& equations,
                  std::span<double> q, const std::function<int()>& some);

}  // namespace axode
