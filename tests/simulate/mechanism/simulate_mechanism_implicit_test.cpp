/// Generalized-alpha and IDA: the same trajectories, in about as many steps in all families.
#include <gtest/gtest.h>

#include "tests/mechanism/dynamic_spatial.hpp"
#include "tests/mechanism/mechanism_runs.hpp"

namespace axode::test::simulate_mechanism_implicit {

using namespace dynamic_mechanisms;

/// Steps of the reference-point run are the measure of the others: with a wrong tangent iterations
/// fail, and IDA takes 100 times as many.
void expect_near_reference(const DynamicCase& c, double until = 1e9) {
  struct Tried {
    Method method;
    double rtol, atol, error;
    long steps = 0;
  };
  Tried methods[] = {{Method::ida, 1e-9, 2e-11, 1e-5},
                     {Method::generalized_alpha, 1e-7, 1.5e-8, 1e-3},
                     {Method::generalized_alpha_stabilized, 1e-7, 1.5e-8, 1e-3}};
  for (const FormulationOptions& f : families(c.mechanism.is_planar))
    for (Tried& m : methods) {
      const Followed run =
          follow(c, f, {.method = m.method, .rtol = m.rtol, .atol = m.atol}, until);
      EXPECT_LT(run.error, m.error) << label(c, f, m.method) << run.result.message;
      if (m.steps == 0) m.steps = run.result.statistics.steps;
      EXPECT_LT(run.result.statistics.steps, m.steps * 3 / 2) << label(c, f, m.method);
      EXPECT_LT(run.result.statistics.rejected, run.result.statistics.steps / 10)
          << label(c, f, m.method);
    }
}

TEST(SimulateMechanismImplicit, FourBars) {
  for (std::size_t k = 0; k < 3; ++k) expect_near_reference(four_bar(k));
}
TEST(SimulateMechanismImplicit, SliderCranks) {
  for (std::size_t k = 0; k < 2; ++k) expect_near_reference(slider_crank(k));
}
/// Up to the flat position.
TEST(SimulateMechanismImplicit, OneFourBar) { expect_near_reference(n_four_bar(1), .7); }
TEST(SimulateMechanismImplicit, Rscr) { expect_near_reference(rscr(0)); }
TEST(SimulateMechanismImplicit, Bricard) { expect_near_reference(bricard(), 1); }

}  // namespace axode::test::simulate_mechanism_implicit
