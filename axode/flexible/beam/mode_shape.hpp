/// Shapes of assumed modes: functions of the place x in [0, L] along a beam, with two derivatives.
///
///   bending          C (cosh bx - cos bx - s (sinh bx - sin bx))             [CibicikEgeland VI]
///   pinned           C (sin bx + h sinh bx / sinh bL)
///   sine             C sin kx                                     torsion, axial motion
///   polynomial       sum of c_n (x/L)^n
///   legendre         C (root slope x + the series sum of c_n P_n(2x/L - 1), integrated from 0)
///   samples          quintic splines through values at given places
///
/// The hyperbolic functions are taken as exponentials that do not cancel, with 1 - s known by
/// itself. Shapes are evaluated when a model is made, never in a loop.
/// Tests: tests/flexible/beam/mode_shape_test.cpp
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace axode {

/// What a mode moves: torsion turns about x; bend_y displaces along y (and turns about z); bend_z
/// displaces along z (and turns about -y); axial displaces along x.
enum class ModeDirection : std::uint8_t { torsion, bend_y, bend_z, axial };
std::string_view name(ModeDirection direction) noexcept;

struct ModeShape {
  enum class Kind : std::uint8_t { bending, pinned, sine, polynomial, legendre, samples };
  Kind kind = Kind::sine;
  double length = 1;                           ///< L [m]
  double wave_number = 0;                      ///< b or k [1/m]
  double one_minus_sigma = 0;                  ///< 1 - s of bending
  double tip_sinh = 0;                         ///< h of pinned
  double root_slope = 0;                       ///< of legendre [1/m]
  int integrations = 0;                        ///< of legendre: 0, 1 or 2, with respect to x/L
  double scale = 1;                            ///< C
  std::vector<double> places{};                ///< of samples [m]
  std::vector<double> numbers{};               ///< coefficients, or values at the places
  std::vector<double> slopes{}, curvatures{};  ///< at the places, made by sampled_shape
};

struct ShapeValue {
  double value = 0, slope = 0, curvature = 0;  ///< psi, psi' [1/m], psi'' [1/m^2]
};
/// The shape and its derivatives at x [m].
ShapeValue shape_at(const ModeShape& shape, double x);

/// sum of coefficients[n] (x/L)^n.
ModeShape polynomial_shape(double length, std::vector<double> coefficients);
/// Twice continuously differentiable through the values; `clamped` shapes have value and slope
/// zero at x = 0. Throws Error unless there are as many values as places, at least 3, places
/// rising over [0, L].
ModeShape sampled_shape(double length, std::vector<double> places, std::vector<double> values,
                        bool clamped = true);

}  // namespace axode
