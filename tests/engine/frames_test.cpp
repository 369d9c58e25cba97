#include "axode/engine/frames.hpp"

#include <gtest/gtest.h>

#include "axode/kinematics/jacobian.hpp"
#include "tests/engine/engine_cases.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/near.hpp"

namespace axode::test::engine_frames_test {
namespace {

/// A frame on any body or the world, or one with the origin of one and the axes of another.
FrameChoice random_choice(Random& random, const Tree& tree) {
  const auto simple = [&] { return Frame{random.integer(-1, tree.size() - 1), random.pose(.5)}; };
  const Frame origin = simple();
  return {origin, random.integer(0, 2) == 0 ? simple() : origin};
}
FrameRoles random_roles(Random& random, const Tree& tree) {
  FrameRoles roles{.of = random_choice(random, tree)};
  if (random.integer(0, 1) == 0) roles.relative_to = random_choice(random, tree);
  if (random.integer(0, 1) == 0) roles.expressed_in = random_choice(random, tree);
  return roles;
}

/// How rounding errors of poses, twists and accelerations grow along a tree.
double growth(const Poses<double>& p, double speed, double acceleration) {
  double extent = 1;
  for (const SE3<double>& T : p.T_PB) extent += norm(T.p);
  const double n = 8 + double(p.screws.size());
  return 16 * epsilon<double> * n * extent * (1 + acceleration + speed * (1 + n * speed));
}

TEST(EngineFrames, EqualTheRecursionsOfAllBodies) {
  for_random_cases(400, [](Random& random) {
    const EngineCase r = random_case(random, 40);
    const Poses<double> at = poses(r.tree, r.q);
    Motion<Rep::body> motion(r.tree);
    accelerations<Rep::body, double>(r.tree, at, r.v, r.a, motion);
    const double unit = growth(at, largest(r.v), largest(r.a));
    const FrameRoles roles = random_roles(random, r.tree);
    for (const engine::Kernels* table : kernel_tables()) {
      Engine e = engine_with(r.tree, *table);
      expect_near(transform(e, r.q, roles.of, roles.relative_to),
                  transform(at, roles.of, roles.relative_to), unit);
      EXPECT_LT(largest_difference(twist(e, r.q, r.v, roles), twist(at, motion, roles)), unit);
      for (const auto kind : {AccelerationKind::apparent, AccelerationKind::intrinsic})
        EXPECT_LT(largest_difference(acceleration(e, r.q, r.v, r.a, roles, kind),
                                     acceleration(at, motion, roles, kind)),
                  unit);
    }
  });
}

/// J v is the twist, in any representation and between any frames.
TEST(EngineFrames, JacobianTimesVelocityIsTheTwist) {
  for_random_cases(200, [](Random& random) {
    const EngineCase r = random_case(random, 40);
    const Poses<double> at = poses(r.tree, r.q);
    const double unit = growth(at, largest(r.v), 0);
    Engine e(r.tree);
    const FrameRoles roles = random_roles(random, r.tree);
    std::vector<Vec6<double>> columns(r.v.size());
    jacobian(e, r.q, roles, columns);
    Vec6<double> V{};
    for (std::size_t k = 0; k < columns.size(); ++k) V += columns[k] * r.v[k];
    EXPECT_LT(largest_difference(V, twist(e, r.q, r.v, roles)), unit);

    const Frame frame = roles.of.origin;
    const auto compare = [&]<Rep rep>() {
      std::vector<Twist<rep>> by_engine(r.v.size()), expected(r.v.size());
      jacobian<rep>(e, r.q, frame, by_engine);
      jacobian<rep, double>(r.tree, at, frame, expected);
      for (std::size_t k = 0; k < by_engine.size(); ++k)
        EXPECT_LT(largest_difference(by_engine[k].six(), expected[k].six()), unit);
    };
    compare.operator()<Rep::body>();
    compare.operator()<Rep::spatial>();
    compare.operator()<Rep::hybrid>();
    compare.operator()<Rep::mixed>();
  });
}

/// dJ/dt, of columns and times v, is by the recursions on the poses of the engine.
TEST(EngineFrames, JacobianRatesEqualTheRecursions) {
  for_random_cases(100, [](Random& random) {
    const EngineCase r = random_case(random, 20);
    const Poses<double> at = poses(r.tree, r.q);
    const double unit = growth(at, largest(r.v), 0);
    Engine e(r.tree);
    Motion<Rep::body> motion(r.tree);
    twists<Rep::body, double>(r.tree, at, r.v, motion);
    const FrameRoles roles = random_roles(random, r.tree);
    EXPECT_LT(
        largest_difference(jacobian_rate_times_velocity(e, r.q, r.v, roles),
                           jacobian_rate_times_velocity<double>(r.tree, at, motion, r.v, roles)),
        unit);
    std::vector<Acceleration<Rep::body>> found(r.v.size()), expected(found);
    jacobian_rate<Rep::body>(e, r.q, r.v, roles.of.origin, found);
    jacobian_rate<Rep::body, double>(r.tree, at, motion, r.v, roles.of.origin, expected);
    for (std::size_t k = 0; k < found.size(); ++k)
      EXPECT_LT(largest_difference(found[k].six(), expected[k].six()), unit);
  });
}

/// Poses along a path are bit for bit those of all bodies.
TEST(EngineFrames, PosesAreThoseOfAllBodies) {
  for_random_cases(100, [](Random& random) {
    const EngineCase r = random_case(random, 40);
    Engine e(r.tree);
    std::vector<SE3<double>> T_WB(r.tree.links.size());
    poses(e, r.q, T_WB);
    for (int i = 0; i < r.tree.size(); ++i) {
      const Frame body{i, {}};
      const SE3<double> T = transform(e, r.q, {body, body});
      EXPECT_EQ(T.p, T_WB[i].p);
      EXPECT_LT(largest_difference(T, T_WB[i]), 4 * epsilon<double> * (1 + norm(T.p)));
    }
  });
}

TEST(EngineFrames, DoNotAllocateAfterTheFirstCall) {
  Random random(1);
  const EngineCase r = loaded(random, random_plain_tree(random, 12));
  Engine e(r.tree);
  const FrameRoles roles = random_roles(random, r.tree);
  std::vector<Twist<Rep::hybrid>> columns(r.v.size());
  const auto all = [&] {
    transform(e, r.q, roles.of);
    twist(e, r.q, r.v, roles);
    acceleration(e, r.q, r.v, r.a, roles);
    jacobian<Rep::hybrid>(e, r.q, roles.of.origin, columns);
    jacobian_rate_times_velocity(e, r.q, r.v, roles);
  };
  all();
  EXPECT_EQ(count_allocations(all), 0);
}

}  // namespace
}  // namespace axode::test::engine_frames_test
