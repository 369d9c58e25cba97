#include "axode/integrate/sundials/kinsol.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/integrate/planar_loop.hpp"

namespace axode::test::kinsol {

using Numbers = std::vector<double>;

/// The first point nearest to a guess that leaves the second free would be radial; here both are
/// compared with a search over the two angles.
TEST(Kinsol, FindsTheNearestConfiguration) {
  TwoPoints system;
  for (const double off : {.05, .2, .4}) {
    Numbers q = two_points(.5, -.3, 0, 0);
    q.resize(4);
    q[0] += off;
    q[3] -= off / 2;
    const Numbers guess = q;
    const auto far = [&](const Numbers& x) {
      double sum = 0;
      for (std::size_t k = 0; k < 4; ++k) sum += (x[k] - guess[k]) * (x[k] - guess[k]);
      return sum;
    };
    const ClosestResult result = closest_configuration(view(system), q);
    EXPECT_TRUE(result.converged && result.nearest);
    EXPECT_LT(result.residual, 1e-13);
    double best = 1e9;
    for (double a = -1; a < 2; a += 2e-3)
      for (double b = -2; b < 1; b += 2e-3) best = std::min(best, far(two_points(a, b, 0, 0)));
    EXPECT_LE(far(q), best + 1e-12);
    EXPECT_GT(far(q), best - 1e-5);
  }
}

TEST(Kinsol, SaysWhenThereIsNone) {
  TwoPoints system;
  Numbers q{0, 0, 0, 0};
  const ClosestResult result = closest_configuration(view(system), q);
  EXPECT_FALSE(result.converged);
  EXPECT_FALSE(result.nearest);
}

}  // namespace axode::test::kinsol
