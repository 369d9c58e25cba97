#include "axode/engine/detail/tree/engine_constants.hpp"

#include <gtest/gtest.h>

#include "axode/lie/trig.hpp"
#include "axode/model/joint_map.hpp"
#include "tests/engine/engine_cases.hpp"
#include "tests/support/near.hpp"

namespace axode::test::engine_constants_test {
namespace {

SE3<double> pose(const std::array<double, 12>& x) {
  const auto three = [&](std::size_t k) { return Vec3<double>{x[k], x[k + 1], x[k + 2]}; };
  return {{Mat3<double>{three(0), three(3), three(6)}}, three(9)};
}

/// Where a body is in its parent's frame, by the constants of its step.
std::array<double, 12> step(const EngineTree& e, const EngineStep& s,
                            const std::vector<double>& q) {
  std::array<double, 12> x;
  SinCos<double> t{0, 0};
  if (s.turn >= 0) t = sincos(q[s.q] + e.angles.angle[s.turn]);
  for (std::size_t k = 0; k < 12; ++k)
    x[k] = s.fixed[k] + s.by_cos[k] * t.cos + s.by_sin[k] * t.sin;
  for (std::size_t k = 0; k < 3 && s.slides; ++k) x[9 + k] += s.by_q[k] * q[s.q];
  return x;
}

TEST(EngineConstants, StepsAreThePosesOfJoints) {
  for_random_cases(300, [](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 30), {.zero_mass = true});
    const EngineTree e(tree);
    const std::vector<double> q = random_coordinates(random, tree);
    ASSERT_EQ(e.steps.size(), tree.links.size());
    for (std::size_t i = 0; i < e.steps.size(); ++i) {
      const Link& link = tree.links[i];
      const EngineStep& s = e.steps[i];
      EXPECT_EQ(s.parent, link.parent);
      EXPECT_EQ(s.v, link.v);
      EXPECT_EQ(s.nv, link.nv);
      const int engine_body = e.places[i].engine_body;
      if (link.map == JointMap::fixed) {
        EXPECT_EQ(s.turn, -1);
        EXPECT_EQ(s.general, -1);
      } else {
        const EngineBody& b = e.bodies[engine_body];
        EXPECT_EQ(s.general, b.general);
        EXPECT_EQ(s.moving, b.joint == EngineJoint::moving);
        EXPECT_EQ(s.turn, b.general < 0 && b.turn != 0 ? engine_body : -1);
      }
      if (s.centred) {
        EXPECT_EQ(max_abs(tree.screws[s.v].linear), 0);
      }
      if (s.general >= 0) continue;
      const SE3<double> expected = link.B * joint_displacement(tree, static_cast<int>(i), q.data());
      const double size =
          1 + max_abs(expected.p) + max_abs(Vec3<double>{s.by_cos[9], s.by_cos[10], s.by_cos[11]});
      expect_near(pose(step(e, s, q)), expected, 64 * epsilon<double> * size);
    }
  });
}

/// Of general joints the constants before and behind what the joint itself does.
TEST(EngineConstants, StepsOfGeneralJointsAreTheFramesOfTheEngine) {
  for_random_cases(200, [](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 20), {});
    const EngineTree e(tree);
    for (std::size_t i = 0; i < e.steps.size(); ++i) {
      const EngineStep& s = e.steps[i];
      if (s.general < 0) continue;
      const auto twelve = [](const double* from) {
        std::array<double, 12> x;
        std::copy(from, from + 12, x.begin());
        return pose(x);
      };
      EXPECT_EQ(twelve(s.fixed), twelve(e.places[i].T_EB));
      const SE3<double> parent = s.parent < 0 ? SE3<double>{} : twelve(e.places[s.parent].T_EB);
      expect_near(twelve(s.by_cos) * parent, SE3<double>{},
                  64 * epsilon<double> * (1 + max_abs(parent.p)));
    }
  });
}

/// Of any symmetric matrix, equal moments and none included.
TEST(EngineConstants, CentreHasTheInertia) {
  for_random_cases(300, [](Random& random) {
    const auto moment = [&] { return random.integer(0, 3) == 0 ? .5 : random.uniform(-1, 1); };
    const Vec3<double> moments =
        random.integer(0, 9) == 0 ? Vec3<double>{} : Vec3<double>{moment(), moment(), moment()};
    const Inertia<double> I{2, random.vec3(),
                            congruence(random.rotation().matrix, Sym3<double>::diagonal(moments))};
    const EngineCentre c = detail::centre_of(I);
    const auto three = [](const double(&x)[3]) { return Vec3<double>{x[0], x[1], x[2]}; };
    const Vec3<double> more = three(c.more), less = three(c.less);
    const Mat3<double> middle = Mat3<double>::diagonal({c.middle, c.middle, c.middle});
    expect_near(middle + outer(more, more) - outer(less, less), I.about_com.matrix(),
                16 * epsilon<double>);
    EXPECT_EQ(three(c.centre), I.com);
  });
}

}  // namespace
}  // namespace axode::test::engine_constants_test
