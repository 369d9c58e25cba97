// Error against time of all integration methods (docs/work_precision.md). Prints JSON; progress goes to
// the error stream. Times are CPU seconds of the run without set-up, the least of several: other work on
// the machine disturbs them little. Run in the root of the project. --quick for a short run.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "axode/core/error.hpp"
#include "bench/simulate/problems.hpp"

namespace {

using namespace axode;
using bench::Problem;

double limit = .5;  ///< CPU seconds of a run

struct Errors {
  double q = 0, v = 0;
};
/// Largest differences of coordinates (along the tangent, [rad, m]) and of velocities.
Errors errors_between(const Tree& tree, const State<double>& a, const State<double>& b) {
  std::vector<double> d(tree.nv);
  difference<double>(tree, a.q, b.q, d);
  Errors worst;
  for (std::size_t k = 0; k < d.size(); ++k) {
    worst.q = std::max(worst.q, std::abs(d[k]));
    worst.v = std::max(worst.v, std::abs(a.v[k] - b.v[k]));
  }
  return worst;
}

/// A run that is stopped when it takes too long.
RunResult run_within(const Problem& problem, SimulateOptions options, double seconds) {
  std::atomic<bool> stop = false;
  options.stop = &stop;
  const std::clock_t last =
      std::clock() + static_cast<std::clock_t>(seconds * static_cast<double>(CLOCKS_PER_SEC));
  RunObserver observer;
  long count = 0;
  observer.progress = [&](double, const StepStatistics&) {
    if (++count % 64 == 0 && std::clock() > last) stop = true;
  };
  return simulate(problem.scene.tree, problem.scene.forces, problem.scene.initial, options,
                  observer);
}

struct Reference {
  State<double> last;
  double floor = 0;  ///< below it errors say nothing
};

/// mk5 at a tight tolerance, and how far others are from it: the nearest gives the floor.
Reference make_reference(const Problem& problem) {
  const RunResult best = run_within(problem, options_of(problem, Method::mk5, 1e-13), 100);
  std::printf("  \"reference\": {\"method\": \"mk5\", \"rtol\": 1e-13, \"ending\": \"%s\"",
              std::string(name(best.ending)).c_str());
  double floor = 1;  // no reference
  for (const Method method : {Method::cvode, Method::adams, Method::arkode}) {
    const RunResult other = run_within(problem, options_of(problem, method, 1e-12), 20);
    if (other.ending != Ending::finished) continue;
    const Errors e = errors_between(problem.scene.tree, best.last, other.last);
    std::printf(", \"%s\": %.3g", std::string(name(method)).c_str(), e.q);
    floor = std::min(floor, e.q);
  }
  floor = std::max(floor, 1e-13);  // of rounding
  std::printf("},\n  \"floor\": %.3g,\n", floor);
  return {best.last, floor};
}

struct Point {
  RunResult result;
  Errors errors;
};

/// The least time of three runs or more.
Point measure(const Problem& problem, const Reference& reference, const SimulateOptions& options) {
  Point point{run_within(problem, options, limit), {}};
  double total = point.result.cpu_seconds;
  const bool good = point.result.ending == Ending::finished;
  for (int i = 1; good && (i < 3 || (total < .02 && i < 50)); ++i) {
    const double seconds = run_within(problem, options, 2 * limit).cpu_seconds;
    total += seconds;
    point.result.cpu_seconds = std::min(point.result.cpu_seconds, seconds);
  }
  point.errors = errors_between(problem.scene.tree, reference.last, point.result.last);
  return point;
}

void print(bool first, Method method, double setting, const Point& point) {
  const StepStatistics& s = point.result.statistics;
  const bool good = point.result.ending == Ending::finished;
  std::printf("%s\n   {\"method\": \"%s\", \"%s\": %.3g, \"ending\": \"%s\", ", first ? "" : ",",
              std::string(name(method)).c_str(), has_fixed_step(method) ? "step" : "rtol", setting,
              std::string(name(point.result.ending)).c_str());
  if (good)
    std::printf("\"error\": %.4g, \"velocity_error\": %.4g, ", point.errors.q, point.errors.v);
  else
    std::printf("\"error\": null, \"velocity_error\": null, ");
  std::printf(
      "\"t\": %.4g, \"cpu\": %.4g, \"steps\": %ld, \"rates\": %ld, \"rejected\": %ld, "
      "\"jacobians\": %ld}",
      point.result.t, point.result.cpu_seconds, s.steps, s.rates, s.rejected, s.jacobians);
  std::fflush(stdout);
}

/// All tolerances or steps of a method, from coarse to fine, until it takes too long or the reference
/// is no better.
void sweep(const Problem& problem, const Reference& reference, Method method, bool& first) {
  const bool fixed = has_fixed_step(method);
  double setting = fixed ? problem.step : 1e-2, factor = 1;
  const double least = fixed ? 1e-9 : 5e-14;
  for (; setting > least; setting *= factor) {
    const Point point = measure(problem, reference, options_of(problem, method, setting));
    print(first, method, setting, point);
    first = false;
    const bool good = point.result.ending == Ending::finished;
    if (point.result.ending == Ending::stopped) break;
    if (good && point.errors.q < reference.floor) break;
    // Half a decade, but a whole one where runs are long.
    factor = fixed ? .5 : point.result.cpu_seconds < .1 * limit ? std::sqrt(.1) : .1;
    if (good && fixed && point.result.cpu_seconds > factor * limit) break;
  }
}

void solve(const Problem& problem, bool first_problem) {
  std::fprintf(stderr, "work_precision: %s\n", problem.name.c_str());
  std::printf(
      "%s\n {\"name\": \"%s\", \"title\": \"%s\", \"degrees of freedom\": %d, \"duration\": %g,\n",
      first_problem ? "" : ",", problem.name.c_str(), problem.title.c_str(), problem.scene.tree.nv,
      problem.duration);
  const Reference reference = make_reference(problem);
  std::printf("  \"runs\": [");
  bool first = true;
  for (const Method method : methods_of(ModelKind::tree))
    if (method != Method::automatic) sweep(problem, reference, method, first);
  std::printf("]}");
}

/// A minute of the free arm at rtol 1e-8, samples every 10 ms. Such a motion is chaotic: the drift of
/// energy tells the accuracy.
void long_run(Method method, bool first) {
  const Scene arm = bench::free_arm();
  const SimulateOptions options{.duration = 60, .method = method, .rtol = 1e-8, .atol = 1e-8};
  RunResult best;
  for (int i = 0; i < 7; ++i) {
    RunResult result = simulate(arm.tree, arm.forces, arm.initial, options);
    if (i == 0 || result.cpu_seconds < best.cpu_seconds) best = std::move(result);
  }
  std::printf(
      "%s\n {\"method\": \"%s\", \"rtol\": 1e-8, \"cpu\": %.4g, \"steps\": %ld, "
      "\"rates\": %ld, \"rejected\": %ld, \"energy_drift\": %.3g, \"kinetic\": %.3g}",
      first ? "" : ",", std::string(name(method)).c_str(), best.cpu_seconds, best.statistics.steps,
      best.statistics.rates, best.statistics.rejected, best.energy_drift, best.energy_scale);
  std::fprintf(stderr, "60 s of a 7-joint arm at rtol 1e-8, %s: %.3f s CPU, %ld steps\n",
               std::string(name(method)).c_str(), best.cpu_seconds, best.statistics.steps);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc > 1 && std::strcmp(argv[1], "--quick") == 0) limit = .05;
  std::printf("{\"limit\": %g, \"problems\": [", limit);
  bool first = true;
  for (const Problem& problem : bench::problems()) {
    solve(problem, first);
    first = false;
  }
  std::printf("],\n\"long_run\": [");
  first = true;
  for (const Method method : {Method::mk5, Method::mk4, Method::adams, Method::cvode}) {
    long_run(method, first);
    first = false;
  }
  std::printf("]}\n");
  return 0;
} catch (const Error& error) {
  std::fprintf(stderr, "bench_work_precision: %s\n", error.what());
  return 1;
}
