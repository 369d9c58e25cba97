/// Why a mechanism cannot be assembled with its drivers, and what is free where nothing holds it.
///
/// Without drivers the equations cannot be met: its geometry; more drivers than motions N of what
/// is left, rank D N < drivers: over-driven; else each driver is led from where it is to where it
/// should be, the others held: a dead point on the way. Cost: that of following the drivers.
/// Tests: tests/mechanism/analysis/diagnosis_test.cpp
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "axode/mechanism/equations/system.hpp"

namespace axode {

struct [[nodiscard]] AssemblyDiagnosis {
  enum class Kind : std::uint8_t {
    assembled,    ///< q, with all drivers led to their values
    geometry,     ///< not even without drivers
    over_driven,  ///< drivers move what others move already
    dead_point,   ///< a driver cannot get there from the reference
  };
  Kind kind = Kind::geometry;
  int dofs = -1;                     ///< without drivers, near the reference
  std::vector<int> dependent{};      ///< over_driven: drivers that others do the work of
  int driver = -1;                   ///< dead_point: which,
  double reached = 0, wanted = 0;    ///< and its values
  std::vector<double> q{};           ///< assembled
  std::vector<SO3<double>> seats{};  ///< what Euler angles of q refer to: MechanismSystem::seat
  std::string message{}, remedy{};   ///< for the user; empty if assembled
};

/// From `start` (poses near an assembly, which choose the branch) to the drivers as they are at
/// time t, angles by the shorter way.
AssemblyDiagnosis diagnose_assembly(const MechanismSystem& system, double t,
                                    std::span<const SE3<double>> start);

/// Of assembled poses: drivers that move nothing but what others move, as text; empty without them.
std::string over_driven(const MechanismSystem& system, std::span<const SE3<double>> poses);

struct DofsLeft {
  int count = 0;
  std::vector<int> to_drive{};  ///< coordinates that, driven too, leave nothing free; may be fewer
  std::string message{};        ///< empty if nothing is free
};
/// What moves at an assembled configuration with drivers held.
DofsLeft dofs_left(MechanismSystem& system, double t, std::span<const double> q);

}  // namespace axode
