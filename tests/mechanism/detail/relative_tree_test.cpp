#include "axode/mechanism/detail/relative_tree.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "axode/kinematics/poses.hpp"
#include "axode/mechanism/analysis/start_poses.hpp"
#include "tests/support/models/plain_mechanism.hpp"
#include "tests/support/near.hpp"

namespace axode::test::relative_tree {

using namespace plain;
namespace {

/// A chain with every joint that carries a body, passed forward or backward.
Mechanism chain(bool forward) {
  Mechanism m = plain_mechanism(false);
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto vector = [&] { return Vec3<double>{number(random), number(random), number(random)}; };
  int before = 0;
  for (const PairType type :
       {PairType::revolute, PairType::prismatic, PairType::weld, PairType::helical,
        PairType::cylindrical, PairType::spherical, PairType::universal, PairType::planar}) {
    const int body = add_body(m, std::string(name(type)), {exp(vector()), vector()});
    const Vec3<double> axis = normalized(vector());
    const Vec3<double> zero = normalized(cross(axis, vector()));
    add_joint(m, "J" + std::to_string(body), type, forward ? before : body, forward ? body : before,
              {.point = vector(), .axis = axis, .zero = zero, .axis2 = zero});
    m.joints.back().pitch = .3;
    before = body;
  }
  finish(m);
  return m;
}

TEST(RelativeTree, CoordinatesAreThoseOfTheMechanismBothWays) {
  for (const bool forward : {true, false}) {
    const Mechanism m = chain(forward);
    const RelativeTree r = axode::relative_tree(m, spanning_tree(m));
    ASSERT_EQ(r.tree.nv, 1 + 1 + 1 + 2 + 3 + 2 + 3);
    std::mt19937_64 random(3);
    for (int trial = 0; trial < 5; ++trial) {
      const std::vector<double> q = random_configuration(r.tree, random);
      const Poses<double> p = poses(r.tree, q);
      std::vector<SE3<double>> all(m.bodies.size());
      for (std::size_t b = 1; b < all.size(); ++b) all[b] = p.T_WB[r.tree_body[b]];
      const std::vector<double> back = coordinates_at(m, r.tree, r.joint, r.stands_for, all);
      for (int k = 0; k < r.tree.size(); ++k) {
        const Link& link = r.tree.links[k];
        if (link.map == JointMap::quaternion) {
          const double sign = back[link.q] * q[link.q] < 0 ? -1 : 1;
          for (int w = 0; w < 4; ++w) EXPECT_NEAR(sign * back[link.q + w], q[link.q + w], 1e-13);
          continue;
        }
        for (int w = 0; w < link.nq; ++w) {
          EXPECT_NEAR(back[link.q + w], q[link.q + w], 1e-13) << forward << ' ' << k;
          const int c = r.coordinate[link.v + w];
          ASSERT_GE(c, 0);
          EXPECT_EQ(m.coordinates[c].joint, r.joint[k]);
          EXPECT_NEAR(measure(m, c, all), q[link.q + w], 1e-13);
        }
      }
    }
    // At the reference poses everything is where the user put it.
    std::vector<SE3<double>> reference;
    for (const MechanismBody& body : m.bodies) reference.push_back(body.pose);
    const Poses<double> p =
        poses(r.tree, coordinates_at(m, r.tree, r.joint, r.stands_for, reference));
    for (std::size_t b = 1; b < reference.size(); ++b)
      expect_near(p.T_WB[r.tree_body[b]], reference[b], 1e-13, m.bodies[b].name);
  }
}

TEST(RelativeTree, EndsOfCutJointsMeetTheirBodyWhereLoopsClose) {
  // A parallelogram, assembled at its reference.
  Mechanism m = four_bar({.ground = 3, .crank = 1, .coupler = 3, .rocker = 1});
  const SO3<double> up = exp(Vec3<double>{0, 0, .8});
  m.bodies[1].pose.R = up;
  m.bodies[2].pose.p = up * Vec3<double>{1, 0, 0};
  m.bodies[3].pose.R = up;
  const SpanningTree spanning = spanning_tree(m);
  const RelativeTree r = axode::relative_tree(m, spanning, true);
  ASSERT_EQ(r.ends.size(), 1u);
  EXPECT_EQ(r.tree.nv, 4);
  std::vector<SE3<double>> reference;
  for (const MechanismBody& body : m.bodies) reference.push_back(body.pose);
  const Poses<double> p =
      poses(r.tree, coordinates_at(m, r.tree, r.joint, r.stands_for, reference));
  expect_near(p.T_WB[r.ends[0]], reference[r.stands_for[r.ends[0]]], 1e-14, "end");
}

TEST(RelativeTree, FreeBodies) {
  for (const bool is_planar : {true, false}) {
    Mechanism m = plain_mechanism(is_planar);
    const SE3<double> pose{exp(is_planar ? Vec3<double>{0, 0, -2} : Vec3<double>{1, 2, -1}),
                           {1, 2, is_planar ? 0. : 3.}};
    add_body(m, "loose", pose);
    finish(m);
    const RelativeTree r = axode::relative_tree(m, spanning_tree(m));
    EXPECT_EQ(r.tree.nv, is_planar ? 3 : 6);
    const std::array all{SE3<double>{}, pose};
    const Poses<double> p = poses(r.tree, coordinates_at(m, r.tree, r.joint, r.stands_for, all));
    expect_near(p.T_WB[0], pose, 1e-15, "loose");
  }
}

}  // namespace
}  // namespace axode::test::relative_tree
