/// An elastic beam with its assumed modes, and the constant integrals that its dynamics needs.
///
/// The undeformed axis is x in [0, L] of the link's frame; sections are in y, z. Displacement of a
/// section (u_x, u_y, u_z) = sum of mode shapes times coordinates, rotation theta = (torsion,
/// -u_z', u_y') [CibicikEgeland (22)-(31), with the sign of the slope corrected].
/// Tests: tests/flexible/beam/beam_test.cpp
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "axode/flexible/beam/mode_shape.hpp"
#include "axode/flexible/beam/section.hpp"

namespace axode {

struct Material {
  double E = 0;        ///< Young's modulus [Pa]
  double G = 0;        ///< shear modulus [Pa]
  double density = 0;  ///< [kg/m^3]
};

struct Beam {
  double length = 0;  ///< [m]
  Material material;
  SectionOutline root, tip;  ///< equal: constant section; else of one kind, tapered
};
/// The section at x [m].
Section section_at(const Beam& beam, double x);
bool is_uniform(const Beam& beam) noexcept;
/// Throws Error, `where` in front, on lengths, moduli, densities or sections that are not positive.
void check_beam(const Beam& beam, const std::string& where);

struct BeamMode {
  ModeDirection direction = ModeDirection::bend_y;
  ModeShape shape;
  double frequency =
      0;  ///< of the beam alone with the boundary it was made for [rad/s]; 0: not known
};

/// What holds the beam, and what hangs at its end; for the modes of one direction.
struct ModeBoundary {
  enum class Root : std::uint8_t { clamped, pinned };
  Root root = Root::clamped;
  double tip_mass = 0;     ///< [kg], for bending and axial modes
  double tip_inertia = 0;  ///< about the tip and the axis the mode turns about [kg m^2]
};
/// The first `count` modes of a direction. Uniform beams: roots of the characteristic equations to
/// rounding; tapered ones: Ritz's method with polynomials. C = 1 (tapered: unit largest value).
std::vector<BeamMode> beam_modes(const Beam& beam, ModeDirection direction, int count,
                                 const ModeBoundary& boundary = {});
/// Largest |a_jk| / sqrt(a_jj a_kk), j != k, of the products that should be orthogonal: mass (with
/// what hangs at the tip) and stiffness.
struct Orthogonality {
  double mass = 0, stiffness = 0;
};
Orthogonality orthogonality(const Beam& beam, const std::vector<BeamMode>& modes,
                            const ModeBoundary& boundary);
/// Throws Error if a shape does not meet what clamps or pins it: value (and slope) at the root.
void check_modes(const Beam& beam, const std::vector<BeamMode>& modes, const ModeBoundary& boundary,
                 const std::string& where);

}  // namespace axode
