#include "bench/simulate/problems.hpp"

#include "axode/model/builder.hpp"

namespace axode::bench {

namespace {

Forces nothing() {
  Forces forces;
  forces.friction.on = forces.stops.on = false;
  return forces;
}

/// The top of the Lie group literature (tests/data/heavy_top.json): fast, on its tip.
Scene heavy_top() {
  return {
      TreeBuilder{}
          .gravity({0, 0, -9.81})
          .body("top",
                {.mass = 15, .com = {0, 1, 0}, .about_com = {0.234375, 0.46875, 0.234375, 0, 0, 0}})
          .joint("tip", spherical())
          .build(),
      nothing(),
      {{1, 0, 0, 0}, {0, 150, -4.61538}}};
}

/// The same arm held by stiff springs with dampers, as stiff drives do, but for two soft joints that
/// swing: the fastest motion dies within 5e-6 s, the slow ones stay.
Scene stiff_arm() {
  Scene scene = free_arm();
  for (int k = 0; k < scene.tree.nv; ++k)
    scene.forces.springs.push_back({.velocity = k,
                                    .stiffness = 1e5,
                                    .rest = scene.initial.q[k],
                                    .damping = k < 4 ? 1e3 : 100});
  scene.forces.springs[1] = {.velocity = 1, .stiffness = 100};
  scene.forces.springs[5] = {.velocity = 5, .stiffness = 5};
  return scene;
}

}  // namespace

Scene free_arm() {
  Scene scene = load_scene("models/swinging_arm.json");
  for (Dof& dof : scene.tree.dofs) dof.damping = dof.friction = 0;
  scene.forces = nothing();
  return scene;
}

SimulateOptions options_of(const Problem& problem, Method method, double tolerance_or_step) {
  SimulateOptions options{.duration = problem.duration, .method = method};
  if (method == Method::generalized_alpha || method == Method::ida)
    options.formulation = Formulation::absolute;
  if (has_fixed_step(method))
    options.step = tolerance_or_step;
  else
    options.rtol = options.atol = tolerance_or_step;
  options.sample_times = {problem.duration};
  options.max_steps = 1'000'000'000;  // the time it takes ends it first
  return options;
}

std::vector<Problem> problems() {
  std::vector<Problem> all;
  all.push_back({"heavy_top", "Heavy top, 150 rad/s, 1 s", heavy_top(), 1, 4e-3});
  all.push_back({"arm", "Arm of seven joints, free swing, 1 s", free_arm(), 1, 4e-2});
  all.push_back({"stiff_arm", "The arm in springs of 1e5 N m/rad, 1 s", stiff_arm(), 1, 4e-2});
  all.push_back({"quadruped", "Quadruped dropped on contacts of 2e5 N/m, 0.25 s",
                 load_scene("models/quadruped.json"), .25, 4e-3});
  return all;
}

}  // namespace axode::bench
