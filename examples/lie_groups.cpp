#include <cmath>
#include <cstdio>

#include "axode/integrate/steppers/munthe_kaas.hpp"
#include "axode/lie/se3.hpp"

using namespace axode;

/// A body on a helix: constant twist, turning about z with w and its origin at distance 1 from the axis.
/// SE(3) takes the body twist, SO(3) x R^3 the same angular velocity and the velocity in the world.
struct Helix {
  bool product;
  LieGroup space = product ? LieGroup{}.so3().real(3) : LieGroup{}.se3();
  static constexpr double w = 1, rise = .2;

  const LieGroup& group() const { return space; }
  bool rate(double, std::span<const double> x, std::span<double> v) const {
    const Vec3<double> along{0, w, rise};  // in the body
    const Mat3<double> R = rotation_matrix(Quaternion<double>{x[0], {x[1], x[2], x[3]}});
    const Vec3<double> velocity = product ? R * along : along;
    v[0] = v[1] = 0, v[2] = w;
    v[3] = velocity.x, v[4] = velocity.y, v[5] = velocity.z;
    return true;
  }
};

int main() {
  std::printf("position error after 3 s in 3 steps of 1 s\n");
  for (const bool product : {false, true})
    for (const int order : {1, 2, 4}) {
      Helix helix{product};
      MuntheKaas stepper(helix.group(), order, {.step = 1}, /*adaptive=*/false);
      const std::vector<double> start{1, 0, 0, 0, 1, 0, 0};
      stepper.start(helix, 0, start);
      while (stepper.time() < 3) stepper.advance(helix, 3);
      const auto x = stepper.state();
      const double error = std::hypot(x[4] - std::cos(3.), x[5] - std::sin(3.), x[6] - .6);
      std::printf("%-12s order %d: %.0e m\n", product ? "SO(3) x R^3" : "SE(3)", order,
                  error < 1e-14 ? 0. : error);
    }
}
