#include "axode/engine/detail/tree/engine_tree.hpp"

#include <gtest/gtest.h>

#include "axode/lie/adjoint.hpp"
#include "axode/lie/rotation.hpp"
#include "axode/model/joint_map.hpp"
#include "axode/model/merge_fixed.hpp"
#include "tests/engine/engine_cases.hpp"
#include "tests/support/near.hpp"

namespace axode::test::engine_tree_test {
namespace {

Vec3<double> three(const double* a) { return {a[0], a[1], a[2]}; }
Mat3<double> nine(const double (&m)[3][3]) { return {three(m[0]), three(m[1]), three(m[2])}; }
SE3<double> twelve(const double* a) {
  return {{Mat3<double>{three(a), three(a + 3), three(a + 6)}}, three(a + 9)};
}
SE3<double> K_of(const EngineBody& b) {
  return {{Mat3<double>{three(b.column[0]), three(b.column[1]), three(b.column[2])}},
          three(b.position)};
}
SE3<double> T_BE(const EngineTree& e, const EngineBody& b) {
  return inverse(twelve(e.places[b.body].T_EB));
}
bool is_single(const EngineBody& b) { return b.general < 0; }

Tree any_tree(Random& random, int bodies) {
  if (random.integer(0, 1) == 0) return random_plain_tree(random, bodies);
  return random_tree(random, bodies, {.zero_mass = true});
}

/// T_PE of a joint at coordinates q, by what the engine keeps of it.
SE3<double> joint_pose(const Tree& tree, const EngineBody& b, double angle,
                       const std::vector<double>& q) {
  if (b.joint == EngineJoint::moving) return K_of(b) * joint_displacement(tree, b.body, q.data());
  const double* x = q.data() + b.q;
  if (b.general >= 0) {
    SE3<double> D = detail::quaternion_pose(x);
    if (b.joint == EngineJoint::free) D.p = {x[4], x[5], x[6]};
    return K_of(b) * D;
  }
  const Vec6<double> X{{0, 0, b.turn * *x + angle}, {0, 0, b.slide * *x}};
  return K_of(b) * SE3<double>{exp(X.angular), X.linear};
}

TEST(EngineTree, BodiesAreWhereTheyAreInTheTree) {
  double worst = 0;
  for_random_cases(300, [&](Random& random) {
    const Tree tree = any_tree(random, random.integer(1, 30));
    const EngineTree e(tree);
    const std::vector<double> q = random_coordinates(random, tree);
    const Poses<double> expected = poses(tree, q);
    std::vector<SE3<double>> T_WE;
    for (const EngineBody& b : e.bodies) {
      const SE3<double> T_PE = joint_pose(tree, b, e.angles.angle[T_WE.size()], q);
      T_WE.push_back(b.parent < 0 ? T_PE : T_WE[b.parent] * T_PE);
    }
    ASSERT_EQ(e.places.size(), tree.links.size());
    for (std::size_t i = 0; i < e.places.size(); ++i) {
      const EnginePlace& place = e.places[i];
      const SE3<double> T_EB = twelve(place.T_EB);
      const SE3<double> T = place.engine_body < 0 ? T_EB : T_WE[place.engine_body] * T_EB;
      const double size = 1 + norm(T.p), error = largest_difference(T, expected.T_WB[i]) / size;
      EXPECT_LT(error, 64 * epsilon<double> * (e.path + 8)) << i;
      worst = std::max(worst, error);
      expect_near(T_EB.R * inverse(T_EB.R), SO3<double>{}, (8 + tree.size()) * 2 * epsilon<double>);
    }
  });
  record("worst_relative_error", worst);
}

TEST(EngineTree, JointScrewsAreUnitVectors) {
  for_random_cases(300, [](Random& random) {
    const Tree tree = any_tree(random, random.integer(1, 30));
    const EngineTree e(tree);
    for (const EngineBody& b : e.bodies) {
      const Link& link = tree.links[b.body];
      EXPECT_EQ(b.nv, link.nv);
      EXPECT_EQ(b.q, link.q);
      EXPECT_EQ(b.v, link.v);
      if (b.joint == EngineJoint::moving) continue;
      const SE3<double> T_EB = twelve(e.places[b.body].T_EB);
      const double size = (1 + norm(T_EB.p)) * epsilon<double>;
      for (int k = 0; k < b.nv; ++k) {
        const Vec6<double> S = Ad(T_EB, tree.screws[b.v + k]);
        Vec6<double> expected{};
        if (is_single(b))
          expected = {{0, 0, b.turn}, {0, 0, b.slide}};
        else
          expected[k] = 1;
        expect_near(S, expected, 16 * size);
      }
      if (!is_single(b)) continue;
      EXPECT_EQ(b.joint == EngineJoint::revolute, b.turn == 1 && b.slide == 0);
      EXPECT_EQ(b.turn, link.map == JointMap::screw ? 1 : 0);
    }
  });
}

TEST(EngineTree, KindsOfJoints) {
  TreeBuilder builder;
  const auto add = [&](const char* name, const Joint& joint) {
    builder.body(name).joint(name, joint);
  };
  add("r", revolute({}));
  add("p", prismatic({}));
  add("h", helical({.pitch = .1}));
  add("ball", spherical());
  add("angles", spherical({.coordinates = Coordinates::second_kind}));
  add("free", free_joint());
  add("hybrid", free_joint({.velocity = Rep::hybrid}));
  add("spatial", free_joint({.velocity = Rep::spatial}));
  add("fixed", fixed());
  add("c", cylindrical({}));
  const Tree tree = builder.gravity({1, 2, 3}).build();
  const EngineTree e(tree);
  const std::vector expected{EngineJoint::revolute, EngineJoint::sliding, EngineJoint::sliding,
                             EngineJoint::ball,     EngineJoint::moving,  EngineJoint::free,
                             EngineJoint::moving,   EngineJoint::moving,  EngineJoint::moving};
  ASSERT_EQ(e.bodies.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(e.bodies[i].joint, expected[i]) << i;
    EXPECT_EQ(e.bodies[i].parent, -1);
  }
  EXPECT_EQ(e.bodies[2].slide, .1);
  EXPECT_EQ(e.places[8].engine_body, -1);
  EXPECT_EQ(e.generals, 6);
  EXPECT_TRUE(e.has_moving);
  EXPECT_EQ(e.path, 6);
  EXPECT_EQ(e.nq, tree.nq);
  EXPECT_EQ(e.nv, tree.nv);
  EXPECT_EQ(e.gravity, tree.gravity);
}

TEST(EngineTree, DepthFirstWithTheirPaths) {
  for_random_cases(200, [](Random& random) {
    const Tree tree = any_tree(random, random.integer(1, 40));
    const EngineTree e(tree);
    int path = 0, generals = 0, dofs = 0;
    for (std::size_t i = 0; i < e.bodies.size(); ++i) {
      const EngineBody& b = e.bodies[i];
      int above = 0;  // velocities of all ancestors, in the tree
      for (int k = tree.links[b.body].parent; k >= 0; k = tree.links[k].parent)
        above += tree.links[k].nv;
      EXPECT_EQ(b.depth, above);
      path = std::max(path, above + b.nv);
      EXPECT_EQ(b.general, is_single(b) ? -1 : generals++);
      dofs += b.nv;
      // The parent is the body before, or on the path to it.
      int k = static_cast<int>(i) - 1;
      while (k >= 0 && k != b.parent) k = e.bodies[k].parent;
      EXPECT_EQ(k, b.parent);
      EXPECT_EQ(e.places[b.body].engine_body, static_cast<int>(i));
      bool branches = false;  // carries another than the next
      for (std::size_t j = i + 2; j < e.bodies.size(); ++j)
        branches = branches || e.bodies[j].parent == static_cast<int>(i);
      EXPECT_EQ(b.branches, branches);
    }
    EXPECT_EQ(e.path, path);
    EXPECT_EQ(e.generals, generals);
    EXPECT_EQ(dofs, tree.nv);
  });
}

/// The same bodies merged by merge_fixed.hpp.
TEST(EngineTree, InertiasWithThoseOfFixedBodies) {
  for_random_cases(200, [](Random& random) {
    const Tree tree = any_tree(random, random.integer(1, 30));
    const Tree merged = merge_fixed_joints(tree);
    const EngineTree e(tree);
    for (std::size_t i = 0; i < e.bodies.size(); ++i) {
      const EngineBody& b = e.bodies[i];
      const EngineCentre& c = e.centres[i];
      const int host = joint_index(merged, tree.bodies[b.body].joint_name);
      const Inertia<double> I = transform(inverse(T_BE(e, b)), merged.bodies[host].inertia);
      const InertiaParameters<double> expected = parameters(I);
      const double size =
          32 * epsilon<double> *
          (1 + I.mass + max_abs(expected.about_origin.matrix().x) + trace(expected.about_origin));
      EXPECT_NEAR(b.mass, I.mass, size);
      expect_near(three(b.moment), expected.first_moment, size);
      expect_near(nine(b.inertia), expected.about_origin.matrix(), size);
      const Vec3<double> more = three(c.more), less = three(c.less);
      const Vec3<double> middle{c.middle, c.middle, c.middle};
      expect_near(Mat3<double>::diagonal(middle) + outer(more, more) - outer(less, less),
                  I.about_com.matrix(), size);
      expect_near(three(c.centre), I.com, size);
    }
  });
}

/// What is kept twice is the same, and what pads is zero.
TEST(EngineTree, ConstantsForVectorRegisters) {
  for_random_cases(100, [](Random& random) {
    const Tree tree = any_tree(random, random.integer(1, 20));
    EngineTree e(tree);
    EXPECT_TRUE(e.forms.empty());
    for (int again = 0; again < 2; ++again) add_forms(e);
    ASSERT_EQ(e.forms.size(), e.bodies.size());
    for (std::size_t i = 0; i < e.bodies.size(); ++i) {
      const EngineBody& b = e.bodies[i];
      const EngineForm& f = e.forms[i];
      for (std::size_t j = 0; j < 3; ++j) {
        for (std::size_t k = 0; k < 3; ++k) {
          EXPECT_EQ(f.column[j][k], b.column[j][k]);
          EXPECT_EQ(f.row[k][j], b.column[j][k]);
          EXPECT_EQ(f.inertia[j][k], b.inertia[j][k]);
        }
        EXPECT_EQ(f.turned[j][0], f.row[j][1]);
        EXPECT_EQ(f.turned[j][1], f.row[j][0]);
        EXPECT_EQ(f.turned[j][2], 0);
        for (const std::size_t k : {j, j + 3}) {
          EXPECT_EQ(f.position[k], b.position[j]);
          EXPECT_EQ(f.moment[k], b.moment[j]);
        }
        for (const auto* m : {&f.column, &f.row, &f.turned, &f.inertia}) EXPECT_EQ((*m)[j][3], 0);
      }
      for (const std::size_t k : {6u, 7u}) {
        EXPECT_EQ(f.position[k], 0);
        EXPECT_EQ(f.moment[k], 0);
      }
      EXPECT_EQ(b.straight, K_of(b).R.matrix == Mat3<double>::identity());
      EXPECT_EQ(e.angles.turn[i], b.turn);
      EXPECT_EQ(e.angles.q[i], is_single(b) ? b.q : 0);
    }
    for (const std::size_t size : {e.angles.turn.size(), e.angles.angle.size(), e.angles.q.size()})
      ASSERT_GE(size, e.bodies.size() + 8);
    for (std::size_t i = e.bodies.size(); i < e.angles.q.size(); ++i) {
      EXPECT_EQ(e.angles.turn[i], 0);
      EXPECT_EQ(e.angles.q[i], 0);
    }
  });
}

}  // namespace
}  // namespace axode::test::engine_tree_test
