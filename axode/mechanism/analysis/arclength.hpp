/// A one-parameter family of configurations followed by its arclength, past where the parameter turns.
///
///   [Phi_q Phi_s; w^T] (q', s') = (0, 1),    w: the tangent before                      [Keller1977]
///
/// The tangent turns from s' > 0 to s' < 0 at a dead point, which is located on the path; across a
/// branch point it goes on. Cost: two or three factorisations per step.
/// Tests: tests/mechanism/analysis/arclength_test.cpp
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "axode/mechanism/equations/system.hpp"

namespace axode {

struct [[nodiscard]] ArclengthResult {
  enum class Kind : std::uint8_t {
    turned,  ///< s is largest (smallest) here: a dead point
    passed,  ///< s goes on
    lost,    ///< the path could not be followed
  };
  Kind kind = Kind::lost;
  double s = 0;
  std::vector<double> q;
};
/// From (q, s) with velocity v = dq/ds on, s in the sense of `direction`. `system` has s as time.
ArclengthResult arclength_past(MechanismSystem& system, double s, std::span<const double> q,
                               std::span<const double> v, double direction);
/// Over driver number `driver` from (t, q) on, the other drivers held as they are at time t.
ArclengthResult arclength_past(const MechanismSystem& system, int driver, double t,
                               std::span<const double> q, double direction);

/// Where a curve of configurations meets the value of s it began with.
struct CurveCrossing {
  double s = 0;
  double slope = 0;  ///< of s by arclength: > 0 on the way up
  std::vector<SE3<double>> poses;
  std::vector<double> q{};           ///< with the turns the curve has made
  std::vector<SO3<double>> seats{};  ///< what Euler angles of q refer to: MechanismSystem::seat
};
struct [[nodiscard]] CurveResult {
  std::vector<CurveCrossing> crossings;  ///< the start first
  bool closed = false;                   ///< back where it began; else its ends could not be passed
  int turns = 0;                         ///< dead points passed
  int steps = 0;
};
/// Of arclength_curve, if no other number is given.
inline constexpr int max_curve_steps = 20000;
/// Follows the curve through (q, s), dead points included, until it closes. `period`: s + period is
/// the same value of s, as for angles; 0: none. Of branches that cross, the one straight on.
/// `should_stop` is asked before each step: true ends the curve there, which is not closed then.
CurveResult arclength_curve(MechanismSystem& system, double s, std::span<const double> q,
                            double period, int max_steps = max_curve_steps,
                            const std::function<bool()>& should_stop = {});
/// Over driver number `driver` through (t, q), the other drivers held as they are at time t.
CurveResult arclength_curve(const MechanismSystem& system, int driver, double t,
                            std::span<const double> q, int max_steps = max_curve_steps,
                            const std::function<bool()>& should_stop = {});
/// After which the value of a driver is the same configuration: 2 pi of angles, 0 of lengths and where
/// couplings tell full turns apart.
double driver_period(const Mechanism& mechanism, int driver);

}  // namespace axode
