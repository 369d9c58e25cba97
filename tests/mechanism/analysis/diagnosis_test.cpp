#include "axode/mechanism/analysis/diagnosis.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "axode/mechanism/analysis/position.hpp"
#include "tests/mechanism/mechanisms.hpp"

namespace axode::test::diagnosis {
namespace {

using mechanisms::add_driver;
using mechanisms::formulations;
using mechanisms::four_bar;
using mechanisms::FourBar;
using mechanisms::label;
using mechanisms::reference_poses;
using Kind = AssemblyDiagnosis::Kind;

/// A crank-rocker: crank 1, coupler 3.5, rocker 2.5, ground 4.
const FourBar crank_rocker{};

/// For each formulation of the mechanism.
template <class Check>
void for_all(const Mechanism& m, Check&& check) {
  for (const FormulationOptions& how : formulations(m.is_planar)) {
    SCOPED_TRACE(label(how));
    MechanismSystem system(make_equations(m, how));
    check(system, diagnose_assembly(system, 0, reference_poses(m)));
  }
}
void expect_words(const std::string& text, std::initializer_list<const char*> words) {
  for (const char* word : words) EXPECT_NE(text.find(word), std::string::npos) << text;
}

TEST(Diagnosis, DriversAreLedToTheirValues) {
  Mechanism m = four_bar(crank_rocker);
  add_driver(m, "A.angle", constant_in_time(2.5));
  for_all(m, [&](MechanismSystem& system, const AssemblyDiagnosis& d) {
    ASSERT_EQ(d.kind, Kind::assembled) << d.message;
    EXPECT_EQ(d.dofs, 1);
    std::vector<SE3<double>> poses(m.bodies.size());
    system.poses(d.q, poses);
    EXPECT_NEAR(measure(m, coordinate_index(m, "A.angle"), poses), 2.5, 1e-10);
  });
}

/// The rocker turns back where crank and coupler are folded: by the law of cosines.
TEST(Diagnosis, DeadPointsAreTold) {
  Mechanism m = four_bar(crank_rocker);
  const double dead = std::acos(-(4 * 4 + 2.5 * 2.5 - 2.5 * 2.5) / (2 * 4 * 2.5));
  add_driver(m, "B.angle", constant_in_time(3));
  for_all(m, [&](MechanismSystem&, const AssemblyDiagnosis& d) {
    ASSERT_EQ(d.kind, Kind::dead_point) << d.message;
    EXPECT_EQ(d.driver, 0);
    EXPECT_NEAR(d.reached, dead, 1e-6);
    EXPECT_EQ(d.wanted, 3);
    expect_words(d.message, {"'B.angle'", "cannot get to 3", "dead point"});
  });
}

TEST(Diagnosis, TooManyDriversAreNamed) {
  Mechanism m = four_bar(crank_rocker);
  add_driver(m, "A.angle", constant_in_time(0.5));
  add_driver(m, "B.angle", constant_in_time(0.5));
  for_all(m, [&](MechanismSystem&, const AssemblyDiagnosis& d) {
    ASSERT_EQ(d.kind, Kind::over_driven) << d.message;
    EXPECT_EQ(d.dofs, 1);
    EXPECT_EQ(d.dependent, std::vector<int>{1});
    expect_words(d.message,
                 {"over-driven", "2 drivers for 1 degree of freedom", "'A.angle'", "'B.angle'"});
  });
}

TEST(Diagnosis, GeometryIsToldFromDrivers) {
  Mechanism m = four_bar(crank_rocker);
  m.joints[joint_index(m, "2")].point[0].x = 0.2;  // the coupler
  add_driver(m, "A.angle", constant_in_time(0.5));
  for_all(m, [&](MechanismSystem&, const AssemblyDiagnosis& d) {
    EXPECT_EQ(d.kind, Kind::geometry) << d.message;
    expect_words(d.message, {"not even without its drivers", "cannot be assembled", "residual"});
  });
}

TEST(Diagnosis, FreedomsLeftNameWhatToDrive) {
  Mechanism m = four_bar(crank_rocker);
  for (const FormulationOptions& how : formulations(true)) {
    MechanismSystem free(make_equations(m, how));
    std::vector<double> q = free.from_poses(reference_poses(m));
    const DofsLeft left = dofs_left(free, 0, q);
    EXPECT_EQ(left.count, 1);
    EXPECT_EQ(left.to_drive, std::vector<int>{coordinate_index(m, "A.angle")});
    expect_words(left.message,
                 {"1 degree of freedom is not driven", "driving 'A.angle' would settle it"});
    Mechanism driven = m;
    add_driver(driven, "A.angle", constant_in_time(0.5));
    MechanismSystem held(make_equations(driven, how));
    q = held.from_poses(reference_poses(m));
    EXPECT_EQ(dofs_left(held, 0, q).count, 0);
    EXPECT_TRUE(dofs_left(held, 0, q).message.empty());
  }
}

}  // namespace
}  // namespace axode::test::diagnosis
