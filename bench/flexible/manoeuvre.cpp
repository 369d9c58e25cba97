/// The six seconds of the four-joint manoeuvre, and one evaluation of its 16 equations.
///
/// Usage: bench_flexible. Times are of this thread; other programs count less.
#include <cstdio>

#include "axode/simulate/run/simulate.hpp"
#include "bench/flexible/arm.hpp"
#include "bench/flexible/chains.hpp"
#include "bench/support/timed.hpp"

namespace {

using namespace axode;

void print_runs(const FlexibleTree& tree) {
  std::printf("6 s manoeuvre, 16 degrees of freedom, rtol 1e-6\n%-10s %-8s %8s %9s %9s %10s %8s\n",
              "model", "method", "atol", "steps", "rates", "Jacobians", "CPU [s]");
  const FlexibleForces forces = bench::manoeuvre();
  const std::vector<double> q = bench::start(tree), v(q.size());
  for (const FlexibleModel model : {FlexibleModel::linear, FlexibleModel::nonlinear})
    for (const double atol : {1e-6, 1e-9})
      for (const Method method : {Method::cvode, Method::adams, Method::mk5}) {
        SimulateOptions options{.duration = 6, .method = method, .rtol = 1e-6, .atol = atol};
        options.flexible.dynamics.model = model;
        const RunResult r = axode::simulate(tree, forces, {q, v}, options);
        std::printf("%-10s %-8s %8.0e %9ld %9ld %10ld %8.3f%s\n", name(model).data(),
                    name(method).data(), atol, r.statistics.steps, r.statistics.rates,
                    r.statistics.jacobians, r.cpu_seconds,
                    r.ending == Ending::finished ? "" : " not finished");
      }
  std::puts(
      "published, Matlab on the authors' machine [CibicikEgeland VI]: nonlinear 3901 s, linear 314 "
      "s, "
      "linear with optimised code 14 s\n");
}

void print_evaluations(const FlexibleTree& tree) {
  const std::vector<double> q = [&] {
    std::vector<double> at = bench::start(tree);
    for (std::size_t i = 4; i < at.size(); ++i) at[i] = 1e-3 * static_cast<double>(i);
    return at;
  }();
  const std::vector<double> v(q.size(), .1), tau(q.size(), 1.);
  std::vector<double> rates(q.size());
  FlexibleDynamics linear(tree), exact(tree, {FlexibleModel::nonlinear, {}, false});
  bench::Timed all[] = {
      {"linear, M and forces", [&] { linear.evaluate(q, v); }},
      {"linear, accelerations", [&] { linear.acceleration(q, v, tau, rates); }},
      {"exact, M and forces", [&] { exact.evaluate(q, v); }},
      {"exact, accelerations", [&] { exact.acceleration(q, v, tau, rates); }},
  };
  bench::measure({&all[0], &all[1], &all[2], &all[3]}, 30, 2e-3);
  std::puts("one evaluation, 16 degrees of freedom");
  for (bench::Timed& one : all)
    std::printf("%-24s %8.2f us\n", one.name.c_str(), 1e6 * one.undisturbed());
  std::puts("");
}

}  // namespace

int main() {
  const FlexibleTree tree = bench::four_joint_arm();
  print_evaluations(tree);
  print_runs(tree);
  bench::print_chains();
}
