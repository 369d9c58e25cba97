/// Drivers followed over ranges, workspaces, assembly modes, curves by arclength.
#include <cmath>

#include "axode/core/error.hpp"
#include "axode/mechanism/analysis/arclength.hpp"
#include "axode/mechanism/analysis/assembly_modes.hpp"
#include "axode/mechanism/analysis/follow.hpp"
#include "axode/mechanism/analysis/start_poses.hpp"
#include "src/mechanism/options.hpp"

namespace axode::python::mechanisms {
namespace {

nb::object row_array(const auto& items, std::size_t n, auto&& numbers_of) {
  const Output all({items.size(), n});
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto& numbers = numbers_of(items[i]);
    std::copy(numbers.begin(), numbers.end(), all.data + i * n);
  }
  return all.array;
}

/// What is read off a path, while the system is at hand.
struct Readings {
  std::vector<std::vector<TimeValue>> coordinates;
  std::vector<SE3<double>> poses;
};
Readings readings(MechanismSystem& system, const FollowResult& path) {
  Readings r;
  const Mechanism& m = system.mechanism();
  for (int c = 0; c < std::ssize(m.coordinates); ++c)
    r.coordinates.push_back(path_of_coordinate(path, c));
  const std::size_t bodies = m.bodies.size();
  r.poses.resize(path.points.size() * bodies);
  for (std::size_t i = 0; i < path.points.size(); ++i) {
    system.seat(path.points[i].seats);
    system.poses(path.points[i].q, std::span(r.poses).subspan(i * bodies, bodies));
  }
  return r;
}

nb::object follow_result(const PySystem& py, const FollowResult& path, const Readings& read) {
  const std::size_t n = path.points.size(), bodies = py.mechanism().bodies.size();
  const std::size_t coordinates = read.coordinates.size();
  const Output driver({n}), value({n, coordinates}), rate({n, coordinates}),
      acceleration({n, coordinates}), poses({n, bodies, 4, 4});
  for (std::size_t i = 0; i < n; ++i) {
    driver.data[i] = path.points[i].driver;
    for (std::size_t c = 0; c < coordinates; ++c) {
      const TimeValue& x = read.coordinates[c][i];
      value.data[i * coordinates + c] = x.value;
      rate.data[i * coordinates + c] = x.rate;
      acceleration.data[i * coordinates + c] = x.acceleration;
    }
  }
  for (std::size_t k = 0; k < read.poses.size(); ++k)
    write_homogeneous(read.poses[k], poses.data + 16 * k);
  constexpr std::array kinds{"dead_point", "branch", "lost"};
  nb::list events;
  for (const FollowEvent& e : path.events)
    events.append(
        result("FollowEvent", kinds[std::size_t(e.kind)], e.driver, array(e.q), e.message));
  const std::size_t nq = py.nq(), nv = py.nv();
  return result("FollowResult", path.complete, driver.array,
                row_array(
                    path.points, nq, [](const FollowPoint& p) -> auto& { return p.q; }),
                row_array(
                    path.points, nv, [](const FollowPoint& p) -> auto& { return p.v; }),
                row_array(
                    path.points, nv, [](const FollowPoint& p) -> auto& { return p.a; }),
                result("TimeValue", value.array, rate.array, acceleration.array), poses.array,
                events, path.message, path.steps, path.refused);
}

/// Without q it begins on the branch of the reference.
nb::object follow(PySystem& py, nb::handle driver_name, double from, double to, double t,
                  nb::handle q_argument, double step, double tolerance, double least_step,
                  bool find_branches) {
  time(t);
  for (const double x : {from, to})
    if (!std::isfinite(x)) throw Error("is not finite", "from_, to");
  if (!(step >= 0) || !std::isfinite(step)) throw Error("is negative or not finite", "step");
  const int driver = driver_argument(py.mechanism(), driver_name, "driver");
  if (from == to) throw Error("the range is empty", "from_, to");
  if (step > 0 && std::abs(to - from) / step > 1e6)
    throw LimitError("more than a million steps", "step", "give a longer step");
  FollowOptions options;
  options.step = step;
  options.tolerance = tolerance;
  options.least_step = least_step;
  options.find_branches = find_branches;
  std::vector<double> q;
  if (!q_argument.is_none()) q = state(q_argument, "q", py.nq(), "the system's coordinates");
  FollowResult path;
  Readings read;
  RunErrors errors;
  options.should_stop = [&errors] { return errors.interrupted(); };
  const auto follow = [&](MechanismSystem& system) {
    if (q.empty()) {
      const Assembly found = assemble_with_driver(system, driver, from, t);
      if (!found.is_closed()) {
        path.message = message_of(found);
        return;
      }
      q = found.q;
    }
    path = follow_driver(system, driver, from, to, t, q, options);
    MechanismSystem reader(system);
    read = readings(reader, path);
  };
  py.use(follow, errors);
  errors.rethrow();
  if (read.coordinates.empty()) read.coordinates.resize(py.mechanism().coordinates.size());
  return follow_result(py, path, read);
}

nb::object workspace(PySystem& py, nb::handle drivers, nb::handle first, nb::handle second,
                     nb::handle counts, double t, nb::handle q_argument) {
  time(t);
  const auto pair = [](nb::handle value, const char* argument) {
    const nb::object both = nb::borrow(value);
    if (PySequence_Check(value.ptr()) == 0 || nb::len(both) != 2)
      throw Error("is not a pair", argument);
    return std::pair<nb::object, nb::object>(both[0], both[1]);
  };
  const auto range = [](nb::handle value, const char* argument) {
    const std::vector<double> two = vector(value, argument);
    check_finite(two, argument);
    if (two.size() != 2) throw Error("is not a range of two numbers", argument);
    return std::array<double, 2>{two[0], two[1]};
  };
  const auto [d1, d2] = pair(drivers, "drivers");
  const std::array<int, 2> which{driver_argument(py.mechanism(), d1, "drivers"),
                                 driver_argument(py.mechanism(), d2, "drivers")};
  if (which[0] == which[1]) throw Error("are the same", "drivers");
  const std::array<double, 2> r1 = range(first, "first"), r2 = range(second, "second");
  const auto [n1, n2] = pair(counts, "counts");
  std::array<int, 2> n{};
  if (!nb::try_cast(n1, n[0]) || !nb::try_cast(n2, n[1]))
    throw nb::type_error("counts: give two whole numbers");
  if (n[0] < 1 || n[1] < 1 || static_cast<double>(n[0]) * n[1] > 1e7)
    throw Error("are out of range", "counts", "give from 1 to ten million values in all");
  const std::vector<double> q = configuration(py, t, q_argument);
  RunErrors errors;
  const WorkspaceResult r = py.use(
      [&](MechanismSystem& system) {
        return sweep_workspace(system, which, r1, r2, n, t, q,
                               [&errors] { return errors.interrupted(); });
      },
      errors);
  const Output reachable({r.first.size(), r.second.size()});
  for (std::size_t i = 0; i < reachable.size; ++i) reachable.data[i] = r.reachable[i] != 0;
  const nb::object astype = reachable.array.attr("astype");
  const nb::object truths = astype("bool");
  return result("WorkspaceResult", array(r.first), array(r.second), truths, r.count);
}

nb::object modes(PySystem& py, double t, nb::handle guess, const std::string& method,
                 nb::handle driver, int starts, int least_starts, int hits, int successes,
                 int failures, double seconds, std::uint64_t seed, double same) {
  time(t);
  AssemblyOptions options;
  options.method =
      static_cast<AssemblyMethod>(choice(method, "method", {"multistart", "continuation"}));
  if (options.method == AssemblyMethod::continuation)
    options.driver = driver_argument(py.mechanism(), driver, "driver");
  if (starts < 1 || least_starts < 0 || hits < 1 || successes < 1 || failures < 1)
    throw Error("is out of range", "starts, least_starts, hits, successes, failures");
  if (!(seconds > 0)) throw Error("is not above zero", "seconds");
  if (!(same > 0)) throw Error("is not above zero", "same");
  options.starts = starts;
  options.least_starts = least_starts;
  options.hits = hits;
  options.successes = successes;
  options.failures = failures;
  options.seconds = seconds;
  options.seed = seed;
  options.same = same;
  std::vector<double> q;
  if (!guess.is_none()) q = state(guess, "q", py.nq(), "the system's coordinates");
  RunErrors errors;
  options.should_stop = [&errors] { return errors.interrupted(); };
  const auto search = [&](MechanismSystem& system) {
    if (q.empty()) q = system.from_poses(start_poses(system.mechanism(), t));
    return assembly_modes(system, t, q, options);
  };
  const AssemblyResult r = py.use(search, errors);
  errors.rethrow();
  nb::list list;
  for (const AssemblyMode& mode : r.modes) {
    std::vector<double> coordinates;
    for (int c = 0; std::size_t(c) < py.mechanism().coordinates.size(); ++c)
      coordinates.push_back(measure(py.mechanism(), c, mode.poses));
    list.append(result("AssemblyMode", array(mode.q), poses_array(mode.poses), array(coordinates),
                       mode.hits, mode.singular));
  }
  return result("AssemblyResult", list, r.starts, r.successes, r.mirrored, r.unseen,
                r.estimated_modes, r.missed, r.complete, r.closed_curve, r.dead_points, r.isolated,
                r.message);
}

nb::object past(PySystem& py, nb::handle driver_name, double t, nb::handle q, double direction) {
  time(t);
  const int driver = driver_argument(py.mechanism(), driver_name, "driver");
  const std::vector<double> at = configuration(py, t, q);
  const ArclengthResult r = py.use(
      [&](MechanismSystem& system) { return arclength_past(system, driver, t, at, direction); });
  constexpr std::array kinds{"turned", "passed", "lost"};
  return result("ArclengthResult", kinds[std::size_t(r.kind)], r.s, array(r.q));
}

nb::object curve(PySystem& py, nb::handle driver_name, double t, nb::handle q, int max_steps) {
  if (max_steps < 1) throw Error("is below 1", "max_steps");
  time(t);
  const int driver = driver_argument(py.mechanism(), driver_name, "driver");
  const std::vector<double> at = configuration(py, t, q);
  RunErrors errors;
  const CurveResult r = py.use(
      [&](MechanismSystem& system) {
        return arclength_curve(system, driver, t, at, max_steps,
                               [&errors] { return errors.interrupted(); });
      },
      errors);
  nb::list crossings;
  for (const CurveCrossing& x : r.crossings)
    crossings.append(result("CurveCrossing", x.s, x.slope, poses_array(x.poses), array(x.q)));
  return result("CurveResult", crossings, r.closed, r.turns, r.steps);
}

}  // namespace

void bind_mechanism_paths(MechanismClasses& c) {
  using nb::arg;
  c.both({"follow_driver",
          "driver: str | int, from_: float, to: float, t: float = 0.0, q: axode.typing.ArrayLike | "
          "None = None, *, step: float = 0.0, tolerance: float = 0.001, least_step: float = 1e-09, "
          "find_branches: bool = True",
          "axode._results.FollowResult",
          "Follows a driver, by its name, number or coordinate, from one value to another, the "
          "others held as at t; q near a solution at `from_` chooses the branch. step: of the "
          "results, in units of the driver; 0: a hundredth of the range. Dead points and branches "
          "are events."},
         &follow, arg("driver"), arg("from_"), arg("to"), arg("t") = 0.0, arg("q") = nb::none(),
         nb::kw_only(), arg("step") = 0.0, arg("tolerance") = 1e-3, arg("least_step") = 1e-9,
         arg("find_branches") = true);
  c.both({"sweep_workspace",
          "drivers: tuple[str, str], first: axode.typing.ArrayLike, second: "
          "axode.typing.ArrayLike, counts: tuple[int, int], t: float = 0.0, q: "
          "axode.typing.ArrayLike | None = None",
          "axode._results.WorkspaceResult",
          "Which pairs of values of two drivers, in ranges of two numbers each, can be reached "
          "without leaving the branch of q."},
         &workspace, arg("drivers"), arg("first"), arg("second"), arg("counts"), arg("t") = 0.0,
         arg("q") = nb::none());
  c.both({"assembly_modes",
          "t: float = 0.0, q: axode.typing.ArrayLike | None = None, *, method: "
          "typing.Literal['multistart', 'continuation'] = 'multistart', driver: str | int = 0, "
          "starts: int = 20000, least_starts: int = 100, hits: int = 5, successes: int = 500, "
          "failures: int = 1000, seconds: float = 20.0, seed: int = 1, same: float = 1e-06",
          "axode._results.AssemblyResult",
          "All ways to assemble it with drivers held at t: searched from random poses, or along "
          "the curve of configurations of one driver."},
         &modes, arg("t") = 0.0, arg("q") = nb::none(), nb::kw_only(), arg("method") = "multistart",
         arg("driver") = 0, arg("starts") = 20000, arg("least_starts") = 100, arg("hits") = 5,
         arg("successes") = 500, arg("failures") = 1000, arg("seconds") = 20.0, arg("seed") = 1,
         arg("same") = 1e-6);
  c.both({"arclength_past",
          "driver: str | int, t: float = 0.0, q: axode.typing.ArrayLike | None = None, *, "
          "direction: float = 1.0",
          "axode._results.ArclengthResult",
          "The path over a driver followed by arclength from (t, q) on, the driver rising for "
          "direction 1, until it turns (a dead point) or passes on."},
         &past, arg("driver"), arg("t") = 0.0, arg("q") = nb::none(), nb::kw_only(),
         arg("direction") = 1.0);
  c.both({"arclength_curve",
          "driver: str | int, t: float = 0.0, q: axode.typing.ArrayLike | None = None, *, "
          "max_steps: int = 20000",
          "axode._results.CurveResult",
          "The curve of configurations of one driver through (t, q), dead points included, until "
          "it closes; where it meets the value of the driver at t."},
         &curve, arg("driver"), arg("t") = 0.0, arg("q") = nb::none(), nb::kw_only(),
         arg("max_steps") = 20000);
}

}  // namespace axode::python::mechanisms
