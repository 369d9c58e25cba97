#include "axode/dynamics/parameters/sensitivity.hpp"

#include <gtest/gtest.h>

#include "axode/lie/dual.hpp"
#include "axode/lie/homogeneous.hpp"
#include "axode/model/builder.hpp"
#include "axode/screw/screw.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/models/random_tree.hpp"
#include "tests/support/models/reference_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::sensitivity_test {
namespace {

using Values = std::vector<double>;
using D = Dual<double>;

double relative(const Values& found, const Values& expected) {
  double worst = found.size() == expected.size() ? 0 : 1, size = 1;
  for (std::size_t k = 0; k < found.size(); ++k) {
    worst = std::max(worst, largest_difference(found[k], expected[k]));
    size = std::max(size, std::abs(expected[k]));
  }
  return worst / size;
}

TEST(Sensitivity, ReferenceVectors) {
  const nlohmann::json data = read_json("chain7.json");
  const Tree tree = tree_from_reference(data.at("model"));
  double worst = 0;
  for (const auto& state : data.at("states")) {
    const auto in = [&](const char* key) { return flat(state.at("input").at(key)); };
    const Poses<double> at = poses(tree, in("q"));
    GeometricSensitivity<double> s(tree);
    const auto& expected = state.at("output").at("geometric_sensitivity");
    ASSERT_FALSE(expected.empty());
    for (const auto& e : expected) {
      const GeometricVariation variation{e.at("body").get<int>(), vec6(e.at("U"))};
      const Values dtau =
          force_sensitivities(tree, in("q"), in("qd"), in("qdd"), {&variation, 1}).front();
      worst = std::max(worst, relative(dtau, flat(e.at("dQ_dpi"))));
      pose_sensitivity(tree, at, variation, s);
      const Vec6<double>& eta = s.displacements.back();
      const SE3<double>& T = at.T_WB.back();
      const Mat3<double> dR = T.R.matrix * skew(eta.angular);
      const Vec3<double> dp = T.R * eta.linear;
      const SE3<double> dC = pose(e.at("dC_last_dpi"));
      worst = std::max({worst, largest_difference(dR, dC.R.matrix), largest_difference(dp, dC.p)});
    }
  }
  EXPECT_LT(worst, 1e-12);
  record("worst_relative_error", worst);
}

/// The tree with a massless body and a joint of the screw U between body k and its parent, whose
/// coordinate is the parameter: T_PB = B exp(U pi) D(q).
Tree with_parameter_joint(const Tree& tree, int k, const Vec6<double>& U) {
  Tree t = tree;
  const std::size_t at = k;
  const Link own = tree.links[at];
  Link link = own;
  link.nq = link.nv = 1;
  link.map = max_abs(U.angular) == 0 ? JointMap::translation : JointMap::screw;
  for (std::size_t i = at; i < t.links.size(); ++i) {
    Link& l = t.links[i];
    ++l.q;
    ++l.v;
    if (l.parent >= k) ++l.parent;
  }
  t.links[at].parent = k;
  t.links[at].B = {};
  t.links.insert(t.links.begin() + k, link);
  t.bodies.insert(t.bodies.begin() + k, Body{});
  t.screws.insert(t.screws.begin() + own.v, U);
  t.dofs.insert(t.dofs.begin() + own.v, Dof{});
  ++t.nq;
  ++t.nv;
  return t;
}
/// The numbers of a state with a zero at that place; its rate is 1 for coordinates.
std::vector<D> with_zero(const Values& x, int place, double rate) {
  std::vector<D> y(x.begin(), x.end());
  y.insert(y.begin() + place, D(0, rate));
  return y;
}

Vec6<double> random_screw(Random& random) {
  if (random.integer(0, 3) == 0) return coordinates(make_translation_screw(random.unit()));
  return coordinates(make_screw(random.unit(), random.vec3(.5), random.uniform(-.2, .2)));
}

struct Case {
  Tree tree;
  Values q, v, a;
  std::vector<Wrench<Rep::body>> external;
  GeometricVariation variation;
};
Case random_case(Random& random, int bodies) {
  Case c{random_tree(random, bodies, {.zero_mass = true}), {}, {}, {}, {}, {}};
  c.q = random_coordinates(random, c.tree);
  c.v = random_velocities(random, c.tree);
  c.a = random_velocities(random, c.tree);
  for (int i = 0; i < bodies; ++i) c.external.push_back({random.vec3(), random.vec3()});
  c.variation = {random.integer(0, bodies - 1), random_screw(random)};
  return c;
}

struct Derivatives {
  GeometricSensitivity<double> s;
  Values dtau;
};
Derivatives sensitivity(const Case& c) {
  Derivatives d{GeometricSensitivity<double>(c.tree), Values(c.v.size())};
  const Poses<double> at = poses(c.tree, c.q);
  InverseDynamics<Rep::body> dynamics(c.tree);
  Values tau(c.v.size());
  inverse_dynamics<Rep::body, double>(c.tree, at, c.v, c.a, dynamics, tau, c.external);
  force_sensitivity<double>(c.tree, at, c.v, dynamics, c.variation, d.s, d.dtau);
  return d;
}

// Dual numbers through a tree in which the parameter is a joint; all joint types.
TEST(Sensitivity, DualNumbersThroughAParameterJoint) {
  double worst = 0;
  for_random_cases(100, [&](Random& random) {
    const Case c = random_case(random, random.integer(1, 20));
    const int k = c.variation.body;
    const Link& link = c.tree.links[k];
    const Tree extended = with_parameter_joint(c.tree, k, c.variation.U);
    Poses<D> at(extended);
    poses<D>(extended, with_zero(c.q, link.q, 1), at);
    std::vector<Wrench<Rep::body, D>> external;
    for (const auto& W : c.external)
      external.push_back({make_dual(W.angular, {}), make_dual(W.linear, {})});
    external.insert(external.begin() + k, Wrench<Rep::body, D>{});
    InverseDynamics<Rep::body, D> dynamics(extended);
    std::vector<D> tau(extended.nv);
    inverse_dynamics<Rep::body, D>(extended, at, with_zero(c.v, link.v, 0),
                                   with_zero(c.a, link.v, 0), dynamics, tau, external);
    tau.erase(tau.begin() + link.v);
    Values expected;
    for (const D& x : tau) expected.push_back(x.dual);

    const Derivatives found = sensitivity(c);
    worst = std::max(worst, relative(found.dtau, expected));
    double size = 1, error = 0;
    for (int i = 0; i < c.tree.size(); ++i) {
      const std::size_t b = i, e = i < k ? i : i + 1;
      const auto compare = [&](const Vec6<double>& x, const Vec6<D>& y) {
        error = std::max(error, largest_difference(x, dual_part(y)));
        size = std::max(size, max_abs(dual_part(y)));
      };
      compare(found.s.twists[b].six(), dynamics.motion.twists[e].six());
      compare(found.s.accelerations[b].six(), dynamics.motion.accelerations[e].six());
      compare(found.s.joint_wrenches[b].six(), dynamics.joint_wrenches[e].six());
      const SE3<D>& T = at.T_WB[e];
      const Mat3<double> R = real_part(T.R.matrix);
      compare(found.s.displacements[b],
              {make_dual({}, unskew(transpose(R) * dual_part(T.R.matrix))),
               make_dual({}, transpose(R) * dual_part(T.p))});
    }
    worst = std::max(worst, error / size);
  });
  EXPECT_LT(worst, 1e-12);
  record("worst_relative_error", worst);
}

// Several factors at one body, away from zero: trees built with the product, by central differences.
TEST(Sensitivity, ProductsOfVariations) {
  double worst = 0;
  for_random_cases(40, [&](Random& random) {
    Case c = random_case(random, random.integer(1, 10));
    std::vector<GeometricVariation> variations;
    Values pi;
    for (int k = 0; k < 5; ++k) {
      variations.push_back({random.integer(0, c.tree.size() - 1), random.vec6(1)});
      pi.push_back(random.uniform(-1, 1));
    }
    const auto tau_at = [&](const Values& x) {
      Tree t = c.tree;
      for (std::size_t k = 0; k < x.size(); ++k) {
        SE3<double>& B = t.links[variations[k].body].B;
        B = B * exp(variations[k].U * x[k]);
      }
      InverseDynamics<Rep::body> dynamics(t);
      Values tau(c.v.size());
      inverse_dynamics<Rep::body, double>(t, poses(t, c.q), c.v, c.a, dynamics, tau, c.external);
      return tau;
    };
    Tree there = c.tree;
    for (std::size_t k = 0; k < pi.size(); ++k) {
      SE3<double>& B = there.links[variations[k].body].B;
      B = B * exp(variations[k].U * pi[k]);
    }
    const auto found = force_sensitivities(there, c.q, c.v, c.a,
                                           variations_at(c.tree, variations, pi), c.external);
    const double h = 1e-3;
    for (std::size_t k = 0; k < pi.size(); ++k) {
      const auto moved = [&](double by) {
        Values x = pi;
        x[k] += by;
        return tau_at(x);
      };
      const Values a = moved(-2 * h), b = moved(-h), d = moved(h), e = moved(2 * h);
      Values expected(a.size());
      for (std::size_t i = 0; i < a.size(); ++i)
        expected[i] = (a[i] - e[i] + 8 * (d[i] - b[i])) / (12 * h);
      worst = std::max(worst, relative(found[k], expected));
    }
  });
  EXPECT_LT(worst, 1e-9);  // h^4/30 of the fifth derivative, and 1e-13 / h of rounding
  record("worst_relative_error", worst);
}

// The derivative along a joint's own screw is the one along its coordinate.
TEST(Sensitivity, AlongTheOwnScrewItIsThatOfTheCoordinate) {
  for_random_cases(30, [](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 12), {.one_screw_joints = true});
    const Values q = random_coordinates(random, tree), v = random_velocities(random, tree),
                 a = random_velocities(random, tree);
    const int k = random.integer(0, tree.size() - 1);
    const GeometricVariation variation{k, tree.screws[k]};
    const Values found = force_sensitivities(tree, q, v, a, {&variation, 1}).front();
    std::vector<D> x(q.begin(), q.end()), vd(v.begin(), v.end()), ad(a.begin(), a.end()),
        tau(v.size());
    x[k].dual = 1;
    Poses<D> at(tree);
    poses<D>(tree, x, at);
    InverseDynamics<Rep::body, D> dynamics(tree);
    inverse_dynamics<Rep::body, D>(tree, at, vd, ad, dynamics, tau);
    Values expected;
    for (const D& t : tau) expected.push_back(t.dual);
    EXPECT_LT(relative(found, expected), 1e-12);
  });
}

TEST(Sensitivity, MotionWithoutGravity) {
  for_random_cases(30, [](Random& random) {
    const Case c = random_case(random, random.integer(1, 12));
    const Poses<double> at = poses(c.tree, c.q);
    Motion<Rep::body> motion(c.tree), before(c.tree), after(c.tree);
    accelerations<Rep::body, double>(c.tree, at, c.v, c.a, motion);
    GeometricSensitivity<double> s(c.tree);
    motion_sensitivity<double>(c.tree, at, c.v, motion, c.variation, s);
    const double h = 1e-4;
    for (const double sign : {-1., 1.}) {
      Tree t = c.tree;
      SE3<double>& B = t.links[c.variation.body].B;
      B = B * exp(c.variation.U * (sign * h));
      accelerations<Rep::body, double>(t, poses(t, c.q), c.v, c.a, sign < 0 ? before : after);
    }
    for (std::size_t i = 0; i < c.tree.links.size(); ++i) {
      const auto slope = [&](const Vec6<double>& x, const Vec6<double>& y) {
        return (y - x) / (2 * h);
      };
      const Vec6<double> A = slope(before.accelerations[i].six(), after.accelerations[i].six());
      expect_near(s.twists[i], slope(before.twists[i].six(), after.twists[i].six()), 1e-6);
      expect_near(s.accelerations[i], A, 1e-6 * (1 + max_abs(A)));
    }
  });
}

// One object serves all bodies in turn: nothing of the last one is left.
TEST(Sensitivity, ReusedObjectIsAsGoodAsNew) {
  Random random(3);
  Case c = random_case(random, 15);
  const Poses<double> at = poses(c.tree, c.q);
  InverseDynamics<Rep::body> dynamics(c.tree);
  Values tau(c.v.size()), dtau(c.v.size());
  inverse_dynamics<Rep::body, double>(c.tree, at, c.v, c.a, dynamics, tau, c.external);
  GeometricSensitivity<double> reused(c.tree);
  for (int k = 0; k < 40; ++k) {
    c.variation = {random.integer(0, 14), random_screw(random)};
    const Derivatives fresh = sensitivity(c);
    force_sensitivity<double>(c.tree, at, c.v, dynamics, c.variation, reused, dtau);
    EXPECT_EQ(dtau, fresh.dtau);
    EXPECT_EQ(reused.displacements, fresh.s.displacements);
    EXPECT_EQ(reused.twists, fresh.s.twists);
    EXPECT_EQ(reused.accelerations, fresh.s.accelerations);
    EXPECT_EQ(reused.joint_wrenches, fresh.s.joint_wrenches);
  }
  pose_sensitivity(c.tree, at, {0, random_screw(random)}, reused);
  EXPECT_EQ(max_abs(reused.twists[0].six()), 0);
  EXPECT_EQ(max_abs(reused.joint_wrenches[0].six()), 0);
}

TEST(Sensitivity, DoesNotAllocate) {
  Random random(9);
  const Case c = random_case(random, 30);
  const Poses<double> at = poses(c.tree, c.q);
  InverseDynamics<Rep::body> dynamics(c.tree);
  Values tau(c.v.size());
  inverse_dynamics<Rep::body, double>(c.tree, at, c.v, c.a, dynamics, tau, c.external);
  GeometricSensitivity<double> s(c.tree);
  EXPECT_EQ(count_allocations([&] {
              pose_sensitivity(c.tree, at, c.variation, s);
              motion_sensitivity<double>(c.tree, at, c.v, dynamics.motion, c.variation, s);
              force_sensitivity<double>(c.tree, at, c.v, dynamics, c.variation, s, tau);
            }),
            0);
}

TEST(Sensitivity, SaysWhatIsWrong) {
  Random random(10);
  const Case c = random_case(random, 3);
  const std::vector<GeometricVariation> bad{{3, {}}};
  expect_says(message([&] { force_sensitivities(c.tree, c.q, c.v, c.a, bad); }), "no body 3");
  std::vector<Wrench<Rep::body>> external(3);
  external[1].angular.z = NAN;
  const std::vector<GeometricVariation> good{{1, {{1, 0, 0}, {}}}};
  const auto says = [&](In<Wrench<Rep::body>> W, const char* words) {
    expect_says(message([&] { force_sensitivities(c.tree, c.q, c.v, c.a, good, W); }), words);
  };
  says(external, "'b1' is not finite");
  says(std::span(external).first(2), "2 external wrenches");
  expect_says(message([&] {
                variations_at(c.tree, six_variations(1), Values{1, 2});
              }),
              "2 numbers for 6 variations");
}

}  // namespace
}  // namespace axode::test::sensitivity_test
