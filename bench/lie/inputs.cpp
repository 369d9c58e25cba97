#include "bench/lie/inputs.hpp"

#include <cmath>
#include <numbers>
#include <random>

namespace axode::bench {

namespace {

class Random {
 public:
  double uniform(double from, double to) {
    return from + (to - from) * 0x1p-53 * static_cast<double>(generator_() >> 11);
  }
  std::array<double, 3> unit_vector() {
    const double z = uniform(-1, 1), turn = uniform(-std::numbers::pi, std::numbers::pi);
    const double r = std::sqrt(1 - z * z);
    return {r * std::cos(turn), r * std::sin(turn), z};
  }
  std::array<double, 3> vector() { return {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)}; }
  double angle() { return uniform(0, std::numbers::pi); }

 private:
  std::mt19937_64 generator_{1};
};

/// The rotation about e, by columns.
std::array<double, 9> rotation(const std::array<double, 3>& e, double angle) {
  const double s = std::sin(angle), c = std::cos(angle), d = 1 - c;
  return {c + d * e[0] * e[0],        d * e[0] * e[1] + s * e[2], d * e[0] * e[2] - s * e[1],
          d * e[0] * e[1] - s * e[2], c + d * e[1] * e[1],        d * e[1] * e[2] + s * e[0],
          d * e[0] * e[2] + s * e[1], d * e[1] * e[2] - s * e[0], c + d * e[2] * e[2]};
}

PoseNumbers pose(Random& random) {
  const auto axis = random.unit_vector();
  const double angle = random.angle();
  return {rotation(axis, angle), random.vector()};
}

}  // namespace

Inputs inputs(std::size_t count) {
  Inputs all;
  Random random;
  for (std::size_t i = 0; i < count; ++i) {
    all.a.push_back(pose(random));
    all.b.push_back(pose(random));
    const auto e = random.unit_vector(), v = random.vector();
    const double angle = random.angle();
    all.x.push_back({angle * e[0], angle * e[1], angle * e[2], v[0], v[1], v[2]});
  }
  return all;
}

}  // namespace axode::bench
