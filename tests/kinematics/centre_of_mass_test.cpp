#include "axode/kinematics/centre_of_mass.hpp"

#include <cmath>

#include "axode/engine/kinematics_calls.hpp"
#include "axode/lie/dual.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/models/random_tree.hpp"
#include "tests/support/models/reference_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::centre_of_mass_test {
namespace {

using nlohmann::json;
using test::expect_near;

/// The linear part of a six-vector in the file.
Vec3<> linear(const json& six) { return test::vec6(six).linear; }

TEST(CentreOfMass, ReferenceMomentumAndEnergy) {
  // Linear momentum and its rate are m c' and m c''; the potential energy is -m g.c.
  double worst = 0;
  const auto check = [&](const Vec3<>& a, const Vec3<>& wanted) {
    const double e = test::largest_difference(a, wanted) / std::max(1.0, max_abs(wanted));
    EXPECT_LE(e, 2e-13);
    worst = std::max(worst, e);
  };
  for (const char* name : {"chain7", "tree9", "remote_centre", "multidof_first"}) {
    const json data = test::read_json(std::string(name) + ".json");
    const Tree tree = test::tree_from_reference(data.at("model"));
    for (const auto& state : data.at("states")) {
      const auto &input = state.at("input"), &output = state.at("output");
      const std::vector<double> q = test::flat(input.at("q")), v = test::flat(input.at("qd"));
      const std::vector<double> a = test::flat(input.at("qdd"));
      const double m = total_mass(tree), V = output.at("potential_energy").get<double>();
      EXPECT_NEAR(-m * dot(tree.gravity, centre_of_mass(tree, q)), V, 2e-13 * std::abs(V) + 1e-13);
      check(m * centre_of_mass_velocity(tree, q, v), linear(output.at("momentum_spatial_total")));
      Vec3<> force{};
      for (const auto& rate : output.at("momentum_rate_spatial")) force += linear(rate);
      check(m * centre_of_mass_acceleration(tree, q, v, a), force);
    }
  }
  test::record("worst_error", worst);
}

TEST(CentreOfMass, ReferenceOfTheMovingBase) {
  const json data = test::read_json("moving_base.json");
  const Tree tree = test::tree_from_reference(data.at("model"));
  for (const auto& state : data.at("states")) {
    const std::vector<double> q = test::moving_base_configuration(state.at("input"));
    const std::vector<double> v =
        test::base_angular_first(state.at("output").at("base").at("body").at("nu"));
    const Vec6<> momentum = test::vec6_linear_first(state.at("output").at("momentum_A"));
    expect_near(total_mass(tree) * centre_of_mass_velocity(tree, q, v), momentum.linear, 1e-13);
  }
}

/// Whether j is body i or carried by it.
bool carries(const Tree& tree, int i, int j) {
  while (j > i) j = tree.links[j].parent;
  return i < 0 || j == i;
}

TEST(CentreOfMass, OfEachSubtreeByItsDefinition) {
  test::for_random_cases(100, [](test::Random& random) {
    const Tree tree = test::random_tree(random, 7);
    const std::vector<double> q = test::random_coordinates(random, tree);
    const Poses<> at = poses(tree, q);
    MassSums<> sums(tree);
    mass_moments(tree, at, sums);
    for (int i = -1; i < tree.size(); ++i) {
      double m = 0;
      Vec3<> moment{};
      for (int j = 0; j < tree.size(); ++j) {
        if (!carries(tree, i, j)) continue;
        const Inertia<double>& inertia = tree.bodies[j].inertia;
        m += inertia.mass;
        moment += inertia.mass * (at.T_WB[j] * inertia.com);
      }
      EXPECT_NEAR(total_mass(tree, i), m, 1e-14 * m);
      const Vec3<> c = centre_of_mass(sums, i);
      expect_near(c, moment / m, 1e-14 * std::max(1.0, max_abs(c)));
      expect_near(centre_of_mass(tree, q, i), c, 1e-13 * std::max(1.0, max_abs(c)));
    }
  });
}

/// After the time t with v + a t, to third order in t.
std::vector<double> moved(const Tree& tree, const std::vector<double>& q,
                          const std::vector<double>& v, const std::vector<double>& a, double t) {
  std::vector<double> d, result(q.size());
  for (std::size_t k = 0; k < v.size(); ++k) d.push_back(v[k] * t + a[k] * t * t / 2);
  plus<double>(tree, q, d, result);
  return result;
}

TEST(CentreOfMass, VelocityAndAccelerationAreDerivatives) {
  test::for_random_cases(50, [](test::Random& random) {
    const Tree tree = test::random_tree(random, 7);
    const std::vector<double> q = test::random_coordinates(random, tree);
    const std::vector<double> v = test::random_velocities(random, tree);
    const std::vector<double> a = test::random_velocities(random, tree);
    const double h = 1e-4;
    const std::vector<double> ahead = moved(tree, q, v, a, h), back = moved(tree, q, v, a, -h);
    std::vector<double> v_ahead(v), v_back(v);
    for (std::size_t k = 0; k < v.size(); ++k) v_ahead[k] += a[k] * h, v_back[k] -= a[k] * h;
    const int body = random.integer(-1, tree.size() - 1);
    // h^2 / 6 times third and fourth derivatives of some 100
    const Vec3<> rate =
        (centre_of_mass(tree, ahead, body) - centre_of_mass(tree, back, body)) / (2 * h);
    expect_near(centre_of_mass_velocity(tree, q, v, body), rate,
                1e-6 * std::max(1.0, max_abs(rate)));
    const Vec3<> second = (centre_of_mass_velocity(tree, ahead, v_ahead, body) -
                           centre_of_mass_velocity(tree, back, v_back, body)) /
                          (2 * h);
    expect_near(centre_of_mass_acceleration(tree, q, v, a, body), second,
                1e-6 * std::max(1.0, max_abs(second)));
  });
}

TEST(CentreOfMass, JacobianTimesVelocity) {
  test::for_random_cases(100, [](test::Random& random) {
    const Tree tree = test::random_tree(random, 7);
    const std::vector<double> q = test::random_coordinates(random, tree);
    const std::vector<double> zero(tree.nv);
    for (int body = -1; body < tree.size(); ++body) {
      const std::vector<Vec3<>> J = centre_of_mass_jacobian(tree, q, body);
      for (std::size_t k = 0; k < J.size(); ++k) {  // column by column
        std::vector<double> e(zero);
        e[k] = 1;
        const Vec3<> wanted = centre_of_mass_velocity(tree, q, e, body);
        expect_near(J[k], wanted, 1e-13 * std::max(1.0, max_abs(wanted)));
      }
    }
  });
}

TEST(CentreOfMass, BodiesWithoutMassAmongOthers) {
  const Tree tree = TreeBuilder()
                        .body("carriage")
                        .joint("slide", prismatic({.axis = {1, 0, 0}}))
                        .body("pendulum", {.mass = 2, .com = {0, 0, -1}})
                        .on("carriage")
                        .joint("pivot", revolute({.axis = {0, 1, 0}}))
                        .body("marker")
                        .on("pendulum")
                        .joint("spin", revolute({.axis = {0, 0, 1}}))
                        .build();
  const std::vector<double> q{.5, pi<double> / 2, 3};
  expect_near(centre_of_mass(tree, q), Vec3<>{-.5, 0, 0}, 1e-15);
  EXPECT_EQ(total_mass(tree), 2);
  EXPECT_EQ(total_mass(tree, 2), 0);
  const std::vector<Vec3<>> J = centre_of_mass_jacobian(tree, q);
  expect_near(J[0], Vec3<>{1, 0, 0}, 1e-15);
  expect_near(J[1], Vec3<>{0, 0, 1}, 1e-15);
  EXPECT_EQ(J[2], Vec3<>{});
  test::expect_says(test::message([&] { centre_of_mass(tree, q, 2); }), "number 2");
  test::expect_says(test::message([&] { centre_of_mass_jacobian(tree, q, 2); }),
                    "a mass above zero");
}

TEST(CentreOfMass, MasslessTreeIsAnError) {
  const Tree tree =
      TreeBuilder().body("ghost").joint("door", revolute({.axis = {0, 0, 1}})).build();
  const std::vector<double> q{0}, v{1};
  for (const std::string& message :
       {test::message([&] { centre_of_mass(tree, q); }),
        test::message([&] { centre_of_mass_velocity(tree, q, v); }),
        test::message([&] { centre_of_mass_acceleration(tree, q, v, v); }),
        test::message([&] { centre_of_mass_jacobian(tree, q); })}) {
    test::expect_says(message, "the tree has no mass");
    test::expect_says(message, "give at least one of the bodies a mass above zero");
  }
}

TEST(CentreOfMass, DualNumbersCarryTheDerivative) {
  test::RandomTreeOptions options;
  options.quaternions = false;
  test::for_random_cases(20, [&](test::Random& random) {
    const Tree tree = test::random_tree(random, 6, options);
    const std::vector<double> q = test::random_coordinates(random, tree);
    const std::vector<double> v = test::random_velocities(random, tree);
    using D = Dual<double>;
    std::vector<D> q_dual;
    for (std::size_t k = 0; k < q.size(); ++k) q_dual.emplace_back(q[k], v[k]);
    Poses<D> at(tree);
    poses<D>(tree, q_dual, at);
    MassSums<D> sums(tree);
    mass_moments(tree, at, sums);
    const Vec3<D> c = centre_of_mass(sums);
    const Vec3<> rate = centre_of_mass_velocity(tree, q, v);
    expect_near(Vec3<>{c.x.dual, c.y.dual, c.z.dual}, rate, 1e-13 * std::max(1.0, max_abs(rate)));
  });
}

TEST(CentreOfMass, EvaluationDoesNotAllocate) {
  test::Random random(11);
  const Tree tree = test::random_tree(random, 8);
  const std::vector<double> q = test::random_coordinates(random, tree);
  const std::vector<double> v = test::random_velocities(random, tree);
  const Poses<> at = poses(tree, q);
  Motion<Rep::body> motion(tree);
  accelerations(tree, at, v, v, motion);
  MassSums<> sums(tree);
  std::vector<Vec3<>> J(v.size());
  EXPECT_EQ(test::count_allocations([&] {
              mass_forces(tree, at, motion, sums);
              centre_of_mass_acceleration(sums);
              centre_of_mass_jacobian(tree, at, sums, J);
            }),
            0);
}

}  // namespace
}  // namespace axode::test::centre_of_mass_test
