#include "axode/mechanism/analysis/follow.hpp"

#include <algorithm>
#include <cmath>

#include "axode/core/error.hpp"
#include "axode/linalg/rank.hpp"
#include "axode/mechanism/analysis/arclength.hpp"
#include "axode/mechanism/analysis/motion_analysis.hpp"
#include "axode/mechanism/analysis/turns.hpp"

namespace axode {
namespace {

/// Below this, relative to the largest, the smallest singular value of a path is that of a branch.
constexpr double branch_value = 1e-6;

/// Steps of angles: half a turn more meets sines or cosines as well [rad].
constexpr double longest_angle = 0.5;

/// The path as it goes on: the driver's value is the system's time.
struct Path {
  MechanismSystem system;
  const FollowOptions& options;
  double from, to;
  std::string name;
  FollowResult result{};
  MotionWork work{};
  double s = 0, h = 0, longest = HUGE_VAL;  ///< longest: step
  double size = 1;
  std::vector<double> q{}, v{}, a{}, step{}, trial{}, scale{};
  std::vector<SE3<double>> guessed{}, found{};
  std::vector<Twist<Rep::hybrid>> twists{};
  std::vector<Vec6<double>> rates{};
  TurnCounter turns{};
  struct Seen {
    double s = 0, value = 0;
    std::vector<double> q;
    std::vector<SO3<double>> seats;
  };
  std::vector<Seen> seen{};  ///< last singular values, up to three

  double direction() const { return to > from ? 1 : -1; }
  double range() const { return std::abs(to - from); }

  bool motion() {
    std::ranges::fill(v, 0.0);
    std::ranges::fill(a, 0.0);
    const MotionResult m = solve_motion(system, s, q, v, a, work);
    return m.consistent && m.unique;
  }
  /// The coordinates of the mechanism here, on their turns since the last step.
  void count_turns() {
    const Mechanism& m = system.mechanism();
    system.motion(q, v, found, twists);
    system.accelerations(q, v, a, rates);
    std::vector<TimeValue> now(m.coordinates.size());
    for (int c = 0; c < std::ssize(now); ++c) now[c] = measure(m, c, found, twists, rates);
    turns.next(m, s, std::move(now));
  }
  void record() {
    const auto coordinates = turns.last();
    result.points.push_back({s, q, v, a, system.seats(), {coordinates.begin(), coordinates.end()}});
  }
  /// The largest difference, lengths by the model's size.
  double distance(std::span<const double> d) const {
    double most = 0;
    for (std::size_t k = 0; k < d.size(); ++k) most = std::max(most, std::abs(d[k]) / scale[k]);
    return most;
  }
  void predict(double by) {
    for (std::size_t k = 0; k < step.size(); ++k) step[k] = by * (v[k] + by / 2 * a[k]);
    plus(system.configuration(), q, step, trial);
  }
  /// trial closed at s + by; the error of the predictor, infinite where it fails. Seats are then
  /// those of trial.
  double close(double by) {
    PositionOptions newton = options.position;
    newton.method = PositionMethod::minimum_norm;
    newton.refuse_mirror = newton.count_rank = false;
    const std::vector<double> guess = trial;
    const bool by_poses = !system.seats().empty();  // q may mean something else afterwards
    if (by_poses) system.poses(guess, guessed);
    if (!solve_position(system, s + by, trial, newton).converged) return HUGE_VAL;
    if (!is_driven_well(system, s + by, trial)) return HUGE_VAL;
    if (by_poses) {
      system.poses(trial, found);
      return pose_distance(guessed, found);
    }
    difference(system.configuration(), guess, trial, step);
    return distance(step);
  }
  double pose_distance(std::span<const SE3<double>> from_poses,
                       std::span<const SE3<double>> to_poses) const {
    double most = 0;
    for (std::size_t k = 0; k < from_poses.size(); ++k)
      most = std::max({most, max_abs(to_poses[k].p - from_poses[k].p) / size,
                       max_abs(to_poses[k].R.matrix - from_poses[k].R.matrix)});
    return most;
  }
  bool advance(double limit);
  void watch();
  void find_branch(const Seen& left, const Seen& right);
  bool through_singularity();
  void event(FollowEvent::Kind kind, std::string message) {
    result.events.push_back({kind, s, q, message, system.seats()});
    result.message = std::move(message);
  }
};

/// One step, at most to `limit`. Returns false where none is possible.
bool Path::advance(double limit) {
  const std::vector<SO3<double>> seats = system.seats();
  while (std::abs(h) >= options.least_step * range()) {
    h = std::min(h, longest);
    const double by = direction() * std::min(h, std::abs(limit - s));
    predict(by);
    const double error = close(by);
    const double growth = 0.8 * std::cbrt(options.tolerance / std::max(error, 1e-12));
    if (error <= options.tolerance) {
      s = std::abs(by) == std::abs(limit - s) ? limit : s + by;
      q = trial;
      ++result.steps;
      if (std::abs(by) >= h || growth < 1) h = std::abs(by) * std::clamp(growth, 0.3, 2.0);
      return true;
    }
    ++result.refused;
    system.seat(seats);
    h = std::abs(by) * std::clamp(growth, 0.1, 0.5);
  }
  return false;
}

/// Watches the smallest singular value, which is zero where branches cross.
void Path::watch() {
  if (!options.find_branches || system.equations().velocities() > 300) return;
  const std::vector<double> sigma = singular_values(work.J);
  seen.push_back({s, sigma.empty() ? 1 : sigma.back() / sigma.front(), q, system.seats()});
  if (seen.size() > 3) seen.erase(seen.begin());
  if (seen.size() == 3 && seen[1].value < seen[0].value && seen[1].value <= seen[2].value &&
      seen[1].value < 0.1)
    find_branch(seen[0], seen[2]);
}

/// The least singular value between two points, by golden section on the path.
void Path::find_branch(const Seen& left, const Seen& right) {
  // The search moves along the path, rates with it: all is put back.
  const auto keep_q = q, keep_v = v, keep_a = a;
  const auto keep_seats = system.seats();
  const double keep_s = s;
  Seen best = seen[1];
  double low = left.s, high = right.s;
  const auto value_at = [&](double where) {
    s = best.s;
    q = best.q;
    system.seat(best.seats);
    if (!motion()) return best.value;
    predict(where - s);
    if (!(close(where - s) < 1)) return HUGE_VAL;
    SparseRows J;
    system.motion_jacobian(where, trial, J);
    const std::vector<double> sigma = singular_values(J);
    const double value = sigma.back() / sigma.front();
    if (value < best.value) best = {where, value, trial, system.seats()};
    return value;
  };
  constexpr double golden = 0.3819660112501051;
  for (int k = 0; k < 60 && best.value > 1e-10; ++k) {
    const bool upper = std::abs(high - best.s) > std::abs(best.s - low);
    const double middle = best.s, where = middle + golden * ((upper ? high : low) - middle);
    value_at(where);
    if (best.s == where)
      (upper ? low : high) = middle;
    else
      (upper ? high : low) = where;
    if (std::abs(high - low) < 1e-12 * range()) break;
  }
  if (best.value < branch_value)
    result.events.push_back({FollowEvent::Kind::branch, best.s, best.q,
                             "branch point at " + name + " = " + std::to_string(best.s) +
                                 ": the rank drops, other branches cross",
                             best.seats});
  s = keep_s;
  q = keep_q;
  v = keep_v;
  a = keep_a;
  system.seat(keep_seats);
}

/// Goes on by arclength where the driver's value does not: over a branch point, or to a dead one.
bool Path::through_singularity() {
  const ArclengthResult there = arclength_past(system, s, q, v, direction());
  s = there.s;
  q = there.q;
  if (there.kind == ArclengthResult::Kind::turned) {
    event(FollowEvent::Kind::dead_point,
          "dead point at " + name + " = " + std::to_string(s) + ": the driver cannot go on");
    return false;
  }
  if (there.kind == ArclengthResult::Kind::lost) {
    event(FollowEvent::Kind::lost,
          "lost at " + name + " = " + std::to_string(s) + ": the mechanism does not close beyond");
    return false;
  }
  result.events.push_back({FollowEvent::Kind::branch, s, q,
                           "branch point near " + name + " = " + std::to_string(s),
                           system.seats()});
  return motion() && direction() * (to - s) > 0;
}

std::string driver_name(const Mechanism& m, int driver) {
  return "'" + m.coordinates[m.drivers[driver].coordinate].name + "'";
}

}  // namespace

MechanismEquations driver_as_time(const MechanismEquations& equations, int driver, double t) {
  MechanismEquations result = equations;
  if (driver < 0 || driver >= std::ssize(result.mechanism.drivers))
    throw Error("there is no driver number " + std::to_string(driver), "follow_driver");
  for (std::size_t k = 0; k < result.mechanism.drivers.size(); ++k) {
    MechanismDriver& d = result.mechanism.drivers[k];
    d.motion =
        std::size_t(driver) == k ? polynomial_in_time(0, 1) : constant_in_time(d.motion(t).value);
  }
  return result;
}

bool is_driven_well(MechanismSystem& system, double t, std::span<const double> q) {
  const Mechanism& m = system.mechanism();
  std::vector<SE3<double>> poses(m.bodies.size());
  system.poses(q, poses);
  const double size = model_size(m);
  for (const MechanismDriver& driver : m.drivers) {
    const bool is_angle = m.coordinates[driver.coordinate].is_angle;
    double off = measure(m, driver.coordinate, poses) - driver.motion(t).value;
    if (is_angle) off = std::remainder(off, 2 * M_PI);
    if (!(std::abs(off) <= 1e-6 * (is_angle ? 1 : size))) return false;
  }
  return !system.mirrored(t, q).found;
}

FollowResult follow_driver(const MechanismSystem& system, int driver, double from, double to,
                           double t, std::span<const double> q, const FollowOptions& options) {
  if (!std::isfinite(from) || !std::isfinite(to))
    throw Error("the range of the driver is not finite", "follow_driver");
  Path path{.system = MechanismSystem(driver_as_time(system.equations(), driver, t)),
            .options = options,
            .from = from,
            .to = to,
            .name = driver_name(system.mechanism(), driver)};
  path.s = from;
  path.q.assign(q.begin(), q.end());
  path.trial = path.q;
  for (auto* x : {&path.v, &path.a, &path.step}) x->resize(system.equations().velocities());
  path.scale = velocity_scales(system);
  path.size = model_size(system.mechanism());
  path.guessed.resize(system.mechanism().bodies.size());
  path.found = path.guessed;
  path.twists.resize(path.guessed.size());
  path.rates.resize(path.guessed.size());
  const int coordinate = system.mechanism().drivers[driver].coordinate;
  if (system.mechanism().coordinates[coordinate].is_angle) path.longest = longest_angle;
  const PositionResult start = solve_position(path.system, from, path.q);
  if (!start.converged || !is_driven_well(path.system, from, path.q) || !path.motion()) {
    path.event(FollowEvent::Kind::lost,
               start.converged ? "starts at a singular or mirrored configuration" : start.message);
    return std::move(path.result);
  }
  path.count_turns();
  path.record();
  if (from == to) {
    path.result.complete = true;
    return std::move(path.result);
  }
  path.watch();
  const double interval = options.step > 0 ? options.step : path.range() / 100;
  path.h = interval;
  const double wanted = std::max(1.0, std::ceil(path.range() / interval - 1e-9));
  if (!(wanted <= 1e8))
    throw Error("the step is too short for the range", "follow_driver", "take longer steps");
  const int count = static_cast<int>(wanted);
  const long most = options.max_steps > 0 ? options.max_steps : 20'000 + 100L * count;
  for (int k = 1; k <= count;) {
    const double next = k == count ? to : from + path.direction() * k * interval;
    if (options.should_stop && options.should_stop()) {
      path.result.message = "stopped at " + path.name + " = " + std::to_string(path.s);
      return std::move(path.result);
    }
    if (static_cast<long>(path.result.steps) + path.result.refused >= most) {
      path.event(FollowEvent::Kind::lost,
                 "given up at " + path.name + " = " + std::to_string(path.s) + " after " +
                     std::to_string(most) +
                     " steps: positions change too fast with the driver; give a shorter range, or "
                     "raise max_steps");
      return std::move(path.result);
    }
    if (path.advance(next) && path.motion()) {
      path.count_turns();
      path.watch();
      if (path.s != next) continue;
      path.record();
      ++k;
    } else {
      if (!path.through_singularity()) return std::move(path.result);
      path.count_turns();
      path.h = interval / 10;
      path.seen.clear();
      while (k < count && path.direction() * (from + path.direction() * k * interval - path.s) <= 0)
        ++k;
    }
  }
  path.result.complete = true;
  return std::move(path.result);
}

}  // namespace axode
