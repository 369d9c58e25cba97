#include "axode/dynamics/external_wrench.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "axode/dynamics/derivatives/linearize.hpp"
#include "axode/dynamics/forward/prescribed_dynamics.hpp"
#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/engine/calls.hpp"
#include "axode/kinematics/frames/frame_kinematics.hpp"
#include "axode/lie/dual.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/dual_state.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/near.hpp"

namespace axode::test::external_wrench_test {
namespace {

/// Two links of 1 m in the plane, the second bent by a quarter turn at q = (0, pi/2).
Tree arm() {
  return TreeBuilder("arm")
      .gravity({})
      .body("upper", {.mass = 1})
      .joint("shoulder", revolute({.axis = {0, 0, 1}}))
      .body("lower", {.mass = 1})
      .on("upper")
      .joint("elbow", revolute({.axis = {0, 0, 1}}), body_screws(translation(Vec3<>{1, 0, 0})))
      .frame("tool", {.on = "lower", .at = translation(Vec3<>{1, 0, 0})})
      .frame("table", {.at = translation(Vec3<>{0, 3, 0})})
      .build();
}
const std::vector<double> bent{0, pi<double> / 2};

Vec6<double> on_lower(const Tree& tree, const NamedWrench& wrench) {
  return body_wrench(poses(tree, bent), external_wrench(tree, wrench)).six();
}

/// A force along x of the world at the tool, said in five ways.
TEST(ExternalWrench, SameForceInDifferentFrames) {
  const Tree tree = arm();
  const Vec6<double> expected{{0, 0, -1}, {0, -1, 0}};  // of the lower link, about the elbow
  const Vec3<double> x{1, 0, 0}, none{};
  const auto check = [&](const Vec6<double>& wrench, const FrameName& in) {
    expect_near(on_lower(tree, {"lower", wrench, in}), expected, 1e-15);
    expect_near(on_lower(tree, {"tool", wrench, in}), expected, 1e-15);
  };
  check({none, x}, origin_of("tool").axes_of("world"));
  check({none, {0, -1, 0}}, "tool");
  check({{0, 0, -1}, {0, -1, 0}}, "lower");
  check({{0, 0, -1}, x}, {});  // the tool is at (1, 1, 0)
  check({{0, 0, 2}, x}, "table");
}

TEST(ExternalWrench, WrenchesOfABodyAddUp) {
  const Tree tree = arm();
  const Poses<double> at = poses(tree, bent);
  const Vec6<double> a{{1, 2, 3}, {4, 5, 6}}, b{{-7, 8, 9}, {1, 1, 2}};
  const std::vector<NamedWrench> three{
      {"lower", a, "upper"}, {"upper", b, "world"}, {"tool", b, "tool"}};
  const std::vector<Wrench<Rep::body>> sums = external_wrenches(tree, at, three);
  expect_near(sums[0], on_lower(tree, {"upper", b, "world"}), 0);
  expect_near(sums[1].six(), on_lower(tree, three[0]) + on_lower(tree, three[2]), 0);

  std::vector<ExternalWrench<double>> looked_up;
  looked_up.reserve(three.size());
  for (const NamedWrench& w : three) looked_up.push_back(external_wrench(tree, w));
  std::vector<Wrench<Rep::body>> added(2, Wrench<Rep::body>{{0, 0, 1}, {}});
  EXPECT_EQ(count_allocations([&] { add_external_wrenches<double>(at, looked_up, added); }), 0);
  for (std::size_t i = 0; i < 2; ++i)
    expect_near(added[i], (sums[i] + Wrench<Rep::body>{{0, 0, 1}, {}}), 1e-15);
  EXPECT_TRUE(external_wrenches(tree, at, {})[1] == Wrench<Rep::body>{});
}

/// Options of all functions take wrenches by name, one for each body, or both.
TEST(ExternalWrench, NamedAndBodyWrenchesAddUpInAllFunctions) {
  Random random(4);
  const MovingTree r = random_moving_tree(random, 8);
  const Poses<double> at = poses(r.tree, r.q);
  const std::vector<NamedWrench> named{{"b2", random.vec6(), "world"},
                                       {"b7", random.vec6(), origin_of("b7").axes_of("b1")}};
  const std::vector<Wrench<Rep::body>> each = random_wrenches(random, r.tree),
                                       sums = external_wrenches(r.tree, at, named, each, "here");
  const std::vector<Wrench<Rep::body>> alone = external_wrenches(r.tree, at, named);
  for (std::size_t i = 0; i < each.size(); ++i) expect_near(sums[i], (alone[i] + each[i]), 0);

  const auto tau =
      reference::inverse_dynamics(r.tree, r.q, r.v, r.a, Rep::body, {.body_wrenches = sums});
  EXPECT_EQ(tau, reference::inverse_dynamics(r.tree, r.q, r.v, r.a, Rep::body, {named, each, {}}));
  InverseDynamics<Rep::body> work(r.tree);
  std::vector<double> direct(tau.size());
  inverse_dynamics<Rep::body, double>(r.tree, at, r.v, r.a, work, direct, sums);
  EXPECT_LT(relative_difference(tau, direct), 1e-12);

  const auto a = reference::forward_dynamics(r.tree, r.q, r.v, tau, Rep::body, {named, each, {}});
  EXPECT_EQ(a,
            reference::forward_dynamics(r.tree, r.q, r.v, tau, Rep::body, {.body_wrenches = sums}));
  EXPECT_LT(relative_difference(a, r.a), 1e-9);
  const std::vector<Given> given(tau.size(), Given::force);
  EXPECT_EQ(prescribed_dynamics(r.tree, r.q, r.v, given, r.a, tau, {named, each, {}}).a,
            prescribed_dynamics(r.tree, r.q, r.v, given, r.a, tau, {.body_wrenches = sums}).a);
  EXPECT_EQ(linearize(r.tree, r.q, r.v, tau, {named, each, {}}).a, a);
  EXPECT_EQ(linearize_motion(r.tree, r.q, r.v, r.a, {named, each, {}}).tau,
            linearize_motion(r.tree, r.q, r.v, r.a, {.body_wrenches = sums}).tau);

  const In<Wrench<Rep::body, double>> few = In<Wrench<Rep::body, double>>(each).first(3);
  const char* const words = "3 external wrenches, the tree has 8 bodies";
  expect_says(message([&] { external_wrenches(r.tree, at, named, few, "here"); }), words);
  expect_says(message([&] {
                reference::inverse_dynamics(r.tree, r.q, r.v, r.a, Rep::body,
                                            {.body_wrenches = few});
              }),
              words);
  expect_says(message([&] { linearize(r.tree, r.q, r.v, tau, {.body_wrenches = few}); }), words);
  const std::vector<NamedWrench> unknown{{"b9", {}, {}}};
  expect_says(message([&] {
                reference::forward_dynamics(r.tree, r.q, r.v, tau, Rep::body,
                                            {.external = unknown});
              }),
              "'b9'");
}

/// The joint forces do the work of the wrenches: tau = -J^T W with the Jacobian of the frame they
/// act at, in the frame they are given in.
TEST(ExternalWrench, DoesItsWorkOnAnyTree) {
  for_random_cases(100, [](Random& random) {
    RandomTreeOptions massless;
    massless.fixed_joints = false;
    Tree tree = random_tree(random, random.integer(2, 20), massless);
    for (Body& body : tree.bodies) body.inertia = {};
    const std::vector<double> q = random_coordinates(random, tree), zero(std::size_t(tree.nv), 0.);
    const auto any = [&] { return Frame{random.integer(-1, tree.size() - 1), random.pose()}; };
    const ExternalWrench<> w{random.integer(0, tree.size() - 1), random.vec6(), {any(), any()}};
    const Poses<double> at = poses(tree, q);
    std::vector<Wrench<Rep::body>> sums(tree.links.size());
    add_external_wrenches<double>(at, {&w, 1}, sums);
    std::vector<double> tau(zero.size()), work_done(zero.size());
    InverseDynamics<Rep::hybrid> work(tree);
    inverse_dynamics<Rep::hybrid, double>(tree, at, zero, zero, work, tau, sums);
    const Frame body{w.body, {}};
    std::vector<Vec6<double>> J(zero.size());
    jacobian<double>(tree, at, {{body, body}, {}, w.expressed_in, {}}, J);
    for (std::size_t k = 0; k < tau.size(); ++k) work_done[k] = -dot(J[k], w.wrench);
    EXPECT_LT(relative_difference(tau, work_done), 1e-12);
  });
}

TEST(ExternalWrench, DerivativeByDualNumbers) {
  using D = Dual<double>;
  const Tree tree = arm();
  const std::vector<double> v{0, 1};
  Poses<D> at(tree);
  poses<D>(tree, dual_coordinates(tree, bent, v), at);
  const Vec6<D> push = make_dual(Vec6<double>{{}, {1, 0, 0}}, Vec6<double>{{}, {2, 0, 0}});
  const ExternalWrench<D> w{1, push, frame(tree, origin_of("tool").axes_of("world"))};
  const Wrench<Rep::body, D> W = body_wrench(at, w);
  // The force turns back in the axes of the body, and grows.
  expect_near(dual_part(W.linear), Vec3<double>{-1, -2, 0}, 1e-15);
  expect_near(dual_part(W.angular), Vec3<double>{0, 0, -2}, 1e-15);
}

TEST(ExternalWrench, SaysWhatIsWrong) {
  const Tree tree = arm();
  const auto says = [&](const NamedWrench& wrench, const char* words) {
    expect_says(message([&] { external_wrench(tree, wrench); }), words);
    expect_says(message([&] { external_wrenches(tree, poses(tree, bent), {&wrench, 1}); }), words);
  };
  says({"lover", {}, {}}, "'lover'");
  says({"lower", {}, "tol"}, "'tol'");
  says({"world", {}, {}}, "wrench on 'world': it would act on the world");
  says({"table", {}, "tool"}, "wrench on 'table': it would act on the world");
  says({"lower", {{0, NAN, 0}, {}}, {}}, "not finite");
  says({"lower", {{}, {0, 0, INFINITY}}, {}}, "not finite");
}

}  // namespace
}  // namespace axode::test::external_wrench_test
