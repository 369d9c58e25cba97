#include "axode/engine/energy.hpp"

#include <gtest/gtest.h>

#include "axode/core/error.hpp"
#include "tests/engine/engine_cases.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/near.hpp"

namespace axode::test::engine_energy_test {
namespace {

double relative(double a, double b) { return std::abs(a - b) / (1 + std::abs(b)); }
template <class Six>
double relative_sixes(const Six& a, const Six& b) {
  return largest_difference(a.six(), b.six()) / (1 + norm(b.angular) + norm(b.linear));
}

/// The same sums on poses by the recursion of kinematics/.
TEST(EngineEnergy, EqualTheSumsOnPosesByRecursion) {
  for_random_cases(100, [](Random& random) {
    const EngineCase r = random_case(random, 30);
    Engine e(r.tree);
    const Poses<double> at = poses(r.tree, r.q);
    Motion<Rep::body> motion(r.tree);
    accelerations<Rep::body, double>(r.tree, at, r.v, r.a, motion);
    Composite<double> sums(r.tree);
    composite_motion<double>(r.tree, at, r.v, r.a, sums, {}, no_effects);
    const Energy found = energy(e, r.q, r.v);
    EXPECT_EQ(found.kinetic, kinetic_energy(e, r.q, r.v));
    EXPECT_EQ(found.potential, potential_energy(e, r.q));
    EXPECT_LT(relative(found.kinetic, kinetic_energy(r.tree, motion)), 1e-11);
    EXPECT_LT(relative(found.potential, potential_energy(r.tree, at)), 1e-11);
    EXPECT_EQ(found.armature, armature_energy<double>(r.tree, r.v));
    const Power<> p = power(e, r.q, r.v, r.tau, {.external = r.external});
    const Power<> expected = power<double>(r.tree, motion, r.v, r.tau, r.external);
    EXPECT_EQ(p.losses, expected.losses);
    EXPECT_LT(relative(p.external, expected.external), 1e-10);
    EXPECT_LT(relative_sixes(spatial_momentum(e, r.q, r.v), spatial_momentum(r.tree, sums)), 1e-10);
    EXPECT_LT(relative_sixes(centroidal_momentum(e, r.q, r.v), centroidal_momentum(r.tree, sums)),
              1e-10);
    EXPECT_LT(relative_sixes(centroidal_momentum_rate(e, r.q, r.v, r.a),
                             centroidal_momentum_rate(r.tree, sums)),
              1e-9);
    EXPECT_LT(relative(locked_inertia(e, r.q).mass, locked_inertia(r.tree, sums).mass), 1e-12);
  });
}

/// Kinetic energy by the mass matrix, momenta by A_G, gravity by the work along each velocity.
TEST(EngineEnergy, AgreesWithTheMatrices) {
  for_random_cases(50, [](Random& random) {
    const EngineCase r = loaded(random, random_plain_tree(random, 10));
    Engine e(r.tree);
    PathMatrix<double> M(r.tree);
    mass_matrix(e, r.q, M);
    std::vector<double> Mv(r.v.size()), g(r.v.size());
    multiply<double>(M, r.v, Mv);
    double twice = 0, along = 0;
    for (std::size_t k = 0; k < Mv.size(); ++k) twice += r.v[k] * Mv[k];
    const Energy found = energy(e, r.q, r.v);
    EXPECT_LT(relative(found.kinetic + found.armature, twice / 2), 1e-11);

    std::vector<Momentum<Rep::hybrid>> A(r.v.size());
    centroidal_momentum_matrix(e, r.q, A);
    Vec6<double> h{};
    for (std::size_t k = 0; k < A.size(); ++k) h += A[k].six() * r.v[k];
    EXPECT_LT(relative_sixes(centroidal_momentum(e, r.q, r.v),
                             Momentum<Rep::hybrid>{h.angular, h.linear}),
              1e-10);

    gravity_forces(e, r.q, g);
    std::vector<double> moved(r.q.size()), step(r.v.size());
    constexpr double small = 1e-6;
    const auto potential_at = [&](double h_step) {
      for (std::size_t k = 0; k < step.size(); ++k) step[k] = h_step * r.v[k];
      plus<double>(r.tree, r.q, step, moved);
      return potential_energy(e, moved);
    };
    const double numeric = (potential_at(small) - potential_at(-small)) / (2 * small);
    for (std::size_t k = 0; k < g.size(); ++k) along += g[k] * r.v[k];
    EXPECT_LT(relative(along, numeric), 1e-6);
  });
}

/// The Jacobian gives the velocity, velocity and acceleration are the changes of position.
TEST(EngineEnergy, CentreOfMassMoves) {
  for_random_cases(50, [](Random& random) {
    const EngineCase r = loaded(random, random_plain_tree(random, 10));
    Engine e(r.tree);
    if (!(total_mass(r.tree) > 0)) {
      EXPECT_THROW(centre_of_mass(e, r.q), Error);
      return;
    }
    std::vector<Vec3<double>> J(r.v.size());
    centre_of_mass_jacobian(e, r.q, J);
    Vec3<double> v{}, rate{};
    for (std::size_t k = 0; k < J.size(); ++k) v += J[k] * r.v[k];
    const Vec3<double> found = centre_of_mass_velocity(e, r.q, r.v);
    EXPECT_LT(norm(v - found), 1e-11 * (1 + norm(v)));
    const double m = total_mass(r.tree);
    EXPECT_LT(norm(found * m - centroidal_momentum(e, r.q, r.v).linear), 1e-10 * (1 + m * norm(v)));
    rate = centroidal_momentum_rate(e, r.q, r.v, r.a).linear;
    EXPECT_LT(norm(centre_of_mass_acceleration(e, r.q, r.v, r.a) * m - rate),
              1e-9 * (1 + norm(rate)));
  });
}

TEST(EngineEnergy, DoesNotAllocateAfterTheFirstCall) {
  Random random(1);
  const EngineCase r = loaded(random, random_plain_tree(random, 12));
  Engine e(r.tree);
  std::vector<double> numbers(r.v.size());
  std::vector<Vec3<double>> J(r.v.size());
  std::vector<Momentum<Rep::hybrid>> A(r.v.size());
  const auto all = [&] {
    energy(e, r.q, r.v);
    power(e, r.q, r.v, r.tau, {.external = r.external});
    gravity_forces(e, r.q, numbers);
    spring_forces(e, r.q, {}, numbers);
    centroidal_momentum_matrix(e, r.q, A);
    centroidal_momentum_rate(e, r.q, r.v, r.a);
    average_velocity(e, r.q, r.v);
    locked_inertia(e, r.q);
    centre_of_mass_acceleration(e, r.q, r.v, r.a);
    centre_of_mass_jacobian(e, r.q, J);
  };
  all();
  EXPECT_EQ(count_allocations(all), 0);
}

}  // namespace
}  // namespace axode::test::engine_energy_test
