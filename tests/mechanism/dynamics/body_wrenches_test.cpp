#include "axode/mechanism/dynamics/body_wrenches.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/mechanism/mechanisms.hpp"

namespace axode::test::body_wrenches {
namespace {

using namespace mechanisms;

/// All kinds of joints between two bodies that do not stand in any special way.
Mechanism pair_of(PairType type) {
  Mechanism m = empty_mechanism("pair", false);
  const int i = add_body(m, "i", {exp(Vec3<double>{.3, -.2, .5}), {.1, .2, .3}});
  const int j = add_body(m, "j", {exp(Vec3<double>{-.4, .6, .2}), {.5, -.2, .7}});
  MechanismJoint joint = axis_joint("J", type, {i, j}, {.1, 0, .2}, {.3, .1, 0}, {0, 0, 1}, {});
  // Axes in line, or at right angles, in the world.
  const Vec3<double> u = m.bodies[1].pose.R * joint.axis[0];
  const Vec3<double> w = type == PairType::universal ? some_normal(u) : u;
  joint.axis[1] = inverse_times(m.bodies[2].pose.R, w);
  joint.zero[1] = some_normal(joint.axis[1]);
  joint.pitch = 0.3;
  // The second point on the axis of the first.
  const Vec3<double> at = m.bodies[1].pose * joint.point[0] + u * 0.4;
  if (type != PairType::rod && type != PairType::point_line_distance)
    joint.point[1] = inverse_times(m.bodies[2].pose, at);
  add_joint(m, joint);
  return m;
}

TEST(BodyWrenches, RatesOfCoordinatesAreDerivatives) {
  for (const PairType type : {PairType::revolute, PairType::prismatic, PairType::helical,
                              PairType::cylindrical, PairType::universal, PairType::planar}) {
    const Mechanism m = pair_of(type);
    const auto poses = reference_poses(m);
    for (std::size_t c = 0; c < m.coordinates.size(); ++c) {
      const int k = static_cast<int>(c);
      const CoordinateWrench w = coordinate_wrench(m, k, poses);
      // Motions that the joint allows: those its wrenches do no work on.
      const auto held = joint_wrenches(m, 0, poses);
      EXPECT_EQ(static_cast<int>(held.size()), 6 - dofs(m.joints[0], false));
      const Vec3<double> u = poses[1].R * m.joints[0].axis[0],
                         w2 = poses[2].R * m.joints[0].axis[1];
      const Vec3<double> P = poses[2] * m.joints[0].point[1];
      std::vector<Vec6<double>> motions{{u, cross(P, u)},
                                        {{}, u},
                                        {w2, cross(P, w2)},
                                        {{}, some_normal(u)},
                                        {u, cross(P, u) + u * 0.3}};
      int dofs_met = 0;
      for (const Vec6<double>& X : motions) {
        bool is_allowed = true;
        for (const auto& h : held) is_allowed = is_allowed && std::abs(dot(h, X)) < 1e-12;
        if (!is_allowed) continue;
        ++dofs_met;
        const double e = 1e-6;
        auto up = poses, down = poses;
        up[2] = exp(X * e) * poses[2];
        down[2] = exp(X * -e) * poses[2];
        const double slope = (measure(m, k, up) - measure(m, k, down)) / (2 * e);
        EXPECT_NEAR(dot(w.wrench[1], X), slope, 1e-8) << name(type) << c;
        std::vector<Twist<Rep::hybrid>> twists(3);
        twists[2] = {X.angular, X.linear + cross(X.angular, poses[2].p)};
        EXPECT_NEAR(coordinate_rate(w, poses, twists), slope, 1e-8) << name(type) << c;
      }
      EXPECT_GE(dofs_met, std::min(2, dofs(m.joints[0], false))) << name(type);
    }
  }
}

TEST(BodyWrenches, JointsPassOnAsManyAsTheyHold) {
  for (const PairType type :
       {PairType::weld, PairType::spherical, PairType::point_on_line, PairType::point_on_plane,
        PairType::point_line_distance, PairType::rod}) {
    const Mechanism m = pair_of(type);
    const auto held = joint_wrenches(m, 0, reference_poses(m));
    EXPECT_EQ(static_cast<int>(held.size()), 6 - dofs(m.joints[0], false)) << name(type);
  }
}

TEST(BodyWrenches, SpringsPushApart) {
  Mechanism m = pair_of(PairType::spherical);
  m.springs.push_back({.name = "s",
                       .body = {0, 2},
                       .point = {Vec3<double>{}, Vec3<double>{}},
                       .stiffness = 10,
                       .length = 2});
  const auto poses = reference_poses(m);
  const auto w = applied_wrenches(m, 0, poses, std::vector<Twist<Rep::hybrid>>(3));
  const double l = norm(poses[2].p);
  EXPECT_NEAR(dot(w[2].linear, poses[2].p) / l, 10 * (2 - l), 1e-12);
  EXPECT_NEAR(norm(w[2].angular), 0, 1e-12);  // the line goes through the origin
}

}  // namespace
}  // namespace axode::test::body_wrenches
