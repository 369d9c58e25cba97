/// Central axis of a wrench: there and back at all magnitudes, the moment about it is parallel to the
/// force and the smallest of all, couples, nothing, and bad input.
#include "axode/screw/poinsot.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "axode/core/error.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::poinsot_test {
namespace {

using V3 = Vec3<double>;
using V6 = Vec6<double>;

constexpr double eps = epsilon<double>;
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Poinsot, ThereAndBackAtAllMagnitudes) {
  for_random_cases(many, [](Random& random) {
    const V6 W{random.unit() * random.log_uniform(1e-150, 1e150),
               random.unit() * random.log_uniform(1e-150, 1e150)};
    const CentralAxis<double> axis = central_axis(W);
    EXPECT_EQ(axis.kind, WrenchKind::force);
    const V6 back = wrench(axis);
    expect_near(back.angular, W.angular, 8 * eps * norm(W.angular), "torque");
    expect_near(back.linear, W.linear, 4 * eps * norm(W.linear), "force");
  });
}

TEST(Poinsot, MomentAboutTheAxisIsParallelAndSmallest) {
  for_random_cases(many, [](Random& random) {
    const V3 t = random.vec3(), f = random.unit() * random.uniform(0.1, 3);
    const auto [kind, screw, force] = central_axis(V6{t, f});
    expect_near(force, norm(f), 4 * eps * norm(f), "force");
    const double size = norm(t);
    const auto moment_about = [&](const V3& q) { return t - cross(q, f); };
    const V3 x = screw.point + random.uniform(-2, 2) * screw.axis;
    const V3 couple = moment_about(x);
    const double rounding = 4 * eps * (size + norm(x) * norm(f));
    expect_near(cross(couple, screw.axis), V3{}, rounding, "parallel to the force");
    expect_near(couple, screw.pitch * f, rounding, "pitch times force");
    // Moving off the axis by s adds |s x f| at a right angle to the couple.
    const V3 elsewhere = random.vec3();
    EXPECT_GE(norm(moment_about(elsewhere)),
              norm(couple) - rounding - 8 * eps * norm(elsewhere) * norm(f));
    const double away = norm(cross(elsewhere - x, f));
    expect_near(norm(moment_about(elsewhere)), std::hypot(norm(couple), away),
                rounding + 8 * eps * (norm(elsewhere) * norm(f) + away), "by Pythagoras");
    expect_near(dot(screw.point, screw.axis), 0.0, 4 * eps * size / norm(f), "nearest point");
  });
}

TEST(Poinsot, FindsAForceAndCoupleOnALine) {
  for_random_cases(many, [](Random& random) {
    const V3 e = random.unit(), point = random.vec3();
    const double force = random.log_uniform(1e-3, 1e3), couple = force * random.uniform(-2, 2);
    const auto axis = central_axis(V6{cross(point, force * e) + couple * e, force * e});
    const double size = norm(point) + std::abs(couple) / force;
    expect_near(axis.screw.axis, e, 4 * eps, "axis");
    expect_near(axis.screw.pitch, couple / force, 8 * eps * size, "pitch");
    expect_near(axis.screw.point, point - dot(point, e) * e, 8 * eps * size, "point");
  });
}

TEST(Poinsot, CouplesAndNothing) {
  for_random_cases(many, [](Random& random) {
    const V3 t = random.unit() * random.log_uniform(1e-300, 1e300);
    const auto axis = central_axis(V6{t, {}});
    EXPECT_EQ(axis.kind, WrenchKind::couple);
    EXPECT_EQ(axis.screw.pitch, infinity);
    expect_near(axis.intensity / norm(t), 1.0, 4 * eps, "torque");
    EXPECT_TRUE(wrench(axis).linear == V3{});
    expect_near(wrench(axis).angular, t, 4 * eps * norm(t), "back");
  });
  const auto zero = central_axis(V6{});
  EXPECT_EQ(zero.kind, WrenchKind::zero);
  EXPECT_EQ(zero.intensity, 0);
  EXPECT_TRUE(wrench(zero) == V6{});
}

TEST(Poinsot, ForceAlone) {
  const auto axis = central_axis(V6{{}, {0, -3, 4}});
  EXPECT_EQ(axis.kind, WrenchKind::force);
  EXPECT_EQ(axis.screw.pitch, 0);
  EXPECT_TRUE(axis.screw.point == V3{});
  EXPECT_EQ(axis.intensity, 5);
}

/// A force too small for its axis to be in range leaves the couple that it is.
TEST(Poinsot, AxisOutOfRangeIsACouple) {
  const auto axis = central_axis(V6{{0, 3, 4}, {1e-310, 0, 0}});
  EXPECT_EQ(axis.kind, WrenchKind::couple);
  expect_near(wrench(axis).angular, V3{0, 3, 4}, 4 * eps, "torque");
}

TEST(Poinsot, RefusesWhatIsNotFinite) {
  for (double bad : {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity})
    for (int i = 0; i < 6; ++i) {
      V6 W{{1, 2, 3}, {4, 5, 6}};
      W[i] = bad;
      try {
        central_axis(W);
        ADD_FAILURE() << "no Error";
      } catch (const Error& e) {
        EXPECT_EQ(e.problem(), "the wrench is not finite");
      }
    }
}

TEST(Poinsot, Float) {
  const Vec6<float> W{{1, 2, 3}, {0, 0, 2}};
  expect_near(wrench(central_axis(W)), W, 4 * double(epsilon<float>), "float");
}

}  // namespace
}  // namespace axode::test::poinsot_test
