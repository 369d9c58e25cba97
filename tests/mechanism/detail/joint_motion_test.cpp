#include "axode/mechanism/detail/joint_motion.hpp"

#include <gtest/gtest.h>

#include <array>

#include "tests/support/models/plain_mechanism.hpp"
#include "tests/support/near.hpp"

namespace axode::test::joint_motion {

using namespace plain;
namespace {

/// The displacement satisfies what the joint says, and its coordinates are what measure finds.
TEST(PairMotion, CoordinatesAreThoseThatAreMeasured) {
  const Vec3<double> ai = normalized(Vec3<double>{1, 2, -2}),
                     aj = normalized(Vec3<double>{0, -1, 3});
  const Vec3<double> zi = normalized(cross(ai, Vec3<double>{0, 0, 1}));
  const Vec3<double> zj = normalized(cross(aj, Vec3<double>{1, 0, 0}));
  const std::array values{.7, -.9, 1.1};
  for (const PairType type : {PairType::weld, PairType::revolute, PairType::prismatic,
                              PairType::helical, PairType::cylindrical, PairType::planar}) {
    Mechanism m = plain_mechanism(false);
    const int body = add_body(m, "body");
    m.joints.push_back({.name = "J",
                        .type = type,
                        .body = {0, body},
                        .point = {Vec3<double>{1, 0, 2}, {0, .5, .3}},
                        .axis = {ai, aj},
                        .zero = {zi, zj},
                        .pitch = .25,
                        .offset = .5,
                        .angle = .6});
    finish(m);
    const PairMotion motion = axode::joint_motion(m.joints[0], false);
    ASSERT_EQ(motion.size, dofs(m.joints[0], false));
    const SE3<double> T = displacement(motion, values);
    const std::array poses{SE3<double>{}, T};
    for (int k = 0; k < motion.size; ++k)
      EXPECT_NEAR(measure(m, coordinate_of(m, 0, motion.which[k]), poses), values[k], 1e-14);
    expect_near(T.R * aj, ai, 1e-14, "axes");
    const Vec3<double> d = T * m.joints[0].point[1] - m.joints[0].point[0];
    if (type == PairType::helical) {
      EXPECT_NEAR(dot(ai, d), .5 + .25 * .7, 1e-14);
    }
    if (type == PairType::weld || type == PairType::revolute) {
      EXPECT_NEAR(norm(d), 0, 1e-14);
    }
    if (type == PairType::weld) expect_near(T.R * zj, zi, 1e-14, "zero vectors");
    if (type == PairType::prismatic)
      expect_near(T.R * zj, std::cos(.6) * zi + std::sin(.6) * cross(ai, zi), 1e-14, "its angle");
    if (type == PairType::cylindrical || type == PairType::prismatic) {
      EXPECT_NEAR(norm(cross(ai, d)), 0, 1e-14);
    }
    if (type == PairType::planar) {
      EXPECT_NEAR(dot(ai, d), 0, 1e-14);
    }
  }
}

}  // namespace
}  // namespace axode::test::joint_motion
