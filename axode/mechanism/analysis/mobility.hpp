/// How a mechanism can move at a configuration: mobility by rank, Gruebler's count, redundancy.
///
///   mobility = velocities - rank Phi_q                                     [GarciaBayo 2.1, 3.1]
///
/// The rank of one configuration is not the mobility of the mechanism: neighbours, reached by moving
/// along each degree of freedom and closing again, tell instantaneous degrees of freedom from finite ones. Cost: a rank
/// per degree of freedom, O(fill) each.
/// Tests: tests/mechanism/analysis/mobility_test.cpp
#pragma once
#include <span>
#include <string>
#include <vector>

#include "axode/mechanism/equations/system.hpp"

namespace axode {

struct [[nodiscard]] MobilityResult {
  int coordinates = 0;  ///< velocities
  int equations = 0, rank = 0;
  int mobility = 0;    ///< at this configuration
  int idle_spins = 0;  ///< of these: of slender bodies about their lines, which change no result
  int gruebler = 0;    ///< of bodies and joints, drivers and couplings counted
  int redundant = 0;   ///< equations - rank
  double smallest_kept = 0, largest_dropped = 0;
  bool instantaneous = false;  ///< neighbours move less: a singular configuration
  int finite_mobility = 0;     ///< the least that a neighbour has, 0: none is reached
  struct Redundant {
    int equation = 0;
    std::string name{}, joint{};
    std::vector<int> with{};  ///< equations it follows from
  };
  std::vector<Redundant> redundant_equations;
  struct Joint {
    int joint = 0;
    std::string name;
    int equations = 0, redundant = 0;
  };
  std::vector<Joint> joints;  ///< those with redundant equations
  std::string message;
};

/// At an assembled configuration, drivers held as they are at time t.
MobilityResult mobility(MechanismSystem& system, double t, std::span<const double> q);

}  // namespace axode
