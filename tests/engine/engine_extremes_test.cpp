// Trees far away, far apart and large, and axes that are nearly parallel.
#include <gtest/gtest.h>

#include "axode/dynamics/forward/forward_dynamics.hpp"
#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "tests/engine/engine_cases.hpp"
#include "tests/support/near.hpp"

namespace axode::test::engine_extremes_test {
namespace {

/// All results of a state that do not tell where the tree is.
struct Results {
  explicit Results(const EngineCase& r)
      : M(r.tree), C(square(r)), derivatives(r.tree), forward(r.tree), forces(r.v.size()) {
    Engine e(r.tree);
    const EngineOptions o{.external = r.external};
    mass_matrix(e, r.q, M);
    coriolis_matrix(e, r.q, r.v, C);
    inverse_dynamics_derivatives(e, r.q, r.v, r.a, derivatives, o);
    EXPECT_EQ(forward_dynamics_derivatives(e, r.q, r.v, r.tau, forward, o).singular_velocity, -1);
    inverse_dynamics(e, r.q, r.v, r.a, forces, o);
  }
  static DenseMatrix<double> square(const EngineCase& r) {
    return {r.tree.nv, r.tree.nv, std::vector<double>(r.v.size() * r.v.size())};
  }
  /// Largest relative difference of any.
  double difference(const Results& b) const {
    double worst = 0;
    const auto also = [&](const std::vector<double>& x, const std::vector<double>& y) {
      worst = std::max(worst, relative_difference(x, y));
    };
    also(M.values, b.M.values);
    also(C.values, b.C.values);
    also(derivatives.tau, b.derivatives.tau);
    also(derivatives.by_q.values, b.derivatives.by_q.values);
    also(derivatives.by_v.values, b.derivatives.by_v.values);
    also(forward.a, b.forward.a);
    also(forward.by_q.values, b.forward.by_q.values);
    also(forward.by_v.values, b.forward.by_v.values);
    also(forward.by_tau.values, b.forward.by_tau.values);
    also(forces, b.forces);
    return worst;
  }
  PathMatrix<double> M;
  DenseMatrix<double> C;
  InverseDynamicsDerivatives<double> derivatives;
  ForwardDynamicsDerivatives<double> forward;
  std::vector<double> forces;
};

/// An arm of six bodies on `base`.
void add_arm(TreeBuilder& builder, Random& random, const std::string& base) {
  std::string parent = base;
  for (int i = 0; i < 6; ++i) {
    std::string name = base;
    name.append(std::to_string(i));
    builder.body(name, random_box(random)).on(parent);
    builder.joint(name, revolute({.axis = random.unit(), .point = random.vec3(.5)}),
                  body_screws(random.pose(.5)));
    if (random.integer(0, 2) != 0) parent = name;
  }
}

/// Positions have a grain far from the world's origin, nothing else is lost.
TEST(EngineExtremes, FreeBaseFarFromTheOriginOfTheWorld) {
  double worst = 0;
  for_random_cases(40, [&](Random& random) {
    TreeBuilder builder;
    const Rep velocity = random.integer(0, 2) == 0 ? Rep::hybrid : Rep::body;
    builder.body("base", random_box(random)).joint("base", free_joint({.velocity = velocity}));
    add_arm(builder, random, "base");
    const EngineCase here = loaded(random, builder.build());
    EngineCase away = here;
    for (std::size_t k = 4; k < 7; ++k) away.q[k] += 1e6;
    // For hybrid velocities the functions of dynamics/ are taken.
    const double error = Results(away).difference(Results(here));
    EXPECT_LT(error, velocity == Rep::body ? 1e-12 : 1e6 * 16 * epsilon<double>);
    worst = std::max(worst, error);
  });
  record("worst_relative_error", worst);
}

/// Each tree on the world has its own point of reference.
TEST(EngineExtremes, RobotsFarApart) {
  double worst = 0;
  for_random_cases(40, [&](Random& random) {
    const std::uint64_t seed = static_cast<std::uint64_t>(random.integer(0, 1'000'000));
    const auto robots = [&](double far) {
      Random again(seed);
      TreeBuilder builder;
      builder.body("a", random_box(again)).joint("a", revolute({.axis = again.unit()}));
      add_arm(builder, again, "a");
      builder.body("b", random_box(again))
          .joint("b", revolute({.axis = again.unit()}),
                 body_screws(translation(Vec3<double>{far, far, 0})));
      add_arm(builder, again, "b");
      return loaded(again, builder.build());
    };
    const double error = Results(robots(1e6)).difference(Results(robots(0)));
    EXPECT_LT(error, 1e-12);
    worst = std::max(worst, error);
  });
  record("worst_relative_error", worst);
}

/// The common normal of two axes may be far away: no frame must be put there.
TEST(EngineExtremes, NearlyParallelAxesLoseNoDigits) {
  double worst = 0;
  for (double angle = .1; angle > 1e-15; angle /= 3)
    for_random_cases(10, [&](Random& random) {
      TreeBuilder builder;
      Vec3<double> axis = random.unit();
      for (int i = 0; i < 4; ++i) {
        const std::string name = std::string("b").append(std::to_string(i));
        builder.body(name, random_box(random));
        if (i > 0) builder.on(std::string("b").append(std::to_string(i - 1)));
        const Joint joint = random.integer(0, 3) == 0
                                ? helical({.axis = axis, .point = random.vec3(.5), .pitch = .1})
                                : revolute({.axis = axis, .point = random.vec3(.5)});
        builder.joint(name, joint, zero_reference(random.pose(.5)));
        axis = exp(normalized(cross(axis, random.unit())) * angle) * axis;
      }
      const EngineCase r = loaded(random, builder.build());
      const std::vector<double> expected = reference::inverse_dynamics(r.tree, r.q, r.v, r.a);
      Engine e(r.tree);
      std::vector<double> tau(r.v.size()), a(tau);
      inverse_dynamics(e, r.q, r.v, r.a, tau);
      const double error = relative_difference(tau, expected);
      EXPECT_LT(error, 100 * epsilon<double>) << angle;
      worst = std::max(worst, error);
      EXPECT_TRUE(forward_dynamics(e, r.q, r.v, r.tau, a).ok());
      EXPECT_LT(relative_difference(a, reference::forward_dynamics(r.tree, r.q, r.v, r.tau)),
                1e-12);
    });
  record("worst_relative_error", worst);
}

/// Sum of the distances of the bodies from their parents: what rounding errors of places grow with.
double extent(const Poses<double>& p) {
  double sum = 1;
  for (const SE3<double>& T : p.T_PB) sum += norm(T.p);
  return sum;
}

/// Bodies of which each is on the one before, every other one, or all are on the world.
enum class Layout { chain, comb, star };
Tree large_tree(Random& random, Layout layout, int bodies) {
  TreeBuilder builder;
  for (int i = 0; i < bodies; ++i) {
    const std::string name = std::string("b").append(std::to_string(i));
    builder.body(name, random_box(random));
    const int parent = layout == Layout::chain || i % 2 == 1 ? i - 1 : i - 2;
    if (parent >= 0 && layout != Layout::star)
      builder.on(std::string("b").append(std::to_string(parent)));
    builder.joint(name, revolute({.axis = random.unit(), .point = random.vec3(.1)}),
                  body_screws(random.pose(.1)));
  }
  return builder.build();
}
/// What forward dynamics by articulated bodies leaves of the forces, in roundings of their path.
struct LargeTree : EngineCase {
  LargeTree(Random& random, Layout layout, int bodies)
      : EngineCase(loaded(random, large_tree(random, layout, bodies))), p(poses(tree, q)) {}
  std::vector<double> forces(const std::vector<double>& of) const {
    InverseDynamics<Rep::body> work(tree);
    std::vector<double> result(v.size());
    inverse_dynamics<Rep::body, double>(tree, p, v, of, work, result, external);
    return result;
  }
  std::vector<double> accelerations() const {
    ForwardDynamics<Rep::hybrid> work(tree);
    std::vector<double> result(v.size());
    EXPECT_TRUE(
        (forward_dynamics<Rep::hybrid, double>(tree, p, v, tau, work, result, external).ok()));
    return result;
  }
  Poses<double> p;
};

/// No recursion, nothing quadratic.
TEST(EngineExtremes, ThousandsOfBodies) {
  double worst = 0, worst_forward = 0;
  const std::array<std::pair<Layout, int>, 4> trees{{{Layout::chain, 400},
                                                     {Layout::chain, 10'000},
                                                     {Layout::comb, 2'000},
                                                     {Layout::star, 2'000}}};
  for (const auto& [layout, bodies] : trees) {
    Random random(3);
    const LargeTree r(random, layout, bodies);
    Engine e(r.tree);
    const double unit = path_rounding(e), size = extent(r.p);
    std::vector<SE3<double>> T_WB(r.tree.links.size());
    poses(e, r.q, T_WB);
    for (std::size_t i = 0; i < T_WB.size(); ++i)
      EXPECT_LT(largest_difference(T_WB[i], r.p.T_WB[i]), size * unit);
    const EngineOptions o{.external = r.external};
    const std::vector<double> expected = r.forces(r.a);
    std::vector<double> found(r.v.size());
    inverse_dynamics(e, r.q, r.v, r.a, found, o);
    const double error = relative_difference(found, expected) / unit;
    EXPECT_LT(error, 16);
    worst = std::max(worst, error);
    EXPECT_EQ(forward_dynamics(e, r.q, r.v, r.tau, found, o).singular_body, -1);
    // Accelerations are as good as the condition of M allows: as in the same axes elsewhere.
    const double left = relative_difference(r.forces(found), r.tau),
                 allowed = relative_difference(r.forces(r.accelerations()), r.tau);
    EXPECT_LT(left, 4 * allowed + 16 * unit);
    worst_forward = std::max(worst_forward, left / (allowed + unit));
  }
  record("worst_error_in_roundings_of_the_path", worst);
  record("worst_forward_error_relative_to_template", worst_forward);
}

}  // namespace
}  // namespace axode::test::engine_extremes_test
