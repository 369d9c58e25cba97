/// Rows of parallelograms of any length: how the cost of a mechanism grows with its loops.
///
/// Usage: bench_mechanism [most loops]. Prints, for natural, reference-point and relative
/// coordinates: CPU seconds to write the equations, to assemble from a guess that is off, and to solve
/// velocity and acceleration (of three runs the median), and microseconds per loop of these two,
/// against those of the row before and of ten loops. Memory stays with the program when it is freed:
/// else the system clears each large block anew, which is no matter of the mechanism.
#include <malloc.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "axode/mechanism/analysis/motion_analysis.hpp"
#include "axode/mechanism/analysis/position.hpp"
#include "axode/mechanism/equations/formulate.hpp"

namespace {

using namespace axode;
/// Of this thread: other programs count less.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void add_pin(Mechanism& m, int i, int j, const Vec3<double>& on_i, const Vec3<double>& on_j) {
  MechanismJoint joint;
  joint.name = "J" + std::to_string(m.joints.size());
  joint.body = {i, j};
  joint.point = {on_i, on_j};
  MechanismCoordinate angle;
  angle.name = joint.name + ".angle";
  angle.joint = static_cast<int>(m.joints.size());
  angle.is_angle = true;
  m.joints.push_back(joint);
  m.coordinates.push_back(angle);
}

/// Rods and couplers of unit length, the first rod driven; rods stand at 1.2 rad.
Mechanism parallelograms(int loops) {
  Mechanism m;
  m.is_planar = true;
  m.bodies.push_back({.name = "world"});
  const double phi = 1.2;
  const Inertia<double> bar{1, {.5, 0, 0}, {1. / 12, 1. / 12, 1. / 12, 0, 0, 0}};
  int before = 0;
  for (int k = 0; k <= loops; ++k) {
    const auto x = static_cast<double>(k);
    const int rod = static_cast<int>(m.bodies.size());
    m.bodies.push_back({.name = "rod" + std::to_string(k),
                        .inertia = bar,
                        .pose = {exp(Vec3<double>{0, 0, phi}), {x, 0, 0}}});
    add_pin(m, 0, rod, {x, 0, 0}, {});
    if (k > 0) {
      const int coupler = rod + 1;
      m.bodies.push_back({.name = "coupler" + std::to_string(k),
                          .inertia = bar,
                          .pose = {{}, {x - 1 + std::cos(phi), std::sin(phi), 0}}});
      add_pin(m, before, coupler, {1, 0, 0}, {});
      add_pin(m, coupler, rod, {1, 0, 0}, {1, 0, 0});
    }
    before = rod;
  }
  m.drivers.push_back({"crank", 0, polynomial_in_time(phi + .01, 1, .3)});
  return m;
}

struct Times {
  double equations, position, motion;
  bool good;
};

Times run(const Mechanism& mechanism, CoordinateFamily family) {
  std::array<Times, 3> all{};
  for (Times& times : all) {
    double start = cpu_seconds();
    MechanismSystem system(make_equations(mechanism, {.family = family}));
    times.equations = cpu_seconds() - start;
    std::vector<SE3<double>> poses;
    for (const MechanismBody& body : mechanism.bodies) poses.push_back(body.pose);
    std::vector<double> q = system.from_poses(poses);
    start = cpu_seconds();
    const PositionResult position = solve_position(system, 0, q, {.count_rank = false});
    times.position = cpu_seconds() - start;
    std::vector<double> v(system.configuration().nv, 0.), a = v;
    MotionWork work;
    start = cpu_seconds();
    const MotionResult motion = solve_motion(system, 0, q, v, a, work);
    times.motion = cpu_seconds() - start;
    times.good = position.converged && motion.consistent && motion.unique;
  }
  std::sort(all.begin(), all.end(), [](const Times& a, const Times& b) {
    return a.position + a.motion < b.position + b.motion;
  });
  return all[1];
}

}  // namespace

int main(int count, char** arguments) {
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  const int most = count > 1 ? std::atoi(arguments[1]) : 100'000;
  std::printf("%-16s %7s %11s %11s %11s %9s %7s %8s\n", "coordinates", "loops", "equations/s",
              "assembly/s", "motion/s", "us/loop", "growth", "of first");
  for (const CoordinateFamily family :
       {CoordinateFamily::natural, CoordinateFamily::reference_point, CoordinateFamily::relative}) {
    double before = 0, first = 0;
    for (int loops = 10; loops <= most; loops *= 10) {
      const Times times = run(parallelograms(loops), family);
      const double per_loop = 1e6 * (times.position + times.motion) / loops;
      if (first == 0) first = per_loop;
      std::printf("%-16s %7d %11.5f %11.5f %11.5f %9.3f %7.2f %8.2f%s\n", name(family).data(),
                  loops, times.equations, times.position, times.motion, per_loop,
                  before > 0 ? per_loop / before : 1, per_loop / first,
                  times.good ? "" : "  not solved");
      before = per_loop;
    }
  }
}
