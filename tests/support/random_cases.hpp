/// Property tests: a body run over many seeded random cases, and generators of the usual values.
#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <random>

#include "axode/lie/se3.hpp"

namespace axode::test {

/// Number of random cases per operation family.
inline constexpr int many = 100'000;

/// Draws values; every test starts from the same seed, so a failure repeats.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  double uniform(double low, double high);
  /// All magnitudes alike.
  double log_uniform(double low, double high);
  int integer(int low, int high);
  Vec3<double> vec3(double size = 2);
  Vec6<double> vec6(double size = 2);
  /// Uniform on the sphere.
  Vec3<double> unit();
  /// An angle in [0, pi]: ordinary, small down to 1e-12, near pi, zero or pi itself.
  double angle();
  Vec3<double> rotation_vector();
  SO3<double> rotation();
  SE3<double> pose(double size = 2);

 private:
  std::mt19937_64 engine_;
};

/// Calls check(random) `cases` times and stops at the first case that fails, naming it.
void for_random_cases(int cases, const std::function<void(Random&)>& check);

}  // namespace axode::test
