/// Cross-sections of beams: area, second moments and torsion constant.
///
/// The section lies in the y-z plane of the link. The torsion constant is Saint-Venant's, which is
/// the polar moment only for circles [YoungRoark]; rotary inertia always takes the polar moment.
/// Tests: tests/flexible/beam/section_test.cpp
#pragma once
#include <array>
#include <cstdint>

namespace axode {

struct Section {
  double area = 0;     ///< [m^2]
  double Iy = 0;       ///< integral of z^2 [m^4]: resists bending in the x-z plane
  double Iz = 0;       ///< integral of y^2 [m^4]: resists bending in the x-y plane
  double torsion = 0;  ///< Saint-Venant's constant [m^4]
  /// Polar moment Iy + Iz [m^4].
  constexpr double polar() const noexcept { return Iy + Iz; }
  friend constexpr bool operator==(const Section&, const Section&) = default;
};

/// A section by its outline, so that tapered beams know the sections between two of one kind.
struct SectionOutline {
  enum class Kind : std::uint8_t { numbers, circle, tube, rectangle, box, i_profile };
  Kind kind = Kind::numbers;
  std::array<double, 4> sizes{};  ///< [m], in the order of the functions below
  Section given{};                ///< of kind numbers
  friend constexpr bool operator==(const SectionOutline&, const SectionOutline&) = default;
};
/// Sizes in m. All throw Error on sizes that are not positive or walls that leave no hole.
SectionOutline section_numbers(const Section& section);
SectionOutline solid_circle(double diameter);
SectionOutline hollow_circle(double outer_diameter, double inner_diameter);
/// `width` along y, `height` along z. The torsion constant is the exact series, to rounding.
SectionOutline solid_rectangle(double width, double height);
/// Thin closed wall: torsion by Bredt's formula 4 A_m^2 t / s.
SectionOutline hollow_rectangle(double width, double height, double wall);
/// Flanges of `width` along y and thickness `flange`, a web of thickness `web` along z, `height`
/// in all: open and thin, torsion sum of b t^3 / 3.
SectionOutline i_section(double width, double height, double flange, double web);

/// The numbers of an outline.
Section section_of(const SectionOutline& outline);
/// The section at the fraction s in [0, 1] of the way from a to b: sizes go linearly. Of numbers,
/// square roots of areas and fourth roots of moments do, as if one outline was scaled. Throws
/// Error if the kinds differ.
Section section_between(const SectionOutline& a, const SectionOutline& b, double s);

}  // namespace axode
