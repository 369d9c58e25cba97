/// A flow on a Lie group as an ordinary differential equation of its state numbers, for libraries
/// that know vectors alone.
///
///   x' = N(x) v,   v = f(t, x)              number_rates.hpp
///   dx'/dx = dN/dx v + N A P                A = df along the tangent, P = d tangent / d numbers
///
/// The length of quaternions is an invariant of the equation; f is evaluated with them normalised.
/// O(nv^2) for the Jacobian. Units: those of the group's numbers, per second.
/// Tests: tests/integrate/sundials/detail/number_form_test.cpp
#pragma once
#include <span>

#include "axode/integrate/sundials/number_rates.hpp"

namespace axode {

/// Writes dx'/dx column by column (nx * nx numbers) from A, nv rows of nv numbers, at the velocities
/// v. `scratch` needs nv * nx numbers. Does not allocate.
void number_jacobian(const LieGroup& group, std::span<const double> x, std::span<const double> v,
                     std::span<const double> A, std::span<double> scratch,
                     std::span<double> columns) noexcept;
/// Gives quaternions unit length.
void normalize(const LieGroup& group, std::span<double> x) noexcept;

}  // namespace axode
