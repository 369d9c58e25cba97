// What a change of body frame or inertial frame changes, and what it leaves [MuellerKin Remarks 7
// and 12]: with C' = C S the body twist becomes Ad_S^-1 V and the spatial one stays; with C' = S C
// the spatial twist becomes Ad_S V and the body one stays. Joint screws follow the same rules.
#include <gtest/gtest.h>

#include "axode/kinematics/jacobian.hpp"
#include "axode/kinematics/motion.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/models/random_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::frame_change_test {
namespace {

Joint joint_of(const Tree& tree, int i) {
  const Link& link = tree.links[i];
  const Body& body = tree.bodies[i];
  return {body.joint_type, body.coordinates, body_screws(tree, i).X, link.velocity};
}

/// The same mechanism: body i described in the frame C_i S_i, all of it in a world moved by W.
Tree described_otherwise(const Tree& tree, const std::vector<SE3<double>>& S,
                         const SE3<double>& W) {
  TreeDescription d;
  for (int i = 0; i < tree.size(); ++i) {
    const std::size_t b = i;
    const int parent = tree.links[b].parent;
    const SE3<double> before = parent < 0 ? W : inverse(S[parent]);
    Joint joint = joint_of(tree, i);
    for (Vec6<double>& X : joint.screws.screws) X = Ad_inverse(S[b], X);
    JointDescription j;
    j.name = tree.bodies[b].joint_name;
    j.child = tree.bodies[b].name;
    if (parent >= 0) j.parent = tree.bodies[parent].name;
    j.joint = joint;
    j.placement = body_screws(before * tree.links[b].B * S[b]);
    d.joints.push_back(j);
    d.bodies.push_back({.name = tree.bodies[b].name});
  }
  return build(d);
}

struct Evaluated {
  Poses<double> p;
  Motion<Rep::body> body;
  Motion<Rep::spatial> spatial;
};
Evaluated evaluate(const Tree& tree, const std::vector<double>& q, const std::vector<double>& v,
                   const std::vector<double>& a) {
  Evaluated e{poses(tree, q), Motion<Rep::body>(tree), Motion<Rep::spatial>(tree)};
  accelerations<Rep::body, double>(tree, e.p, v, a, e.body);
  accelerations<Rep::spatial, double>(tree, e.p, v, a, e.spatial);
  return e;
}

/// `body_change[i]` and `world_change` say what was done; everything must follow.
void expect_remarks(const Tree& tree, const Tree& changed, const std::vector<SE3<double>>& S,
                    const SE3<double>& W, Random& random) {
  const std::vector<double> q = random_coordinates(random, tree),
                            v = random_velocities(random, tree),
                            a = random_velocities(random, tree);
  const Evaluated before = evaluate(tree, q, v, a), after = evaluate(changed, q, v, a);
  std::vector<Twist<Rep::body>> J(v.size()), J_changed(v.size());
  std::vector<Twist<Rep::spatial>> K(v.size()), K_changed(v.size());
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const double size = 10 * (1 + max_abs(before.spatial.accelerations[i].six()) +
                              max_abs(before.body.accelerations[i].six()));
    expect_near(after.p.T_WB[i], W * before.p.T_WB[i] * S[i], 1e-12);
    expect_near(after.body.twists[i].six(), Ad_inverse(S[i], before.body.twists[i].six()),
                1e-13 * size);
    expect_near(after.body.accelerations[i].six(),
                Ad_inverse(S[i], before.body.accelerations[i].six()), 1e-13 * size);
    expect_near(after.spatial.twists[i].six(), Ad(W, before.spatial.twists[i].six()), 1e-13 * size);
    expect_near(after.spatial.accelerations[i].six(), Ad(W, before.spatial.accelerations[i].six()),
                1e-13 * size);
    const int body = static_cast<int>(i);
    jacobian<Rep::body, double>(tree, before.p, body, J);
    jacobian<Rep::body, double>(changed, after.p, body, J_changed);
    jacobian<Rep::spatial, double>(tree, before.p, body, K);
    jacobian<Rep::spatial, double>(changed, after.p, body, K_changed);
    for (std::size_t k = 0; k < v.size(); ++k) {
      expect_near(J_changed[k].six(), Ad_inverse(S[i], J[k].six()), 1e-12);
      expect_near(K_changed[k].six(), Ad(W, K[k].six()), 1e-12);
    }
  }
}

TEST(FrameChange, OfBodyFrames) {
  for_random_cases(100, [](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 60));
    std::vector<SE3<double>> S(tree.links.size());
    for (SE3<double>& pose : S) pose = random.pose(.5);
    expect_remarks(tree, described_otherwise(tree, S, {}), S, {}, random);
  });
}

TEST(FrameChange, OfTheInertialFrame) {
  for_random_cases(100, [](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 60));
    const std::vector<SE3<double>> S(tree.links.size());
    const SE3<double> W = random.pose();
    expect_remarks(tree, described_otherwise(tree, S, W), S, W, random);
  });
}

}  // namespace
}  // namespace axode::test::frame_change_test
