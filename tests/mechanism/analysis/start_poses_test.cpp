#include "axode/mechanism/analysis/start_poses.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <span>

#include "tests/support/models/plain_mechanism.hpp"
#include "tests/support/near.hpp"

namespace axode::test::start_poses {

using namespace plain;
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

TEST(StartPoses, ToldCoordinatesHaveTheirValues) {
  Mechanism m = four_bar();
  m.initial.assign(m.coordinates.size(), none);
  for (const auto& [name, value] : {std::pair{"A.angle", 0.3}, {"1.angle", -2.5}, {"B.angle", 1.2}})
    m.initial[coordinate_index(m, name)] = value;
  const auto poses = axode::start_poses(m);
  for (const char* name : {"A.angle", "1.angle", "B.angle"}) {
    const int k = coordinate_index(m, name);
    EXPECT_NEAR(measure(m, k, poses), m.initial[k], 1e-14) << name;
  }
  expect_near(poses[0], SE3<double>{}, 0, "world");
  expect_near(poses[2].p, Vec3<double>{std::cos(.3), std::sin(.3), 0}, 1e-15, "pin 1");
}

TEST(StartPoses, WithoutToldValuesTheReferenceStaysIfItHangsTogether) {
  Mechanism m = four_bar();
  m.bodies[1].pose.R = exp(Vec3<double>{0, 0, .4});
  m.bodies[2].pose = {exp(Vec3<double>{0, 0, -.7}), m.bodies[1].pose * Vec3<double>{1, 0, 0}};
  const auto poses = axode::start_poses(m);
  for (std::size_t b = 0; b < poses.size(); ++b)
    expect_near(poses[b], m.bodies[b].pose, 1e-15, m.bodies[b].name.c_str());
}

/// One body by each kind of joint, forward and backward: what is told is what is measured.
TEST(StartPoses, EveryJointThatCarries) {
  const SE3<double> pose{exp(Vec3<double>{.3, -.4, .9}), {1, 2, 3}};
  const Vec3<double> axis = normalized(Vec3<double>{1, 2, -2});
  const Vec3<double> zero = normalized(cross(axis, Vec3<double>{0, 1, 0}));
  for (const PairType type : {PairType::revolute, PairType::prismatic, PairType::helical,
                              PairType::cylindrical, PairType::universal, PairType::planar})
    for (const bool forward : {true, false}) {
      Mechanism m = plain_mechanism(false);
      const int body = add_body(m, "body", pose);
      add_joint(m, "J", type, forward ? 0 : body, forward ? body : 0,
                {.point = {.5, .1, -.2}, .axis = axis, .zero = zero, .axis2 = zero});
      m.joints[0].pitch = .1;
      m.joints[0].offset = .7;
      finish(m);
      const std::array values{.31, -1.2, 2.1};
      m.initial.assign(values.begin(), values.begin() + static_cast<int>(m.coordinates.size()));
      if (type == PairType::helical) m.initial[1] = .7 + .1 * .31;
      const auto poses = axode::start_poses(m);
      for (int k = 0; k < static_cast<int>(m.coordinates.size()); ++k)
        EXPECT_NEAR(measure(m, k, poses), m.initial[k], 1e-14)
            << name(type) << ' ' << k << ' ' << forward;
    }
}

TEST(StartPoses, ScrewsFindTheirTurnByTheDistance) {
  Mechanism m = plain_mechanism(false);
  const double turns = 5 * 2 * std::numbers::pi + .4;
  const int nut = add_body(m, "nut", {exp(Vec3<double>{0, 0, .4}), {0, 0, .01 * turns}});
  m.joints.push_back({.name = "H", .type = PairType::helical, .body = {0, nut}, .pitch = .01});
  finish(m);
  expect_near(axode::start_poses(m)[1], m.bodies[1].pose, 1e-14, "nut");
}

/// The screw at s = offset + pitch psi, told by s alone: on the turn that s says.
TEST(StartPoses, ScrewsAreTurnedToADistanceTold) {
  for (const double pitch : {.02, -.02})
    for (const bool forward : {true, false}) {
      Mechanism m = plain_mechanism(false);
      const int nut = add_body(m, "nut");
      m.joints.push_back({.name = "H",
                          .type = PairType::helical,
                          .body = {forward ? 0 : nut, forward ? nut : 0},
                          .pitch = pitch,
                          .offset = .7});
      finish(m);
      m.initial = {none, .5};
      const SE3<double> T = axode::start_poses(m)[1];
      const double psi = (.5 - .7) / pitch;
      const SE3<double> told{exp(Vec3<double>{0, 0, psi}), {0, 0, .5}};
      expect_near(T, forward ? told : inverse(told), 1e-14, "nut");
    }
}

TEST(StartPoses, PrismaticJointsKeepTheirAngleAndSphericalOnesTheirAttitude) {
  Mechanism m = plain_mechanism(true);
  const int slider = add_body(m, "slider", {{}, {.3, .9, 0}});
  m.joints.push_back({.name = "P",
                      .type = PairType::prismatic,
                      .body = {0, slider},
                      .point = {Vec3<double>{0, 1, 0}, {}},
                      .axis = {Vec3<double>{.6, .8, 0}, {1, 0, 0}},
                      .angle = std::atan2(.8, .6)});
  finish(m);
  const auto poses = axode::start_poses(m);
  expect_near(poses[1].R * Vec3<double>{1, 0, 0}, Vec3<double>{.6, .8, 0}, 1e-15, "angle");
  EXPECT_NEAR(dot(Vec3<double>{-.8, .6, 0}, poses[1].p - Vec3<double>{0, 1, 0}), 0, 1e-15);

  Mechanism ball = plain_mechanism(false);
  const SO3<double> R = exp(Vec3<double>{1, 2, -1});
  const int body = add_body(ball, "body", {R, {9, 9, 9}});
  ball.joints.push_back({.name = "S",
                         .type = PairType::spherical,
                         .body = {body, 0},
                         .point = {Vec3<double>{1, 0, 0}, {0, 0, 2}}});
  const SE3<double> T = axode::start_poses(ball)[1];
  expect_near(T.R, R, 1e-15, "attitude");
  expect_near(T * Vec3<double>{1, 0, 0}, Vec3<double>{0, 0, 2}, 1e-15, "centre");
}

TEST(StartPoses, DrivenCoordinatesHaveTheirValuesOfATime) {
  Mechanism m = four_bar();
  const int k = coordinate_index(m, "A.angle");
  m.drivers.push_back({"A.angle", k, polynomial_in_time(.3, 2)});
  for (const double t : {0., .4})
    EXPECT_NEAR(measure(m, k, axode::start_poses(m, t)), .3 + 2 * t, 1e-14);
}

}  // namespace
}  // namespace axode::test::start_poses
