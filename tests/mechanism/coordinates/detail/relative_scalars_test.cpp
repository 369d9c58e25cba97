#include "axode/mechanism/coordinates/detail/relative_scalars.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "axode/mechanism/equations/formulate.hpp"
#include "axode/mechanism/equations/system.hpp"
#include "tests/support/models/plain_mechanism.hpp"

namespace axode::test::relative_scalars {

using namespace plain;
namespace {

double value(const Scalar& s, const std::vector<double>& q) {
  double sum = s.constant;
  for (const Scalar::Part& part : s.parts) sum += part.factor * q[part.x];
  return sum;
}
double turned_back(double angle) { return std::remainder(angle, 2 * std::numbers::pi); }

/// A planar net: pins (one about -z), a slider, a free body, a rolling wheel; frames and zero
/// vectors that are not aligned.
Mechanism net() {
  Mechanism m = plain_mechanism(true);
  const auto pose = [](double x, double y, double angle) {
    return SE3<double>{exp(Vec3<double>{0, 0, angle}), {x, y, 0}};
  };
  const int a = add_body(m, "a", pose(0, 0, .3)), b = add_body(m, "b", pose(1, 0, -1.2)),
            c = add_body(m, "c", pose(2, 1, 2.5)), loose = add_body(m, "loose", pose(0, 3, .4));
  const Vec3<double> tilted{std::cos(.9), std::sin(.9), 0};
  add_joint(m, "A", PairType::revolute, 0, a, {.point = {0, 0, 0}});
  add_joint(m, "B", PairType::revolute, b, a,
            {.point = {1, 0, 0}, .axis = {0, 0, -1}, .zero = tilted});
  add_joint(m, "C", PairType::prismatic, b, c, {.point = {1, 1, 0}, .axis = {1, 0, 0}});
  m.joints.back().zero = {Vec3<double>{1, 0, 0}, Vec3<double>{1, 0, 0}};
  m.joints.back().angle = 2.5 + 1.2;
  add_joint(m, "D", PairType::revolute, c, 0, {.point = {2, 1, 0}, .zero = tilted});
  add_joint(m, "W", PairType::rolling, a, loose, {.point = {0, 2, 0}, .axis = {1, 0, 0}});
  finish(m);
  MechanismCoordinate between;
  between.name = "between";
  between.kind = MechanismCoordinate::Kind::angle;
  between.body = {c, loose};
  between.is_angle = true;
  m.coordinates.push_back(between);
  return m;
}

TEST(RelativeScalars, PlanarAnglesAreSumsAlsoOfCutJoints) {
  const Mechanism m = net();
  for (const char* cut : {"A", "B", "C", "D"}) {
    FormulationOptions options;
    options.family = CoordinateFamily::relative;
    options.cut = {joint_index(m, cut)};
    MechanismEquations eq = make_equations(m, options);
    MechanismSystem system(eq);
    const SpanningTree spanning = spanning_tree(m, options.cut);
    const RelativeTree tree = relative_tree(m, spanning);
    RelativeScalars scalars(spanning, tree);
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> number(-3, 3);
    for (int trial = 0; trial < 3; ++trial) {
      std::vector<double> q(eq.numbers());
      for (double& x : q) x = number(random);
      std::vector<SE3<double>> poses(m.bodies.size());
      system.poses(q, poses);
      for (int c = 0; c < static_cast<int>(m.coordinates.size()); ++c) {
        const bool is_own = scalars.is_coordinate(c);
        if (!is_own && !m.coordinates[c].is_angle) {
          EXPECT_EQ(scalars.scalar(eq, c), -1);
          continue;
        }
        const int s = scalars.scalar(eq, c);
        ASSERT_GE(s, 0) << m.coordinates[c].name;
        EXPECT_EQ(scalars.scalar(eq, c), s);
        const double difference = value(eq.scalars[s], q) - measure(m, c, poses);
        EXPECT_NEAR(m.coordinates[c].is_angle ? turned_back(difference) : difference, 0, 1e-13)
            << m.coordinates[c].name << ", cut " << cut;
      }
    }
  }
}

TEST(RelativeScalars, SumsStartOnTheTurnThatIsTold) {
  Mechanism m = net();
  const int angle = coordinate_index(m, "D.angle");
  const auto at_start = [&] {
    const SpanningTree spanning = spanning_tree(m, std::array{joint_index(m, "D")});
    FormulationOptions options;
    options.family = CoordinateFamily::relative;
    options.cut = {joint_index(m, "D")};
    MechanismSystem system(make_equations(m, options));
    MechanismEquations eq = system.equations();
    RelativeScalars scalars(spanning, relative_tree(m, spanning));
    std::vector<SE3<double>> reference;
    for (const MechanismBody& body : m.bodies) reference.push_back(body.pose);
    return value(eq.scalars[scalars.scalar(eq, angle)], system.from_poses(reference));
  };
  EXPECT_NEAR(at_start(), 0, 1e-13);
  m.initial.assign(m.coordinates.size(), std::numeric_limits<double>::quiet_NaN());
  m.initial[angle] = 4 * std::numbers::pi + .2;
  EXPECT_NEAR(at_start(), 4 * std::numbers::pi, 1e-13);
}

TEST(RelativeScalars, TheDistanceOfAScrewFollowsItsAngle) {
  Mechanism m = plain_mechanism(false);
  const int nut = add_body(m, "nut");
  m.joints.push_back(
      {.name = "H", .type = PairType::helical, .body = {0, nut}, .pitch = .02, .offset = .5});
  finish(m);
  FormulationOptions options;
  options.family = CoordinateFamily::relative;
  MechanismEquations eq = make_equations(m, options);
  const SpanningTree spanning = spanning_tree(m);
  RelativeScalars scalars(spanning, relative_tree(m, spanning));
  EXPECT_NEAR(value(eq.scalars[scalars.scalar(eq, 1)], {10.}), .7, 1e-15);
  EXPECT_FALSE(scalars.is_coordinate(1));
  EXPECT_TRUE(scalars.is_coordinate(0));
}

}  // namespace
}  // namespace axode::test::relative_scalars
