#include "axode/dynamics/derivatives/time_derivatives.hpp"

#include <gtest/gtest.h>

#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/lie/dual.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/models/random_tree.hpp"
#include "tests/support/models/reference_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::time_derivatives_test {
namespace {

using Values = std::vector<double>;
using Wrenches = std::vector<Wrench<Rep::body>>;

/// Calls f.operator()<rep>() for both representations.
template <class F>
void for_both(F&& f) {
  f.template operator()<Rep::body>();
  f.template operator()<Rep::hybrid>();
}

double size_of(const Values& x) {
  double most = 1;
  for (const double c : x) most = std::max(most, std::abs(c));
  return most;
}
double relative(const Values& found, const Values& expected) {
  double worst = found.size() == expected.size() ? 0 : 1;
  for (std::size_t k = 0; k < found.size(); ++k)
    worst = std::max(worst, largest_difference(found[k], expected[k]));
  return worst / size_of(expected);
}

struct Motions {
  Values v, a, jerk, snap;
  operator JointMotion<double>() const { return {v, a, jerk, snap}; }  // NOLINT: implicit
};
Motions random_motion(Random& random, const Tree& tree) {
  return {random_velocities(random, tree), random_velocities(random, tree),
          random_velocities(random, tree), random_velocities(random, tree)};
}

template <Rep rep>
JointForceRates rates(const Tree& tree, const Values& q, const JointMotion<double>& motion,
                      const ExternalWrenchRates<double>& external = {},
                      const Effects& effects = {}) {
  const std::size_t n = tree.nv;
  JointForceRates result{Values(n), Values(n), Values(motion.snap.empty() ? 0 : n)};
  InverseDynamicsRates<rep> work(tree);
  inverse_dynamics_rates(tree, poses(tree, q), motion, work,
                         {result.tau, result.first, result.second}, external, effects);
  return result;
}

Values minus(Values a, const Values& b) {
  for (std::size_t k = 0; k < a.size(); ++k) a[k] -= b[k];
  return a;
}

template <Rep rep>
double reference_error(const Tree& tree, const nlohmann::json& state) {
  const auto in = [&](const char* key) { return flat(state.at("input").at(key)); };
  const auto out = [&](const char* key) { return flat(state.at("output").at(key)); };
  const Values q = in("q");
  const Motions motion{in("qd"), in("qdd"), in("qddd"), in("qdddd")};
  const JointForceRates free = rates<rep>(tree, q, motion);
  Wrenches wrenches;
  for (const auto& W : state.at("input").at("Wapp_body"))
    wrenches.push_back({vec6(W).angular, vec6(W).linear});
  const JointForceRates loaded = rates<rep>(tree, q, motion, {wrenches});
  return std::max({relative(free.tau, out("Q")), relative(free.first, out("dQ_dt")),
                   relative(free.second, out("d2Q_dt2")), relative(loaded.tau, out("Q_total")),
                   relative(loaded.first, minus(out("dQ_dt"), out("dQapp_dt_const_body_wrench")))});
}

TEST(TimeDerivatives, ReferenceVectors) {
  double worst = 0;
  for (const char* name :
       {"remote_centre", "chain7", "tree9", "multidof_first", "multidof_second"}) {
    const nlohmann::json data = read_json(std::string(name) + ".json");
    for (const GeometryForm form : {GeometryForm::zero_reference, GeometryForm::joint_frames}) {
      const Tree tree = tree_from_reference(data.at("model"), form);
      for (const auto& state : data.at("states"))
        for_both([&]<Rep rep>() {
          const double error = reference_error<rep>(tree, state);
          EXPECT_LT(error, 1e-12) << name;
          worst = std::max(worst, error);
        });
    }
  }
  record("worst_relative_error", worst);
}

/// A tree with losses in all its joints, and wrenches that change.
struct Case {
  Tree tree;
  Values q;
  Motions motion;
  Wrenches W, W1, W2;
  ExternalWrenchRates<double> external() const { return {W, W1, W2}; }
};
Case random_case(Random& random, int bodies) {
  Case c{random_tree(random, bodies, {.zero_mass = true}), {}, {}, {}, {}, {}};
  for (Dof& dof : c.tree.dofs) {
    dof.damping = random.uniform(0, 1);
    dof.friction = random.uniform(0, 1);
    dof.armature = random.uniform(0, 1);
  }
  c.q = random_coordinates(random, c.tree);
  c.motion = random_motion(random, c.tree);
  for (Wrenches* all : {&c.W, &c.W1, &c.W2})
    for (int i = 0; i < c.tree.size(); ++i) all->push_back({random.vec3(), random.vec3()});
  return c;
}

using D = Dual<double>;

std::vector<D> moving(const Values& at, const Values& rate) {
  std::vector<D> x(at.size());
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = {at[k], rate[k]};
  return x;
}
std::vector<Wrench<Rep::body, D>> moving(const Wrenches& at, const Wrenches& rate) {
  std::vector<Wrench<Rep::body, D>> x(at.size());
  for (std::size_t k = 0; k < x.size(); ++k)
    x[k] = {make_dual(at[k].angular, rate[k].angular), make_dual(at[k].linear, rate[k].linear)};
  return x;
}
Values dual_parts(const std::vector<D>& x) {
  Values d(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) d[k] = x[k].dual;
  return d;
}

// d/dt of tau is tau', d/dt of tau' is tau'', by dual numbers along the motion.
TEST(TimeDerivatives, DerivativesOfTheDerivatives) {
  double worst = 0;
  for_random_cases(60, [&](Random& random) {
    const Case c = random_case(random, random.integer(1, 20));
    Values q_rate(c.q.size());
    coordinate_rate<double>(c.tree, c.q, c.motion.v, q_rate);
    Poses<D> at(c.tree);
    poses<D>(c.tree, moving(c.q, q_rate), at);
    const std::vector<D> v = moving(c.motion.v, c.motion.a), a = moving(c.motion.a, c.motion.jerk),
                         jerk = moving(c.motion.jerk, c.motion.snap);
    const auto W = moving(c.W, c.W1), W1 = moving(c.W1, c.W2);
    std::vector<D> tau(v.size()), first(v.size());
    for_both([&]<Rep rep>() {
      const JointForceRates found = rates<rep>(c.tree, c.q, c.motion, c.external());
      InverseDynamicsRates<rep, D> work(c.tree);
      inverse_dynamics_rates(c.tree, at, {v, a, jerk}, work, {tau, first}, {W, W1});
      worst = std::max({worst, relative(found.first, dual_parts(tau)),
                        relative(found.second, dual_parts(first))});
    });
  });
  EXPECT_LT(worst, 1e-12);  // sums of some hundred terms along the paths
  record("worst_relative_error", worst);
}

TEST(TimeDerivatives, ZerothOrderIsInverseDynamicsAndBothRepresentationsAgree) {
  double worst = 0;
  for_random_cases(100, [&](Random& random) {
    const Case c = random_case(random, random.integer(1, 40));
    const JointForceRates body = rates<Rep::body>(c.tree, c.q, c.motion, c.external());
    const JointForceRates hybrid = rates<Rep::hybrid>(c.tree, c.q, c.motion, c.external());
    Values tau(body.tau.size());
    InverseDynamics<Rep::body> work(c.tree);
    inverse_dynamics<Rep::body, double>(c.tree, poses(c.tree, c.q), c.motion.v, c.motion.a, work,
                                        tau, c.W);
    worst = std::max({worst, relative(body.tau, tau), relative(hybrid.tau, tau),
                      relative(hybrid.first, body.first), relative(hybrid.second, body.second)});
  });
  EXPECT_LT(worst, 1e-12);
  record("worst_relative_difference", worst);
}

TEST(TimeDerivatives, EffectsOneByOne) {
  Random random(5);
  const Case c = random_case(random, 12);
  const auto of = [&](const Effects& effects) {
    return rates<Rep::body>(c.tree, c.q, c.motion, {}, effects);
  };
  const JointForceRates none = of(no_effects);
  const JointForceRates damping = of({false, false, true, false});
  const JointForceRates armature = of({false, true, false, false});
  const JointForceRates friction = of({false, false, false, true});
  for (std::size_t k = 0; k < none.tau.size(); ++k) {
    const Dof& dof = c.tree.dofs[k];
    EXPECT_NEAR(damping.first[k] - none.first[k], dof.damping * c.motion.a[k], 1e-10);
    EXPECT_NEAR(damping.second[k] - none.second[k], dof.damping * c.motion.jerk[k], 1e-10);
    EXPECT_NEAR(armature.first[k] - none.first[k], dof.armature * c.motion.jerk[k], 1e-10);
    EXPECT_NEAR(armature.second[k] - none.second[k], dof.armature * c.motion.snap[k], 1e-10);
    EXPECT_EQ(friction.first[k], none.first[k]);
    EXPECT_EQ(friction.second[k], none.second[k]);
  }
}

TEST(TimeDerivatives, PendulumInClosedForm) {
  const double m = 2, l = .7, g = 9.81;
  const Tree tree = TreeBuilder{}
                        .gravity({0, -g, 0})
                        .body("bob", {.mass = m, .com = {0, -l, 0}})
                        .joint("pivot", revolute({.axis = {0, 0, 1}}))
                        .build();
  const double q = .4, v = 1.3, a = -.6, j = 2, s = -3;
  const double sine = std::sin(q), cosine = std::cos(q);
  const Motions motion{{v}, {a}, {j}, {s}};
  for_both([&]<Rep rep>() {
    const JointForceRates found = rates<rep>(tree, {q}, motion);
    EXPECT_NEAR(found.tau[0], m * l * l * a + m * g * l * sine, 1e-14);
    EXPECT_NEAR(found.first[0], m * l * l * j + m * g * l * cosine * v, 1e-14);
    EXPECT_NEAR(found.second[0], m * l * l * s + m * g * l * (cosine * a - sine * v * v), 1e-13);
  });
}

// A force constant in the world turns the other way round in the body.
TEST(TimeDerivatives, ConstantForceInTheWorld) {
  const Tree tree =
      TreeBuilder{}.gravity({}).body("rod").joint("pivot", revolute({.axis = {0, 0, 1}})).build();
  const double q = .3, v = .8, a = .5, f = 4, l = .6;  // along x of the world, on the y axis
  const Vec3<double> F{f * std::cos(q), -f * std::sin(q), 0};
  const Vec3<double> F1{-f * std::sin(q) * v, -f * std::cos(q) * v, 0};
  const Vec3<double> F2 = Vec3<double>{-f * std::sin(q), -f * std::cos(q), 0} * a - F * (v * v);
  const auto at_end = [&](const Vec3<double>& force) {
    return Wrenches{{cross(Vec3<double>{0, l, 0}, force), force}};
  };
  const Wrenches W = at_end(F), W1 = at_end(F1), W2 = at_end(F2);
  const Motions motion{{v}, {a}, {0}, {0}};
  for_both([&]<Rep rep>() {  // moment of the force about the pivot: -f l cos q
    const JointForceRates found = rates<rep>(tree, {q}, motion, {W, W1, W2});
    EXPECT_NEAR(found.tau[0], f * l * std::cos(q), 1e-15);
    EXPECT_NEAR(found.first[0], -f * l * std::sin(q) * v, 1e-15);
    EXPECT_NEAR(found.second[0], -f * l * (std::cos(q) * v * v + std::sin(q) * a), 1e-14);
  });
}

TEST(TimeDerivatives, FirstOrderAloneIsTheSame) {
  Random random(8);
  const Case c = random_case(random, 25);
  for_both([&]<Rep rep>() {
    const JointForceRates both = rates<rep>(c.tree, c.q, c.motion, c.external());
    const JointForceRates one = rates<rep>(
        c.tree, c.q, JointMotion<double>{c.motion.v, c.motion.a, c.motion.jerk}, c.external());
    EXPECT_EQ(one.tau, both.tau);
    EXPECT_EQ(one.first, both.first);
    EXPECT_TRUE(one.second.empty());
  });
}

TEST(TimeDerivatives, DoesNotAllocate) {
  Random random(9);
  const Case c = random_case(random, 40);
  const Poses<double> at = poses(c.tree, c.q);
  Values tau(c.motion.v.size()), first = tau, second = tau;
  for_both([&]<Rep rep>() {
    InverseDynamicsRates<rep> work(c.tree);
    EXPECT_EQ(
        count_allocations([&] {
          inverse_dynamics_rates(c.tree, at, c.motion, work, {tau, first, second}, c.external());
        }),
        0);
  });
}

TEST(TimeDerivatives, CheckedFunctionSaysWhatIsWrong) {
  Random random(10);
  const Case c = random_case(random, 5);
  const JointForceRates found = inverse_dynamics_rates(c.tree, c.q, c.motion, c.external());
  EXPECT_EQ(found.second, rates<Rep::body>(c.tree, c.q, c.motion, c.external()).second);
  Motions bad = c.motion;
  bad.jerk.pop_back();
  expect_says(message([&] { inverse_dynamics_rates(c.tree, c.q, bad); }), "jerk");
  const Wrenches few(c.W.begin(), c.W.end() - 1);
  expect_says(message([&] { inverse_dynamics_rates(c.tree, c.q, c.motion, {few}); }),
              "4 wrenches for 5 bodies");
  Wrenches infinite = c.W;
  infinite[2].linear.x = std::numeric_limits<double>::infinity();
  expect_says(message([&] {
                inverse_dynamics_rates(c.tree, c.q, c.motion, {c.W, infinite});
              }),
              "body 'b2'");
}

}  // namespace
}  // namespace axode::test::time_derivatives_test
