#include <cstdio>

#include "axode/model/builder.hpp"
#include "axode/simulate/run/simulate.hpp"

using namespace axode;

int main() {
  const Tree tree = TreeBuilder("double pendulum")
                        .body("upper", {.mass = 1, .com = {0, 0, -.5}})
                        .joint("shoulder", revolute({.axis = {0, 1, 0}}))
                        .body("lower", {.mass = 1, .com = {0, 0, -.5}})
                        .on("upper")
                        .joint("elbow", revolute({.axis = {0, 1, 0}, .point = {0, 0, -1}}),
                               zero_reference(translation(Vec3<>{0, 0, -1})))
                        .build();
  const State<double> start{{1.5, .5}, {0, 0}};

  // In joint coordinates and in absolute ones, by methods of different kinds.
  for (const Method method : {Method::mk5, Method::cvode, Method::variational, Method::ida}) {
    SimulateOptions options{.duration = 2, .method = method, .rtol = 1e-9, .atol = 1e-10};
    if (method == Method::ida) options.formulation = Formulation::absolute;
    const RunResult run = simulate(tree, {}, start, options);
    std::printf("%-12s q = %.4f %.4f rad, %s\n", name(method).data(), run.last.q[0], run.last.q[1],
                name(run.ending).data());
  }

  // When does the elbow pass zero?
  SimulateOptions options{.duration = 2, .rtol = 1e-10};
  options.events.push_back(
      {.name = "stretched", .value = [](double, auto q, auto) { return q[1]; }});
  RunObserver observer;
  observer.event = [](const EventRecord& e) { std::printf("stretched at %.6f s\n", e.t); };
  return simulate(tree, {}, start, options, observer).ending == Ending::finished ? 0 : 1;
}
