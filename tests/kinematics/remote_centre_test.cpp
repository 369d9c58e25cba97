// The symbolic results printed for the remote-centre-of-motion mechanism in [MuellerKin sec. 2.5
// and 3.6], with the errata, at random lengths and angles.
#include <gtest/gtest.h>

#include <cmath>

#include "axode/kinematics/jacobian.hpp"
#include "axode/lie/rotation.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::remote_centre_test {
namespace {

struct Lengths {
  double d2, d3, d4, h4, d5, x1, z1, x2, z2, x3, z3, x4, z4, x5, z5;
};

const double half = std::sqrt(.5);

Tree mechanism(const Lengths& l) {
  const auto at = [](double x, double z) {
    return zero_reference(translation(Vec3<double>{x, 0, z}));
  };
  const Vec3<double> z{0, 0, 1};
  return TreeBuilder{}
      .body("1")
      .joint("j1", revolute({z, {0, 0, 0}}), at(-l.x1, l.z1))
      .body("2")
      .on("1")
      .joint("j2", revolute({z, {-l.d2, 0, 0}}), at(-l.x2, -l.z2))
      .body("3")
      .on("2")
      .joint("j3", revolute({z, {l.d3, 0, 0}}), at(l.x3, l.z3))
      .body("4")
      .on("3")
      .joint("j4", revolute({{-1, 0, 1}, {l.d4, 0, l.h4}}),
             zero_reference({rotation_about(1, -pi<double> / 4), {l.x4, 0, l.z4}}))
      .body("5")
      .on("4")
      .joint("j5", revolute({z, {l.d5, 0, 0}}), at(l.x5, l.z5))
      .build();
}

void for_random_mechanisms(
    const std::function<void(const Lengths&, const Tree&, const std::vector<double>&)>& check) {
  for_random_cases(1000, [&](Random& random) {
    const auto length = [&] { return random.uniform(.1, 1.5); };
    const Lengths l{length(), length(), length(), length(), length(), length(), length(), length(),
                    length(), length(), length(), length(), length(), length(), length()};
    std::vector<double> q(5);
    for (double& x : q) x = random.uniform(-3, 3);
    check(l, mechanism(l), q);
  });
}

TEST(RemoteCentre, ScrewsInTheWorldAndInTheBodies) {
  for_random_mechanisms([](const Lengths& l, const Tree& tree, const std::vector<double>&) {
    const std::array<Vec6<double>, 5> Y{{{{0, 0, 1}, {0, 0, 0}},
                                         {{0, 0, 1}, {0, l.d2, 0}},
                                         {{0, 0, 1}, {0, -l.d3, 0}},
                                         {{-half, 0, half}, {0, -(l.d4 + l.h4) * half, 0}},
                                         {{0, 0, 1}, {0, -l.d5, 0}}}};
    const std::array<Vec6<double>, 5> X{{{{0, 0, 1}, {0, -l.x1, 0}},
                                         {{0, 0, 1}, {0, l.d2 - l.x2, 0}},
                                         {{0, 0, 1}, {0, l.x3 - l.d3, 0}},
                                         {{0, 0, 1}, {0, (l.x4 + l.z4 - l.d4 - l.h4) * half, 0}},
                                         {{0, 0, 1}, {0, l.x5 - l.d5, 0}}}};
    for (int i = 0; i < 5; ++i) {
      expect_near(zero_reference(tree, i).Y.screws[0], Y[i], 2e-15);
      expect_near(body_screws(tree, i).X.screws[0], X[i], 2e-15);
    }
  });
}

TEST(RemoteCentre, PoseOfBody3) {
  for_random_mechanisms([](const Lengths& l, const Tree& tree, const std::vector<double>& q) {
    const double q12 = q[0] + q[1], q123 = q12 + q[2];
    const double a = l.d2 + l.d3, b = l.x3 - l.d3;
    const SE3<double> C3{rotation_about(2, q123),
                         {-l.d2 * std::cos(q[0]) + a * std::cos(q12) + b * std::cos(q123),
                          -l.d2 * std::sin(q[0]) + a * std::sin(q12) + b * std::sin(q123), l.z3}};
    expect_near(poses(tree, q).T_WB[2], C3, 4e-15);
  });
}

/// The print has the columns 1 and 2 of the inverse relative poses: docs/errata.md.
TEST(RemoteCentre, BodyJacobianOfBody3) {
  for_random_mechanisms([](const Lengths& l, const Tree& tree, const std::vector<double>& q) {
    const double s3 = std::sin(q[2]), c3 = std::cos(q[2]);
    const double s23 = std::sin(q[1] + q[2]), c23 = std::cos(q[1] + q[2]);
    const double a = l.d2 + l.d3, b = l.x3 - l.d3;
    const std::array<Vec6<double>, 5> expected{
        {{{0, 0, 1}, {a * s3 - l.d2 * s23, a * c3 - l.d2 * c23 + b, 0}},
         {{0, 0, 1}, {a * s3, a * c3 + b, 0}},
         {{0, 0, 1}, {0, b, 0}},
         {},
         {}}};
    std::vector<Twist<Rep::body>> J(5);
    jacobian<Rep::body, double>(tree, poses(tree, q), 2, J);
    for (std::size_t j = 0; j < 5; ++j) expect_near(J[j].six(), expected[j], 4e-15);
  });
}

/// J_3 with s12 where the print has s23: docs/errata.md.
TEST(RemoteCentre, SpatialScrews) {
  for_random_mechanisms([](const Lengths& l, const Tree& tree, const std::vector<double>& q) {
    const double s1 = std::sin(q[0]), c1 = std::cos(q[0]), s3 = std::sin(q[2]);
    const double s12 = std::sin(q[0] + q[1]), c12 = std::cos(q[0] + q[1]);
    const double s123 = std::sin(q[0] + q[1] + q[2]), c123 = std::cos(q[0] + q[1] + q[2]);
    const double s23 = std::sin(q[1] + q[2]), a = l.d2 + l.d3, b = l.d4 + l.h4 - l.d3;
    const std::array<Vec6<double>, 4> expected{
        {{{0, 0, 1}, {0, 0, 0}},
         {{0, 0, 1}, {-l.d2 * s1, l.d2 * c1, 0}},
         {{0, 0, 1}, {a * s12 - l.d2 * s1, l.d2 * c1 - a * c12, 0}},
         Vec6<double>{{-c123, -s123, 1},
                      {a * s12 - l.d2 * s1 + b * s123, l.d2 * c1 - a * c12 - b * c123,
                       l.d2 * s23 - a * s3}} *
             half}};
    std::vector<Twist<Rep::spatial>> J(5);
    jacobian<Rep::spatial, double>(tree, poses(tree, q), 4, J);
    for (std::size_t j = 0; j < 4; ++j) expect_near(J[j].six(), expected[j], 1e-14);
  });
}

/// Axes 4 and 5 meet in a point that the last two joints leave where it is.
TEST(RemoteCentre, InstrumentPivotsAboutAFixedPoint) {
  for_random_mechanisms([](const Lengths& l, const Tree& tree, const std::vector<double>& q) {
    const Vec3<double> centre{l.d5, 0, l.h4 + l.d4 - l.d5};
    const Vec3<double> on_body5 = centre - Vec3<double>{l.x5, 0, l.z5};
    std::vector<double> before = q;
    before[3] = before[4] = 0;
    expect_near(poses(tree, q).T_WB[4] * on_body5, poses(tree, before).T_WB[4] * on_body5, 1e-14);
  });
}

}  // namespace
}  // namespace axode::test::remote_centre_test
