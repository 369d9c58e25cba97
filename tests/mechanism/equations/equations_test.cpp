#include "axode/mechanism/equations/equations.hpp"

#include <gtest/gtest.h>

#include "tests/mechanism/mechanisms.hpp"

namespace axode::test::equations {

using namespace mechanisms;

/// Texts of the equations of a joint or other origin.
std::vector<std::string> texts(const MechanismEquations& eq, Equation::Origin origin, int index) {
  std::vector<std::string> result;
  for (int k = 0; k < eq.rows(); ++k) {
    const Equation& e = eq.equations[k];
    if (e.origin == origin && e.index == index) result.push_back(equation_text(eq, k));
  }
  return result;
}

TEST(Equations, ArePrintedAsTheyAreWrittenOnPaper) {
  Mechanism m = four_bar({});
  add_driver(m, "A.angle", polynomial_in_time(0.1, 2));
  m.bodies[1].points = {{"foot", {0, 0, 0}}, {"tip", {1, 0, 0}}};
  const MechanismEquations eq =
      make_equations(m, {.family = CoordinateFamily::reference_point, .mixed = {1}});
  EXPECT_EQ(
      texts(eq, Equation::Origin::joint, 1),
      (std::vector<std::string>{"(coupler.1 - crank.tip)_x = 0", "(coupler.1 - crank.tip)_y = 0"}));
  EXPECT_EQ(texts(eq, Equation::Origin::coordinate, 1),
            (std::vector<std::string>{"1.angle - (coupler.psi - crank.psi) = 0"}));
  EXPECT_EQ(texts(eq, Equation::Origin::driver, 0),
            (std::vector<std::string>{"crank.psi - f(t) = 0"}));
}

TEST(Equations, LengthsAndAnglesOfNaturalCoordinates) {
  const Mechanism m = four_bar({});
  const MechanismEquations eq = make_equations(m, {.family = CoordinateFamily::natural});
  ASSERT_EQ(eq.rows(), 3);
  EXPECT_EQ(eq.velocities(), 4);
  for (int k = 0; k < 3; ++k) {
    const std::string text = equation_text(eq, k);
    EXPECT_EQ(text.front(), '|') << text;
    EXPECT_NE(text.find("|^2 - "), std::string::npos) << text;
  }
}

TEST(Equations, FamiliesHaveNames) {
  EXPECT_EQ(name(CoordinateFamily::relative), "relative");
  EXPECT_EQ(name(CoordinateFamily::reference_point), "reference point");
  EXPECT_EQ(name(CoordinateFamily::natural), "natural");
}

}  // namespace axode::test::equations
