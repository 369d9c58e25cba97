/// A mechanism solved for position, velocity and acceleration, as tests of motions want it.
#pragma once
#include <gtest/gtest.h>

#include "axode/mechanism/analysis/motion_analysis.hpp"
#include "axode/mechanism/analysis/position.hpp"
#include "tests/mechanism/mechanisms.hpp"

namespace axode::test::mechanisms {

/// Solved at t = 0 from the reference poses.
struct Solved {
  MechanismSystem system;
  std::vector<double> q, v, a;
  std::vector<SE3<double>> poses;
  std::vector<Twist<Rep::hybrid>> twists;
  std::vector<Vec6<double>> rates;

  Solved(const Mechanism& m, const FormulationOptions& o)
      : system(make_equations(m, o)),
        q(system.from_poses(reference_poses(m))),
        v(system.equations().velocities()),
        a(v),
        poses(m.bodies.size()),
        twists(m.bodies.size()),
        rates(m.bodies.size()) {
    const PositionResult r = solve_position(system, 0, q);
    EXPECT_TRUE(r.converged) << label(o) << r.message;
    for (const MotionResult& motion :
         {solve_velocity(system, 0, q, v), solve_acceleration(system, 0, q, v, a)}) {
      EXPECT_TRUE(motion.consistent && motion.unique) << label(o) << motion.message;
      EXPECT_LT(motion.residual, 1e-9);
    }
    system.motion(q, v, poses, twists);
    system.accelerations(q, v, a, rates);
  }
  TimeValue coordinate(const char* name) const {
    const Mechanism& m = system.mechanism();
    return measure(m, coordinate_index(m, name), poses, twists, rates);
  }
  Vec3<double> velocity(std::size_t body, const Vec3<double>& local) const {
    return twists[body].linear + cross(twists[body].angular, poses[body].R * local);
  }
  Vec3<double> acceleration(std::size_t body, const Vec3<double>& local) const {
    const Vec3<double> arm = poses[body].R * local, omega = twists[body].angular;
    return rates[body].linear + cross(rates[body].angular, arm) + cross(omega, cross(omega, arm));
  }
};

}  // namespace axode::test::mechanisms
