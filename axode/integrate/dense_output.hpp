/// States within a step: the cubic of Hermite in the algebra of the group.
///
///   x(s) = plus(x0, Theta(s)),  Theta(0) = 0, Theta(1) = difference(x0, x1),
///   Theta'(0) = h v0, Theta'(1) = h inverse_dexp(Theta(1), v1)
///
/// The error is of size h^4, so as dense output the order is 3. A step turns less than pi rad.
/// Tests: tests/integrate/dense_output_test.cpp
#pragma once
#include <span>

#include "axode/integrate/lie_group.hpp"

namespace axode {

/// Theta(s), s in [0, 1], from Theta(1) = `way` and the rates of Theta at both ends; result may be
/// none of them.
void hermite(std::span<const double> way, std::span<const double> rate0,
             std::span<const double> rate1, double h, double s, std::span<double> result) noexcept;

/// The state at s in [0, 1] from both states and the velocities there; `scratch` holds 3 nv
/// numbers.
void hermite_state(const LieGroup& group, std::span<const double> x0, std::span<const double> x1,
                   std::span<const double> v0, std::span<const double> v1, double h, double s,
                   std::span<double> scratch, std::span<double> result) noexcept;

/// The state (q, v, extra) of a mechanical system at s in [0, 1] from both states: q as above, v
/// and the rest linear, which is of order 2. `scratch` holds 3 nv numbers of the configuration.
void mechanical_state(const LieGroup& configuration, std::span<const double> x0,
                      std::span<const double> x1, double h, double s, std::span<double> scratch,
                      std::span<double> result) noexcept;

}  // namespace axode
