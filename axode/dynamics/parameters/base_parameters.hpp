/// Base parameters: the fewest combinations of the inertial parameters that the joint forces depend
/// on, and so all that can be found from measured joint forces.
///
/// Columns of the regressor Y (regressor.hpp) that vanish or depend on others in every state tell
/// parameters that do not count, or only together with others. They are found numerically:
/// regressors of random states are stacked and factorised by QR with column pivoting,
///
///   Y P = Q [R1 R2; 0 0],   R1 of full rank,
///   tau = Y p = Y_base b,   Y_base = the first columns of Y P,   b = [I  R1^-1 R2] P^T p.
///
/// The choice of columns is one of many; the rank and the span are not. O((10 n)^3) operations: for
/// trees of up to some 100 bodies.
/// Tests: tests/dynamics/parameters/base_parameters_test.cpp
#pragma once
#include <cstdint>
#include <vector>

#include "axode/dynamics/effects.hpp"
#include "axode/kinematics/system_jacobian.hpp"

namespace axode {

struct BaseParameterOptions {
  /// Of the effects only gravity matters: without it fewer parameters count.
  Effects effects = {};
  /// Random states, uniform within the limits of the joints, velocities and accelerations up to 1
  /// rad or m; 0: three times as many equations as parameters, and 20 states at least.
  int states = 0;
  std::uint64_t seed = 1;
  /// Pivots below this fraction of the largest count as zero.
  double tolerance = 1e-9;
};

struct BaseParameters {
  int rank = 0;
  std::vector<int> columns;  ///< of Y, ascending: 10 body + parameter; independent of each other
  /// rank x 10 n: b = combinations p. Columns `columns` of it are those of the unit matrix.
  DenseMatrix<double> combinations;
  /// How clear the rank is, relative to the largest pivot: of those that count, of those that do
  /// not.
  double smallest_pivot = 0, largest_no_pivot = 0;
};

/// Throws Error if the tree has no velocities, on options out of range, and LimitError if it has
/// more than 200 bodies.
BaseParameters base_parameters(const Tree& tree, const BaseParameterOptions& options = {});
/// b = combinations p; p holds 10 numbers for each body (inertia_parameter_list).
std::vector<double> base_values(const BaseParameters& base, In<double> p);
/// The columns of a regressor with all its zeros that belong to b: tau = base_regressor b.
DenseMatrix<double> base_regressor(const BaseParameters& base, const DenseMatrix<double>& Y);

}  // namespace axode
