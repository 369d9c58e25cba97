// Forward dynamics against what mechanics says: closed forms, energy, momentum, and the equations of
// each body of a very long chain.
#include <gtest/gtest.h>

#include "axode/dynamics/forward/forward_dynamics.hpp"
#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/dynamics/inverse/newton_euler.hpp"
#include "axode/engine/calls.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/models/random_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::forward_dynamics_physics_test {
namespace {

constexpr std::array three{Rep::body, Rep::spatial, Rep::hybrid};

/// (J + m l^2 + armature) q'' = tau - m g l sin q - damping q' - friction sign(q').
TEST(ForwardDynamicsPhysics, Pendulum) {
  const double m = 1.3, l = .7, J = .2, armature = .05, damping = .3, friction = .4, g = 9.81;
  const Tree tree = TreeBuilder{}
                        .body("rod", {m, {0, 0, -l}, Sym3<double>::diagonal({J, J, .01})})
                        .joint("pivot", revolute({.axis = {0, 1, 0}}))
                        .armature(armature)
                        .damping(damping)
                        .friction(friction)
                        .build();
  for (const double v : {-2., 0., 1.5}) {
    const std::vector<double> q{.6}, speed{v}, tau{.8};
    const double sign = v > 0 ? 1 : v < 0 ? -1 : 0;
    const double expected = (tau[0] - m * g * l * std::sin(q[0]) - damping * v - friction * sign) /
                            (J + m * l * l + armature);
    for (const Rep rep : three)
      expect_near(reference::forward_dynamics(tree, q, speed, tau, rep)[0], expected,
                  1e-14 * std::abs(expected));
    const double plain = (tau[0] - m * g * l * std::sin(q[0])) / (J + m * l * l);
    expect_near(reference::forward_dynamics(tree, q, speed, tau, Rep::body,
                                            {.effects = {true, false, false, false}})[0],
                plain, 1e-14 * std::abs(plain));
  }
}

/// Two point masses on rods without mass, q absolute and relative angle to the vertical.
TEST(ForwardDynamicsPhysics, DoublePendulum) {
  const double m1 = 1.1, m2 = .6, l1 = .8, l2 = .5, g = 9.81;
  const Tree tree = TreeBuilder{}
                        .body("first", {.mass = m1, .com = {0, 0, -l1}})
                        .joint("shoulder", revolute({.axis = {0, -1, 0}}))
                        .body("second", {.mass = m2, .com = {0, 0, -l2}})
                        .on("first")
                        .joint("elbow", revolute({.axis = {0, -1, 0}, .point = {0, 0, -l1}}),
                               zero_reference(translation(Vec3<double>{0, 0, -l1})))
                        .build();
  for_random_cases(50, [&](Random& random) {
    const double a = random.uniform(-3, 3), b = random.uniform(-3, 3);  // absolute angles
    const double u = random.uniform(-5, 5), w = random.uniform(-5, 5);
    const double d = a - b, m = m1 + m2;
    // The textbook form with absolute angles.
    const double below = 2 * m1 + m2 - m2 * std::cos(2 * d);
    const double first = (-g * (2 * m1 + m2) * std::sin(a) - m2 * g * std::sin(a - 2 * b) -
                          2 * std::sin(d) * m2 * (w * w * l2 + u * u * l1 * std::cos(d))) /
                         (l1 * below);
    const double second = 2 * std::sin(d) *
                          (u * u * l1 * m + g * m * std::cos(a) + w * w * l2 * m2 * std::cos(d)) /
                          (l2 * below);
    for (const Rep rep : three) {
      const std::vector<double> found = reference::forward_dynamics(
          tree, std::vector{a, b - a}, std::vector{u, w - u}, std::vector{0., 0.}, rep);
      const double size = 1 + std::abs(first) + std::abs(second);
      expect_near(found[0], first, 1e-13 * size);
      expect_near(found[0] + found[1], second, 1e-13 * size);
    }
  });
}

/// The centre of mass of a free body falls with g; its rotation obeys Euler's equations.
TEST(ForwardDynamicsPhysics, FreeBody) {
  const Sym3<double> J{.3, .4, .6, .02, -.03, .01};
  for_random_cases(50, [&](Random& random) {
    const Vec3<double> g = random.vec3(10), w = random.vec3(3), velocity = random.vec3();
    const auto tree_with = [&](Rep form) {
      return TreeBuilder{}
          .gravity(g)
          .body("stone", {2, {}, J})
          .joint("flight", free_joint({.velocity = form}))
          .build();
    };
    const Tree hybrid = tree_with(Rep::hybrid), body = tree_with(Rep::body);
    const std::vector<double> q = random_coordinates(random, hybrid), rest(6, 0);
    const SO3<double> R = poses(body, q).T_WB[0].R;
    const Vec3<double> w_W = R * w;
    const Vec3<double> gyroscopic = -cross(w, J * w);
    for (const Rep rep : three) {
      const std::vector<double> a = reference::forward_dynamics(
          hybrid, q, std::vector{w_W.x, w_W.y, w_W.z, velocity.x, velocity.y, velocity.z}, rest,
          rep);
      expect_near(Vec3<double>{a[3], a[4], a[5]}, g, 1e-13 * (10 + squared_norm(w)));
      const std::vector<double> b = reference::forward_dynamics(
          body, q, std::vector{w.x, w.y, w.z, velocity.x, velocity.y, velocity.z}, rest, rep);
      expect_near(J * Vec3<double>{b[0], b[1], b[2]}, gyroscopic,
                  1e-13 * (1 + max_abs(gyroscopic)));
      // R^T r'' = v' + w x v.
      expect_near(Vec3<double>{b[3], b[4], b[5]} + cross(w, velocity), inverse_times(R, g),
                  1e-13 * (10 + max_abs(velocity) * max_abs(w)));
    }
  });
}

/// Kinetic and potential energy.
double energy(const Tree& tree, const std::vector<double>& q, const std::vector<double>& v) {
  const Poses<double> p = poses(tree, q);
  Motion<Rep::body> m(tree);
  twists<Rep::body, double>(tree, p, v, m);
  double sum = 0;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const Inertia<double>& I = tree.bodies[i].inertia;
    sum += kinetic_energy(I, m.twists[i]) - I.mass * dot(tree.gravity, p.T_WB[i] * I.com);
  }
  return sum;
}

std::vector<double> moved(const std::vector<double>& x, const std::vector<double>& rate, double h) {
  std::vector<double> y(x);
  for (std::size_t k = 0; k < x.size(); ++k) y[k] += h * rate[k];
  return y;
}

/// The classical Runge-Kutta step of fourth order, on coordinates.
void runge_kutta_step(const Tree& tree, double h, std::vector<double>& q, std::vector<double>& v) {
  const std::vector<double> tau(v.size(), 0);
  std::vector<double> dq(q.size()), dv, q_sum = q, v_sum = v, q_at = q, v_at = v;
  for (const auto& [weight, next] :
       {std::pair{h / 6, h / 2}, {h / 3, h / 2}, {h / 3, h}, {h / 6, 0.}}) {
    coordinate_rate<double>(tree, q_at, v_at, dq);
    Poses<double> p(tree);
    poses<double>(tree, q_at, p);  // quaternions between the stages are not of unit length
    ForwardDynamics<Rep::body> work(tree);
    dv.resize(v.size());
    EXPECT_TRUE((forward_dynamics<Rep::body, double>(tree, p, v_at, tau, work, dv).ok()));
    q_sum = moved(q_sum, dq, weight), v_sum = moved(v_sum, dv, weight);
    q_at = moved(q, dq, next), v_at = moved(v, dv, next);
  }
  const std::vector<double> zero(v.size(), 0);
  plus<double>(tree, q_sum, zero, q);  // quaternions to unit length
  v = v_sum;
}

TEST(ForwardDynamicsPhysics, EnergyIsConserved) {
  double worst = 0, least_ratio = 1e9;
  for_random_cases(6, [&](Random& random) {
    const Tree tree = random_tree(random, 5);
    const std::vector<double> q0 = random_coordinates(random, tree);
    const std::vector<double> v0 = random_velocities(random, tree, .5);
    const auto drift = [&](int steps) {
      std::vector<double> q = q0, v = v0;
      for (int k = 0; k < steps; ++k) runge_kutta_step(tree, .05 / steps, q, v);
      return std::abs(energy(tree, q, v) - energy(tree, q0, v0));
    };
    const double coarse = drift(10), fine = drift(40), size = 1 + std::abs(energy(tree, q0, v0));
    EXPECT_LT(fine, 1e-7 * size);
    if (coarse > 1e-9 * size) {       // else rounding
      EXPECT_GT(coarse / fine, 150);  // 4^4 for the fourth order
      least_ratio = std::min(least_ratio, coarse / fine);
    }
    worst = std::max(worst, largest_difference(fine, 0.0) / size);
  });
  record("worst_relative_drift", worst);
  record("ratio_of_drifts", least_ratio);
}

/// In free flight the rate of the total momentum is the weight, about any point; the joint forces
/// are internal.
TEST(ForwardDynamicsPhysics, MomentumInFreeFlight) {
  double worst = 0;
  for_random_cases(100, [&](Random& random) {
    const int bodies = random.integer(1, 20);
    Tree tree = random_tree(random, bodies, {.chain = true});
    while (tree.links[0].nv != 6) tree = random_tree(random, bodies, {.chain = true});
    std::vector<double> tau = random_velocities(random, tree, 5);
    std::fill_n(tau.begin(), 6, 0.0);
    const std::vector<double> q = random_coordinates(random, tree);
    const std::vector<double> v = random_velocities(random, tree);
    const Poses<double> p = poses(tree, q);
    std::vector<double> a(tau.size());
    ForwardDynamics<Rep::spatial> work(tree);
    EXPECT_TRUE((forward_dynamics<Rep::spatial, double>(tree, p, v, tau, work, a).ok()));
    Vec6<double> rate{};
    double size = 1;
    for (std::size_t i = 0; i < tree.links.size(); ++i) {  // gravity is in the accelerations as -g
      const Wrench<Rep::spatial> W = net_wrench_with_pose(
          p.T_WB[i], tree.bodies[i].inertia, work.motion.twists[i], work.motion.accelerations[i]);
      rate += W.six();
      size = std::max(size, max_abs(W.six()));
    }
    expect_near(rate, Vec6<double>{}, 1e-12 * size);
    worst = std::max(worst, max_abs(rate) / size);
  });
  record("worst_relative_error", worst);
}

struct LongChain {
  Tree tree;
  std::vector<double> q, v, tau;
};
/// 10,000 bodies, 5 km.
LongChain long_chain() {
  Random random(11);
  LongChain c{random_tree(random, 10'000, {.chain = true}), {}, {}, {}};
  for (Dof& dof : c.tree.dofs) dof.armature = random.uniform(0, .1);
  c.q = random_coordinates(random, c.tree);
  c.v = random_velocities(random, c.tree, .1);
  c.tau = random_velocities(random, c.tree, 10);
  return c;
}

/// The forces on each body make its acceleration, and the joints transmit tau. Sums along the chain
/// would hide errors or make them.
TEST(ForwardDynamicsPhysics, LongChainBodyByBody) {
  const auto [tree, q, v, tau] = long_chain();
  const Poses<double> p = poses(tree, q);
  std::vector<double> a(v.size());
  ForwardDynamics<Rep::body> work(tree);
  EXPECT_TRUE((forward_dynamics<Rep::body, double>(tree, p, v, tau, work, a).ok()));
  const auto& [V, A] = work.motion;
  double worst = 0;
  Vec6<double> W_next{};
  for (std::size_t i = tree.links.size(); i-- > 0;) {
    const Link& link = tree.links[i];
    const Vec6<double> felt = work.inertias[i] * A[i].six(), W = felt + work.bias[i];
    const Vec6<double> next =
        i + 1 < p.T_PB.size() ? Ad_inverse_transpose(p.T_PB[i + 1], W_next) : W_next;
    const double size = 1 + max_abs(felt) + max_abs(work.bias[i]);
    worst = std::max(
        worst, largest_difference(W - next, net_wrench(tree.bodies[i].inertia, V[i], A[i])) / size);
    for (int k = link.v; k < link.v + link.nv; ++k) {
      const std::size_t j = k;
      const double force = dot(p.screws[j], W) + tree.dofs[j].armature * a[j];
      worst = std::max(worst, largest_difference(force, tau[j]) / (size + std::abs(a[j])));
    }
    W_next = W;
  }
  EXPECT_LT(worst, 1e-12);
  record("worst_relative_residual", worst);
}

/// The accelerations of the bodies are those that the joints' make, and the representations agree.
TEST(ForwardDynamicsPhysics, LongChainAsAWhole) {
  const LongChain chain = long_chain();
  const Tree& tree = chain.tree;
  const std::vector<double>&q = chain.q, &v = chain.v, &tau = chain.tau;
  const Poses<double> p = poses(tree, q);
  std::vector<double> a(v.size()), forces(v.size());
  ForwardDynamics<Rep::body> work(tree);
  EXPECT_TRUE((forward_dynamics<Rep::body, double>(tree, p, v, tau, work, a).ok()));
  InverseDynamics<Rep::body> inverse(tree);
  inverse_dynamics<Rep::body, double>(tree, p, v, a, inverse, forces);
  for (std::size_t i = 0; i < tree.links.size(); ++i)
    expect_near(work.motion.accelerations[i], inverse.motion.accelerations[i],
                1e-11 * (1 + max_abs(work.motion.accelerations[i].six())));

  const auto largest_difference_of = [&](Rep rep) {
    const std::vector<double> other = reference::forward_dynamics(tree, q, v, tau, rep);
    double largest = 0, error = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      largest = std::max(largest, std::abs(a[k]));
      error = std::max(error, largest_difference(other[k], a[k]));
    }
    return error / largest;
  };
  const double hybrid = largest_difference_of(Rep::hybrid);
  const double spatial = largest_difference_of(Rep::spatial);
  EXPECT_LT(hybrid, 1e-10);
  EXPECT_LT(spatial, 1e-8);  // 1e-16 times the square of kilometres
  record("worst_relative_difference_of_hybrid", hybrid);
  record("worst_relative_difference_of_spatial", spatial);
}

}  // namespace
}  // namespace axode::test::forward_dynamics_physics_test
