#include "axode/dynamics/inverse/inverse_dynamics.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "axode/engine/calls.hpp"
#include "axode/kinematics/centre_of_mass.hpp"
#include "axode/kinematics/jacobian.hpp"
#include "axode/model/builder.hpp"
#include "axode/screw/convert.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/models/moving_tree.hpp"
#include "tests/support/near.hpp"
#include "tests/support/representations.hpp"

namespace axode::test::inverse_dynamics_test {
namespace {

/// A tree with losses and drives, moving, with wrenches on its bodies.
struct LoadedTree : MovingTree {
  std::vector<Wrench<Rep::body>> external;
};
LoadedTree loaded_tree(Random& random, int bodies) {
  RandomTreeOptions options;
  options.zero_mass = random.integer(0, 1) == 0;
  options.chain = random.integer(0, 3) == 0;
  LoadedTree r{random_moving_tree(random, bodies, options), {}};
  for (Dof& dof : r.tree.dofs) {
    dof.damping = random.uniform(0, 1);
    dof.friction = random.uniform(0, 1);
    dof.armature = random.uniform(0, 1);
  }
  for (int i = 0; i < bodies; ++i) r.external.push_back({random.vec3(), random.vec3()});
  return r;
}

template <Rep rep>
std::vector<double> forces(const LoadedTree& r, InverseDynamics<rep>& work, const Effects& e = {}) {
  std::vector<double> tau(r.v.size());
  inverse_dynamics<rep, double>(r.tree, poses(r.tree, r.q), r.v, r.a, work, tau, r.external, e);
  return tau;
}

TEST(InverseDynamics, RepresentationsAgreeOnRandomTrees) {
  double worst = 0;
  for_random_cases(300, [&](Random& random) {
    const LoadedTree r = loaded_tree(random, random.integer(1, 60));
    const Poses<double> at = poses(r.tree, r.q);
    InverseDynamics<Rep::body> body(r.tree);
    const std::vector<double> tau = forces(r, body);
    for_representations([&]<Rep rep>() {
      InverseDynamics<rep> work(r.tree);
      const double error = relative_difference(forces(r, work), tau);
      EXPECT_LT(error, 1e-11) << name(rep);
      worst = max(worst, error);
      for (std::size_t i = 0; i < r.tree.links.size(); ++i) {
        const Wrench<rep> W = convert_with_pose<rep>(at.T_WB[i], body.joint_wrenches[i]);
        expect_near(work.joint_wrenches[i], W, 1e-11 * (1 + max_abs(W.six())), name(rep));
      }
    });
  });
  record("worst_relative_difference", worst);
}

/// d'Alembert's principle, body by body: forces at the centres of mass and torques about them,
/// projected by Jacobians. No recursion of wrenches.
std::vector<double> projected_forces(const LoadedTree& r) {
  const Poses<double> at = poses(r.tree, r.q);
  Motion<Rep::hybrid> motion(r.tree);
  accelerations<Rep::hybrid, double>(r.tree, at, r.v, r.a, motion);
  std::vector<double> tau(r.v.size(), 0.);
  std::vector<Twist<Rep::hybrid>> J(r.v.size());
  for (std::size_t i = 0; i < r.tree.links.size(); ++i) {
    const Inertia<double>& I = r.tree.bodies[i].inertia;
    const SO3<double>& R = at.T_WB[i].R;
    const Vec3<double> w = motion.twists[i].angular, w_rate = motion.accelerations[i].angular;
    const Vec3<double> d = R * I.com;
    const Vec3<double> a_com =
        motion.accelerations[i].linear + cross(w_rate, d) + cross(w, cross(w, d));
    const Sym3<double> tensor = congruence(R.matrix, I.about_com);
    const Vec3<double> load = R * r.external[i].linear;
    const Vec3<double> f = (a_com - r.tree.gravity) * I.mass - load;
    const Vec3<double> t =
        tensor * w_rate + cross(w, tensor * w) - (R * r.external[i].angular - cross(d, load));
    jacobian<Rep::hybrid, double>(r.tree, at, Frame{static_cast<int>(i), translation(I.com)}, J);
    for (std::size_t k = 0; k < tau.size(); ++k)
      tau[k] += dot(J[k].angular, t) + dot(J[k].linear, f);
  }
  return tau;
}

TEST(InverseDynamics, EqualsProjectedForcesOfAllBodies) {
  double worst = 0;
  for_random_cases(100, [&](Random& random) {
    const LoadedTree r = loaded_tree(random, random.integer(1, 40));
    InverseDynamics<Rep::body> work(r.tree);
    const double error = relative_difference(
        forces(r, work, {.armature = false, .damping = false, .friction = false}),
        projected_forces(r));
    EXPECT_LT(error, 1e-11);
    worst = max(worst, error);
  });
  record("worst_relative_difference", worst);
}

/// The power of the joint forces is the rate of the kinetic and potential energy.
TEST(InverseDynamics, PowerIsTheRateOfTheEnergy) {
  for_random_cases(100, [](Random& random) {
    using D = Dual<double>;
    MovingTree r = random_moving_tree(random, random.integer(1, 30));
    Poses<D> at(r.tree);
    poses<D>(r.tree, dual_coordinates(r.tree, r.q, r.v), at);
    Motion<Rep::body, D> motion(r.tree);
    twists<Rep::body, D>(r.tree, at, dual(r.v, r.a), motion);
    double rate = 0, size = 0, power = 0;
    for (std::size_t i = 0; i < r.tree.links.size(); ++i) {
      const Inertia<double>& I = r.tree.bodies[i].inertia;
      const Vec3<D> c{D(I.com.x), D(I.com.y), D(I.com.z)};
      const Vec3<D> v_com = motion.twists[i].linear + cross(motion.twists[i].angular, c);
      const Vec3<double> w = real_part(motion.twists[i].angular);
      const double kinetic = dot(I.about_com * w, dual_part(motion.twists[i].angular)) +
                             I.mass * dot(real_part(v_com), dual_part(v_com));
      const double potential = -I.mass * dot(r.tree.gravity, dual_part(at.T_WB[i] * c));
      rate += kinetic + potential;
      size += std::abs(kinetic) + std::abs(potential);
    }
    const std::vector<double> tau = reference::inverse_dynamics(r.tree, r.q, r.v, r.a);
    for (std::size_t k = 0; k < tau.size(); ++k) {
      power += tau[k] * r.v[k];
      size += std::abs(tau[k] * r.v[k]);
    }
    EXPECT_NEAR(power, rate, 1e-13 * (1 + size));
  });
}

/// Dual numbers through all arguments, against differences of the fourth order.
TEST(InverseDynamics, DualNumbersGiveTheDerivative) {
  double worst = 0;
  for_random_cases(40, [&](Random& random) {
    using D = Dual<double>;
    const LoadedTree r = loaded_tree(random, random.integer(1, 20));
    const std::vector<double> dq = random_velocities(random, r.tree),
                              dv = random_velocities(random, r.tree),
                              da = random_velocities(random, r.tree);
    const Effects smooth{.friction = false};
    const auto at = [&](double e) {
      LoadedTree moved = r;
      std::vector<double> step(dq);
      for (double& x : step) x *= e;
      plus<double>(r.tree, r.q, step, moved.q);
      for (std::size_t k = 0; k < dv.size(); ++k) {
        moved.v[k] += e * dv[k];
        moved.a[k] += e * da[k];
      }
      InverseDynamics<Rep::body> work(r.tree);
      return forces(moved, work, smooth);
    };
    const double h = 1e-3;
    std::vector<double> slope = at(h), back = at(-h), far = at(2 * h), far_back = at(-2 * h);
    for (std::size_t k = 0; k < slope.size(); ++k)
      slope[k] = (8 * (slope[k] - back[k]) - (far[k] - far_back[k])) / (12 * h);
    Poses<D> poses_there(r.tree);
    poses<D>(r.tree, dual_coordinates(r.tree, r.q, dq), poses_there);
    std::vector<Wrench<Rep::body, D>> external;
    for (const auto& w : r.external)
      external.push_back({make_dual(w.angular, {}), make_dual(w.linear, {})});
    for_representations([&]<Rep rep>() {
      InverseDynamics<rep, D> work(r.tree);
      std::vector<D> tau(r.v.size());
      inverse_dynamics<rep, D>(r.tree, poses_there, dual(r.v, dv), dual(r.a, da), work, tau,
                               external, smooth);
      const double error = relative_difference(dual_parts(tau), slope);
      EXPECT_LT(error, 2e-9) << name(rep);  // h^4 and rounding / h
      worst = max(worst, error);
    });
  });
  record("worst_relative_difference", worst);
}

TEST(InverseDynamics, AllocatesNothingOnceMade) {
  Random random(5);
  const LoadedTree r = loaded_tree(random, 60);
  const Poses<double> at = poses(r.tree, r.q);
  std::vector<double> tau(r.v.size());
  for_representations([&]<Rep rep>() {
    InverseDynamics<rep> work(r.tree);
    EXPECT_EQ(count_allocations([&] {
                inverse_dynamics<rep, double>(r.tree, at, r.v, r.a, work, tau, r.external);
              }),
              0)
        << name(rep);
  });
}

/// A tower of 10,000 lifts: each bears all above it.
TEST(InverseDynamics, VeryLongChain) {
  constexpr int n = 10'000;
  TreeDescription description;
  description.gravity = {0, 0, -10};
  for (int i = 0; i < n; ++i) {
    BodyDescription body;
    body.name = std::string("b").append(std::to_string(i));
    body.inertia = {.5, {0, 0, .1}, Sym3<double>::diagonal({.1, .1, .1})};
    JointDescription joint;
    joint.name = std::string("j").append(std::to_string(i));
    joint.child = body.name;
    if (i > 0) joint.parent = description.bodies.back().name;
    joint.joint = prismatic({.axis = {0, 0, 1}});
    description.bodies.push_back(body);
    description.joints.push_back(joint);
  }
  const Tree tree = build(description);
  const std::vector<double> q(n, .01), zero(n, 0.);
  const Poses<double> at = poses(tree, q);
  std::vector<double> tau(n);
  for_representations([&]<Rep rep>() {
    InverseDynamics<rep> work(tree);
    inverse_dynamics<rep, double>(tree, at, zero, zero, work, tau);
    double worst = 0;
    for (int i = 0; i < n; ++i) worst = max(worst, std::abs(tau[i] / (5. * (n - i)) - 1));
    EXPECT_LT(worst, 1e-12) << name(rep);
  });
}

TEST(InverseDynamics, InOneCall) {
  Random random(11);
  const LoadedTree r = loaded_tree(random, 12);
  InverseDynamics<Rep::body> work(r.tree);
  const Wrench<Rep::body> load = r.external[7];
  LoadedTree loaded = r;
  loaded.external.assign(r.external.size(), {});
  loaded.external[7] = load;
  const Effects effects{.damping = false};
  const std::vector<double> tau = forces(loaded, work, effects);
  const DynamicsOptions options{
      .external = {{.on = "b7", .wrench = load.six(), .expressed_in = "b7"}}, .effects = effects};
  EXPECT_EQ(joint_forces(r.tree, r.q, r.v, r.a).representation, Rep::body);
  for_representations([&]<Rep rep>() {
    const JointForces result = joint_forces(r.tree, r.q, r.v, r.a, rep, options);
    EXPECT_EQ(result.representation, rep);
    EXPECT_LT(relative_difference(result.tau, tau), 1e-12);
    EXPECT_LT(relative_difference(reference::inverse_dynamics(r.tree, r.q, r.v, r.a, rep, options),
                                  result.tau),
              1e-12);
    for (std::size_t i = 0; i < r.tree.links.size(); ++i)
      expect_near(result.joint_wrenches[i], work.joint_wrenches[i],
                  1e-12 * (1 + max_abs(work.joint_wrenches[i].six())));
  });
}

TEST(InverseDynamics, SaysWhatIsWrong) {
  Random random(2);
  const MovingTree r = random_moving_tree(random, 3);
  std::vector<double> one_more(r.v), broken(r.a);
  one_more.push_back(0);
  broken[0] = NAN;
  const auto says = [&](const std::function<void()>& f, const char* words) {
    expect_says(message(f), words);
  };
  says([&] { reference::inverse_dynamics(r.tree, r.q, one_more, r.a); }, "v: it has");
  says([&] { reference::inverse_dynamics(r.tree, r.q, r.v, broken); }, "a: number 0");
  says([&] { reference::inverse_dynamics(r.tree, {}, r.v, r.a); }, "q: it has");
  says(
      [&] {
        reference::inverse_dynamics(r.tree, r.q, r.v, r.a, Rep::body,
                                    {.external = {{.on = "c0", .wrench = {}}}});
      },
      "'c0'");
}

}  // namespace
}  // namespace axode::test::inverse_dynamics_test
