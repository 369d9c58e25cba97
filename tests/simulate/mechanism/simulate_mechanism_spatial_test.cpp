#include <gtest/gtest.h>

#include "tests/mechanism/dynamic_spatial.hpp"
#include "tests/mechanism/mechanism_runs.hpp"

namespace axode::test::simulate_mechanism_spatial {

using namespace dynamic_mechanisms;

void expect_near_reference(const DynamicCase& c, double most, double until = 1e9) {
  for (const FormulationOptions& f : families(false))
    for (const Method m : {Method::baumgarte, Method::projection, Method::augmented_lagrangian,
                           Method::null_space}) {
      const Followed run = follow(c, f, {.method = m, .rtol = 1e-9, .atol = 1e-10}, until);
      EXPECT_EQ(run.result.ending, Ending::finished) << label(c, f, m) << run.result.message;
      EXPECT_LT(run.error, most) << label(c, f, m);
      EXPECT_LT(run.result.energy_drift, 4e-8 * run.result.energy_scale) << label(c, f, m);
    }
}

TEST(SimulateMechanismSpatial, HeavyTop) { expect_near_reference(heavy_top(), 1e-6); }
TEST(SimulateMechanismSpatial, Rscr) { expect_near_reference(rscr(0), 2e-7); }
/// One equation follows from the others.
TEST(SimulateMechanismSpatial, Bricard) { expect_near_reference(bricard(), 1e-6, 1); }

TEST(SimulateMechanismSpatial, ImplicitMethodsLeaveRedundantRowsOut) {
  const DynamicCase c = bricard();
  const FormulationOptions f{.family = CoordinateFamily::reference_point};
  const Followed alpha =
      follow(c, f, {.method = Method::generalized_alpha, .rtol = 1e-7, .atol = 1e-7}, 1);
  EXPECT_LT(alpha.error, 1e-3);
  EXPECT_EQ(alpha.result.mechanism.redundant, 1);
  EXPECT_EQ(alpha.result.mechanism.left_out.size(), 1u);
  const Followed ida = follow(c, f, {.method = Method::ida, .rtol = 1e-9, .atol = 1e-10}, 1);
  EXPECT_LT(ida.error, 1e-5);
}

}  // namespace axode::test::simulate_mechanism_spatial
