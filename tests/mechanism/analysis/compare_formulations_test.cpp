#include "axode/mechanism/analysis/compare_formulations.hpp"

#include <gtest/gtest.h>

#include "tests/mechanism/mechanisms.hpp"

namespace axode::test::compare_formulations {
namespace {

using namespace mechanisms;

TEST(CompareFormulations, AgreeUpToRounding) {
  Mechanism m = four_bar({});
  add_driver(m, "A.angle", polynomial_in_time(.5, 2, 1));
  const FormulationComparison c = axode::compare_formulations(m, formulations(true), .3);
  EXPECT_EQ(c.first, 0);
  EXPECT_TRUE(c.undetermined.empty());
  ASSERT_EQ(c.formulations.size(), 3U);
  for (const ComparedFormulation& f : c.formulations) {
    EXPECT_EQ(f.problem, "");
    ASSERT_TRUE(f.system && f.at.is_assembled());
    EXPECT_EQ(f.system->equations().how.family, f.how.family);
    EXPECT_LT(std::max({f.position, f.velocity, f.acceleration}), 1e-12);
  }
  EXPECT_EQ(c.formulations[0].position, 0);
}

/// A rod of unit length with its ends on the axes x and y. It may spin: its attitude is not determined,
/// all else is compared.
TEST(CompareFormulations, WhatIsFreeIsNotCompared) {
  Mechanism m = empty_mechanism("ladder", false);
  const int foot = add_body(m, "foot", {{}, {.7, 0, 0}});
  const int top = add_body(m, "top", {{}, {0, .7, 0}});
  const int rod = add_body(m, "rod", {exp(Vec3<double>{0, 0, 2.4}), {.7, 0, 0}});
  const Vec3<double> x{1, 0, 0}, y{0, 1, 0};
  add_joint(m, axis_joint("X", PairType::prismatic, {0, foot}, {}, {}, x, x));
  add_joint(m, axis_joint("Y", PairType::prismatic, {0, top}, {}, {}, y, y));
  add_joint(m, {.name = "S", .type = PairType::spherical, .body = {foot, rod}});
  add_joint(m, {.name = "T",
                .type = PairType::spherical,
                .body = {top, rod},
                .point = {Vec3<double>{}, Vec3<double>{1, 0, 0}}});
  add_driver(m, "X.distance", polynomial_in_time(.8, .5));
  const FormulationComparison c = axode::compare_formulations(m, formulations(false));
  EXPECT_EQ(c.undetermined, std::vector<int>{rod});
  for (const ComparedFormulation& f : c.formulations) {
    EXPECT_EQ(f.problem, "") << label(f.how);
    EXPECT_LT(std::max({f.position, f.velocity, f.acceleration}), 1e-9) << label(f.how);
  }
}

TEST(CompareFormulations, ProblemsAreThoseOfAssembling) {
  Mechanism m = four_bar({});
  m.joints[joint_index(m, "2")].point[0].x = .2;  // the coupler
  const FormulationComparison c = axode::compare_formulations(m, formulations(true));
  EXPECT_EQ(c.first, -1);
  for (const ComparedFormulation& f : c.formulations) {
    EXPECT_NE(f.problem.find("cannot be assembled"), std::string::npos) << f.problem;
    EXPECT_FALSE(f.system);
  }
}

}  // namespace
}  // namespace axode::test::compare_formulations
