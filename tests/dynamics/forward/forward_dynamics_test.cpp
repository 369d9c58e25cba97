#include "axode/dynamics/forward/forward_dynamics.hpp"

#include <gtest/gtest.h>

#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/lie/dual.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/models/random_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::forward_dynamics_test {
namespace {

using Wrenches = std::vector<Wrench<Rep::body>>;

double relative_error(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0, size = 1;
  for (std::size_t k = 0; k < b.size(); ++k) {
    worst = std::max(worst, largest_difference(a[k], b[k]));
    size = std::max(size, std::abs(b[k]));
  }
  return worst / size;
}

/// Calls f.operator()<rep>() for the three representations there is an algorithm in.
template <class F>
void for_three(F&& f) {
  f.template operator()<Rep::body>();
  f.template operator()<Rep::spatial>();
  f.template operator()<Rep::hybrid>();
}

struct Problem {
  Tree tree;
  std::vector<double> q, v, tau;
  Wrenches external;
};
/// Armature, damping and friction at some degrees of freedom; bodies without mass have armature.
Problem random_problem(Random& random, int bodies, const RandomTreeOptions& options = {}) {
  Problem p{random_tree(random, bodies, options), {}, {}, {}, {}};
  for (std::size_t i = 0; i < p.tree.links.size(); ++i) {
    const Link& link = p.tree.links[i];
    const Vec6<double> W = random.vec6();
    p.external.push_back({W.angular, W.linear});
    for (int k = link.v; k < link.v + link.nv; ++k) {
      Dof& dof = p.tree.dofs[k];
      if (random.integer(0, 1) || options.zero_mass) dof.armature = random.uniform(.1, 1);
      if (random.integer(0, 1)) dof.damping = random.uniform(0, 2);
      if (random.integer(0, 1)) dof.friction = random.uniform(0, 2);
    }
  }
  p.q = random_coordinates(random, p.tree);
  p.v = random_velocities(random, p.tree);
  if (!p.v.empty()) p.v[0] = 0;  // at rest: no friction
  p.tau = random_velocities(random, p.tree, 10);
  return p;
}

/// tau of the accelerations that tau causes; relative to the forces that add up to it.
template <Rep rep>
double identity_error(const Problem& r, const Effects& effects = {}) {
  const Poses<double> p = poses(r.tree, r.q);
  ForwardDynamics<rep> work(r.tree);
  InverseDynamics<rep> inverse(r.tree);
  std::vector<double> a(r.tau.size()), tau(r.tau.size());
  EXPECT_TRUE(
      (forward_dynamics<rep, double>(r.tree, p, r.v, r.tau, work, a, r.external, effects).ok()));
  inverse_dynamics<rep, double>(r.tree, p, r.v, a, inverse, tau, r.external, effects);
  return relative_error(tau, r.tau);
}

TEST(ForwardDynamics, IsTheInverseOfInverseDynamics) {
  double worst = 0;
  for_random_cases(300, [&](Random& random) {
    const int bodies = random.integer(1, 60);
    RandomTreeOptions options;
    options.zero_mass = random.integer(0, 1) == 1;
    const Problem r = random_problem(random, bodies, options);
    for_three([&]<Rep rep>() {
      const double error = identity_error<rep>(r);
      EXPECT_LT(error, 1e-9) << static_cast<int>(rep);
      worst = std::max(worst, error);
    });
  });
  record("worst_relative_error", worst);
}

/// Three recursions that share nothing but the elimination of a degree of freedom. The accelerations agree; so
/// do those left in `work` with the motion they are, and the wrenches with inverse dynamics.
TEST(ForwardDynamics, RepresentationsAgreeAndLeaveMotionAndWrenches) {
  double worst = 0, worst_wrench = 0;
  for_random_cases(100, [&](Random& random) {
    const Problem r = random_problem(random, random.integer(1, 30));
    const Poses<double> p = poses(r.tree, r.q);
    const std::vector<double> body = reference::forward_dynamics(r.tree, r.q, r.v, r.tau, Rep::body,
                                                                 {.body_wrenches = r.external});
    for_three([&]<Rep rep>() {
      ForwardDynamics<rep> work(r.tree);
      InverseDynamics<rep> inverse(r.tree);
      std::vector<double> a(r.tau), tau(r.tau.size());
      EXPECT_TRUE((
          forward_dynamics<rep, double>(r.tree, p, r.v, a, work, a, r.external).ok()));  // in place
      const double error = relative_error(a, body);
      EXPECT_LT(error, 1e-10) << static_cast<int>(rep);
      worst = std::max(worst, error);
      inverse_dynamics<rep, double>(r.tree, p, r.v, a, inverse, tau, r.external);
      for (std::size_t i = 0; i < r.tree.links.size(); ++i) {
        Vec6<double> A = work.motion.accelerations[i].six();
        const double size = 1 + max_abs(A);
        expect_near(work.motion.twists[i], inverse.motion.twists[i], 1e-12 * size);
        expect_near(A, inverse.motion.accelerations[i], 1e-10 * size);
        if (rep == Rep::spatial) A.linear -= cross(work.point, A.angular);
        Vec6<double> W = work.inertias[i] * A + work.bias[i];
        if (rep == Rep::spatial) W.angular += cross(work.point, W.linear);
        const double force = 1 + max_abs(inverse.joint_wrenches[i].six()) + max_abs(work.bias[i]);
        const double difference = largest_difference(W, inverse.joint_wrenches[i].six()) / force;
        EXPECT_LT(difference, 1e-10);
        worst_wrench = std::max(worst_wrench, difference);
      }
    });
  });
  record("worst_relative_error", worst);
  record("worst_relative_error_of_wrenches", worst_wrench);
}

/// 10,000 km from the world's origin positions have a grain of 2 nm; nothing else is lost. About the
/// world's origin the spatial form would have no digit left.
TEST(ForwardDynamics, FarFromTheOriginOfTheWorld) {
  double worst = 0;
  for_random_cases(20, [&](Random& random) {
    const int bodies = random.integer(1, 10);
    Tree tree = random_tree(random, bodies, {.chain = true});
    while (tree.links[0].map != JointMap::free || tree.links[0].velocity != Rep::hybrid)
      tree = random_tree(random, bodies, {.chain = true});
    const std::vector<double> v = random_velocities(random, tree);
    const std::vector<double> tau = random_velocities(random, tree);
    std::vector<double> q = random_coordinates(random, tree);
    const std::vector<double> near = reference::forward_dynamics(tree, q, v, tau);
    for (std::size_t k = 4; k < 7; ++k) q[k] += 1e7;
    for (const Rep rep : {Rep::body, Rep::spatial, Rep::hybrid}) {
      const double error = relative_error(reference::forward_dynamics(tree, q, v, tau, rep), near);
      EXPECT_LT(error, 1e-6) << static_cast<int>(rep);
      worst = std::max(worst, error);
    }
  });
  record("worst_relative_error", worst);
}

TEST(ForwardDynamics, EffectsCanBeLeftOut) {
  for_random_cases(20, [](Random& random) {
    const Problem r = random_problem(random, random.integer(1, 10));
    for (const Effects& effects : {no_effects, Effects{.gravity = false}, Effects{.damping = false},
                                   Effects{.armature = false}, Effects{.friction = false}})
      EXPECT_LT(identity_error<Rep::body>(r, effects), 1e-9);
  });
}

/// Along a random direction of q, v, tau and wrenches: exact against central differences.
TEST(ForwardDynamics, DualNumbersDifferentiate) {
  double worst = 0;
  for_random_cases(20, [&](Random& random) {
    using D = Dual<double>;
    Problem r = random_problem(random, random.integer(1, 12));
    if (!r.v.empty()) r.v[0] = .5;  // friction has no derivative at rest
    const std::vector<double> dq = random_velocities(random, r.tree),
                              dv = random_velocities(random, r.tree),
                              dtau = random_velocities(random, r.tree);
    const auto moved = [&](double h) {
      Problem s = r;
      std::vector<double> step(dq);
      for (std::size_t k = 0; k < dq.size(); ++k) {
        step[k] *= h;
        s.v[k] += h * dv[k];
        s.tau[k] += h * dtau[k];
      }
      plus<double>(r.tree, r.q, step, s.q);
      return reference::forward_dynamics(s.tree, s.q, s.v, s.tau, Rep::body,
                                         {.body_wrenches = s.external});
    };
    std::vector<D> q(r.q.begin(), r.q.end()), step, v, tau, a(r.v.size());
    for (std::size_t k = 0; k < dq.size(); ++k) {
      step.emplace_back(0, dq[k]);
      v.emplace_back(r.v[k], dv[k]);
      tau.emplace_back(r.tau[k], dtau[k]);
    }
    plus<D>(r.tree, q, step, q);
    std::vector<Wrench<Rep::body, D>> external;
    for (const auto& W : r.external)
      external.push_back(
          {{W.angular.x, W.angular.y, W.angular.z}, {W.linear.x, W.linear.y, W.linear.z}});
    Poses<D> p(r.tree);
    poses<D>(r.tree, q, p);
    const double h = 1e-5;
    const std::vector<double> forth = moved(h), back = moved(-h);
    std::vector<double> numeric, exact(dq.size());
    for (std::size_t k = 0; k < dq.size(); ++k) numeric.push_back((forth[k] - back[k]) / (2 * h));
    for_three([&]<Rep rep>() {
      ForwardDynamics<rep, D> work(r.tree);
      EXPECT_TRUE((forward_dynamics<rep, D>(r.tree, p, v, tau, work, a, external).ok()));
      for (std::size_t k = 0; k < dq.size(); ++k) exact[k] = a[k].dual;
      const double error = relative_error(exact, numeric);
      EXPECT_LT(error, 1e-6);
      worst = std::max(worst, error);
    });
  });
  record("worst_relative_difference", worst);
}

TEST(ForwardDynamics, AllocatesNothingOnceMade) {
  Random random(7);
  const Problem r = random_problem(random, 60);
  const Poses<double> p = poses(r.tree, r.q);
  std::vector<double> a(r.v.size());
  for_three([&]<Rep rep>() {
    ForwardDynamics<rep> work(r.tree);
    EXPECT_EQ(count_allocations([&] {
                static_cast<void>(
                    forward_dynamics<rep, double>(r.tree, p, r.v, r.tau, work, a, r.external));
              }),
              0);
  });
}

TEST(ForwardDynamics, RefusesWhatIsNotComplete) {
  Random random(3);
  const Problem r = random_problem(random, 4);
  const std::vector<double> one(1, 0);
  expect_says(message([&] { reference::forward_dynamics(r.tree, one, r.v, r.tau); }),
              "q: it has 1 numbers");
  expect_says(message([&] { reference::forward_dynamics(r.tree, r.q, one, r.tau); }),
              "v: it has 1 numbers");
  expect_says(message([&] { reference::forward_dynamics(r.tree, r.q, r.v, one); }),
              "tau: it has 1 numbers");
  expect_says(message([&] {
                reference::forward_dynamics(
                    r.tree, r.q, r.v, r.tau, Rep::body,
                    {.body_wrenches = In<Wrench<Rep::body, double>>(r.external).first(1)});
              }),
              "1 external wrenches, the tree has 4 bodies");
  Wrenches broken = r.external;
  broken[2].linear.y = std::nan("");
  expect_says(message([&] {
                reference::forward_dynamics(r.tree, r.q, r.v, r.tau, Rep::body,
                                            {.body_wrenches = broken});
              }),
              "wrench on body 'b2' is not finite");
  expect_says(message([&] { reference::forward_dynamics(r.tree, r.q, r.v, r.tau, Rep::mixed); }),
              "choose body, spatial or hybrid");
}

TEST(ForwardDynamics, OfNothingAndOfFixedBodies) {
  EXPECT_TRUE(reference::forward_dynamics(Tree{}, {}, {}, {}, Rep::spatial).empty());
  RandomTreeOptions options;
  Random random(5);
  Tree tree = random_tree(random, 1, options);
  while (tree.nv != 0) tree = random_tree(random, 1, options);
  EXPECT_TRUE(reference::forward_dynamics(tree, {}, {}, {}).empty());
}

}  // namespace
}  // namespace axode::test::forward_dynamics_test
