/// A driven mechanism followed over the range of a driver: positions, velocities, accelerations.
///
///   predictor  q + q' h + q'' h^2 / 2,   corrector  Newton           ' = d/ds, s: value of the driver
///
/// with the step governed by the error of the predictor, for angles at most 0.5 rad; coordinates of
/// drivers are measured after each, and mirror images refused. Where the driver cannot go on, the path
/// turns back: such dead points are located on the path (q, s) by arclength. Where the rank drops and
/// the path goes on, other branches cross. Cost: about two factorisations per step.
/// Tests: tests/mechanism/analysis/follow_test.cpp
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "axode/mechanism/analysis/position.hpp"

namespace axode {

struct FollowOptions {
  double step = 0;          ///< of the results, in units of the driver; 0: a hundredth of the range
  double tolerance = 1e-3;  ///< of the predictor, relative to the size of the model
  double least_step = 1e-9;  ///< relative to the range: below it a dead point is looked for
  /// A path that needs more steps, refused ones too, is lost there; 0: 20,000 and 100 for each result.
  long max_steps = 0;
  bool find_branches = true;  ///< looks at singular values: up to 300 coordinates
  PositionOptions position{.iterations = 20};
  /// Asked before each step: true ends the path there, which is not complete then.
  std::function<bool()> should_stop = {};
};
struct FollowPoint {
  double driver = 0;
  std::vector<double> q, v, a;     ///< v, a: by the driver, dq/ds and d2q/ds2
  std::vector<SO3<double>> seats;  ///< what Euler angles of q refer to: MechanismSystem::seat
  /// Of the mechanism, with derivatives by the driver. Angles continue over full turns, counted on
  /// the way; they begin where the driver and the starting values say.
  std::vector<TimeValue> coordinates;
};
struct FollowEvent {
  enum class Kind : std::uint8_t { dead_point, branch, lost };
  Kind kind = Kind::lost;
  double driver = 0;
  std::vector<double> q;
  std::string message;
  std::vector<SO3<double>> seats{};  ///< what Euler angles of q refer to
};
struct [[nodiscard]] FollowResult {
  bool complete = false;  ///< the whole range was reached
  std::vector<FollowPoint> points;
  std::vector<FollowEvent> events;
  std::string message;
  int steps = 0, refused = 0;
};

/// Follows driver number `driver` from its value `from` to `to`, other drivers held as they are at
/// time t. `q` is near a solution at `from` and chooses the branch. Units: those of the driver.
FollowResult follow_driver(const MechanismSystem& system, int driver, double from, double to,
                           double t, std::span<const double> q, const FollowOptions& options = {});

/// The equations with one driver replaced by its value as time, others held as at time t.
MechanismEquations driver_as_time(const MechanismEquations& equations, int driver, double t);

/// Whether coordinates of drivers have their values at time t, angles but for full turns, and no body
/// is a mirror image: equations in some coordinates are met by other configurations as well.
bool is_driven_well(MechanismSystem& system, double t, std::span<const double> q);

/// A coordinate of the mechanism at the points of a path with its derivatives by the driver; angles
/// continue over full turns: input and output relations.
std::vector<TimeValue> path_of_coordinate(const FollowResult& path, int coordinate);
/// The world path of a point of a body (coupler curve) [m].
std::vector<Vec3<double>> path_of_point(MechanismSystem& system, const FollowResult& path, int body,
                                        const Vec3<double>& local);

/// Which pairs of values of two drivers can be reached, without leaving the branch of q.
struct [[nodiscard]] WorkspaceResult {
  std::vector<double> first, second;  ///< the grid
  std::vector<char> reachable;        ///< by first, then second
  int count = 0;
  bool complete = true;  ///< false: stopped before all pairs were tried
};
/// `should_stop` is asked before each pair of values: true ends the sweep there.
WorkspaceResult sweep_workspace(const MechanismSystem& system, std::array<int, 2> drivers,
                                std::array<double, 2> first, std::array<double, 2> second,
                                std::array<int, 2> counts, double t, std::span<const double> q,
                                const std::function<bool()>& should_stop = {});

}  // namespace axode
