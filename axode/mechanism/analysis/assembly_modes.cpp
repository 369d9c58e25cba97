#include "axode/mechanism/analysis/assembly_modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>

#include "axode/core/error.hpp"
#include "axode/linalg/rank.hpp"
#include "axode/mechanism/analysis/arclength.hpp"
#include "axode/mechanism/analysis/detail/coupled_turns.hpp"
#include "axode/mechanism/analysis/follow.hpp"
#include "axode/mechanism/analysis/start_poses.hpp"

namespace axode {
namespace {

/// Of successes: the mode whose chance to be missed is told.
constexpr double rare_share = 1e-3;

struct Random {
  std::mt19937_64 engine;
  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(engine() >> 11U) * 0x1p-53;
  }
  /// All attitudes alike.
  SO3<double> rotation() {
    for (;;) {
      const Quaternion<double> q{uniform(-1, 1), {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)}};
      const double square = q.w * q.w + squared_norm(q.v);
      if (square < 0.01 || square > 1) continue;
      const double angle = 2 * std::atan2(norm(q.v), q.w);
      return norm(q.v) > 0 ? exp(normalized(q.v) * angle) : SO3<double>{};
    }
  }
};

/// Bodies anywhere near their reference, in any attitude; every third start less wild.
std::vector<SE3<double>> thrown(const Mechanism& m, double size, Random& random, int start) {
  std::vector<SE3<double>> poses;
  const double reach = start % 3 == 0 ? 0.3 : 1.0;
  for (const MechanismBody& body : m.bodies) {
    SE3<double> pose = body.pose;
    if (!poses.empty()) {
      const double turn = random.uniform(-1, 1) * M_PI * (start % 3 == 0 ? 0.5 : 1.0);
      for (int k = 0; k < (m.is_planar ? 2 : 3); ++k)
        pose.p[k] += reach * size * random.uniform(-1, 1);
      if (m.is_planar)
        pose.R = exp(Vec3<double>{0, 0, turn}) * pose.R;
      else
        pose.R = random.rotation();
    }
    poses.push_back(pose);
  }
  return poses;
}

/// Bodies hung on a spanning tree with random joint coordinates, drivers at their values. What joints
/// without coordinates leave free is as bodies are thrown.
std::vector<SE3<double>> hung(Mechanism m, double t, double size, Random& random, int start) {
  const std::vector<SE3<double>> poses = thrown(m, size, random, start);
  for (std::size_t b = 1; b < poses.size(); ++b) m.bodies[b].pose = poses[b];
  m.initial.resize(m.coordinates.size());
  for (std::size_t k = 0; k < m.coordinates.size(); ++k)
    m.initial[k] = random.uniform(-1, 1) * (m.coordinates[k].is_angle ? M_PI : size);
  for (const MechanismDriver& d : m.drivers) m.initial[d.coordinate] = d.motion(t).value;
  return start_poses(m);
}

bool is_same(std::span<const SE3<double>> a, std::span<const SE3<double>> b, double size,
             double tolerance) {
  for (std::size_t k = 0; k < a.size(); ++k)
    if (max_abs(a[k].p - b[k].p) > tolerance * size ||
        max_abs(a[k].R.matrix - b[k].R.matrix) > tolerance)
      return false;
  return true;
}

struct Collection {
  MechanismSystem& system;
  double t, size;
  const AssemblyOptions& options;
  AssemblyResult result{};
  CoupledTurns turns = coupled_turns(system.equations());
  using Clock = std::chrono::steady_clock;
  Clock::time_point begun = Clock::now();

  void take(std::vector<double> q) {
    PositionOptions position = options.position;
    position.refuse_mirror = false;
    position.count_rank = false;
    ++result.starts;
    if (!solve_position(system, t, q, position).converged) return;
    if (system.mirrored(t, q).found) {
      ++result.mirrored;
      return;
    }
    if (!turns_agree(turns, system.equations(), q)) return;
    std::vector<SE3<double>> poses(system.mechanism().bodies.size());
    system.poses(q, poses);
    ++result.successes;
    for (AssemblyMode& mode : result.modes)
      if (is_same(mode.poses, poses, size, mode.singular ? 1e-3 : options.same)) {
        ++mode.hits;
        return;
      }
    SparseRows J;
    system.motion_jacobian(t, q, J);
    const bool singular = matrix_rank(J, 1e-7).nullity() > 0;
    result.modes.push_back({.q = std::move(q),
                            .poses = std::move(poses),
                            .hits = 1,
                            .singular = singular,
                            .seats = system.seats()});
  }
  int found(int times) const {
    return static_cast<int>(std::ranges::count(result.modes, times, &AssemblyMode::hits));
  }
  /// Every mode found several times tells little of rare ones: some are met by one start of a
  /// thousand. It takes successes for each mode as well.
  bool is_sure() const {
    if (result.starts < options.least_starts || result.modes.empty()) return false;
    if (result.successes < options.successes * static_cast<int>(result.modes.size())) return false;
    return std::ranges::all_of(result.modes,
                               [&](const AssemblyMode& m) { return m.hits >= options.hits; });
  }
  bool is_over() const {
    if (result.starts >= options.starts || is_sure() || is_moving()) return true;
    if (result.successes == 0 && result.starts >= options.failures) return true;
    if (options.should_stop && options.should_stop()) return true;
    return std::chrono::duration<double>(Clock::now() - begun).count() > options.seconds;
  }
  /// Three modes in a row that touch others are a motion, not modes.
  bool is_moving() const {
    const auto singular = std::ranges::count_if(result.modes, &AssemblyMode::singular);
    return singular >= 12 && found(1) * 2 > static_cast<int>(result.modes.size());
  }
  void conclude_curve(const CurveResult& curve) {
    result.closed_curve = curve.closed;
    result.dead_points = curve.turns;
    result.message = std::to_string(result.modes.size()) + " assembly modes on " +
                     (curve.closed ? "the closed curve" : "the part followed of the curve") +
                     " through the guess, with " + std::to_string(curve.turns) +
                     " dead points; components of the curve not reached are not counted";
  }
  void conclude() {
    const int once = found(1), twice = found(2);
    const double known = static_cast<double>(result.modes.size());
    result.unseen = result.successes > 0 ? static_cast<double>(once) / result.successes : 1;
    result.estimated_modes =
        known + (twice > 0 ? once * once / (2.0 * twice) : once * (once - 1) / 2.0);
    result.missed = std::exp(-rare_share * result.successes);
    result.isolated = !is_moving();
    result.complete = result.isolated && is_sure();
    result.message = std::to_string(result.modes.size()) + " assembly modes from " +
                     std::to_string(result.successes) + " successes of " +
                     std::to_string(result.starts) + " starts";
    if (!result.isolated)
      result.message = "modes are not isolated: the mechanism moves with its drivers held";
    else if (result.complete)
      result.message += fmt::format(
          ", each found {} times or more; one met by a thousandth of the successes would have been "
          "missed with a chance of {:.2g}",
          std::ranges::min(result.modes, {}, &AssemblyMode::hits).hits, result.missed);
    else if (result.modes.empty())
      result.message += ": it cannot be assembled, or only rarely";
    else
      result.message += ", " + std::to_string(once) +
                        " of them once: the next success is new with " + "a chance of about " +
                        std::to_string(result.unseen) + ", and there may be " +
                        std::to_string(static_cast<int>(std::lround(result.estimated_modes)));
  }
};

/// The modes on the curve through q, the driver moved and moved back.
AssemblyResult along_curve(Collection collection, std::span<const double> q) {
  const MechanismSystem& system = collection.system;
  const Mechanism& m = system.mechanism();
  const AssemblyOptions& options = collection.options;
  if (options.driver < 0 || static_cast<std::size_t>(options.driver) >= m.drivers.size())
    throw Error("there is no driver number " + std::to_string(options.driver), "assembly_modes",
                "continuation moves a driver: add one");
  const MechanismDriver& driver = m.drivers[options.driver];
  const double t = collection.t, s = driver.motion(t).value;
  MechanismSystem moved(driver_as_time(system.equations(), options.driver, t));
  std::vector<double> start(q.begin(), q.end());
  PositionOptions position = options.position;
  position.count_rank = false;
  const PositionResult closed = solve_position(moved, s, start, position);
  if (!closed.converged) {
    collection.result.message = closed.message;
    return std::move(collection.result);
  }
  const CurveResult curve = arclength_curve(moved, s, start, driver_period(m, options.driver),
                                            max_curve_steps, options.should_stop);
  const std::vector<SO3<double>> seats = system.seats();
  for (const CurveCrossing& c : curve.crossings) {
    if (m.couplings.empty()) {
      collection.take(collection.system.from_poses(c.poses));
      continue;
    }
    collection.system.seat(c.seats);
    collection.take(c.q);
  }
  collection.system.seat(seats);  // those that q refers to
  collection.conclude_curve(curve);
  return std::move(collection.result);
}

}  // namespace

AssemblyResult assembly_modes(MechanismSystem& system, double t, std::span<const double> q,
                              const AssemblyOptions& options) {
  const double size = model_size(system.mechanism());
  Collection collection{.system = system, .t = t, .size = size, .options = options};
  if (options.method == AssemblyMethod::continuation) return along_curve(collection, q);
  const std::vector<SO3<double>> seats = system.seats();
  Random random{std::mt19937_64(options.seed)};
  const auto some_turns = [&] { return static_cast<int>(std::lround(random.uniform(-8.5, 8.5))); };
  collection.take({q.begin(), q.end()});
  while (!collection.is_over()) {
    const int start = collection.result.starts;
    const Mechanism& m = system.mechanism();
    std::vector<double> guess = system.from_poses(start % 2 == 0 ? hung(m, t, size, random, start)
                                                                 : thrown(m, size, random, start));
    turn_coupled(collection.turns, system.equations(), guess, some_turns);
    collection.take(std::move(guess));
  }
  system.seat(seats);  // those that q refers to
  collection.conclude();
  return std::move(collection.result);
}

std::vector<std::size_t> bodies_that_differ(std::span<const AssemblyMode> modes) {
  std::vector<std::size_t> differ;
  if (modes.empty()) return differ;
  double size = 0;
  for (const AssemblyMode& mode : modes)
    for (const SE3<double>& T : mode.poses) size = std::max(size, max_abs(T.p));
  for (std::size_t b = 0; b < modes[0].poses.size(); ++b) {
    const SE3<double>& T = modes[0].poses[b];
    const bool moves = std::ranges::any_of(modes, [&](const AssemblyMode& mode) {
      return max_abs(mode.poses[b].p - T.p) > 1e-6 * size ||
             max_abs(mode.poses[b].R.matrix - T.R.matrix) > 1e-6;
    });
    if (moves) differ.push_back(b);
  }
  return differ;
}

}  // namespace axode
