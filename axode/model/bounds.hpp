/// Bounds of the numbers of a model: what is read from a file can be computed with.
///
/// A double reaches to 1.8e308, but squares and products of such numbers overflow, and near a point at
/// 1e200 m all others are one. So lengths are bounded by 1e15 m, as those of meshes are, and all other
/// numbers by 1e100 in SI units.
/// Tests: tests/model/bounds_test.cpp
#pragma once
#include <string>

#include "axode/lie/vec3.hpp"

namespace axode::detail {

/// No place is farther from its origin, and no size larger [m]: beyond, what is near has no digits left
/// and squares of squares overflow. Meshes have the same bound.
inline constexpr double farthest_place = 1e15;
/// Bound of all other numbers in SI units: products of three of them are numbers.
inline constexpr double largest_number = 1e100;
/// Throws Error if a place or size [m] is not finite or above `farthest_place`; `what` names it.
void check_place(const Vec3<double>& p, const std::string& what, const std::string& where);
void check_length(double x, const std::string& what, const std::string& where);
/// Throws Error if a number is not finite or above `largest_number`.
void check_number(double x, const std::string& what, const std::string& where);
void check_vector(const Vec3<double>& a, const std::string& what, const std::string& where);
/// Throws Error unless a number is positive, and its inverse below `largest_number`, too.
void check_positive_number(double x, const std::string& what, const std::string& where);

}  // namespace axode::detail
