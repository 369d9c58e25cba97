#include "tests/support/random_cases.hpp"

#include <cmath>

namespace axode::test {

double Random::uniform(double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(engine_);
}
double Random::log_uniform(double low, double high) {
  return std::exp(uniform(std::log(low), std::log(high)));
}
int Random::integer(int low, int high) {
  return std::uniform_int_distribution<int>(low, high)(engine_);
}
Vec3<double> Random::vec3(double size) {
  return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
}
Vec6<double> Random::vec6(double size) { return {vec3(size), vec3(size)}; }
Vec3<double> Random::unit() {
  std::normal_distribution<double> normal;
  const Vec3<double> v{normal(engine_), normal(engine_), normal(engine_)};
  return v / norm(v);
}
double Random::angle() {
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
Vec3<double> Random::rotation_vector() { return unit() * angle(); }
SO3<double> Random::rotation() { return exp(rotation_vector()); }
SE3<double> Random::pose(double size) { return {rotation(), vec3(size)}; }

void for_random_cases(int cases, const std::function<void(Random&)>& check) {
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
