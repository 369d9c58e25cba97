/// A double pendulum about its equilibria: natural frequencies where it hangs, how quickly it falls
/// where it stands on end.
///
///   M a + K dq = 0   with   det(K - s M) = 0,   s = w^2 or, if negative, growth^2
///
/// An arm that motors hold anywhere else is an equilibrium, too, of the same function.
#include <cmath>
#include <cstdio>
#include <vector>

#include "axode/dynamics/derivatives/linearize.hpp"
#include "axode/model/builder.hpp"

using namespace axode;

int main() {
  const Vec3<> y{0, 1, 0};
  const Inertia<> rod{1, {0, 0, -.5}, Sym3<>::diagonal({1. / 12, 1. / 12, 1e-3})};
  const Tree tree = TreeBuilder("double pendulum")  // hangs at q = 0
                        .body("upper", rod)
                        .joint("pivot", revolute({.axis = y}))
                        .body("lower", rod)
                        .on("upper")
                        .joint("elbow", revolute({.axis = y, .point = {0, 0, -1}}),
                               zero_reference(SE3<>{{}, {0, 0, -1}}))
                        .build();

  const struct {
    const char* name;
    std::vector<double> q;
  } equilibria[] = {{"hanging", {0, 0}},
                    {"lower link up", {0, pi<double>}},
                    {"upright", {pi<double>, 0}},
                    {"held out", {pi<double> / 2, 0}}};
  for (const auto& e : equilibria) {
    const std::vector<double> rest{0, 0};
    const Linearization l = linearize_motion(tree, e.q, rest, rest);
    // A s^2 - B s + C = 0
    const double A = l.M(0, 0) * l.M(1, 1) - l.M(0, 1) * l.M(1, 0);
    const double B = l.K(0, 0) * l.M(1, 1) + l.K(1, 1) * l.M(0, 0) - 2 * l.K(0, 1) * l.M(0, 1);
    const double C = l.K(0, 0) * l.K(1, 1) - l.K(0, 1) * l.K(1, 0);
    const auto held = [](double tau) { return std::abs(tau) < 1e-9 ? 0 : tau; };
    const double root = std::sqrt(std::max(0., B * B / 4 - A * C));
    std::printf("%-13s motors hold %6.2f, %5.2f N m;", e.name, held(l.tau[0]), held(l.tau[1]));
    for (const double s : {(B / 2 - root) / A, (B / 2 + root) / A}) {
      if (std::abs(s) < 1e-9)
        std::printf("  indifferent");
      else if (s > 0)
        std::printf("  swings at %.3f Hz", std::sqrt(s) / (2 * pi<double>));
      else
        std::printf("  falls as exp(%.3f t)", std::sqrt(-s));
    }
    std::printf("\n");
  }
}
