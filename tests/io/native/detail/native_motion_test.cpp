/// The motion of joints in model files: every type read and written, refusals.
#include "axode/io/native/detail/native_motion.hpp"

#include <gtest/gtest.h>

#include "axode/core/error.hpp"
#include "axode/io/text/json_values.hpp"
#include "axode/lie/adjoint.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::native_motion_test {
namespace {

using test::expect_says;
using test::message;

Joint motion(const std::string& members) {
  const JsonDocument document("{\n" + members + "}", "f");
  return motion_from_json(document.root(), type_from_json(document.root()));
}
std::string text(const Joint& joint) {
  std::string all;
  for (const std::string& member : motion_text(joint)) all += (all.empty() ? "" : ", ") + member;
  return all;
}
void expect_same(const Joint& a, const Joint& b) {
  EXPECT_EQ(a.type, b.type);
  EXPECT_EQ(a.coordinates, b.coordinates);
  EXPECT_EQ(a.velocity, b.velocity);
  ASSERT_EQ(a.screws.size, b.screws.size);
  for (std::size_t k = 0; k < static_cast<std::size_t>(a.screws.size); ++k)
    EXPECT_EQ(a.screws.screws[k], b.screws.screws[k]);
}

/// What each type means, against the functions that make joints.
TEST(NativeMotion, ReadsEveryType) {
  expect_same(motion(R"("type": "fixed")"), fixed());
  expect_same(motion(R"("type": "revolute", "axis": [0, 2, 0], "point": [1, 0, 3])"),
              revolute({{0, 1, 0}, {1, 0, 3}}));
  expect_same(motion(R"("type": "prismatic", "axis": [0, 2, 0])"), prismatic({{0, 1, 0}}));
  expect_same(motion(R"("type": "helical", "axis": [1, 0, 0], "point": [0, 1, 0], "pitch": 0.5)"),
              helical({{1, 0, 0}, {0, 1, 0}, 0.5}));
  expect_same(motion(R"("type": "cylindrical", "axis": [1, 0, 0], "point": [0, 1, 0])"),
              cylindrical({{1, 0, 0}, {0, 1, 0}}));
  expect_same(motion(R"("type": "spherical", "point": [1, 2, 3])"), spherical({{1, 2, 3}}));
  expect_same(motion(R"("type": "spherical", "coordinates": "second_kind")"),
              spherical({{}, Coordinates::second_kind}));
  expect_same(motion(R"("type": "planar", "x_axis": [0, 1, 0], "z_axis": [1, 0, 0],
                         "coordinates": "first_kind")"),
              planar({{0, 1, 0}, {1, 0, 0}, {}, Coordinates::first_kind}));
  expect_same(motion(R"("type": "universal", "first_axis": [0, 1, 0], "second_axis": [0, 0, 1])"),
              universal({{0, 1, 0}, {0, 0, 1}, {}}));
  const SE3<double> at = translation(Vec3<double>{1, 0, 0});
  const std::string place = R"("at": {"position": [1, 0, 0]})";
  expect_same(motion("\"type\": \"translation_2\", " + place),
              subgroup_joint(MotionSubgroup::translation_2, at));
  expect_same(motion("\"type\": \"translation_3\", " + place),
              subgroup_joint(MotionSubgroup::translation_3, at));
  expect_same(motion("\"type\": \"helical_planar\", \"pitch\": 0.1, " + place),
              subgroup_joint(MotionSubgroup::helical_planar, at, 0.1));
  expect_same(motion("\"type\": \"schoenflies\", " + place),
              subgroup_joint(MotionSubgroup::schoenflies, at));
  expect_same(motion("\"type\": \"free\", \"velocity\": \"spatial\", " + place),
              free_joint({Rep::spatial, at}));
  const std::array<Vec6<double>, 2> screws{{{{1, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {0, 0, 1}}}};
  expect_same(motion(R"("type": "screws", "screws": [[1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1]])"),
              screws_joint(screws));
}

TEST(NativeMotion, WritesPleasantlyWhereThatIsExact) {
  EXPECT_EQ(text(fixed()), R"("type": "fixed")");
  EXPECT_EQ(text(revolute({{0, 1, 0}, {0.1, 7, 0.3}})),
            R"("type": "revolute", "axis": [0, 1, 0], "point": [0.1, 0, 0.3])");
  EXPECT_EQ(text(prismatic({{0, 0, 1}})), R"("type": "prismatic", "axis": [0, 0, 1])");
  EXPECT_EQ(text(helical({{0, 0, 1}, {}, 0.01})),
            R"("type": "helical", "axis": [0, 0, 1], "pitch": 0.01)");
  EXPECT_EQ(text(spherical({{1, 2, 3}})), R"("type": "spherical", "point": [1, 2, 3])");
  EXPECT_EQ(text(planar()), R"("type": "planar", "x_axis": [1, 0, 0], "z_axis": [0, 0, 1])");
  EXPECT_EQ(text(universal({{1, 0, 0}, {0, 1, 0}, {0, 0, 0.5}})),
            R"("type": "universal", "first_axis": [1, 0, 0], "second_axis": [0, 1, 0], )"
            R"("point": [0, 0, 0.5])");
  EXPECT_EQ(text(free_joint({Rep::hybrid})), R"("type": "free", "velocity": "hybrid")");
  EXPECT_EQ(text(subgroup_joint(MotionSubgroup::schoenflies)), R"("type": "schoenflies")");
  EXPECT_EQ(text(subgroup_joint(MotionSubgroup::helical_planar, {}, 0.1)),
            R"("type": "helical_planar", "pitch": 0.1)");
  EXPECT_EQ(text(free_joint({Rep::body, {}, Coordinates::first_kind})),
            R"("type": "free", "coordinates": "first_kind")");
}

/// Joints at random places, moved as building does: written and read to the same bits.
TEST(NativeMotion, ReadsBackToTheSameBits) {
  test::for_random_cases(500, [](test::Random& random) {
    const Vec3<double> e = random.unit(), p = random.vec3();
    const SE3<double> T = random.pose();
    const auto kind =
        random.integer(0, 1) == 0 ? Coordinates::first_kind : Coordinates::second_kind;
    using G = MotionSubgroup;
    for (Joint joint :
         {revolute({e, p}), prismatic({e}), helical({e, p, random.uniform(-1, 1)}),
          cylindrical({e, p}), spherical({p, Coordinates::quaternion, T.R}), spherical({p, kind}),
          planar({T.R.matrix.x, e, p, kind}), universal({e, T.R.matrix.y, p}),
          subgroup_joint(G::translation_2, T, 0, kind), subgroup_joint(G::translation_3, T),
          subgroup_joint(G::helical_planar, T, 0.2, kind),
          subgroup_joint(G::schoenflies, T, 0, kind), free_joint({Rep::hybrid, T}),
          free_joint({Rep::body, T, kind}),
          subgroup_joint(G::rotation, T, 0, Coordinates::first_kind)}) {
      expect_same(motion(text(joint)), joint);
      const SE3<double> move = random.pose();
      for (Vec6<double>& X : joint.screws.screws) X = Ad(move, X);
      expect_same(motion(text(joint)), joint);
    }
  });
}

TEST(NativeMotion, Refusals) {
  const auto expect_refused = [](const std::string& members, const char* words) {
    const std::string said = message([&] { motion(members); });
    EXPECT_TRUE(said.starts_with("f:")) << said;
    expect_says(said, words);
    expect_says(said, "; ");
  };
  expect_refused(R"("axis": [0, 0, 1])", "has no \"type\"");
  expect_refused(R"("type": "hinge")", "cannot be \"hinge\"");
  expect_refused(R"("type": "Revolute", "axis": [0, 0, 1])", "'revolute'?");
  expect_refused(R"("type": "revolute")", "needs \"axis\"");
  expect_refused(R"("type": "helical", "axis": [0, 0, 1])", "needs \"pitch\"");
  expect_refused(R"("type": "universal", "first_axis": [0, 0, 1])", "needs \"second_axis\"");
  expect_refused(R"("type": "screws")", "needs \"screws\"");
  expect_refused(R"("type": "revolute", "axis": [0, 0, 0])", "axis is zero");
  expect_refused(R"("type": "revolute", "axis": [0, 0, 1], "pitch": 1)", "has no \"pitch\"");
  expect_refused(R"("type": "fixed", "screws": [[0, 0, 1, 0, 0, 0]])", "has no \"screws\"");
  expect_refused(R"("type": "revolute", "axis": [0, 0, 1], "screws": [[0, 0, 1, 0, 0, 0]])",
                 "both say the motion");
  expect_refused(R"("type": "revolute", "screws": [[0, 0, 2, 0, 0, 0]])", "length 2");
  expect_refused(R"("type": "revolute", "screws": [[0, 0, 1, 0, 0, 0.1]])", "do not make");
  expect_refused(R"("type": "revolute", "screws": [[0, 0, 0, 0, 0, 1]])", "are of the kind R");
  expect_refused(R"("type": "revolute", "screws": [[0, 0, 1, 0, 0, 0], [0, 0, 1, 0, 0, 0]])", "RR");
  expect_refused(R"("type": "universal", "screws": [[1, 0, 0, 0, 0, 0], [0, 1, 0, 1, 0, 0]])",
                 "do not make");  // two axes that do not meet
  expect_refused(R"("type": "spherical", "screws": [[1,0,0,0,0,0], [0,0,1,0,0,0], [0,1,0,0,0,0]])",
                 "do not make");  // left-handed
  expect_refused(R"("type": "revolute", "axis": [0, 0, 1], "coordinates": "quaternion")",
                 "has no quaternion");
  expect_refused(R"("type": "revolute", "axis": [0, 0, 1], "velocity": "body")",
                 "only a free joint");
  expect_refused(R"("type": "free", "velocity": "mixed")", "cannot be \"mixed\"");
  expect_refused(R"("type": "free", "velocity": "hybrid", "coordinates": "first_kind")",
                 "quaternion coordinates only");
  expect_refused(R"("type": "planar", "x_axis": [0, 0, 1])", "parallel");
  expect_refused(R"("type": "universal", "first_axis": [0, 0, 1], "second_axis": [0, 0, -2])",
                 "parallel");
}

}  // namespace
}  // namespace axode::test::native_motion_test
