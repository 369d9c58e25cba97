/// Displacements as screw motions: there and back at all angles, the fixed axis, the nearest point,
/// agreement with log, and bad input.
///
/// Tolerances: the rotation vector comes from a matrix whose entries carry a few round-offs (exp up to
/// 14 near pi), and is relatively exact for small angles, because the off-diagonal entries are.
#include "axode/screw/chasles.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "axode/core/error.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::chasles_test {
namespace {

using V3 = Vec3<double>;
using Kind = DisplacementKind;

constexpr double eps = epsilon<double>;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Chasles, ThereAndBackFromAPose) {
  for_random_cases(many, [](Random& random) {
    const SE3<double> T = random.pose(random.log_uniform(1e-3, 1e3));
    const SE3<double> back = displacement(chasles(T));
    expect_near(back.R, T.R, 16 * eps, "rotation");
    expect_near(back.p, T.p, 8 * eps * norm(T.p), "position");
  });
}

TEST(Chasles, ThereAndBackFromAScrewMotion) {
  for_random_cases(many, [](Random& random) {
    const double angle = random.angle(), pitch = random.uniform(-3, 3);
    if (angle <= 4 * eps) return;
    const V3 e = random.unit(), any = random.vec3();
    const V3 point = any - dot(any, e) * e;
    const auto found =
        chasles(displacement(ScrewDisplacement<double>{Kind::screw, {e, point, pitch}, angle}));
    ASSERT_EQ(found.kind, Kind::screw);
    // At pi both signs of the axis are right, and the pitch changes sign with it.
    const bool either = pi<double> - angle < 64 * eps;
    const double sign = either && dot(found.screw.axis, e) < 0 ? -1 : 1;
    const double size = norm(any) + std::abs(pitch);
    expect_near(found.displacement, angle, 8 * eps * angle, "angle");
    expect_near(sign * found.screw.axis, e, 4 * eps, "axis");
    expect_near(sign * found.screw.pitch, pitch, 6 * eps * size, "pitch");
    expect_near(found.screw.point, point, 6 * eps * size, "point");
  });
}

TEST(Chasles, PointsOfTheAxisMoveAlongIt) {
  for_random_cases(many, [](Random& random) {
    const SE3<double> T = random.pose();
    const auto [kind, screw, angle] = chasles(T);
    if (kind != Kind::screw) return;
    // The norm of the rotation vector may round to the neighbours of pi.
    EXPECT_TRUE(angle > 0 && angle <= pi<double>) << angle - pi<double>;
    const V3 x = screw.point + random.uniform(-2, 2) * screw.axis;
    const double size = norm(T.p) + (1 + angle) * norm(x);
    expect_near(T * x - x, angle * screw.pitch * screw.axis, 4 * eps * size, "moved by");
    expect_near(dot(screw.point, screw.axis), 0.0, 2 * eps * (norm(screw.point) + norm(T.p)),
                "nearest");
    expect_near(norm(screw.axis), 1.0, 4 * eps, "unit");
  });
}

TEST(Chasles, AgreesWithLog) {
  for_random_cases(many, [](Random& random) {
    const SE3<double> T = random.pose();
    const auto motion = chasles(T);
    if (motion.kind != Kind::screw) return;
    const Vec6<double> X = motion.displacement * coordinates(motion.screw);
    expect_near(X.angular, log(T).angular, 2 * eps * motion.displacement, "angular");
    expect_near(X.linear, log(T).linear, 8 * eps * norm(T.p), "linear");
  });
}

TEST(Chasles, AnglesFromTinyToPi) {
  const V3 e{2.0 / 3, -1.0 / 3, 2.0 / 3}, p{0.3, -0.2, 0.5};
  for (double angle = 1e-12; angle < pi<double>; angle *= 1.1) {
    const auto found = chasles(SE3<double>{exp(angle * e), p});
    ASSERT_EQ(found.kind, Kind::screw) << angle;
    expect_near(found.displacement / angle, 1.0, 4 * eps, "angle");
    expect_near(found.screw.axis, e, 2 * eps, "axis");
    expect_near(found.screw.pitch * angle / dot(e, p), 1.0, 8 * eps, "pitch");
    expect_near(displacement(found).p, p, 4 * eps, "position");
  }
}

TEST(Chasles, HalfTurns) {
  for (int i = 0; i < 3; ++i) {
    V3 e{}, d{-1, -1, -1};
    e[i] = 1;
    d[i] = 1;
    const SE3<double> T{{Mat3<double>::diagonal(d)}, {1, 2, 3}};
    const auto [kind, screw, angle] = chasles(T);
    EXPECT_EQ(kind, Kind::screw);
    expect_near(angle, pi<double>, eps, "angle");
    expect_near(screw.axis, e, eps, "axis, its largest component positive");
    expect_near(screw.point, 0.5 * (T.p - dot(T.p, e) * e), 4 * eps, "half way");
    expect_near(screw.pitch, dot(T.p, e) / pi<double>, 4 * eps, "pitch");
  }
}

TEST(Chasles, IdentityAndTranslations) {
  const auto none = chasles(SE3<double>{});
  EXPECT_EQ(none.kind, Kind::identity);
  EXPECT_EQ(none.displacement, 0);
  EXPECT_TRUE(displacement(none) == SE3<double>{});
  for_random_cases(many, [](Random& random) {
    const V3 p = random.unit() * random.log_uniform(1e-300, 1e300);
    const auto found = chasles(translation(p));
    EXPECT_EQ(found.kind, Kind::translation);
    EXPECT_EQ(found.screw.pitch, infinity);
    expect_near(found.displacement / norm(p), 1.0, 2 * eps, "length");
    expect_near(displacement(found).p, p, 4 * eps * norm(p), "position");
    EXPECT_TRUE(displacement(found).R == SO3<double>{});
  });
}

TEST(Chasles, ToleranceDecidesWhatIsATranslation) {
  const SE3<double> T{exp(V3{0, 0, 1e-6}), {1, 0, 0}};
  EXPECT_EQ(chasles(T).kind, Kind::screw);
  EXPECT_EQ(chasles(T, 1e-5).kind, Kind::translation);
  const SE3<double> rounding{exp(V3{0, 0, 2 * eps}), {1, 0, 0}};
  EXPECT_EQ(chasles(rounding).kind, Kind::translation);
  EXPECT_EQ(chasles(rounding, 0).kind, Kind::screw);
  // Without tolerance the tiniest rotation is told as long as its axis is in range.
  for (double angle : {1e-100, 1e-200, 1e-300}) {
    const auto found = chasles(SE3<double>{exp(V3{0, 0, angle}), {1, 0, 1}}, 0);
    ASSERT_EQ(found.kind, Kind::screw);
    expect_near(found.screw.point.y * angle, 1.0, 4 * eps, "far axis");
    expect_near(displacement(found).p, V3{1, 0, 1}, 4 * eps, "position");
  }
  EXPECT_EQ(chasles(SE3<double>{exp(V3{0, 0, 1e-310}), {1, 0, 1}}, 0).kind, Kind::translation);
}

TEST(Chasles, RefusesWhatIsNotFinite) {
  const SE3<double> good{exp(V3{0.1, 0.2, 0.3}), {1, 2, 3}};
  const auto refused = [](const SE3<double>& T) {
    try {
      chasles(T);
    } catch (const Error& e) {
      return std::string(e.what()).find("displacement is not finite") != std::string::npos;
    }
    return false;
  };
  for (double bad : {nan, infinity, -infinity}) {
    for (int i = 0; i < 3; ++i) {
      SE3<double> T = good;
      T.p[i] = bad;
      EXPECT_TRUE(refused(T));
      for (int j = 0; j < 3; ++j) {
        SE3<double> U = good;
        U.R.matrix(i, j) = bad;
        EXPECT_TRUE(refused(U));
      }
    }
  }
  const double largest = std::numeric_limits<double>::max();
  EXPECT_TRUE(refused({{}, {largest, largest, 0}})) << "its length overflows";
}

TEST(Chasles, Float) {
  const SE3<float> T{exp(Vec3<float>{0, 0, 0.5F}), {1, 2, 3}};
  const SE3<float> back = displacement(chasles(T));
  expect_near(back, T, 16 * double(epsilon<float>), "float");
}

}  // namespace
}  // namespace axode::test::chasles_test
