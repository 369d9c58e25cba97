/// Property tests: a body run over many seeded random cases, and generators of the usual values.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>

#include "axode/lie/se3.hpp"

namespace axode::test {

/// Number of random cases per operation family.
inline constexpr int many = 100'000;

/// Draws values; every test starts from the same seed, so a failure repeats.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  /// 10^a with a uniform: all magnitudes alike.
  double log_uniform(double low, double high) {
    return std::exp(uniform(std::log(low), std::log(high)));
  }
  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine_); }
  Vec3<double> vec3(double size = 2) {
    return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
  }
  Vec6<double> vec6(double size = 2) { return {vec3(size), vec3(size)}; }
  /// Uniform on the sphere.
  Vec3<double> unit() {
    std::normal_distribution<double> normal;
    const Vec3<double> v{normal(engine_), normal(engine_), normal(engine_)};
    return v / norm(v);
  }
  /// An angle in [0, pi]: ordinary, small down to 1e-12, near pi, zero or pi itself.
  double angle() {
    switch (integer(0, 9)) {
      case 0:
        return 0.0;
      case 1:
        return pi<double>;
      case 2:
        return pi<double> - log_uniform(1e-12, 1e-1);
      case 3:
      case 4:
        return log_uniform(1e-12, 1e-1);
      default:
        return uniform(0, pi<double>);
    }
  }
  Vec3<double> rotation_vector() { return unit() * angle(); }
  SO3<double> rotation() { return exp(rotation_vector()); }
  SE3<double> pose(double size = 2) { return {rotation(), vec3(size)}; }

 private:
  std::mt19937_64 engine_;
};

/// Calls check(random) `cases` times and stops at the first case that fails, naming it.
template <class Check>
void for_random_cases(int cases, Check&& check) {
  Random random(20180511);
  for (int i = 0; i < cases; ++i) {
    check(random);
    if (::testing::Test::HasFailure()) {
      ADD_FAILURE() << "in random case " << i << " of " << cases;
      return;
    }
  }
}

}  // namespace axode::test
