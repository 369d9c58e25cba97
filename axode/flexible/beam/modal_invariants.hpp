/// All integrals over a beam that its equations of motion need, taken once.
///
/// With the shapes psi_k of displacement, alpha_k of rotation (torsion psi; bending psi' about z,
/// -psi' about y), mass mu = rho A and rotary inertia rho (Jp, Iy, Iz) per length. Gauss-Legendre
/// quadrature of a fixed high order when a model is made; 2-D arrays are row by row, `modes` long.
/// Tests: tests/flexible/beam/modal_invariants_test.cpp
#pragma once
#include <array>
#include <vector>

#include "axode/flexible/beam/beam.hpp"
#include "axode/flexible/beam/detail/legendre.hpp"
#include "axode/lie/vec3.hpp"

namespace axode {

/// Shapes at one place of a beam.
struct StationModes {
  double x = 0;                      ///< [m]
  std::vector<double> displacement;  ///< psi_k; 0 for torsion
  std::vector<double> angle;         ///< alpha_k; 0 for axial modes
  std::vector<double> shortening;  ///< integral of psi_j' psi_k' from 0 to x, of modes of one plane
};

struct ModalInvariants {
  int modes = 0;
  /// Modes of direction d (torsion, bend_y, bend_z, axial) are first[d] .. first[d + 1] - 1.
  std::array<int, 5> first{};
  double length = 0;

  double mass = 0;              ///< integral mu
  double first_moment = 0;      ///< integral mu x
  double second_moment = 0;     ///< integral mu x^2
  std::vector<double> mean;     ///< integral mu psi_k
  std::vector<double> lever;    ///< integral mu x psi_k
  std::vector<double> product;  ///< integral mu psi_j psi_k, of all displacing modes

  Vec3<> rotary;                                     ///< integral rho (Jp, Iy, Iz)
  std::array<std::vector<double>, 3> angle;          ///< integral rho J_c alpha_k, c = Jp, Iy, Iz
  std::array<std::vector<double>, 3> angle_product;  ///< integral rho J_c alpha_j alpha_k
  /// integral rho J_c alpha_t alpha_y alpha_z; index (t ny + y) nz + z, each from the first of its
  /// kind
  std::array<std::vector<double>, 3> angle_triple;

  std::vector<double> stiffness;         ///< K (112) [N/m, N m, ...]
  std::vector<double> shortening;        ///< integral mu (shortening at x)
  std::vector<double> shortening_lever;  ///< integral mu x (shortening at x)

  /// Where rotations are exact, integrals over x have no closed form: shapes at Gauss points.
  struct Node {
    StationModes at;
    double mass = 0;  ///< weight times mu
    Vec3<> inertia;   ///< weight times rho (Jp, Iy, Iz)
  };
  std::vector<Node> nodes;
};

/// Modes must be ordered by direction. Throws Error if not.
ModalInvariants modal_invariants(const Beam& beam, const std::vector<BeamMode>& modes);
StationModes station_modes(const Beam& beam, const std::vector<BeamMode>& modes, double x);

}  // namespace axode
