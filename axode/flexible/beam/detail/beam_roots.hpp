/// Characteristic equations of uniform beams and rods with a mass or inertia at the tip, z = bL.
///
/// With c, s, ch, sh the functions of z, n = mass ratio z, k = inertia ratio z^3, after
/// [CibicikEgeland VI]:
///   clamped   (1 + c ch) - n (s ch - c sh) - k (s ch + c sh) + n k (1 - c ch) = 0
///   pinned    (s ch - c sh) + 2 n s sh + 2 k c ch - n k (s ch - c sh) = 0
///   rods      c - ratio z s = 0
/// A mass or an inertia is a change of rank one, so that roots interlace with those of the free
/// and the held tip [CourantHilbert]: each bracket holds one root, none is missed or found twice.
/// Roots are bisected to rounding, about 300 evaluations each.
/// Tests: tests/flexible/beam/detail/beam_roots_test.cpp
#pragma once
#include <array>

namespace axode {

/// Tip mass / beam mass, and tip inertia / (beam mass L^2); finite, not negative.
struct TipRatios {
  double mass = 0, inertia = 0;
};
/// The z of bending mode `number` >= 1; of pinned beams without the rigid rotation.
double clamped_root(int number, const TipRatios& tip);
double pinned_root(int number, const TipRatios& tip);
/// The z of torsion or axial mode `number` >= 1, clamped; ratio of tip to rod inertia or mass.
double rod_root(int number, double ratio);

/// 1 - s of the clamped shape cosh - cos - s (sinh - sin) that meets the shear at the tip.
double clamped_one_minus_sigma(double z, double mass_ratio);
/// h of the pinned shape sin bx + h sinh bx / sinh z that meets the shear at the tip.
double pinned_tip_sinh(double z, double mass_ratio);

/// The sums z^k/k! + z^(k+4)/(k+4)! + ..., k = 0..3, Duncan's functions: half of cosh + cos, sinh
/// + sin, cosh - cos, sinh - sin, without their cancellation; for |z| <= 2.
std::array<double, 4> duncan_functions(double z);

}  // namespace axode
