// Controllers in C++: the one of the model file, those of the library, and a function of our own.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "axode/engine/calls.hpp"
#include "axode/io/scene_file.hpp"
#include "axode/simulate/run/simulate.hpp"
using namespace axode;

namespace {

/// Largest distance from the path over a run [deg].
double largest_error(const Scene& scene, const Forces& forces, const Trajectory& path) {
  double largest = 0;
  std::vector<double> q(2), v(2), a(2);
  RunObserver observer;
  observer.sample = [&](const Sample& s) {
    sample(scene.tree, path, s.t, q, v, a);
    largest = std::max({largest, std::abs(s.q[0] - q[0]), std::abs(s.q[1] - q[1])});
  };
  const RunResult run =
      simulate(scene.tree, forces, scene.initial, {.duration = 3, .rtol = 1e-8}, observer);
  return run.ending == Ending::finished ? largest * 180 / std::numbers::pi : NAN;
}

/// Computed torque of one joint as a function of time and state: what the library has, by hand.
SignalFunction own_torque(const Tree& tree, const Trajectory& path, std::size_t joint) {
  return [&tree, &path, joint](double t, std::span<const double> q, std::span<const double> v) {
    std::vector<double> wanted_q(2), wanted_v(2), a(2);
    sample(tree, path, t, wanted_q, wanted_v, a);
    for (std::size_t k = 0; k < 2; ++k)
      a[k] += 20 * (wanted_v[k] - v[k]) + 100 * (wanted_q[k] - q[k]);
    return inverse_dynamics(tree, q, v, a)[joint];
  };
}

}  // namespace

int main() {
  const Scene scene = load_scene("examples/tutorials/arm.json");
  const Trajectory path =
      trajectory(scene.tree, Trajectory::Kind::minimum_jerk, {.5, 1.5}, {{-.6, .8}, {.7, -.9}});

  Controller pd = pd_controller(scene.tree, 0, 0, {0, 0});
  pd.kp = {400, 150};
  pd.kd = {40, 15};
  pd.reference = path;
  Controller pd_gravity = pd;
  pd_gravity.gravity_compensation = true;
  Forces with_pd, with_gravity, with_own;
  with_pd.controllers = {pd};
  with_gravity.controllers = {pd_gravity};
  with_own.joint_forces = {{0, own_torque(scene.tree, path, 0)},
                           {1, own_torque(scene.tree, path, 1)}};

  std::printf("PD                    %.2f deg\n", largest_error(scene, with_pd, path));
  std::printf("PD and gravity        %.2f deg\n", largest_error(scene, with_gravity, path));
  std::printf("that of the file      %.2f deg\n", largest_error(scene, scene.forces, path));
  std::printf("our own function      %.2f deg\n", largest_error(scene, with_own, path));
}
