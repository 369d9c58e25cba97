/// Runs the mechanisms of dynamic_mechanisms.hpp and says how far they are from the references.
#pragma once
#include <gtest/gtest.h>

#include "axode/mechanism/formulate.hpp"
#include "axode/mechanism/simulate_mechanism.hpp"
#include "tests/mechanism/dynamic_mechanisms.hpp"

namespace axode::test::dynamic_mechanisms {

struct Followed {
  double error = 0;
  MechanismRunResult result;
};

/// The whole trajectory of a case, or its part up to `until`.
inline Followed follow(const DynamicCase& c, const FormulationOptions& formulation,
                       MechanismSimulateOptions options, double until = 1e9) {
  MechanismSystem system(make_equations(c.mechanism, formulation));
  std::vector<SE3<double>> poses;
  std::vector<Twist<Rep::hybrid>> twists;
  for (const Moving& body : c.start) {
    poses.push_back(body.pose);
    twists.push_back(body.twist);
  }
  const std::vector<double> q = system.from_poses(poses);
  const std::vector<double> v = system.from_twists(q, twists);
  options.sample_interval = 0;
  options.sample_times.clear();
  for (const Json& row : c.trajectory)
    if (number(row, "t") <= until) options.sample_times.push_back(number(row, "t"));
  options.duration = options.sample_times.back();
  Followed followed;
  std::size_t next = 0;
  std::vector<Moving> bodies(poses.size());
  followed.result = simulate_mechanism(system, q, v, options, [&](const MechanismSample& s) {
    system.motion(s.q, s.v, poses, twists);
    for (std::size_t i = 0; i < bodies.size(); ++i) bodies[i] = {poses[i], twists[i]};
    followed.error = std::max(followed.error, c.error(c.trajectory[next++], bodies));
  });
  if (next != options.sample_times.size()) followed.error = HUGE_VAL;
  return followed;
}

inline std::string label(const DynamicCase& c, const FormulationOptions& f, MechanismMethod m) {
  return c.name + " " + std::string(name(f.family)) + "/" +
         std::to_string(static_cast<int>(f.attitude)) + " by " + std::string(name(m));
}

}  // namespace axode::test::dynamic_mechanisms
