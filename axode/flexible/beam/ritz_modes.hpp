/// Modes of tapered beams by Ritz's method.
///
/// Strains (curvature of bending, twist, stretch) are sums of Legendre polynomials, integrated
/// from the root. The stiffness matrix is then nearly diagonal, no worse conditioned than the taper,
/// and M y = K y / w^2 is solved for its largest eigenvalues, which are the lowest frequencies
/// [Boyd2001]. Polynomials are added until frequencies change by less than 1e-11. A tip a million
/// times as heavy as the beam costs the higher modes digits. Cost O(n^3), n of some tens.
/// Tests: tests/flexible/beam/ritz_modes_test.cpp
#pragma once
#include <vector>

#include "axode/flexible/beam/beam.hpp"

namespace axode {

/// The first `count` modes, of unit largest value, with the value (bending: curvature) rising at a
/// clamped root, and the slope at a pinned one. Pinned beams: without the rigid rotation. Throws
/// Error if frequencies do not settle.
std::vector<BeamMode> ritz_modes(const Beam& beam, ModeDirection direction, int count,
                                 const ModeBoundary& boundary = {});

}  // namespace axode
