#include "axode/mechanism/equations/formulate.hpp"

#include <gtest/gtest.h>

#include "axode/core/error.hpp"
#include "axode/mechanism/analysis/mobility.hpp"
#include "axode/mechanism/dynamics/reactions.hpp"
#include "tests/mechanism/mechanisms.hpp"

namespace axode::test::formulate {

using namespace mechanisms;

TEST(Formulate, FamiliesHaveTheSizesOfTheBook) {
  const Mechanism m = four_bar({});
  struct Case {
    CoordinateFamily family;
    int coordinates, equations;
  };
  for (const Case& c :
       {Case{CoordinateFamily::relative, 3, 2}, Case{CoordinateFamily::reference_point, 9, 8},
        Case{CoordinateFamily::natural, 4, 3}}) {
    const MechanismEquations eq = make_equations(m, {.family = c.family});
    EXPECT_EQ(eq.how.family, c.family);
    EXPECT_EQ(eq.velocities(), c.coordinates) << name(c.family);
    EXPECT_EQ(eq.rows(), c.equations) << name(c.family);
    EXPECT_EQ(eq.coordinate_names.size(), static_cast<std::size_t>(eq.numbers()));
    EXPECT_EQ(eq.velocity_names.size(), static_cast<std::size_t>(eq.velocities()));
  }
}

TEST(Formulate, NamesMakeWhatTheySay) {
  const Mechanism m = four_bar({});
  EXPECT_EQ(formulation_names().size(), 6U);
  for (const std::string_view name : formulation_names())
    EXPECT_GT(make_equations(m, formulation_named(m, name)).rows(), 0) << name;
  EXPECT_EQ(formulation_named(m, "euler-angles").attitude, AttitudeForm::euler_angles);
  EXPECT_THROW((void)formulation_named(m, "cartesian"), Error);
}

TEST(Formulate, DriversMayBeLeftOutAndCoordinatesAdded) {
  Mechanism m = four_bar({});
  add_driver(m, "A.angle", constant_in_time(0.5));
  for (const CoordinateFamily family :
       {CoordinateFamily::relative, CoordinateFamily::reference_point, CoordinateFamily::natural}) {
    const MechanismEquations with = make_equations(m, {.family = family});
    const MechanismEquations without = make_equations(m, {.family = family, .with_drivers = false});
    EXPECT_EQ(with.velocities() - with.rows(), 0) << name(family);
    EXPECT_EQ(without.velocities() - without.rows(), 1) << name(family);
    const MechanismEquations more =
        make_equations(m, {.family = family, .mixed = {0, 1, 2, 3}, .with_drivers = false});
    EXPECT_EQ(more.velocities() - more.rows(), 1) << name(family);
    // They are not there at all: nobody counts them, and no force of theirs is found.
    MechanismSystem system(without);
    EXPECT_TRUE(system.mechanism().drivers.empty());
    const auto q = system.from_poses(reference_poses(m));
    const MobilityResult r = mobility(system, 0, q);
    EXPECT_EQ(r.gruebler, 1) << name(family);
    EXPECT_EQ(r.mobility, 1) << name(family);
    const std::vector<double> none(system.equations().velocities());
    EXPECT_TRUE(axode::reactions(system, 0, q, none, none).drivers.empty());
  }
}

TEST(Formulate, CoordinatesHaveNames) {
  const Mechanism m = four_bar({});
  EXPECT_EQ(formulation_named(m, "relative").family, CoordinateFamily::relative);
  for (const char* name : {"euler_angles", "euler-angles"}) {
    EXPECT_EQ(formulation_named(m, name).family, CoordinateFamily::reference_point);
    EXPECT_EQ(formulation_named(m, name).attitude, AttitudeForm::euler_angles);
  }
  EXPECT_TRUE(formulation_named(m, "natural").mixed.empty());
  EXPECT_EQ(formulation_named(m, "mixed").mixed, (std::vector{0, 1, 2, 3}));
  try {
    formulation_named(m, "polar");
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.problem(), "'polar' is none of the formulations");
    EXPECT_NE(e.remedy().find("relative, reference_point"), std::string::npos);
  }
}

}  // namespace axode::test::formulate
