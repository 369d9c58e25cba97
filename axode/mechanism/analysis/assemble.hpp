/// Assembles a mechanism: the configuration that meets all equations with the drivers at their values,
/// its velocities and accelerations, on the branch that the reference configuration or a guess means.
///
///   Phi(q, t) = 0,   Phi_q v = -Phi_t,   Phi_q a = c                              [GarciaBayo ch. 3]
///
/// The loops are closed with the drivers where the poses of the start have them; then all drivers are
/// led to their values at t = 0, and followed along their motion to t. With a guess they are led to
/// their values at t directly. Where drivers cannot be led there, each is led by itself (diagnosis.hpp),
/// and the result names the fault of the geometry, the drivers that are too many, or the dead point.
/// Cost: two factorisations per step of the drivers, about 20 a radian.
/// Tests: tests/mechanism/analysis/assemble_test.cpp
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "axode/mechanism/equations/system.hpp"

namespace axode {

/// A coordinate of the mechanism by its name, with a value [rad, m] or a rate [rad/s, m/s].
struct NamedValue {
  std::string name;
  double value = 0;
};

struct AssembleOptions {
  double t = 0;  ///< of the drivers [s]
  /// q near the assembly, in place of the reference configuration with its starting values
  /// (start_poses); empty: none.
  std::vector<double> guess{};
  /// Coordinates without a driver have exactly these values and rates.
  std::vector<NamedValue> values{}, rates{};
  /// The starting values and rates of the mechanism (Mechanism::initial, initial_rate) are held exactly,
  /// too: the state in which a simulation starts. False: the search begins at the values, and the
  /// rates hold at t = 0 if they can be met.
  bool hold_start = false;
};

struct [[nodiscard]] Assembly {
  enum class Outcome : std::uint8_t {
    assembled,
    bad_driver,   ///< a driver is not finite at t, too large, or a distance below zero; q is empty
    geometry,     ///< not even without drivers
    over_driven,  ///< drivers move what others move already, and their values disagree
    dead_point,   ///< a driver cannot get to its value from the reference or the guess
    no_motion,    ///< q is assembled, but no velocities or accelerations meet the equations
  };
  Outcome outcome = Outcome::geometry;
  double t = 0;                  ///< [s]
  std::vector<double> q{};       ///< not assembled: the nearest that was found
  std::vector<double> v{}, a{};  ///< of least length where some are left free; not assembled: empty
  double residual = 0;           ///< largest |Phi| at q, by the size of the model
  int driver = -1;               ///< the one that met a dead point, -1: none,
  double reached = 0, wanted = 0;  ///< and its values; also where another branch was found
  /// Of what is assembled: that it is another branch, or that starting rates cannot be met; else empty.
  std::string warning{};
  /// Why it is not assembled, or has no motion, and what to do about it; else empty.
  std::string message{}, remedy{};

  bool is_assembled() const noexcept { return outcome == Outcome::assembled; }
  /// Whether q meets the equations; there may be no velocities.
  bool is_closed() const noexcept { return is_assembled() || outcome == Outcome::no_motion; }
};
/// The name of an outcome in Python, such as "dead_point".
std::string_view name(Assembly::Outcome outcome) noexcept;

/// Chooses forms of equations and seats of Euler angles of `system` for q (refresh). Throws Error on a
/// guess of wrong size, on numbers that are not finite, and on values and rates of coordinates that do
/// not exist, have a driver, or are given twice.
Assembly assemble(MechanismSystem& system, const AssembleOptions& options = {});

/// The same with one driver held at a value and the others as they are at time t, from the reference:
/// where follow_driver may begin. Positions only: v and a are empty.
Assembly assemble_with_driver(MechanismSystem& system, int driver, double value, double t = 0);

/// Why nothing can be computed with the drivers at a time: a value, rate or acceleration that is not
/// finite, a value above 1e12, a distance below zero. Empty if all are good.
std::string driver_problem(const Mechanism& mechanism, double t);

}  // namespace axode
