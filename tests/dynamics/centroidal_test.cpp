// The quantities of energy.hpp about the centre of mass.
#include <gtest/gtest.h>

#include "axode/dynamics/energy.hpp"
#include "axode/engine/calls.hpp"
#include "axode/engine/kinematics_calls.hpp"
#include "axode/kinematics/centre_of_mass.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/models/moving_tree.hpp"
#include "tests/support/models/reference_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::centroidal_test {
namespace {

TEST(Centroidal, MomentumIsThatAboutTheCentreOfMass) {
  double worst = 0;
  for_random_cases(40, [&](Random& random) {
    const MovingTree r = random_moving_tree(random, random.integer(1, 20));
    const Momentum<Rep::spatial> P = spatial_momentum(r.tree, r.q, r.v);
    const Vec3<double> com = centre_of_mass(r.tree, r.q);
    const Vec3<double> velocity = centre_of_mass_velocity(r.tree, r.q, r.v);
    const Vec6<double> h = centroidal_momentum(r.tree, r.q, r.v).six();
    const double size = 1 + max_abs(P.six());
    expect_near(h.linear, velocity * total_mass(r.tree), 1e-12 * size);
    expect_near(h.angular, P.angular - cross(com, P.linear), 1e-12 * size);
    // h = A_G v
    const std::vector<Momentum<Rep::hybrid>> A = centroidal_momentum_matrix(r.tree, r.q);
    Vec6<double> sum{};
    for (std::size_t k = 0; k < A.size(); ++k) sum += A[k].six() * r.v[k];
    worst = std::max(worst, largest_difference(h, sum) / size);
    expect_near(h, sum, 1e-12 * size);
    // and its rate, by dual numbers
    Poses<Dual<double>> p(r.tree);
    poses<Dual<double>>(r.tree, dual_coordinates(r.tree, r.q, r.v), p);
    Composite<Dual<double>> moving(r.tree);
    composite_momenta<Dual<double>>(r.tree, p, dual(r.v, r.a), moving);
    Composite<double> composite(r.tree);
    composite_motion<double>(r.tree, poses(r.tree, r.q), r.v, r.a, composite, {}, no_effects);
    const Vec6<double> rate = centroidal_momentum_rate(r.tree, composite).six();
    const Vec6<double> expected = dual_part(centroidal_momentum(r.tree, moving).six());
    worst = std::max(worst, largest_difference(rate, expected) / (size + max_abs(expected)));
    expect_near(rate, expected, 1e-12 * (size + max_abs(expected)));
    // so that without accelerations it is A_G' v
    composite_motion<double>(r.tree, poses(r.tree, r.q), r.v, std::vector<double>(r.v.size()),
                             composite, {}, no_effects);
    Vec6<double> A_rate_v = expected;
    for (std::size_t k = 0; k < A.size(); ++k) A_rate_v -= A[k].six() * r.a[k];
    expect_near(centroidal_momentum_rate(r.tree, composite), A_rate_v,
                1e-12 * (size + max_abs(expected)));
  });
  record("worst_relative_error_of_centroidal_momentum", worst);
}

TEST(Centroidal, LockedInertiaIsThatOfAllBodies) {
  for_random_cases(30, [](Random& random) {
    const MovingTree r = random_moving_tree(random, random.integer(1, 20), {.zero_mass = true});
    const Poses<double> p = poses(r.tree, r.q);
    Composite<double> composite(r.tree);
    composite_inertias<double>(r.tree, p, composite);
    for (int body = -1; body < r.tree.size(); ++body) {
      Inertia<double> sum{};
      for (int l = 0; l < r.tree.size(); ++l) {
        int b = l;
        while (b > body) b = r.tree.links[b].parent;
        const std::size_t i = l;
        if (b == body) sum = sum + transform(p.T_WB[i], r.tree.bodies[i].inertia);
      }
      const Inertia<double> I = locked_inertia(r.tree, composite, body);
      EXPECT_NEAR(I.mass, sum.mass, 1e-13 * (1 + sum.mass));
      if (sum.mass == 0) continue;
      expect_near(I.com, sum.com, 1e-13 * (1 + max_abs(sum.com)));
      expect_near(I.about_com, sum.about_com, 1e-12 * (1 + max_abs(about_origin(sum).matrix())));
    }
  });
}

/// A tree whose joints stand still moves as one body: V_G is its twist. With moving joints it has
/// the same momentum.
TEST(Centroidal, AverageVelocityHasTheMomentumOfTheTree) {
  for_random_cases(30, [](Random& random) {
    MovingTree r = random_moving_tree(random, random.integer(2, 15));
    const AverageVelocity<> average = average_velocity(r.tree, r.q, r.v);
    ASSERT_TRUE(average.determined);
    const Inertia<double> I = locked_inertia(r.tree, r.q);
    const Vec6<double> h = centroidal_momentum(r.tree, r.q, r.v).six();
    expect_near(Vec6<double>{I.about_com * average.twist.angular, average.twist.linear * I.mass}, h,
                1e-11 * (1 + max_abs(h)));
  });
  const nlohmann::json data = read_json("moving_base.json");
  const Tree tree =
      tree_from_reference(data.at("model"), GeometryForm::zero_reference, Rep::spatial);
  const std::vector<double> q = moving_base_configuration(data.at("states")[0].at("input"));
  const Vec6<double> V{{.1, -.2, .3}, {.4, .5, -.6}};
  std::vector<double> v(tree.nv);
  for (int k = 0; k < 6; ++k) v[k] = V[k];
  const AverageVelocity<> average = average_velocity(tree, q, v);
  const Vec3<double> com = centre_of_mass(tree, q);
  expect_near(average.twist.angular, V.angular, 1e-13);
  expect_near(average.twist.linear, V.linear + cross(V.angular, com), 1e-13);
}

TEST(Centroidal, AverageVelocityNeedsMassOffALine) {
  const auto rod = [](const Inertia<double>& I) {
    return TreeBuilder{}.body("rod", I).joint("ball", spherical()).build();
  };
  const std::vector<double> q{std::cos(.3), .6 * std::sin(.3), 0, .8 * std::sin(.3)}, v{1, 2, 3};
  EXPECT_FALSE(average_velocity(rod({.mass = 1, .com = {1, 2, 3}}), q, v).determined);
  const double m = 2;
  const Vec3<double> e = Vec3<double>{1, 2, 2} / 3.0;
  EXPECT_FALSE(
      average_velocity(rod({.mass = m, .about_com = minus_skew_squared(e) * m}), q, v).determined);
  EXPECT_FALSE(average_velocity(rod({}), q, v).determined);
  EXPECT_FALSE(  // no mass, though it has inertia
      average_velocity(rod({.about_com = {.1, .1, .1, 0, 0, 0}}), q, v).determined);
  EXPECT_TRUE(
      average_velocity(rod({.mass = m, .about_com = {.1, .1, .1, 0, 0, 0}}), q, v).determined);
}

}  // namespace
}  // namespace axode::test::centroidal_test
