#include "axode/engine/calls.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "axode/core/error.hpp"
#include "axode/dynamics/derivatives/forward_derivatives.hpp"
#include "axode/dynamics/forward/forward_dynamics.hpp"
#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/dynamics/matrices/mass_matrix.hpp"
#include "axode/model/builder.hpp"
#include "tests/engine/engine_cases.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::engine_calls {
namespace {

// Bit for bit: a call is the engine.
TEST(EngineCalls, AreTheEngineToTheLastBit) {
  for_random_cases(40, [](Random& random) {
    const EngineCase r = loaded(random, random_tree(random, 12));
    Engine e(r.tree);
    const EngineOptions o{.external = r.external};
    const DynamicsOptions given{.body_wrenches = r.external};
    std::vector<double> numbers(r.v.size());
    inverse_dynamics(e, r.q, r.v, r.a, numbers, o);
    EXPECT_EQ(inverse_dynamics(r.tree, r.q, r.v, r.a, given), numbers);
    PathMatrix<double> M(r.tree);
    mass_matrix(e, r.q, M);
    EXPECT_EQ(mass_matrix(r.tree, r.q).values, dense(M).values);
    InverseDynamicsDerivatives<double> d(r.tree);
    inverse_dynamics_derivatives(e, r.q, r.v, r.a, d, o);
    const InverseDynamicsDerivatives<double> called =
        inverse_dynamics_derivatives(r.tree, r.q, r.v, r.a, given);
    EXPECT_EQ(called.tau, d.tau);
    EXPECT_EQ(called.by_q.values, d.by_q.values);
    EXPECT_EQ(called.by_v.values, d.by_v.values);
    if (!forward_dynamics(e, r.q, r.v, r.tau, numbers, o).ok()) return;
    EXPECT_EQ(forward_dynamics(r.tree, r.q, r.v, r.tau, given), numbers);
    ForwardDynamicsDerivatives<double> f(r.tree);
    if (!forward_dynamics_derivatives(e, r.q, r.v, r.tau, f, o).ok()) return;
    EXPECT_EQ(forward_dynamics_derivatives(r.tree, r.q, r.v, r.tau, given).by_q.values,
              f.by_q.values);
    DenseMatrix<double> inverse{r.tree.nv, r.tree.nv, std::vector<double>(r.v.size() * r.v.size())};
    ASSERT_TRUE(inverse_mass_matrix(e, r.q, inverse).ok());
    EXPECT_EQ(inverse_mass_matrix(r.tree, r.q).values, inverse.values);
  });
}

TEST(EngineCalls, OfEnergiesAreTheEngineToTheLastBit) {
  for_random_cases(40, [](Random& random) {
    const EngineCase r = loaded(random, random_tree(random, 12));
    Engine e(r.tree);
    const Energy found = energy(e, r.q, r.v), called = energy(r.tree, r.q, r.v);
    EXPECT_EQ(called.kinetic, found.kinetic);
    EXPECT_EQ(called.armature, found.armature);
    EXPECT_EQ(called.potential, found.potential);
    EXPECT_EQ(potential_energy(r.tree, r.q), found.potential);
    std::vector<double> g(r.v.size());
    gravity_forces(e, r.q, g);
    EXPECT_EQ(gravity_forces(r.tree, r.q), g);
    EXPECT_EQ(spatial_momentum(r.tree, r.q, r.v).six(), spatial_momentum(e, r.q, r.v).six());
    EXPECT_EQ(centroidal_momentum(r.tree, r.q, r.v).six(), centroidal_momentum(e, r.q, r.v).six());
    EXPECT_EQ(power(r.tree, r.q, r.v, r.tau, {.body_wrenches = r.external}).external,
              power(e, r.q, r.v, r.tau, {.external = r.external}).external);
    for (const auto choice :
         {CoriolisChoice::skew, CoriolisChoice::uncorrected, CoriolisChoice::christoffel}) {
      DenseMatrix<double> C{r.tree.nv, r.tree.nv, std::vector<double>(g.size() * g.size())};
      coriolis_matrix(e, r.q, r.v, C, choice);
      EXPECT_EQ(coriolis_matrix(r.tree, r.q, r.v, choice).values, C.values);
    }
  });
}

/// What joints transmit, and prescribed motions, are those of forward and inverse dynamics.
TEST(EngineCalls, OfJointsAgreeWithForwardAndInverseDynamics) {
  for_random_cases(20, [](Random& random) {
    const EngineCase r = loaded(random, random_plain_tree(random, 10, {.losses = false}));
    const DynamicsOptions acting{.body_wrenches = r.external};
    const std::vector<double> tau = inverse_dynamics(r.tree, r.q, r.v, r.a, acting);
    const auto body = joint_forces(r.tree, r.q, r.v, r.a, Rep::body, acting);
    for (const Rep rep : {Rep::body, Rep::spatial, Rep::hybrid, Rep::mixed}) {
      const auto found = joint_forces(r.tree, r.q, r.v, r.a, rep, acting);
      EXPECT_LT(relative_difference(found.tau, tau), 1e-10);
      for (std::size_t i = 0; i < body.joint_wrenches.size(); ++i)
        EXPECT_LT(largest_difference(found.joint_wrenches[i].six(), body.joint_wrenches[i].six()),
                  1e-9 * (1 + norm(body.joint_wrenches[i].angular) +
                          norm(body.joint_wrenches[i].linear)));
    }
    const std::vector<Given> moved(r.v.size(), Given::acceleration), driven(r.v.size());
    EXPECT_LT(relative_difference(
                  prescribed_dynamics(r.tree, r.q, r.v, moved, r.a, tau, acting).tau, tau),
              1e-10);
    EXPECT_LT(
        relative_difference(prescribed_dynamics(r.tree, r.q, r.v, driven, r.a, r.tau, acting).a,
                            forward_dynamics(r.tree, r.q, r.v, r.tau, acting)),
        1e-8);
  });
}

/// Another algorithm: the recursions of the papers.
TEST(EngineCalls, AgreeWithTheReference) {
  Random random(3);
  const EngineCase r = loaded(random, random_plain_tree(random, 15));
  const DynamicsOptions given{.body_wrenches = r.external};
  EXPECT_LT(
      relative_difference(inverse_dynamics(r.tree, r.q, r.v, r.a, given),
                          reference::inverse_dynamics(r.tree, r.q, r.v, r.a, Rep::spatial, given)),
      1e-11);
  EXPECT_LT(
      relative_difference(forward_dynamics(r.tree, r.q, r.v, r.tau, given),
                          reference::forward_dynamics(r.tree, r.q, r.v, r.tau, Rep::hybrid, given)),
      1e-10);
  EXPECT_LT(relative_difference(mass_matrix(r.tree, r.q).values,
                                reference::mass_matrix(r.tree, r.q).values),
            1e-12);
}

TEST(EngineCalls, WrenchesByNameAreThoseOfTheBody) {
  Random random(4);
  const EngineCase r = loaded(random, random_plain_tree(random, 6));
  const std::string name = r.tree.bodies.back().name;
  std::vector<Wrench<Rep::body>> on_body(r.tree.links.size(), Wrench<Rep::body>{});
  const Vec6<double> w{{1, 2, 3}, {4, 5, 6}};
  on_body.back() = Wrench<Rep::body>{w.angular, w.linear};
  EXPECT_LT(relative_difference(
                inverse_dynamics(r.tree, r.q, r.v, r.a,
                                 {.external = {{.on = name, .wrench = w, .expressed_in = name}}}),
                inverse_dynamics(r.tree, r.q, r.v, r.a, {.body_wrenches = on_body})),
            1e-13);
}

TEST(EngineCalls, RefuseWhatIsWrong) {
  const Tree tree = TreeBuilder("one")
                        .body("bob", {.mass = 1, .com = {0, 0, -1}})
                        .joint("pivot", revolute({.axis = {0, 1, 0}}))
                        .body("ghost", {})
                        .on("bob")
                        .joint("idle", revolute({.axis = {0, 0, 1}}))
                        .build();
  const std::vector<double> good(2), few(1), bad{0, std::numeric_limits<double>::quiet_NaN()};
  expect_says(message([&] { inverse_dynamics(tree, few, good, good); }), "q");
  expect_says(message([&] { inverse_dynamics(tree, good, bad, good); }), "idle");
  expect_says(message([&] { forward_dynamics(tree, good, good, few); }), "tau");
  expect_says(message([&] { mass_matrix(tree, bad); }), "idle");
  expect_says(
      message([&] { inverse_dynamics(tree, good, good, good, {.external = {{.on = "x"}}}); }),
      "'x'");
  EXPECT_THROW(forward_dynamics(tree, good, good, good), SingularError);
  EXPECT_THROW(forward_dynamics_derivatives(tree, good, good, good), SingularError);
  EXPECT_THROW(inverse_mass_matrix(tree, good), SingularError);
  expect_says(message([&] { forward_dynamics(tree, good, good, good); }), "idle");
}

}  // namespace
}  // namespace axode::test::engine_calls
