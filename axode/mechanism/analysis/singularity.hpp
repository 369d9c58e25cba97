/// Singular configurations of a driven mechanism, by inputs (drivers) and outputs (coordinates).
///
/// With N a basis of the motions of the mechanism without drivers: inputs move by D N, outputs by
/// Y N. D N singular: inputs held, it still moves (parallel, type 2); Y N singular: outputs stand
/// still while inputs move (serial, type 1); both: type 3 [GosselinAngeles1990]. More motions than
/// at neighbours: constraint singularity, branches meet. Cost: O(n^3).
/// Tests: tests/mechanism/analysis/singularity_test.cpp
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "axode/mechanism/equations/system.hpp"

namespace axode {

struct [[nodiscard]] SingularityResult {
  bool serial = false;          ///< type 1
  bool parallel = false;        ///< type 2
  bool constraint = false;      ///< more instantaneous motions than finite ones
  int type = 0;                 ///< 0 regular, 1, 2, 3
  double serial_measure = 0;    ///< smallest singular value of Y N; N orthonormal
  double parallel_measure = 0;  ///< smallest singular value of D N
  int mobility = 0;             ///< without drivers, at this configuration
  int finite_mobility = 0;
  std::string message;
};
/// `outputs`: coordinates of the mechanism; inputs are its drivers.
SingularityResult singularity(MechanismSystem& system, double t, std::span<const double> q,
                              std::span<const int> outputs, double tolerance = 1e-8);
/// Coordinates without a driver: the outputs where none are named.
std::vector<int> undriven_coordinates(const Mechanism& mechanism);

}  // namespace axode
