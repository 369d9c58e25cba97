#include "axode/simulate/forces/forces.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "axode/core/error.hpp"
#include "axode/dynamics/energy.hpp"
#include "axode/dynamics/external_wrench.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/models/force_run.hpp"
#include "tests/support/models/random_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::forces_test {
namespace {

/// 2 kg on a horizontal rail.
TreeBuilder cart() {
  return TreeBuilder("cart")
      .body("cart", {.mass = 2})
      .joint("rail", prismatic({.axis = {1, 0, 0}}));
}

TEST(Forces, SpringAndDamperSwingAsTheySay) {
  const Tree tree = cart().build();
  Forces forces;
  forces.springs.push_back({0, 50, .3, 2});
  ForceRun run(tree, forces);
  State<double> x{{.5}, {0}};
  run.run(x, 0, 3, 3000);
  const double w0 = 5, zeta = 2 / (2 * 2 * w0), w = w0 * std::sqrt(1 - zeta * zeta);
  const double decay = std::exp(-zeta * w0 * 3);
  EXPECT_NEAR(x.q[0], .3 + .2 * decay * (std::cos(3 * w) + zeta * w0 / w * std::sin(3 * w)), 1e-9);
}

TEST(Forces, FrictionOfJointsStopsThem) {
  const Tree tree = cart().friction(3).build();
  Forces forces;
  ForceRun run(tree, forces);
  EXPECT_NEAR(run.sum(0, {0}, {1}).tau[0], -3, 3e-6);
  EXPECT_NEAR(run.sum(0, {0}, {-1e-3}).tau[0], 3 / std::sqrt(2), 1e-12);
  State<double> x{{0}, {1}};
  run.run(x, 0, 1, 10000);
  const double w = 1e-3, root = std::sqrt(1 + w * w);
  EXPECT_NEAR(x.q[0], (.5 * root + .5 * w * w * std::asinh(1 / w)) / 1.5, 1e-8);
  EXPECT_NEAR(x.v[0], 0, 1e-9);
  forces.friction.on = false;
  EXPECT_EQ(ForceRun(tree, forces).sum(0, {0}, {1}).tau[0], 0);
}

TEST(Forces, StopsPushBackAndTakeEnergy) {
  const Tree tree = cart().limits(-1, .5).build();
  Forces forces;
  ForceRun run(tree, forces);
  const double k = 2 * std::pow(2 * M_PI * 25, 2), w = 1e-3;
  EXPECT_NEAR(run.sum(0, {.6}, {0}).tau[0], -k * .01 / (.1 + w), 1e-6);
  EXPECT_NEAR(run.sum(0, {-1.1}, {0}).tau[0], k * .01 / (.1 + w), 1e-6);
  EXPECT_EQ(run.sum(0, {.4}, {3}).tau[0], 0);
  EXPECT_EQ(run.sum(0, {.501}, {-100}).tau[0], 0);  // leaving fast: no force that holds
  for (const double v : {.01, .1, 1., 10.}) {
    State<double> x{{.5}, {v}};
    run.run(x, 0, .3, 3000);
    EXPECT_LT(x.q[0], .5) << v;
    EXPECT_LT(x.v[0], 0) << v;
    EXPECT_GT(x.v[0], -.75 * v) << v;
  }
  forces.stops.stiffness = {500};
  EXPECT_NEAR(ForceRun(tree, forces).sum(0, {.6}, {0}).tau[0], -500 * .01 / .101, 1e-12);
  forces.stops.on = false;
  EXPECT_EQ(ForceRun(tree, forces).sum(0, {9}, {0}).tau[0], 0);
}

TEST(Forces, PointSpringIsASpring) {
  // A point mass on a spring to the origin of free length 0 swings as cos(w t), in any direction.
  const Tree tree = TreeBuilder("mass")
                        .gravity({0, 0, 0})
                        .body("mass", {.mass = 2, .about_com = Sym3<double>::diagonal({1, 1, 1})})
                        .joint("free", free_joint({.velocity = Rep::hybrid}))
                        .build();
  Forces forces;
  forces.points.push_back({.body_a = 0, .stiffness = 8});
  ForceRun run(tree, forces);
  const std::vector<double> q{1, 0, 0, 0, .3, -.4, .5};
  const auto a = run.acceleration(0, q, std::vector<double>(6, 0));
  expect_near(std::vector<double>(a.begin() + 3, a.end()), std::vector<double>{-1.2, 1.6, -2},
              1e-14);
  forces.points[0] = {
      .body_a = -1, .body_b = 0, .stiffness = 8, .damping = 3, .free_length = .2, .force = 5};
  ForceRun other(tree, forces);
  const double l = std::sqrt(.5), rate = .3 / l;  // along x with 1 m/s
  const auto f = other.sum(0, q, {0, 0, 0, 1, 0, 0}).wrenches[0].linear;
  const double push = -8 * (l - .2) - 3 * rate + 5;
  expect_near(f, push / l * Vec3<double>{.3, -.4, .5}, 1e-13);
  // At length 0 there is no direction.
  EXPECT_EQ(norm(other.sum(0, {1, 0, 0, 0, 0, 0, 0}, std::vector<double>(6, 1)).wrenches[0].linear),
            0);
}

TEST(Forces, WrenchesAreThoseOfExternalWrench) {
  Random random(3);
  const Tree tree = random_tree(random, 6);
  const std::vector<double> q = random_coordinates(random, tree),
                            v = random_velocities(random, tree);
  Forces forces;
  forces.friction.on = forces.stops.on = false;
  const Vec6<double> w{{1, 2, 3}, {4, 5, 6}};
  const FrameChoice expressed = frame(tree, origin_of("b2").axes_of("b4"));
  forces.wrenches.push_back({3, {1, 2, 3, 4, 5, 6}, expressed});
  ForceRun run(tree, forces);
  const auto sum = run.sum(0, q, v);
  expect_near(sum.wrenches[3], body_wrench(run.poses_, ExternalWrench<double>{3, w, expressed}),
              1e-13);
}

/// All kinds of forces on a tree, many of them at once.
Forces everything(Random& random, const Tree& tree, const std::vector<double>& q) {
  Forces forces;
  const int last = tree.size() - 1;
  for (const Link& link : tree.links)
    if (link.map == JointMap::screw || link.map == JointMap::product) {
      forces.springs.push_back({link.v, 5, .1, .3});
      forces.joint_forces.push_back({link.v, compile_expression(tree, "sin(3*t)")});
    }
  forces.joint_forces.push_back({0, SignalFunction([](double t, auto x, auto y) {
                                   return t + std::sin(x[0]) * y[1] + x[2] * x[2];
                                 })});
  std::string name;
  for (std::size_t i = 0; i < tree.links.size(); ++i)
    if (tree.links[i].nv > 0) name = tree.bodies[i].joint_name + (tree.links[i].nv > 1 ? ".0" : "");
  const Expression f = compile_expression(tree, "q[" + name + "]^2 - 2*v[" + name + "]");
  forces.wrenches.push_back({last, {1, f, 2, 3, f, 5}, frame(tree, origin_of("b1").axes_of("b2"))});
  forces.points.push_back({.body_a = 1,
                           .body_b = last,
                           .point_a = random.vec3(),
                           .point_b = random.vec3(),
                           .stiffness = 20,
                           .damping = 2,
                           .free_length = .7,
                           .force = f});
  forces.points.push_back({.body_a = last, .body_b = -1, .point_a = random.vec3(), .stiffness = 9});
  const Vec3<double> p = poses(tree, q).T_WB[last].p;
  const ContactLaw law{.stiffness = 300, .dissipation = .05, .friction = .5, .width = .3};
  const Vec3<double> normal = random.unit();
  forces.contacts.push_back(
      {{-1, p + .2 * normal, normal}, {{last, {}, .1}, {last, {.1, 0, 0}, 0}}, law});
  forces.contacts.push_back({{0, random.vec3(), normal}, {{last, {.3, 0, 0}, 5}}, law});
  Controller pd = pd_controller(tree, 4, 1, random_coordinates(random, tree));
  pd.gravity_compensation = true;
  forces.controllers.push_back(pd);
  forces.controllers.push_back(computed_torque_controller(
      tree, 2, .7,
      trajectory(tree, Trajectory::Kind::cubic, {0, 2},
                 {random_coordinates(random, tree), random_coordinates(random, tree)})));
  return forces;
}

/// tau + J^T W, the wrenches from another state if given.
std::vector<double> generalized(ForceRun& run, double t, const std::vector<double>& q,
                                const std::vector<double>& v, const ForceRun::Sum* held = nullptr) {
  const ForceRun::Sum sum = run.sum(t, q, v);
  const std::vector<double> zero(v.size(), 0);
  std::vector<double> result(v.size());
  inverse_dynamics(run.engine, q, zero, zero, result,
                   {.effects = no_effects, .external = held ? held->wrenches : sum.wrenches});
  for (std::size_t k = 0; k < v.size(); ++k) result[k] = (held ? 0 : sum.tau[k]) - result[k];
  return result;
}

/// Difference of the derivatives from those of extrapolated differences, relative to the largest.
double derivative_error(ForceRun& run, double t, const std::vector<double>& q,
                        const std::vector<double>& v) {
  ForceDerivatives exact(run.tree);
  add_force_derivatives(run.tree, run.forces, t, q, v, run.work, exact);
  const ForceRun::Sum here = run.sum(t, q, v);
  const std::size_t n = v.size();
  double error = 0, largest = 1;
  for (const bool velocity : {false, true})
    for (std::size_t k = 0; k < n; ++k) {
      const auto slope = [&](double h) {
        std::vector<double> sum(n, 0);
        for (const double sign : {1., -1.}) {
          std::vector<double> d(n, 0), x = q, y = v;
          d[k] = sign * h;
          if (velocity) y[k] += sign * h;
          if (!velocity) plus<double>(run.tree, q, d, x);
          const auto value = generalized(run, t, x, y), held = generalized(run, t, x, y, &here);
          for (std::size_t j = 0; j < n; ++j)
            sum[j] += sign * (value[j] - (velocity ? 0 : held[j])) / (2 * h);
        }
        return sum;
      };
      const auto coarse = slope(2e-3), fine = slope(1e-3);
      for (std::size_t j = 0; j < n; ++j) {
        const double reference = (4 * fine[j] - coarse[j]) / 3;
        const auto& matrix = velocity ? exact.by_v : exact.by_q;
        const double found = matrix(static_cast<int>(j), static_cast<int>(k));
        error = std::max(error, std::abs(found - reference));
        largest = std::max(largest, std::abs(reference));
      }
    }
  return error / largest;
}

TEST(Forces, DerivativesAreThoseOfTheGeneralizedForce) {
  Random random(7);
  double worst = 0;
  for (int i = 0; i < 6; ++i) {
    const Tree tree = random_tree(random, 6);
    const auto q = random_coordinates(random, tree), v = random_velocities(random, tree);
    const Forces forces = everything(random, tree, q);
    ForceRun run(tree, forces);
    const double error = derivative_error(run, .7, q, v);
    EXPECT_LT(error, 1e-8) << i;
    worst = std::max(worst, error);
  }
  record("worst_relative_error", worst);
}

TEST(Forces, DerivativesOfFrictionStopsAndLimits) {
  const Tree tree = TreeBuilder("arm")
                        .body("a", {.mass = 1, .com = {0, 0, .2}})
                        .joint("first", revolute({.axis = {0, 1, 0}}))
                        .limits(-.1, .1)
                        .friction(2)
                        .body("b", {.mass = 1, .com = {0, 0, .2}})
                        .on("a")
                        .joint("second", revolute({.axis = {1, 1, 0}, .point = {0, 0, .4}}))
                        .limits(-.5, -.3)
                        .max_effort(1)
                        .body("c", {.mass = 1, .com = {0, .1, .2}})
                        .on("b")
                        .joint("third", revolute({.axis = {1, 0, 0}, .point = {0, 0, .8}}))
                        .friction(1)
                        .max_effort(100)
                        .build();
  Forces forces;
  forces.friction.width = .3;
  forces.stops = {.frequency = 2, .width = .05};
  forces.controllers.push_back(pd_controller(tree, 8, 1, {0, 0, 0}));
  ForceRun run(tree, forces);
  // Beyond the upper and lower stop, the second controller at its limit; inwards and outwards.
  EXPECT_LT(derivative_error(run, 0, {.3, -.7, .4}, {.5, -.4, .3}), 1e-9);
  EXPECT_LT(derivative_error(run, 0, {.3, -.7, .4}, {-.2, .1, -.3}), 1e-9);
}

TEST(Forces, StoredEnergyIsTheWorkOfElasticForces) {
  Random random(11);
  for (int i = 0; i < 5; ++i) {
    const Tree tree = random_tree(random, 6);
    const auto q = random_coordinates(random, tree), v = random_velocities(random, tree);
    Forces forces = everything(random, tree, q);
    forces.controllers.clear();
    forces.joint_forces.clear();
    forces.wrenches.clear();
    for (auto& spring : forces.springs) spring.damping = 0;
    for (auto& point : forces.points) point.damping = 0, point.force = 0;
    for (auto& contact : forces.contacts) contact.law.dissipation = contact.law.friction = 0;
    ForceRun run(tree, forces);
    const auto sum = run.sum(0, q, v);
    double power = 0;
    for (std::size_t k = 0; k < v.size(); ++k) power += sum.tau[k] * v[k];
    for (std::size_t b = 0; b < sum.wrenches.size(); ++b)
      power += pairing(sum.wrenches[b], run.motion.twists[b]);
    const double scale = std::max(1.0, std::abs(power));
    EXPECT_NEAR(stored_energy_rate(tree, forces, 0, q, v, run.bodies(q, v), run.work), -power,
                1e-12 * scale);
    const auto energy = [&](double h) {
      std::vector<double> d(v), x(q);
      for (double& number : d) number *= h;
      plus<double>(tree, q, d, x);
      return stored_energy(tree, forces, 0, x, run.bodies(x, v), run.work);
    };
    const auto slope = [&](double h) { return (energy(h) - energy(-h)) / (2 * h); };
    EXPECT_NEAR((4 * slope(5e-4) - slope(1e-3)) / 3, -power, 1e-8 * scale);
  }
}

TEST(Forces, EnergyOfABouncingPendulumStays) {
  // A pendulum between two stops without damping, on a spring between points.
  const Tree tree = TreeBuilder("pendulum")
                        .body("rod", {.mass = 2, .com = {0, 0, -.5}})
                        .joint("pivot", revolute({.axis = {0, 1, 0}}))
                        .limits(-.3, .4)
                        .build();
  Forces forces;
  forces.stops.damping_ratio = 0;
  forces.stops.frequency = 5;
  forces.points.push_back(
      {.body_a = 0, .point_a = {0, 0, -1}, .point_b = {.2, 0, -.8}, .stiffness = 30});
  ForceRun run(tree, forces);
  State<double> x{{0}, {1}};
  const auto total = [&] {
    const double kinetic = .5 * 2 * .25 * x.v[0] * x.v[0];
    const double potential = 2 * 9.81 * .5 * (1 - std::cos(x.q[0]));
    return kinetic + potential +
           stored_energy(tree, forces, 0, x.q, run.bodies(x.q, x.v), run.work);
  };
  const double before = total();
  double worst = 0;
  run.run(x, 0, 2, 40000, [&](double) { worst = std::max(worst, std::abs(total() - before)); });
  EXPECT_LT(worst, 1e-8);
}

TEST(Forces, DoNotAllocate) {
  Random random(2);
  const Tree tree = random_tree(random, 6);
  const auto q = random_coordinates(random, tree), v = random_velocities(random, tree);
  const Forces forces = everything(random, tree, q);
  ForceRun run(tree, forces);
  const BodyMotion bodies = run.bodies(q, v);
  EXPECT_TRUE(run.work.needs_bodies);
  std::vector<double> tau(v.size());
  std::vector<Wrench<Rep::body>> wrenches(tree.links.size());
  EXPECT_EQ(count_allocations([&] {
              add_forces(tree, forces, 1, q, v, bodies, run.work, tau, wrenches);
              stored_energy(tree, forces, 1, q, bodies, run.work);
              next_discontinuity(forces, 1);
            }),
            0);
  ForceDerivatives result(tree);
  add_force_derivatives(tree, forces, 1, q, v, run.work, result);
  EXPECT_EQ(
      count_allocations([&] { add_force_derivatives(tree, forces, 1, q, v, run.work, result); }),
      0);
}

TEST(Forces, SwitchingTimesOfAllParts) {
  const Tree tree = cart().build();
  Forces forces;
  forces.joint_forces.push_back({0, compile_expression(tree, "step(t - 3)")});
  forces.wrenches.push_back({0, {0, 0, 0, samples({1, 2}, {0, 5}), 0, 0}, {}});
  forces.points.push_back({.body_a = 0, .force = compile_expression(tree, "t < 2.5 ? 1 : 0")});
  std::vector<double> times;
  for (double t = next_discontinuity(forces, 0); std::isfinite(t);
       t = next_discontinuity(forces, t))
    times.push_back(t);
  EXPECT_EQ(times, (std::vector<double>{1, 2, 2.5, 3}));
}

TEST(Forces, MisuseIsToldWhere) {
  const Tree tree = cart().build();
  const auto says = [&](const auto& change, const std::string& words) {
    Forces forces;
    change(forces);
    expect_says(message([&] { ForceWork(tree, forces); }), words);
  };
  says([](Forces& f) { f.springs.push_back({1, 5}); }, "spring 0: there is no degree of freedom 1");
  says([](Forces& f) { f.springs.push_back({0, -5}); }, "the stiffness is -5");
  says([](Forces& f) { f.joint_forces.push_back({0, std::nan("")}); }, "a constant is nan");
  says([](Forces& f) { f.joint_forces.push_back({0, SignalFunction{}}); }, "function is empty");
  says([](Forces& f) { f.wrenches.push_back({-1, {}, {}}); }, "there is no body -1");
  says([](Forces& f) { f.points.push_back({}); }, "both points are on one body");
  says([](Forces& f) { f.stops.stiffness = {1, 2}; }, "2 stiffnesses");
  says([](Forces& f) { f.friction.width = 0; }, "the width is 0");
  const Tree free = TreeBuilder("f").body("b", {.mass = 1}).joint("j", free_joint()).build();
  Forces forces;
  forces.springs.push_back({0, 5});
  expect_says(message([&] { ForceWork(free, forces); }), "no coordinate for a spring");
}

}  // namespace
}  // namespace axode::test::forces_test
