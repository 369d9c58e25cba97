#include "axode/dynamics/any_scalar/potential.hpp"

#include <gtest/gtest.h>

#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/engine/calls.hpp"
#include "axode/kinematics/any_scalar/poses.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/models/moving_tree.hpp"
#include "tests/support/models/reference_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::potential_test {
namespace {

bool has_numbers(const Link& link) {
  return link.nv > 0 && link.map != JointMap::quaternion && link.map != JointMap::free;
}
Springs random_springs(Random& random, const Tree& tree) {
  Springs springs;
  for (int i = 0; i < tree.size(); ++i) {
    const Link& link = tree.links[i];
    if (has_numbers(link))
      springs.joints.push_back({.body = i,
                                .dof = random.integer(0, link.nv - 1),
                                .stiffness = random.uniform(1, 50),
                                .rest = random.uniform(-1, 1)});
  }
  for (int s = 0; s < 5; ++s)
    springs.lines.push_back({.a = {random.integer(-1, tree.size() - 1), random.pose(.3)},
                             .b = {random.integer(-1, tree.size() - 1), random.pose(.3)},
                             .stiffness = random.uniform(1, 50),
                             .length = s == 0 ? 0 : random.uniform(0, 1)});
  return springs;
}
/// Coordinates moving with the velocity e_k.
std::vector<Dual<double>> along(const MovingTree& r, std::size_t k) {
  std::vector<double> e(r.v.size());
  e[k] = 1;
  return dual_coordinates(r.tree, r.q, e);
}

TEST(Potential, ReferenceVectors) {
  double worst = 0;
  for (const char* file :
       {"remote_centre", "chain7", "tree9", "multidof_first", "multidof_second"}) {
    const nlohmann::json data = read_json(std::string(file) + ".json");
    const Tree tree = tree_from_reference(data.at("model"));
    for (const auto& state : data.at("states")) {
      const std::vector<double> q = flat(state.at("input").at("q"));
      const double energy = state.at("output").at("potential_energy").get<double>();
      const double error =
          std::max(relative_difference(gravity_forces(tree, q),
                                       flat(state.at("output").at("gravity_vector")), 0),
                   relative_difference(std::array{potential_energy(tree, q)}, std::array{energy}));
      EXPECT_LT(error, 1e-13) << file;
      worst = std::max(worst, error);
    }
  }
  record("worst_relative_error", worst);
}

TEST(Potential, ReferenceVectorsOfAMovingBase) {
  const nlohmann::json data = read_json("moving_base.json");
  const std::array<std::pair<Rep, const char*>, 3> forms{
      {{Rep::body, "body"}, {Rep::hybrid, "mixed"}, {Rep::spatial, "inertial"}}};
  for (const auto& [velocity, form] : forms) {
    const Tree tree = tree_from_reference(data.at("model"), GeometryForm::zero_reference, velocity);
    for (const auto& state : data.at("states")) {
      const std::vector<double> q = moving_base_configuration(state.at("input"));
      const auto& output = state.at("output");
      EXPECT_LT(relative_difference(gravity_forces(tree, q),
                                    base_angular_first(output.at("base").at(form).at("G")), 0),
                1e-13);
      const double energy = output.at("potential_energy").get<double>();
      EXPECT_NEAR(potential_energy(tree, q), energy, 1e-13 * (1 + std::abs(energy)));
    }
  }
}

/// Forces are the negative gradient of the energy, that of gravity with its sign on the other side.
TEST(Potential, ForcesAreDerivativesOfTheEnergy) {
  double worst = 0;
  for_random_cases(30, [&](Random& random) {
    const MovingTree r = random_moving_tree(random, random.integer(1, 10), {.zero_mass = true});
    const Springs springs = random_springs(random, r.tree);
    std::vector<double> gravity, spring;
    for (std::size_t k = 0; k < r.v.size(); ++k) {
      Poses<Dual<double>> p(r.tree);
      poses<Dual<double>>(r.tree, along(r, k), p);
      gravity.push_back(potential_energy(r.tree, p).dual);
      spring.push_back(-potential_energy(r.tree, p, springs).dual);
    }
    const double error = std::max(relative_difference(gravity_forces(r.tree, r.q), gravity),
                                  relative_difference(spring_forces(r.tree, r.q, springs), spring));
    EXPECT_LT(error, 1e-13);
    worst = std::max(worst, error);
  });
  record("worst_relative_error_of_gradient", worst);
}

TEST(Potential, ForcesAreDifferencesOfTheEnergy) {
  for_random_cases(10, [](Random& random) {
    const MovingTree r = random_moving_tree(random, random.integer(1, 6));
    const Springs springs = random_springs(random, r.tree);
    std::vector<double> expected = gravity_forces(r.tree, r.q), difference;
    const std::vector<double> spring = spring_forces(r.tree, r.q, springs);
    const double h = 1e-5;
    for (std::size_t k = 0; k < r.v.size(); ++k) {
      expected[k] -= spring[k];
      std::vector<double> step(r.v.size()), q(r.q.size());
      const auto energy = [&](double s) {
        step[k] = s;
        plus<double>(r.tree, r.q, step, q);
        return potential_energy(r.tree, q, springs);
      };
      difference.push_back((energy(h) - energy(-h)) / (2 * h));
    }
    EXPECT_LT(relative_difference(difference, expected), 1e-7);  // h^2 of a third derivative
  });
}

TEST(Potential, GravityIsThatOfInverseDynamicsAtRest) {
  for_random_cases(20, [](Random& random) {
    const MovingTree r = random_moving_tree(random, random.integer(1, 30));
    const std::vector<double> zero(r.v.size());
    std::vector<double> tau(r.v.size());
    InverseDynamics<Rep::spatial> work(r.tree);
    inverse_dynamics<Rep::spatial, double>(r.tree, poses(r.tree, r.q), zero, zero, work, tau);
    EXPECT_LT(relative_difference(gravity_forces(r.tree, r.q), tau), 1e-13);
  });
}

/// Two sliders on one rail, 3 m apart, a spring of 1 m and 10 N/m between them.
TEST(Potential, LineSpringOnARail) {
  const Tree tree = TreeBuilder{}
                        .body("a", {.mass = 1})
                        .joint("a", prismatic({.axis = {1, 0, 0}}))
                        .body("b", {.mass = 1})
                        .joint("b", prismatic({.axis = {1, 0, 0}}))
                        .build();
  Springs springs;
  springs.lines.push_back({.a = {0, {}}, .b = {1, {}}, .stiffness = 10, .length = 1});
  const std::vector<double> q{0, 3};
  EXPECT_DOUBLE_EQ(potential_energy(tree, q, springs), 20);
  expect_near(spring_forces(tree, q, springs), std::vector<double>{20, -20}, 1e-14);
  const std::vector<double> together{2, 2};  // no direction, no force, but energy
  EXPECT_EQ(spring_forces(tree, together, springs), (std::vector<double>{0, 0}));
  EXPECT_DOUBLE_EQ(potential_energy(tree, together, springs), 5);
  // Without length it is smooth there: derivative of the force is the stiffness.
  springs.lines[0].length = 0;
  Poses<Dual<double>> p(tree);
  poses<Dual<double>>(tree, dual(together, {1, 0}), p);
  std::vector<Dual<double>> forces(2);
  add_spring_forces<Dual<double>>(tree, p, springs, forces);
  EXPECT_EQ(dual_parts(forces), (std::vector<double>{-10, 10}));
  EXPECT_EQ(potential_energy(tree, p, springs).dual, 0);
}

/// The energy of a spring without length has its second derivative, too, where the ends meet.
TEST(Potential, LineSpringWithoutLengthIsSmooth) {
  using D = Dual<double>;
  using DD = Dual<D>;
  const Tree tree =
      TreeBuilder{}.body("a", {.mass = 1}).joint("a", prismatic({.axis = {1, 0, 0}})).build();
  Springs springs;
  springs.lines.push_back({.a = {0, {}}, .b = {-1, {}}, .stiffness = 10});
  Poses<DD> p(tree);
  p.T_WB[0].p = {DD(D(0, 1), D(1, 0)), DD(D(0)), DD(D(0))};  // the end moves along x
  const DD energy = potential_energy(tree, p, springs);
  EXPECT_EQ(energy.real.real, 0);
  EXPECT_EQ(energy.real.dual, 0);
  EXPECT_EQ(energy.dual.dual, 10);
}

/// A spring between a body and what it carries does nothing to joints that carry both.
TEST(Potential, LineSpringsActOnlyBetweenTheirEnds) {
  Random random(8);
  const MovingTree r = random_moving_tree(random, 6, {.chain = true, .one_screw_joints = true});
  Springs springs;
  springs.lines.push_back(
      {.a = {2, random.pose(.3)}, .b = {4, random.pose(.3)}, .stiffness = 10, .length = .1});
  const std::vector<double> f = spring_forces(r.tree, r.q, springs);
  for (const std::size_t k : {0, 1, 2, 5}) EXPECT_EQ(f[k], 0);
  for (const std::size_t k : {3, 4}) EXPECT_NE(f[k], 0);
}

TEST(Potential, ChecksSprings) {
  const Tree tree = TreeBuilder{}
                        .body("a")
                        .joint("hinge", revolute({}))
                        .body("b")
                        .on("a")
                        .joint("ball", spherical())
                        .build();
  const auto text = [&](const JointSpring& spring) {
    return message([&] { check_springs(tree, {.joints = {spring}}); });
  };
  expect_says(text({.body = 2}), "body number 2");
  expect_says(text({.body = 1}), "'ball'");
  expect_says(text({.body = 0, .dof = 1}), "'hinge'");
  expect_says(text({.stiffness = -1}), "stiffness");
  expect_says(text({.rest = NAN}), "rest");
  const auto line = [&](const LineSpring& spring) {
    return message([&] { check_springs(tree, {.lines = {spring}}); });
  };
  expect_says(line({.a = {-2, {}}}), "body number -2");
  expect_says(line({.b = {2, {}}}), "body number 2");
  expect_says(line({.a = {0, translation(Vec3<double>{INFINITY, 0, 0})}}), "finite");
  expect_says(line({.stiffness = NAN}), "stiffness");
  expect_says(line({.length = -1}), "length");
  check_springs(tree, {.joints = {{.stiffness = 1}}, .lines = {{.a = {1, {}}, .length = 1}}});
}

TEST(Potential, AllocatesNothing) {
  Random random(7);
  const MovingTree r = random_moving_tree(random, 20);
  const Springs springs = random_springs(random, r.tree);
  const Poses<double> p = poses(r.tree, r.q);
  Composite<double> composite(r.tree);
  composite_inertias<double>(r.tree, p, composite);
  std::vector<double> forces(r.v.size());
  EXPECT_EQ(count_allocations([&] {
              gravity_forces<double>(r.tree, composite, forces);
              add_spring_forces<double>(r.tree, p, springs, forces);
              forces[0] = potential_energy(r.tree, p) + potential_energy(r.tree, p, springs);
            }),
            0);
}

}  // namespace
}  // namespace axode::test::potential_test
