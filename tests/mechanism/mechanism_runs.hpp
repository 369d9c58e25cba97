/// Runs the mechanisms of dynamic_mechanisms.hpp and says how far they are from the references.
#pragma once
#include <gtest/gtest.h>

#include "axode/mechanism/equations/formulate.hpp"
#include "axode/simulate/run/simulate.hpp"
#include "tests/mechanism/dynamic_mechanisms.hpp"

namespace axode::test::dynamic_mechanisms {

struct Start {
  std::vector<double> q, v;
};
inline Start state_of(MechanismSystem& system, const DynamicCase& c) {
  std::vector<SE3<double>> poses;
  std::vector<Twist<Rep::hybrid>> twists;
  for (const Moving& body : c.start) {
    poses.push_back(body.pose);
    twists.push_back(body.twist);
  }
  Start s{system.from_poses(poses), {}};
  s.v = system.from_twists(s.q, twists);
  system.refresh(s.q, s.v);
  return s;
}
/// All ways to write the equations.
inline std::vector<FormulationOptions> families(bool is_planar) {
  std::vector<FormulationOptions> all{{.family = CoordinateFamily::reference_point},
                                      {.family = CoordinateFamily::relative},
                                      {.family = CoordinateFamily::natural}};
  for (const AttitudeForm form : {AttitudeForm::euler_angles, AttitudeForm::quasi_velocities})
    if (!is_planar) all.push_back({.family = CoordinateFamily::reference_point, .attitude = form});
  return all;
}

struct Followed {
  double error = 0;
  RunResult result;
};

/// The whole trajectory of a case, or its part up to `until`.
inline Followed follow(const DynamicCase& c, const FormulationOptions& formulation,
                       SimulateOptions options, double until = 1e9) {
  MechanismSystem system(make_equations(c.mechanism, formulation));
  const Start start = state_of(system, c);
  std::vector<SE3<double>> poses(c.start.size());
  std::vector<Twist<Rep::hybrid>> twists(c.start.size());
  options.sample_interval = 0;
  options.sample_times.clear();
  for (const Json& row : c.trajectory)
    if (number(row, "t") <= until) options.sample_times.push_back(number(row, "t"));
  options.duration = options.sample_times.back();
  Followed followed;
  std::size_t next = 0;
  std::vector<Moving> bodies(poses.size());
  followed.result = axode::simulate(
      system, {start.q, start.v}, options, {.sample = [&](const Sample& s) {
        system.motion(s.q, s.v, poses, twists);
        for (std::size_t i = 0; i < bodies.size(); ++i) bodies[i] = {poses[i], twists[i]};
        followed.error = std::max(followed.error, c.error(c.trajectory[next++], bodies));
      }});
  if (next != options.sample_times.size()) followed.error = HUGE_VAL;
  return followed;
}

inline std::string label(const DynamicCase& c, const FormulationOptions& f, Method m) {
  return c.name + " " + std::string(name(f.family)) + "/" +
         std::to_string(static_cast<int>(f.attitude)) + " by " + std::string(name(m));
}

}  // namespace axode::test::dynamic_mechanisms
