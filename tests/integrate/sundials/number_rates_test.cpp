#include "axode/integrate/sundials/number_rates.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/random_cases.hpp"

namespace axode::test::number_rates {

using Numbers = std::vector<double>;

/// Each kind once: the rate of the numbers is that of plus(x, t w), tangents undo it, slopes are
/// differences.
TEST(NumberRates, AreThoseOfTheGroup) {
  LieGroup group;
  group.real(2).so3().so3_left().se3().real(1).se3_left();
  Random random(1);
  constexpr double step = 1e-6;
  for (int n = 0; n < 50; ++n) {
    Numbers x(group.nx), w(group.nv), d = w;
    for (double& e : x) e = random.uniform(-1, 1);
    for (double& e : w) e = random.uniform(-1, 1);
    plus(group, x, d, x);  // unit quaternions
    Numbers rate = x, ahead = x, behind = x;
    axode::number_rates(group, x, w, rate);
    for (std::size_t k = 0; k < w.size(); ++k) d[k] = step * w[k];
    plus(group, x, d, ahead);
    for (double& e : d) e = -e;
    plus(group, x, d, behind);
    for (std::size_t k = 0; k < x.size(); ++k)
      EXPECT_NEAR((ahead[k] - behind[k]) / (2 * step), rate[k], 1e-9);
    for (const LieGroup::Factor& f : group.factors) {
      if (f.kind == LieGroup::Kind::real) continue;
      const FactorMaps m = factor_maps(f.kind, &x[f.x], &w[f.v]);
      for (std::size_t i = 0; i < static_cast<std::size_t>(m.nv); ++i)
        for (std::size_t k = 0; k < static_cast<std::size_t>(m.nv); ++k) {
          double sum = 0;
          for (std::size_t j = 0; j < static_cast<std::size_t>(m.nx); ++j)
            sum += m.tangent[i][j] * m.N[j][k];
          EXPECT_NEAR(sum, i == k ? 1 : 0, 1e-14);
        }
      for (std::size_t j = 0; j < static_cast<std::size_t>(m.nx); ++j) {
        Numbers moved = x, up = x, down = x;
        const std::size_t at = f.x + j;
        moved[at] = x[at] + step;
        axode::number_rates(group, moved, w, up);
        moved[at] = x[at] - step;
        axode::number_rates(group, moved, w, down);
        for (std::size_t i = 0; i < static_cast<std::size_t>(m.nx); ++i) {
          const std::size_t row = f.x + i;
          EXPECT_NEAR((up[row] - down[row]) / (2 * step), m.slope[i][j], 1e-8);
        }
      }
    }
  }
}

}  // namespace axode::test::number_rates
