#include "axode/dynamics/outcome.hpp"

#include <gtest/gtest.h>

#include "axode/engine/batch.hpp"
#include "axode/engine/engine.hpp"
#include "axode/model/builder.hpp"

namespace axode::test::outcome_test {
namespace {

/// A slider that carries a wheel of the inertia given.
Tree slider_and_wheel(double inertia) {
  return TreeBuilder("outcome")
      .body("slider", {.mass = 1})
      .joint("slide", prismatic({.axis = {1, 0, 0}}))
      .body("wheel", {.mass = 1, .about_com = Sym3<double>::diagonal({1, 1, inertia})})
      .on("slider")
      .joint("axle", revolute({.axis = {0, 0, 1}}))
      .build();
}
PathMatrix<double> mass_of(Engine& engine) {
  PathMatrix<double> M(*engine.tree);
  mass_matrix(engine, std::vector<double>(2), M);
  return M;
}

// The same missing inertia is named by velocity, by body and by state, whichever algorithm meets it.
TEST(Outcome, NamesTheInertiaThatIsMissing) {
  const Tree tree = slider_and_wheel(0);
  const std::vector<double> zero(2);
  Engine engine(tree);
  PathMatrix<double> M = mass_of(engine);
  EXPECT_EQ(factorize(M).singular_velocity, 1);
  std::vector<double> a(2);
  const ForwardOutcome moved = forward_dynamics(engine, zero, zero, zero, a);
  EXPECT_FALSE(moved.ok());
  EXPECT_EQ(tree.bodies[moved.singular_body].name, "wheel");
  DenseMatrix<double> inverse{2, 2, std::vector<double>(4)};
  EXPECT_EQ(inverse_mass_matrix(engine, zero, inverse).singular_velocity, 1);
  Batch batch(tree);
  const std::vector<double> three(6);
  std::vector<double> accelerations(6);
  EXPECT_EQ(forward_dynamics(batch, three, three, three, accelerations).singular_state, 0);
}

TEST(Outcome, IsGoodWhereNothingIsMissing) {
  const Tree tree = slider_and_wheel(1);
  const std::vector<double> zero(2);
  Engine engine(tree);
  PathMatrix<double> M = mass_of(engine);
  EXPECT_TRUE(factorize(M).ok());
  std::vector<double> a(2);
  EXPECT_TRUE(forward_dynamics(engine, zero, zero, zero, a).ok());
  Batch batch(tree);
  EXPECT_TRUE(forward_dynamics(batch, zero, zero, zero, a).ok());
  EXPECT_TRUE(MassOutcome{}.ok() && ForwardOutcome{}.ok() && BatchOutcome{}.ok());
}

}  // namespace
}  // namespace axode::test::outcome_test
