#include "axode/engine/engine.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "axode/dynamics/forward/forward_dynamics.hpp"
#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/lie/adjoint.hpp"
#include "tests/engine/engine_cases.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/near.hpp"

namespace axode::test::engine_test {
namespace {

using Screws = std::vector<Vec6<double>>;
using PoseList = std::vector<SE3<double>>;

/// Sum of the distances of the bodies from their parents: what rounding errors of places grow with.
double extent(const Poses<double>& p) {
  double sum = 1;
  for (const SE3<double>& T : p.T_PB) sum += norm(T.p);
  return sum;
}

TEST(EnginePoses, EqualThoseInTheUsersFrames) {
  double worst = 0, worst_screw = 0;
  for_random_cases(300, [&](Random& random) {
    const EngineCase r = random_case(random);
    const Poses<double> expected = poses(r.tree, r.q);
    const double size = extent(expected);
    for (const engine::Kernels* table : kernel_tables()) {
      Engine e = engine_with(r.tree, *table);
      const SE3<double> none{{Mat3<double>{{NAN, 0, 0}, {}, {}}}, {NAN, NAN, NAN}};
      PoseList alone(r.tree.links.size(), none), T_WB(alone);
      Screws screws(r.v.size(), {{NAN, NAN, NAN}, {NAN, NAN, NAN}});
      poses(e, r.q, alone);
      poses_and_screws(e, r.q, T_WB, screws);
      EXPECT_EQ(alone, T_WB);
      Poses<double> complete(r.tree);
      poses(e, r.q, complete);
      EXPECT_EQ(complete.T_WB, T_WB);
      EXPECT_EQ(complete.q, r.q);
      for (std::size_t k = 0; k < r.v.size(); ++k)
        EXPECT_LT(largest_difference(complete.screws[k], expected.screws[k]),
                  epsilon<double> * (1 + max_abs(expected.screws[k])));
      for (std::size_t i = 0; i < T_WB.size(); ++i)
        EXPECT_LT(largest_difference(complete.T_PB[i], expected.T_PB[i]),
                  8 * (1 + norm(expected.T_PB[i].p)) * path_rounding(e));
      const double unit = size * path_rounding(e);
      for (std::size_t i = 0; i < T_WB.size(); ++i) {
        const double error = largest_difference(T_WB[i], expected.T_WB[i]) / unit;
        EXPECT_LT(error, 8) << table->lanes << " body " << i;
        worst = std::max(worst, error);
        const Link& link = r.tree.links[i];
        for (int k = link.v; k < link.v + link.nv; ++k) {
          const std::size_t at = k;
          const Vec6<double> J = Ad(expected.T_WB[i], expected.screws[at]);
          const double difference = largest_difference(screws[at], J) / (1 + max_abs(J)) / unit;
          EXPECT_LT(difference, 8) << table->lanes << " velocity " << k;
          worst_screw = std::max(worst_screw, difference);
        }
      }
    }
  });
  record("worst_error_of_poses_in_roundings", worst);
  record("worst_error_of_screws_in_roundings", worst_screw);
}

/// Coordinates of many turns lose no more digits than they have.
TEST(EnginePoses, ManyTurns) {
  for_random_cases(50, [](Random& random) {
    Tree tree = random_plain_tree(random, 8, {.balls = false});
    std::vector<double> q(tree.nq);
    for (const Link& link : tree.links)
      if (link.map == JointMap::screw)
        q[link.q] = random.log_uniform(1, 1e9) * (random.integer(0, 1) ? 1 : -1);
    const Poses<double> expected = poses(tree, q);
    Engine e(tree);
    PoseList T_WB(tree.links.size());
    poses(e, q, T_WB);
    double turns = 1;
    for (const double x : q) turns = std::max(turns, std::abs(x));
    // The engine adds a constant angle to q, which rounds; helical joints go far.
    for (std::size_t i = 0; i < T_WB.size(); ++i)
      expect_near(T_WB[i], expected.T_WB[i],
                  4 * turns * epsilon<double> * (8 + norm(expected.T_WB[i].p)));
  });
}

TEST(Engine, TreesWithoutFreedoms) {
  const Tree empty = TreeBuilder{}.build();
  const SE3<double> up = translation(Vec3<double>{0, 0, 1});
  const Inertia<double> I{1, {.1, .2, .3}, Sym3<double>::diagonal({1, 1, 1})};
  const Tree rigid = TreeBuilder{}
                         .body("a", I)
                         .joint("ja", fixed(), body_screws(up))
                         .body("b", I)
                         .on("a")
                         .joint("jb", fixed(), body_screws(up))
                         .build();
  for (const engine::Kernels* table : kernel_tables())
    for (const Tree* tree : {&empty, &rigid}) {
      Engine e = engine_with(*tree, *table);
      EXPECT_EQ(e.constants.bodies.size(), 0u);
      PoseList T(tree->links.size());
      Screws screws;
      poses_and_screws(e, {}, T, screws);
      if (tree == &rigid) {
        EXPECT_EQ(T[0], up);
        EXPECT_EQ(T[1].p.z, 2);
      }
      const Wrenches W(tree->links.size(), {{1, 2, 3}, {4, 5, 6}});
      inverse_dynamics(e, {}, {}, {}, {}, {.external = W});
      EXPECT_EQ(forward_dynamics(e, {}, {}, {}, {}, {.external = W}).singular_body, -1);
      PathMatrix<double> M(*tree);
      mass_matrix(e, {}, M);
      DenseMatrix<double> X{0, 0, {}};
      EXPECT_EQ(inverse_mass_matrix(e, {}, X).singular_velocity, -1);
      coriolis_matrix(e, {}, {}, X);
      InverseDynamicsDerivatives<double> d(*tree);
      inverse_dynamics_derivatives(e, {}, {}, {}, d, {.external = W});
      ForwardDynamicsDerivatives<double> f(*tree);
      EXPECT_EQ(forward_dynamics_derivatives(e, {}, {}, {}, f, {.external = W}).singular_velocity,
                -1);
    }
}

/// Each has memory of its own, wherever it lies.
TEST(Engine, CopiesAndMoves) {
  Random random(5);
  const EngineCase r = random_case(random);
  Engine e(r.tree);
  std::vector<double> tau(r.v.size()), again(tau);
  inverse_dynamics(e, r.q, r.v, r.a, tau);
  Engine copy = e, moved = std::move(e);
  inverse_dynamics(copy, r.q, r.v, r.a, again);
  EXPECT_EQ(again, tau);
  EXPECT_EQ(forward_dynamics(copy, r.q, r.v, r.tau, again).singular_body, -1);
  inverse_dynamics(moved, r.q, r.v, r.a, again);
  EXPECT_EQ(again, tau);
}

/// What a call leaves in the memory has no part in the next.
TEST(Engine, ForgetsTheCallBefore) {
  for_random_cases(20, [](Random& random) {
    const EngineCase r = random_case(random, 20), s = loaded(random, r.tree);
    Engine fresh(r.tree), used(r.tree);
    std::vector<double> bad(r.v.size(), NAN), tau(bad), first(bad);
    InverseDynamicsDerivatives<double> d(r.tree);
    inverse_dynamics(used, s.q, bad, bad, tau, {.external = s.external});
    EXPECT_TRUE(forward_dynamics(used, s.q, bad, bad, tau, {.external = s.external}).ok());
    inverse_dynamics_derivatives(used, s.q, bad, bad, d, {.external = s.external});
    inverse_dynamics(fresh, r.q, r.v, r.a, first);
    inverse_dynamics(used, r.q, r.v, r.a, tau);
    EXPECT_EQ(tau, first);
    EXPECT_TRUE(forward_dynamics(fresh, r.q, r.v, r.tau, first).ok());
    EXPECT_TRUE(forward_dynamics(used, r.q, r.v, r.tau, tau).ok());
    EXPECT_EQ(tau, first);
    InverseDynamicsDerivatives<double> again(r.tree);
    inverse_dynamics_derivatives(used, r.q, r.v, r.a, d);
    inverse_dynamics_derivatives(fresh, r.q, r.v, r.a, again);
    EXPECT_EQ(d.by_q.values, again.by_q.values);
    EXPECT_EQ(d.by_v.values, again.by_v.values);
    EXPECT_EQ(d.by_a.values, again.by_a.values);
  });
}

/// All functions once, into memory made before.
struct AllFunctions {
  explicit AllFunctions(const EngineCase& of)
      : r(of),
        e(r.tree),
        T_WB(r.tree.links.size()),
        screws(r.v.size()),
        tau(r.v.size()),
        M(r.tree),
        square{r.tree.nv, r.tree.nv, std::vector<double>(r.v.size() * r.v.size())},
        derivatives(r.tree),
        forward_derivatives(r.tree) {}
  void simple() {
    const EngineOptions o{.external = r.external};
    poses(e, r.q, T_WB);
    poses_and_screws(e, r.q, T_WB, screws);
    inverse_dynamics(e, r.q, r.v, r.a, tau, o);
    static_cast<void>(forward_dynamics(e, r.q, r.v, r.tau, tau, o));
    mass_matrix(e, r.q, M);
  }
  /// Those that allocate on first use.
  void others() {
    const EngineOptions o{.external = r.external};
    static_cast<void>(inverse_mass_matrix(e, r.q, square));
    coriolis_matrix(e, r.q, r.v, square);
    inverse_dynamics_derivatives(e, r.q, r.v, r.a, derivatives, o);
    static_cast<void>(forward_dynamics_derivatives(e, r.q, r.v, r.tau, forward_derivatives, o));
  }
  const EngineCase& r;
  Engine e;
  PoseList T_WB;
  Screws screws;
  std::vector<double> tau;
  PathMatrix<double> M;
  DenseMatrix<double> square;
  InverseDynamicsDerivatives<double> derivatives;
  ForwardDynamicsDerivatives<double> forward_derivatives;
};

TEST(Engine, AllocatesNothingOnceMade) {
  Random random(7);
  const EngineCase any = loaded(random, random_tree(random, 40)),
                   plain = loaded(random, random_plain_tree(random, 40));
  ASSERT_TRUE(EngineTree(any.tree).has_moving);
  ASSERT_FALSE(EngineTree(plain.tree).has_moving);
  AllFunctions f(any), g(plain);
  EXPECT_EQ(count_allocations([&] { f.simple(); }), 0);
  EXPECT_EQ(count_allocations([&] { g.simple(); }), 0);
  g.others();
  EXPECT_EQ(count_allocations([&] { g.others(); }), 0);
}

bool has_nan(std::span<const double> x) {
  return std::any_of(x.begin(), x.end(), [](double y) { return std::isnan(y); });
}

/// What is not a number goes through, and spoils no call after it.
TEST(Engine, NotANumberStaysOne) {
  for_random_cases(60, [](Random& random) {
    EngineCase r = random_case(random, 12);
    if (r.tree.nv == 0) return;
    const double bad = random.integer(0, 1) == 0 ? NAN : INFINITY;
    const auto any = [&](std::vector<double>& x) -> double& {
      return x[random.integer(0, static_cast<int>(x.size()) - 1)];
    };
    const int where = random.integer(0, 3);
    (where == 0 ? any(r.q) : where == 1 ? any(r.v) : where == 2 ? any(r.a) : any(r.tau)) = bad;
    AllFunctions f(r);
    f.others();
    f.simple();
    if (bad == INFINITY) return;
    // Of q the places at least: where a body of the world slides to has no part in forces.
    std::vector<double> numbers;
    for (const SE3<double>& T : f.T_WB) numbers.insert(numbers.end(), {T.R.matrix.x.x, T.p.x});
    EXPECT_EQ(has_nan(numbers), where == 0);
    if (where == 0) return;
    EXPECT_EQ(has_nan(f.tau), where != 2);  // accelerations
    inverse_dynamics(f.e, r.q, r.v, r.a, f.tau);
    EXPECT_EQ(has_nan(f.tau), where != 3);
    EXPECT_EQ(has_nan(f.derivatives.tau), where != 3);
    EXPECT_EQ(has_nan(f.derivatives.by_v.values), where == 1);
  });
}

}  // namespace
}  // namespace axode::test::engine_test
