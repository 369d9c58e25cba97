/// The problems of the work-precision diagrams: a motion from a state over a time, and its reference.
#pragma once
#include <string>
#include <vector>

#include "axode/io/scene_file.hpp"
#include "axode/simulate/run/simulate.hpp"

namespace axode::bench {

struct Problem {
  std::string name, title;
  Scene scene;
  double duration = 1;  ///< [s]
  double step = 1e-2;   ///< longest of the fixed steps [s]
};

/// A run of the problem by a method, at a tolerance or, if that is fixed, a step; no samples but the last.
SimulateOptions options_of(const Problem& problem, Method method, double tolerance_or_step);

/// The arm of models/swinging_arm.json that swings freely, without losses, controller and limits.
Scene free_arm();
/// All problems. Reads models/: run in the root of the project.
std::vector<Problem> problems();

}  // namespace axode::bench
