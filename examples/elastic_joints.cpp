/// Motor torques of an arm with series elastic actuators: a spring stands between each motor and its
/// joint, so the motor must know how the joint force changes.
///
///   tau = K (theta - q)                        the spring transmits what the links need
///   tau_motor = J theta'' + d theta' + tau     theta' = v + tau'/K, theta'' = a + tau''/K
///
/// q(t) alone says what the motors have to do: it is a flat output.
#include <cmath>
#include <cstdio>
#include <vector>

#include "axode/dynamics/derivatives/time_derivatives.hpp"
#include "axode/model/builder.hpp"

using namespace axode;
using Values = std::vector<double>;

Tree three_joint_arm() {
  const Vec3<> y{0, 1, 0}, z{0, 0, 1};
  const auto rod = [](double mass, double from, double to) -> Inertia<> {
    const double l = to - from, t = mass * l * l / 12;
    return {mass, {0, 0, (from + to) / 2}, Sym3<>::diagonal({t, t, .01 * mass})};
  };
  return TreeBuilder("arm")  // upright at q = 0; all frames are the world's there
      .body("turret", rod(3, 0, .3))
      .joint("waist", revolute({.axis = z}))
      .body("upper", rod(2, .3, .7))
      .on("turret")
      .joint("shoulder", revolute({.axis = y, .point = {0, 0, .3}}))
      .body("fore", rod(1, .7, 1.1))
      .on("upper")
      .joint("elbow", revolute({.axis = y, .point = {0, 0, .7}}))
      .build();
}

/// k-th derivative of the way 0..1 in unit time, at rest at both ends up to the fourth derivative.
double way(double t, int k) {
  const double c[] = {126, -420, 540, -315, 70};  // of t^5 .. t^9
  double sum = 0;
  for (int n = 5; n <= 9; ++n) {
    double factor = 1;
    for (int j = 0; j < k; ++j) factor *= n - j;
    sum += c[n - 5] * factor * std::pow(t, n - k);
  }
  return sum;
}

int main() {
  const Tree tree = three_joint_arm();
  const Values goal{1.2, .8, 1.1}, K{600, 500, 300}, J{.2, .2, .1}, d{.5, .5, .3};
  const auto at = [&](double t, int k) {
    Values x(3);
    for (std::size_t i = 0; i < 3; ++i) x[i] = goal[i] * way(t, k);
    return x;
  };

  std::printf("  t   spring force [N m]          motor torque [N m]\n");
  for (const double t : {.1, .3, .5, .7, .9}) {
    const Values q = at(t, 0), v = at(t, 1), a = at(t, 2), jerk = at(t, 3), snap = at(t, 4);
    const JointForceRates f = inverse_dynamics_rates(tree, q, {v, a, jerk, snap});
    std::printf("%.1f", t);
    for (const double tau : f.tau) std::printf(" %8.3f", tau);
    for (std::size_t i = 0; i < 3; ++i) {
      const double theta1 = v[i] + f.first[i] / K[i], theta2 = a[i] + f.second[i] / K[i];
      std::printf(" %8.3f", J[i] * theta2 + d[i] * theta1 + f.tau[i]);
    }
    std::printf("\n");
  }
}
