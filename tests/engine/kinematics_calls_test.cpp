#include "axode/engine/kinematics_calls.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "axode/core/error.hpp"
#include "axode/engine/energy.hpp"
#include "tests/engine/engine_cases.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/near.hpp"

namespace axode::test::kinematics_calls_test {
namespace {

// Bit for bit: a call is the engine.
TEST(KinematicsCalls, AreTheEngineToTheLastBit) {
  for_random_cases(40, [](Random& random) {
    const EngineCase r = loaded(random, random_tree(random, 12));
    Engine e(r.tree);
    const std::string of = r.tree.bodies.back().name, to = r.tree.bodies.front().name;
    const JacobianQuery query{.of = of, .relative_to = to};
    const FrameRoles roles = frame_roles(r.tree, query);
    EXPECT_EQ(largest_difference(transform(r.tree, r.q, {.of = of, .relative_to = to}),
                                 transform(e, r.q, roles.of, roles.relative_to)),
              0);
    EXPECT_EQ(twist(r.tree, r.q, r.v, {.of = of, .relative_to = to}), twist(e, r.q, r.v, roles));
    EXPECT_EQ(acceleration(r.tree, r.q, r.v, r.a, {.of = of, .relative_to = to}),
              acceleration(e, r.q, r.v, r.a, roles));
    std::vector<Vec6<double>> columns(r.v.size());
    jacobian(e, r.q, roles, columns);
    EXPECT_EQ(jacobian(r.tree, r.q, query), columns);
    EXPECT_EQ(jacobian_rate_times_velocity(r.tree, r.q, r.v, query),
              jacobian_rate_times_velocity(e, r.q, r.v, roles));
    if (!(total_mass(r.tree) > 0)) return;
    EXPECT_EQ(centre_of_mass(r.tree, r.q), centre_of_mass(e, r.q));
    EXPECT_EQ(centre_of_mass_velocity(r.tree, r.q, r.v), centre_of_mass_velocity(e, r.q, r.v));
    EXPECT_EQ(centre_of_mass_acceleration(r.tree, r.q, r.v, r.a),
              centre_of_mass_acceleration(e, r.q, r.v, r.a));
    std::vector<Vec3<double>> J(r.v.size());
    centre_of_mass_jacobian(e, r.q, J);
    EXPECT_EQ(centre_of_mass_jacobian(r.tree, r.q), J);
  });
}

TEST(KinematicsCalls, RefuseWhatIsWrong) {
  const Tree tree = TreeBuilder("one")
                        .body("bob", {.mass = 1, .com = {0, 0, -1}})
                        .joint("pivot", revolute({.axis = {0, 1, 0}}))
                        .build();
  const std::vector<double> good(1), few, bad{std::numeric_limits<double>::quiet_NaN()};
  expect_says(message([&] { transform(tree, few, {.of = "bob"}); }), "q");
  expect_says(message([&] { twist(tree, good, bad, {.of = "bob"}); }), "pivot");
  expect_says(message([&] { acceleration(tree, good, good, bad, {.of = "bob"}); }), "pivot");
  expect_says(message([&] { jacobian(tree, bad, {.of = "bob"}); }), "pivot");
  expect_says(message([&] { jacobian(tree, good, {.of = "bod"}); }), "'bod'");
  expect_says(message([&] { centre_of_mass(tree, bad); }), "pivot");
  expect_says(message([&] { manipulability(tree, few, "bob"); }), "q");
}

}  // namespace
}  // namespace axode::test::kinematics_calls_test
