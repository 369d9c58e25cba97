#include <cstdio>
#include <numbers>

#include "axode/flexible/tree/builder.hpp"
#include "axode/flexible/tree/modal.hpp"
#include "axode/simulate/run/simulate.hpp"

using namespace axode;

int main() {
  // Two aluminium tubes in the x-z plane, a load of 20 kg. Modes know what hangs at their tips.
  const Material aluminium{70e9, 26e9, 2700};
  const Beam upper{4, aluminium, hollow_circle(.16, .14), hollow_circle(.16, .14)};
  const Beam fore{3, aluminium, hollow_circle(.12, .10), hollow_circle(.08, .06)};  // tapered
  ModeRequest modes;
  modes.outboard_mass = modes.outboard_inertia = true;
  const FlexibleTree arm = FlexibleBuilder("arm")
                               .beam("upper", "world", {}, upper, modes)
                               .revolute({0, -1, 0})
                               .damping(.005)
                               .beam("fore", "upper", {}, fore, modes)
                               .revolute({0, -1, 0})
                               .damping(.005)
                               .payload("fore", {20, {}, Sym3<>::diagonal({.3, .3, .3})})
                               .reference("fore", -1)
                               .build();
  std::printf("%d joints, %d modes\n", arm.joints, arm.size - arm.joints);

  // Vibrations of the whole arm at a pose, deflected by gravity, with its joints locked.
  std::vector<double> q(arm.size, 0.);
  q[0] = 1;
  q[1] = -1;
  const std::vector<FlexibleMode> found = flexible_modes(arm, q);
  for (std::size_t k = 0; k < 3; ++k)
    std::printf("%.3f Hz, damping %.4f\n", found[k].frequency / (2 * std::numbers::pi),
                found[k].damping_ratio);

  // It holds its pose, then moves to another, by the linear and by the exact equations.
  FlexibleForces forces;
  forces.control = {{40000, 20000}, {8000, 3000}, {0, .5}, {{1, -1}, {.8, -1.2}}};
  for (const FlexibleModel model : {FlexibleModel::linear, FlexibleModel::nonlinear}) {
    SimulateOptions options;
    options.duration = 1;
    options.rtol = 1e-8;
    options.flexible.dynamics.model = model;
    const RunResult run = simulate(arm, forces, {q, std::vector<double>(q.size())}, options);
    std::printf("%-9s %s: upper %.4f rad, fore %.4f rad, fore.bend_z1 %.4f m\n", name(model).data(),
                name(run.ending).data(), run.last.q[0], run.last.q[1], run.last.q[12]);
  }
}
