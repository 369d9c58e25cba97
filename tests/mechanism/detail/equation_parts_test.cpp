#include "axode/mechanism/detail/equation_parts.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "axode/mechanism/equations/system.hpp"

namespace axode::test::equation_parts {
namespace {

using namespace detail;

TEST(EquationParts, RowsKeepTheirOriginAndAreNamedAfterIt) {
  Equation origin;
  origin.name = "A";
  origin.index = 3;
  origin.origin = Equation::Origin::coupling;
  const Equation e = row(origin, "same point", {form({dot_term({1, 0}, {2, -1}, 4)}, -5)});
  EXPECT_EQ(e.name, "A: same point");
  EXPECT_EQ(e.index, 3);
  EXPECT_EQ(e.origin, Equation::Origin::coupling);
  ASSERT_EQ(e.forms.size(), 1U);
  EXPECT_EQ(e.forms[0].constant, -5);
  EXPECT_EQ(e.forms[0].terms[0].kind, Term::Kind::dot);
  EXPECT_EQ(e.forms[0].terms[0].factor, 4);
}

/// Two unit vectors in the plane as fixed nodes, and an angle as the only coordinate.
struct Vectors {
  MechanismEquations eq;
  Arrow a, b;
  explicit Vectors(double angle) {
    eq.mechanism.is_planar = true;
    eq.mechanism.bodies.resize(1);
    eq.bodies.resize(1);
    eq.mass_by_motion = {false};
    eq.loads.weight = {-1};
    a = alone(fixed_node(eq, {1, 0, 0}, false, "a"));
    b = alone(fixed_node(eq, {std::cos(angle), std::sin(angle), 0}, false, "b"));
    const NewCoordinates first = add_coordinates(eq, {"psi"});
    eq.scalars.push_back({{{first.x, first.v, 1}}, 0, "psi"});
  }
};

TEST(EquationParts, AnglesAreMetInBothForms) {
  for (const double angle : {0.3, 1.9, -2.7, -0.8})
    for (const int used : {0, 1}) {
      Vectors v(angle);
      v.eq.equations.push_back(angle_equation({}, "angle", v.a, v.b, -1, 0, 0));
      v.eq.equations[0].form = used;
      MechanismSystem system(v.eq);
      std::vector<double> phi(1);
      system.position(0, std::vector{angle}, phi);
      EXPECT_NEAR(phi[0], 0, 1e-15) << angle << used;
      system.position(0, std::vector{angle + 0.4}, phi);
      EXPECT_GT(std::abs(phi[0]), 1e-2) << angle << used;
    }
}

/// Of a constant angle the form is used that changes most with it.
TEST(EquationParts, KeptAnglesAreToldByWhatChanges) {
  for (const double angle : {0.1, 1.5, 2.2, -1.7, 3.1}) {
    Vectors v(angle);
    const Equation e = angle_equation({}, "kept", v.a, v.b, -1, -1, angle);
    EXPECT_EQ(e.form, std::abs(std::sin(angle)) > std::abs(std::cos(angle)) ? 0 : 1) << angle;
    for (const int used : {0, 1}) {
      v.eq.equations = {e};
      v.eq.equations[0].form = used;
      MechanismSystem system(v.eq);
      std::vector<double> phi(1);
      system.position(0, std::vector{0.}, phi);
      EXPECT_NEAR(phi[0], 0, 1e-15) << angle << used;
    }
  }
}

}  // namespace
}  // namespace axode::test::equation_parts
