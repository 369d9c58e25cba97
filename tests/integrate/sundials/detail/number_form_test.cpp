#include "axode/integrate/sundials/detail/number_form.hpp"

#include <cmath>

#include "tests/support/near.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::number_form {
namespace {

LieGroup all_kinds() {
  LieGroup group;
  return group.real(2).so3().so3_left().se3().real(1).se3_left();
}

std::vector<double> random_state(Random& random, const LieGroup& group) {
  std::vector<double> x(group.nx);
  for (double& number : x) number = random.uniform(-1, 1);
  normalize(group, x);
  return x;
}

/// Some velocity that depends on all numbers of a state with unit quaternions.
std::vector<double> velocity(const LieGroup& group, std::vector<double> x) {
  normalize(group, x);
  std::vector<double> v(group.nv);
  for (std::size_t i = 0; i < v.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j)
      v[i] += std::sin(static_cast<double>(i + 2 * j)) * x[j] * x[(i + j) % x.size()];
  return v;
}

TEST(NumberForm, JacobianIsTheDerivativeOfTheRate) {
  for_random_cases(50, [](Random& random) {
    const LieGroup group = all_kinds();
    const std::vector<double> x = random_state(random, group), v = velocity(group, x);
    const auto nx = x.size(), nv = v.size();
    const double h = 1e-5;
    std::vector<double> A(nv * nv), scratch(nv * nx), J(nx * nx);
    for (std::size_t j = 0; j < nv; ++j) {
      std::vector<double> d(nv, 0), moved(nx);
      d[j] = h;
      plus(group, x, d, moved);
      const std::vector<double> ahead = velocity(group, moved);
      d[j] = -h;
      plus(group, x, d, moved);
      const std::vector<double> behind = velocity(group, moved);
      for (std::size_t i = 0; i < nv; ++i) A[i * nv + j] = (ahead[i] - behind[i]) / (2 * h);
    }
    number_jacobian(group, x, v, A, scratch, J);
    for (std::size_t j = 0; j < nx; ++j) {
      std::vector<double> moved = x, ahead(nx), behind(nx);
      moved[j] += h;
      number_rates(group, moved, velocity(group, moved), ahead);
      moved[j] = x[j] - h;
      number_rates(group, moved, velocity(group, moved), behind);
      for (std::size_t i = 0; i < nx; ++i)
        EXPECT_NEAR(J[j * nx + i], (ahead[i] - behind[i]) / (2 * h), 2e-7) << i << " by " << j;
    }
  });
}

}  // namespace
}  // namespace axode::test::number_form
