#include "axode/mechanism/dynamics/independent_rows.hpp"

#include <gtest/gtest.h>

#include "tests/mechanism/dynamic_spatial.hpp"
#include "tests/mechanism/mechanism_runs.hpp"

namespace axode::test::independent_rows {

using namespace dynamic_mechanisms;

TEST(IndependentRows, OneOfBricardsEquationsIsLeftOut) {
  const DynamicCase c = bricard();
  MechanismSystem system(
      make_equations(c.mechanism, {.family = CoordinateFamily::reference_point}));
  const Start s = state_of(system, c);
  IndependentRows rows(system, axode::independent_rows(system, 0, s.q));
  EXPECT_EQ(rows.constraints(), system.constraints() - 1);
  EXPECT_EQ(left_out_rows(rows).size(), 1u);
  std::vector<double> a(s.v.size()), lambda(rows.constraints());
  ConstrainedWork work;
  ASSERT_TRUE(consistent_acceleration(view(rows), 0, s.q, s.v, a, lambda, work));
  std::vector<Vec6<double>> rates(6);
  system.accelerations(s.q, s.v, a, rates);
  EXPECT_NEAR(rates[1].angular.z, 1.962, 1e-9);
}

TEST(IndependentRows, IndependentEquationsStay) {
  const DynamicCase c = four_bar(0);
  MechanismSystem system(
      make_equations(c.mechanism, {.family = CoordinateFamily::reference_point}));
  const Start s = state_of(system, c);
  IndependentRows rows(system, axode::independent_rows(system, 0, s.q));
  EXPECT_EQ(rows.constraints(), system.constraints());
  EXPECT_TRUE(left_out_rows(rows).empty());
}

}  // namespace axode::test::independent_rows
