#include "axode/dynamics/energy.hpp"

#include <gtest/gtest.h>

#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/dynamics/matrices/mass_matrix.hpp"
#include "axode/dynamics/potential.hpp"
#include "axode/engine/calls.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/models/moving_tree.hpp"
#include "tests/support/models/reference_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::energy_test {
namespace {

using D = Dual<double>;

/// A moving tree with dual parts along its motion: the derivative of whatever is computed of it.
struct Moving {
  explicit Moving(const MovingTree& r)
      : p(r.tree), motion(r.tree), composite(r.tree), v(dual(r.v, r.a)) {
    poses<D>(r.tree, dual_coordinates(r.tree, r.q, r.v), p);
    twists<Rep::body, D>(r.tree, p, v, motion);
    composite_momenta<D>(r.tree, p, v, composite);
  }
  Poses<D> p;
  Motion<Rep::body, D> motion;
  Composite<D> composite;
  std::vector<D> v;
};
MovingTree lossy_tree(Random& random, int bodies) {
  MovingTree r = random_moving_tree(random, bodies);
  for (Dof& dof : r.tree.dofs) {
    dof.armature = random.uniform(0, 1);
    dof.damping = random.uniform(0, 1);
    dof.friction = random.uniform(0, 1);
  }
  return r;
}

TEST(Energy, ReferenceVectors) {
  double worst = 0;
  const auto check = [&](double error) {
    EXPECT_LT(error, 1e-13);
    worst = std::max(worst, error);
  };
  for (const char* file :
       {"remote_centre", "chain7", "tree9", "multidof_first", "multidof_second"}) {
    SCOPED_TRACE(file);
    const nlohmann::json data = read_json(std::string(file) + ".json");
    const Tree tree = tree_from_reference(data.at("model"));
    for (const auto& state : data.at("states")) {
      const std::vector<double> q = flat(state.at("input").at("q")),
                                v = flat(state.at("input").at("qd"));
      const auto& output = state.at("output");
      const Energy e = energy(tree, q, v);
      check(relative_difference(std::array{e.kinetic, e.potential, e.armature},
                                std::array{output.at("kinetic_energy").get<double>(),
                                           output.at("potential_energy").get<double>(), 0.0}));
      const Vec6<double> total = vec6(output.at("momentum_spatial_total"));
      check(largest_difference(spatial_momentum(tree, q, v).six(), total) / max_abs(total));
      const Poses<double> p = poses(tree, q);
      Motion<Rep::body> motion(tree);
      twists<Rep::body, double>(tree, p, v, motion);
      std::vector<Momentum<Rep::spatial>> momenta(tree.links.size());
      body_momenta<double>(tree, p, motion, momenta);
      for (std::size_t i = 0; i < momenta.size(); ++i) {
        const Vec6<double> expected = vec6(output.at("momentum_spatial")[i]);
        check(largest_difference(momenta[i].six(), expected) / (1 + max_abs(expected)));
      }
    }
  }
  record("worst_relative_error", worst);
}

TEST(Energy, ReferenceVectorsOfAMovingBase) {
  const nlohmann::json data = read_json("moving_base.json");
  const std::array<std::pair<Rep, const char*>, 3> forms{
      {{Rep::body, "body"}, {Rep::hybrid, "mixed"}, {Rep::spatial, "inertial"}}};
  double worst = 0;
  for (const auto& [velocity, form] : forms) {
    const Tree tree = tree_from_reference(data.at("model"), GeometryForm::zero_reference, velocity);
    for (const auto& state : data.at("states")) {
      const std::vector<double> q = moving_base_configuration(state.at("input"));
      const auto& output = state.at("output");
      const std::vector<double> v = base_angular_first(output.at("base").at(form).at("nu"));
      const Energy e = energy(tree, q, v);
      const Vec6<double> expected = vec6_linear_first(output.at("momentum_A"));
      const double error = std::max(
          relative_difference(std::array{e.kinetic, e.potential},
                              std::array{output.at("kinetic_energy").get<double>(),
                                         output.at("potential_energy").get<double>()}),
          largest_difference(spatial_momentum(tree, q, v).six(), expected) / max_abs(expected));
      EXPECT_LT(error, 1e-13) << form;
      worst = std::max(worst, error);
      const Poses<double> p = poses(tree, q);
      Motion<Rep::body> motion(tree);
      twists<Rep::body, double>(tree, p, v, motion);
      std::vector<Momentum<Rep::spatial>> links(tree.links.size());
      body_momenta<double>(tree, p, motion, links);
      for (std::size_t i = 0; i < links.size(); ++i)
        expect_near(links[i].six(), vec6_linear_first(output.at("momentum_A_links").at(i)), 1e-13);
    }
  }
  record("worst_relative_error_moving_base", worst);
}

TEST(Energy, IsHalfTheQuadraticFormOfTheMassMatrix) {
  for_random_cases(30, [](Random& random) {
    const MovingTree r = lossy_tree(random, random.integer(1, 20));
    const Energy e = energy(r.tree, r.q, r.v);
    const auto form = [&](const Effects& effects) {
      const std::vector<double> p = times(reference::mass_matrix(r.tree, r.q, effects), r.v);
      double sum = 0;
      for (std::size_t k = 0; k < p.size(); ++k) sum += p[k] * r.v[k] / 2;
      return sum;
    };
    EXPECT_NEAR(e.kinetic, form({.armature = false}), 1e-12 * (1 + e.kinetic));
    EXPECT_NEAR(e.kinetic + e.armature, form({}), 1e-12 * (1 + e.kinetic));
  });
}

/// The rate of the energy along any motion is the power of the forces it needs.
TEST(Energy, ChangesByThePower) {
  double worst = 0;
  for_random_cases(40, [&](Random& random) {
    const MovingTree r = lossy_tree(random, random.integer(1, 20));
    const Moving moving(r);
    const double rate = kinetic_energy(r.tree, moving.motion).dual +
                        armature_energy<D>(r.tree, moving.v).dual +
                        potential_energy(r.tree, moving.p).dual;
    std::vector<Wrench<Rep::body>> external(r.tree.links.size());
    for (auto& W : external) W = {random.vec3(), random.vec3()};
    const Poses<double> p = poses(r.tree, r.q);
    InverseDynamics<Rep::body> work(r.tree);
    std::vector<double> tau(r.v.size());
    inverse_dynamics<Rep::body, double>(r.tree, p, r.v, r.a, work, tau, external);
    const Power<double> P = power<double>(r.tree, work.motion, r.v, tau, external);
    EXPECT_LE(P.losses, 0);
    const double size = 1 + std::abs(P.joints) + std::abs(P.external) + std::abs(P.losses);
    const double error = std::abs(P.joints + P.external + P.losses - rate) / size;
    EXPECT_LT(error, 1e-12);
    worst = std::max(worst, error);
  });
  record("worst_relative_error_of_balance", worst);
}

/// The rate of the total momentum is the sum of the wrenches on the tree: what the roots' joints
/// transmit, gravity, and external wrenches.
TEST(Energy, MomentumChangesByTheWrenches) {
  double worst = 0;
  for_random_cases(40, [&](Random& random) {
    const MovingTree r = random_moving_tree(random, random.integer(1, 20));
    const Moving moving(r);
    const Poses<double> p = poses(r.tree, r.q);
    std::vector<Wrench<Rep::body>> external(r.tree.links.size());
    for (auto& W : external) W = {random.vec3(), random.vec3()};
    InverseDynamics<Rep::spatial> work(r.tree);
    std::vector<double> tau(r.v.size());
    inverse_dynamics<Rep::spatial, double>(r.tree, p, r.v, r.a, work, tau, external);
    Vec6<double> sum{};
    for (std::size_t i = 0; i < r.tree.links.size(); ++i) {
      const Inertia<double>& I = r.tree.bodies[i].inertia;
      const Vec3<double> weight = r.tree.gravity * I.mass;
      sum += {cross(p.T_WB[i] * I.com, weight), weight};
      sum += Ad_inverse_transpose(p.T_WB[i], external[i].six());
      if (r.tree.links[i].parent < 0) sum += work.joint_wrenches[i].six();
    }
    const Vec6<double> rate = dual_part(spatial_momentum(r.tree, moving.composite).six());
    const double error = largest_difference(rate, sum) / (1 + max_abs(sum));
    EXPECT_LT(error, 1e-12);
    worst = std::max(worst, error);
  });
  record("worst_relative_error_of_momentum_balance", worst);
}

/// A tree in free flight without gravity: any motion of its joints by inner forces leaves momentum
/// and, without forces at all, energy.
TEST(Energy, FreeFlightConservesMomentumAndEnergy) {
  for_random_cases(20, [](Random& random) {
    TreeBuilder builder;
    builder.gravity({0, 0, 0})
        .body("base", {.mass = 3, .com = {.1, .2, 0}, .about_com = {.3, .4, .5, 0, .01, .02}})
        .joint("float", free_joint({.velocity = Rep::hybrid}));
    const std::array<Joint, 3> joints{revolute({.axis = random.unit(), .point = random.vec3(1)}),
                                      spherical({.point = random.vec3(1)}),
                                      cylindrical({.axis = random.unit()})};
    std::string name = "base";
    for (const Joint& joint : joints) {
      const std::string next = name + "+";
      builder.body(next, {.mass = 1, .com = random.vec3(.3), .about_com = {.1, .2, .15, 0, 0, 0}})
          .on(name)
          .joint(next, joint);
      name = next;
    }
    MovingTree r{builder.build(), {}, {}, {}};
    r.q = random_coordinates(random, r.tree);
    r.v = random_velocities(random, r.tree);
    // M a = tau - c, tau zero on the base
    for (const bool forces : {false, true}) {
      std::vector<double> tau(r.v.size()), c(r.v.size());
      for (std::size_t k = 6; k < tau.size() && forces; ++k) tau[k] = random.uniform(-1, 1);
      InverseDynamics<Rep::body> work(r.tree);
      inverse_dynamics<Rep::body, double>(r.tree, poses(r.tree, r.q), r.v,
                                          std::vector<double>(r.v.size()), work, c);
      for (std::size_t k = 0; k < tau.size(); ++k) c[k] = tau[k] - c[k];
      r.a = times(reference::inverse_mass_matrix(r.tree, r.q), c);
      const Moving moving(r);
      EXPECT_LT(max_abs(dual_part(spatial_momentum(r.tree, moving.composite).six())), 1e-12);
      EXPECT_LT(max_abs(dual_part(centroidal_momentum(r.tree, moving.composite).six())), 1e-12);
      double power_in = 0;
      for (std::size_t k = 0; k < tau.size(); ++k) power_in += tau[k] * r.v[k];
      EXPECT_NEAR(kinetic_energy(r.tree, moving.motion).dual, power_in, 1e-12);
    }
  });
}

TEST(Energy, ChecksWhatItIsGiven) {
  Random random(1);
  const MovingTree r = random_moving_tree(random, 3, {.one_screw_joints = true});
  const std::vector<double> wrong{1};
  expect_says(message([&] { energy(r.tree, wrong, r.v); }), "q");
  expect_says(message([&] { energy(r.tree, r.q, wrong); }), "v");
  expect_says(message([&] { spatial_momentum(r.tree, r.q, wrong); }), "v");
}

TEST(Energy, AllocatesNothing) {
  Random random(7);
  const MovingTree r = random_moving_tree(random, 20);
  const Poses<double> p = poses(r.tree, r.q);
  Motion<Rep::body> motion(r.tree);
  twists<Rep::body, double>(r.tree, p, r.v, motion);
  Composite<double> c(r.tree);
  composite_motion<double>(r.tree, p, r.v, r.a, c);
  std::vector<Momentum<Rep::spatial>> momenta(r.tree.links.size());
  std::vector<Momentum<Rep::hybrid>> columns(r.v.size());
  double sum = 0;
  EXPECT_EQ(count_allocations([&] {
              sum += kinetic_energy(r.tree, motion) + armature_energy<double>(r.tree, r.v);
              sum += power<double>(r.tree, motion, r.v, r.a).joints;
              body_momenta<double>(r.tree, p, motion, momenta);
              sum += spatial_momentum(r.tree, c).linear.x + locked_inertia(r.tree, c).mass;
              centroidal_momentum_matrix<double>(r.tree, c, columns);
              sum += centroidal_momentum_rate(r.tree, c).linear.x;
              sum += average_velocity(r.tree, c).twist.linear.x;
            }),
            0);
  EXPECT_FALSE(std::isnan(sum));
}

}  // namespace
}  // namespace axode::test::energy_test
