#include "axode/simulate/systems/tree_system.hpp"

#include <cmath>

#include "axode/dynamics/energy.hpp"
#include "axode/dynamics/forward/forward_dynamics.hpp"
#include "axode/engine/calls.hpp"
#include "tests/support/models/coupled_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::tree_system {
namespace {

Forces nothing() {
  Forces forces;
  forces.friction.on = forces.stops.on = false;
  return forces;
}

struct Case {
  Tree tree;
  Forces forces;
};
/// All kinds of joints, some coupled, with damping, a spring-damper on each simple degree of freedom and a wrench.
Case random_case(Random& random, bool coupled) {
  const int bodies = random.integer(1, 7);
  Case c{coupled ? random_coupled_tree(random, bodies) : random_tree(random, bodies), nothing()};
  for (Dof& dof : c.tree.dofs) dof.damping = random.uniform(0, 1);
  for (const Link& link : c.tree.links)
    if (link.nq == link.nv)
      for (int k = 0; k < link.nv; ++k)
        c.forces.springs.push_back({.velocity = link.v + k,
                                    .stiffness = random.uniform(0, 5),
                                    .rest = random.uniform(-1, 1),
                                    .damping = random.uniform(0, 1)});
  BodyForce wrench{.body = random.integer(0, bodies - 1), .wrench = {}, .expressed_in = {}};
  for (Signal& component : wrench.wrench) component = random.uniform(-1, 1);
  c.forces.wrenches.push_back(wrench);
  return c;
}

std::vector<double> random_x(Random& random, const Tree& tree, const TreeSystem& system) {
  std::vector<double> q = random_coordinates(random, tree);
  return system.reduce_state({q, random_velocities(random, tree)});
}

TEST(TreeSystem, AccelerationsAreThoseOfForwardDynamics) {
  for_random_cases(60, [](Random& random) {
    const Case c = random_case(random, random.integer(0, 1) == 1);
    TreeSystem system(c.tree, c.forces);
    const std::vector<double> x = random_x(random, c.tree, system);
    std::vector<double> rate(system.group().nv);
    ASSERT_TRUE(system.rate(.3, x, rate));
    std::vector<double> tau(c.tree.dofs.size(), 0.);
    for (const auto& spring : c.forces.springs) {
      const std::size_t k = spring.velocity;
      for (const Link& link : c.tree.links)
        if (spring.velocity >= link.v && spring.velocity < link.v + link.nv)
          tau[k] = -spring.stiffness * (system.all_q()[link.q + k - link.v] - spring.rest) -
                   spring.damping * system.all_v()[k];
    }
    Vec6<double> W;
    for (int i = 0; i < 3; ++i) {
      const auto& w = c.forces.wrenches.front().wrench;
      W.angular[i] = std::get<double>(w[i].form);
      W.linear[i] = std::get<double>(w[3 + i].form);
    }
    const std::string& body = c.tree.bodies[c.forces.wrenches.front().body].name;
    const std::vector<double> a =
        reference::forward_dynamics(c.tree, system.all_q(), system.all_v(), tau, Rep::body,
                                    {.external = {{body, W}}, .effects = {.friction = false}});
    for (std::size_t k = 0; k < a.size(); ++k)
      EXPECT_NEAR(system.all_a()[k], a[k], 1e-8 * (1 + std::abs(a[k])));
  });
}

TEST(TreeSystem, JacobianIsTheDerivativeOfTheRate) {
  for_random_cases(40, [](Random& random) {
    const Case c = random_case(random, random.integer(0, 1) == 1);
    TreeSystem system(c.tree, c.forces);
    const std::vector<double> x = random_x(random, c.tree, system);
    const std::size_t n = system.group().nv;
    const int m = 2 * system.configuration().nv;  // the work is a mere sum
    std::vector<double> J(n * n), d(n), moved(x.size()), plus1(n), minus1(n), plus2(n), minus2(n);
    ASSERT_TRUE(system.jacobian(.3, x, J));
    const auto rate_at = [&](std::size_t j, double h, std::vector<double>& to) {
      std::fill(d.begin(), d.end(), 0.);
      d[j] = h;
      plus(system.group(), x, d, moved);
      ASSERT_TRUE(system.rate(.3, moved, to));
    };
    const double h = 1e-4;
    for (std::size_t j = 0; j < n; ++j) {
      rate_at(j, h, plus1);
      rate_at(j, -h, minus1);
      rate_at(j, 2 * h, plus2);
      rate_at(j, -2 * h, minus2);
      for (int i = 0; i < m; ++i) {
        const std::size_t k = i;
        const double wanted = (8 * (plus1[k] - minus1[k]) - (plus2[k] - minus2[k])) / (12 * h);
        double size = 1;
        for (std::size_t l = 0; l < n; ++l) size = std::max(size, std::abs(plus1[l]));
        EXPECT_NEAR(J[k * n + j], wanted, 2e-7 * size) << i << " by " << j;
      }
    }
  });
}

TEST(TreeSystem, TheRateOfMomentumIsThatOfTheLagrangianAndTransport) {
  // The gradient of L = T - U along the tangent with v held, by differences of the energies.
  for_random_cases(40, [](Random& random) {
    const bool coupled = random.integer(0, 1) == 1;
    Tree tree = coupled ? random_coupled_tree(random, 5) : random_tree(random, 5);
    for (Dof& dof : tree.dofs) dof.damping = 0;
    for (const Link& link : tree.links)  // drives of rotations with quaternions have no Lagrangian
      for (int k = link.v; link.nq != link.nv && k < link.v + link.nv; ++k)
        tree.dofs[k].armature = 0;
    const Forces forces = nothing();
    TreeSystem system(tree, forces);
    const std::vector<double> x = random_x(random, tree, system);
    const LieGroup& group = system.configuration();
    const std::size_t nq = group.nx, nv = group.nv;
    const std::vector<double> q(x.begin(), x.begin() + group.nx),
        v(x.begin() + group.nx, x.begin() + group.nx + group.nv);
    std::vector<double> g(nv), d(nv), moved(nq), p(nv);
    ASSERT_TRUE(system.lagrangian_rate(0, q, v, g));
    const auto lagrangian = [&](std::size_t j, double h) {
      std::fill(d.begin(), d.end(), 0.);
      d[j] = h;
      plus(group, q, d, moved);
      system.expand_state(moved, v);
      const Energy e = energy(tree, system.all_q(), system.all_v());
      return e.kinetic + e.armature - e.potential;
    };
    const double h = 1e-3;
    for (std::size_t j = 0; j < nv; ++j) {
      const double wanted = (8 * (lagrangian(j, h) - lagrangian(j, -h)) -
                             (lagrangian(j, 2 * h) - lagrangian(j, -2 * h))) /
                            (12 * h);
      EXPECT_NEAR(g[j], wanted, 1e-7 * (1 + std::abs(wanted))) << j;
    }
    ASSERT_TRUE(system.momentum(q, v, p));
    ASSERT_TRUE(system.solve_mass(q, p));
    for (std::size_t j = 0; j < nv; ++j) EXPECT_NEAR(p[j], v[j], 1e-8);
  });
}

TEST(TreeSystem, MomentumIsBalancedAlongTrueMotions) {
  // Of a smooth motion the residual of one step of length h is of third order.
  for_random_cases(20, [](Random& random) {
    const Case c = random_case(random, false);
    TreeSystem system(c.tree, c.forces);
    const LieGroup& group = system.configuration();
    const std::size_t nq = group.nx, nv = group.nv;
    const std::vector<double> x = random_x(random, c.tree, system);
    const std::vector<double> q0(x.begin(), x.begin() + group.nx),
        v0(x.begin() + group.nx, x.begin() + group.nx + group.nv);
    std::vector<double> residuals;
    for (const double h : {2e-3, 1e-3}) {
      // The step as the scheme makes it, v1 = v0 + h a by the acceleration at the middle.
      std::vector<double> a(nv), d(nv), q_mid(nq), v_mid(v0), q1(nq), v1(nv);
      for (int pass = 0; pass < 4; ++pass) {
        for (std::size_t k = 0; k < nv; ++k) d[k] = h / 2 * v_mid[k];
        plus(group, q0, d, q_mid);
        ASSERT_TRUE(system.acceleration(h / 2, q_mid, v_mid, a));
        for (std::size_t k = 0; k < nv; ++k) v_mid[k] = v0[k] + h / 2 * a[k];
      }
      for (std::size_t k = 0; k < nv; ++k) v1[k] = v0[k] + h * a[k], d[k] = h * v_mid[k];
      plus(group, q0, d, q1);
      std::vector<double> carried(system.carried_size());
      std::vector<double> next(carried), residual(nv);
      ASSERT_TRUE(system.start_balance(0, q0, v0, carried));
      ASSERT_TRUE(
          system.momentum_balance(0, h, q0, v0, q_mid, v_mid, q1, v1, carried, residual, next));
      double largest = 0;
      for (const double r : residual) largest = std::max(largest, std::abs(r));
      residuals.push_back(largest);
    }
    if (residuals[0] < 1e-11) return;
    EXPECT_GT(std::log2(residuals[0] / residuals[1]), 2.7);
  });
}

TEST(TreeSystem, WorkIsTheChangeOfEnergy) {
  for_random_cases(20, [](Random& random) {
    const Case c = random_case(random, random.integer(0, 1) == 1);
    TreeSystem system(c.tree, c.forces);
    ASSERT_TRUE(system.has_work());
    const std::vector<double> x = random_x(random, c.tree, system);
    const std::size_t nv = system.configuration().nv;
    std::vector<double> rate(system.group().nv), d(rate), moved(x);
    ASSERT_TRUE(system.rate(0, x, rate));
    const auto energy_after = [&](double h) {
      for (std::size_t k = 0; k < rate.size(); ++k) d[k] = h * rate[k];
      plus(system.group(), x, d, moved);
      const std::size_t nq = system.configuration().nx;
      system.expand_state(std::span(moved).first(nq), std::span(moved).subspan(nq, nv));
      const Energy e = energy(c.tree, system.all_q(), system.all_v());
      return e.kinetic + e.armature + e.potential;
    };
    const double h = 1e-5, slope = (energy_after(h) - energy_after(-h)) / (2 * h);
    EXPECT_NEAR(rate.back(), slope, 1e-5 * (1 + std::abs(slope)));
  });
}

}  // namespace
}  // namespace axode::test::tree_system
