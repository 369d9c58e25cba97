/// Screws and their coordinates: definitions, there and back at all magnitudes, Pluecker lines, the
/// reciprocal product against its geometric meaning, and bad input.
#include "axode/screw/screw.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <limits>
#include <string>

#include "axode/core/error.hpp"
#include "axode/lie/adjoint.hpp"
#include "axode/lie/pack.hpp"
#include "axode/linalg/eigen.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::screw_test {
namespace {

using V3 = Vec3<double>;
using V6 = Vec6<double>;

constexpr double eps = epsilon<double>;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest = std::numeric_limits<double>::max();
constexpr double denormal = std::numeric_limits<double>::denorm_min();

// Coordinates -------------------------------------------------------------------------------------

TEST(ScrewCoordinates, FollowTheDefinition) {
  for_random_cases(many, [](Random& random) {
    const V3 axis = random.unit() * random.log_uniform(1e-300, 1e300);
    const V3 point = random.vec3(random.log_uniform(1e-3, 1e3));
    const double pitch = random.integer(0, 3) == 0 ? 0 : random.uniform(-5, 5);
    const V6 X = coordinates(make_screw(axis, point, pitch));
    const Eigen::Vector3d e = Eigen::Vector3d(view(axis) / max_abs(axis)).normalized();
    const Eigen::Vector3d moment = Eigen::Vector3d(view(point)).cross(e) + pitch * e;
    // Two divisions and a root make the axis; the cross product adds two roundings.
    expect_near(X.angular, vec3_from_eigen(e), 2 * eps, "axis");
    expect_near(X.linear, vec3_from_eigen(moment), 4 * eps * (norm(point) + std::abs(pitch)),
                "moment");
    expect_near(norm(X.angular), 1.0, 2 * eps, "unit");
  });
}

TEST(ScrewCoordinates, OfTranslations) {
  for_random_cases(many, [](Random& random) {
    const V3 axis = random.unit() * random.log_uniform(1e-300, 1e300);
    const V6 X = coordinates(make_translation_screw(axis));
    EXPECT_TRUE(X.angular == V3{});
    expect_near(X.linear, axis / max_abs(axis) / norm(axis / max_abs(axis)), 2 * eps, "direction");
    EXPECT_TRUE(coordinates(make_screw(axis, random.vec3(), infinity)) == X);
    EXPECT_TRUE(coordinates(make_screw(axis, random.vec3(), -infinity)) == X);
  });
}

TEST(ScrewCoordinates, DoNotChangeWhenThePointSlides) {
  for_random_cases(many, [](Random& random) {
    const V3 axis = random.unit(), point = random.vec3();
    const double pitch = random.uniform(-2, 2),
                 way = random.uniform(-1, 1) * random.log_uniform(1, 1e6);
    const V6 X = coordinates(make_screw(axis, point, pitch));
    const V6 Y = coordinates(make_screw(axis, point + way * axis, pitch));
    expect_near(X, Y, 4 * eps * (norm(point) + std::abs(way) + std::abs(pitch)), "sliding");
  });
}

TEST(ScrewCoordinates, OfTheDefaultScrewAreThoseOfTheZAxis) {
  EXPECT_TRUE((coordinates(Screw<double>{}) == V6{{0, 0, 1}, {0, 0, 0}}));
  static_assert(coordinates(Screw<double>{{1, 0, 0}, {0, 2, 0}, 3}) == V6{{1, 0, 0}, {3, 0, -2}});
  static_assert(coordinates(Screw<double>{{1, 0, 0}, {}, infinite_pitch<>}) == V6{{}, {1, 0, 0}});
}

/// A pitch that is no number must not pass for a translation.
TEST(ScrewCoordinates, NaNPitchIsNotATranslation) {
  const V6 X = coordinates(Screw<double>{{0, 0, 1}, {}, nan});
  EXPECT_TRUE((X.angular == V3{0, 0, 1}));
  EXPECT_TRUE(std::isnan(X.linear.z));
}

TEST(ScrewCoordinates, ModernRoboticsScrewToAxis) {
  const auto example = read_json("modern_robotics.json").at("functions").at("ScrewToAxis");
  const auto& in = example.at("inputs");
  const Screw<double> screw =
      make_screw(vec3(in.at("s")), vec3(in.at("q")), in.at("h").get<double>());
  EXPECT_TRUE(coordinates(screw) == vec6(example.at("documented_output")));
}

// Back from coordinates ---------------------------------------------------------------------------

/// Each part is recovered to a few round-offs of itself, whatever the two magnitudes.
void expect_there_and_back(const V6& X) {
  const auto [screw, magnitude] = screw_from_coordinates(X);
  const V6 back = magnitude * coordinates(screw);
  expect_near(norm(screw.axis), 1.0, 2 * eps, "unit axis");
  expect_near(back.angular, X.angular, 4 * eps * norm(X.angular), "angular");
  expect_near(back.linear, X.linear, 8 * eps * norm(X.linear), "linear");
  const double far = norm(X.linear) / norm(X.angular);
  expect_near(dot(screw.point, screw.axis), 0.0, 4 * eps * far, "nearest point");
}

TEST(ScrewFromCoordinates, ThereAndBackAtAllMagnitudes) {
  for_random_cases(many, [](Random& random) {
    expect_there_and_back({random.unit() * random.log_uniform(1e-150, 1e150),
                           random.unit() * random.log_uniform(1e-150, 1e150)});
    expect_there_and_back({random.vec3(), random.vec3()});
  });
}

TEST(ScrewFromCoordinates, FindsAxisPointPitchAndMagnitude) {
  for_random_cases(many, [](Random& random) {
    const V3 e = random.unit(), point = random.vec3(random.log_uniform(1e-3, 1e3));
    const double pitch = random.uniform(-5, 5), magnitude = random.log_uniform(1e-100, 1e100);
    const auto found = screw_from_coordinates(magnitude * coordinates(make_screw(e, point, pitch)));
    const double size = norm(point) + std::abs(pitch);
    expect_near(found.magnitude / magnitude, 1.0, 4 * eps, "magnitude");
    expect_near(found.screw.axis, e, 4 * eps, "axis");
    expect_near(found.screw.pitch, pitch, 6 * eps * size, "pitch");
    expect_near(found.screw.point, point - dot(point, e) * e, 6 * eps * size, "nearest point");
  });
}

TEST(ScrewFromCoordinates, TranslationsAndZero) {
  for_random_cases(many, [](Random& random) {
    const V3 v = random.unit() * random.log_uniform(1e-300, 1e300);
    const auto [screw, speed] = screw_from_coordinates(V6{{}, v});
    EXPECT_EQ(screw.pitch, infinity);
    expect_near(speed * screw.axis, v, 2 * eps * norm(v), "velocity");
  });
  const auto zero = screw_from_coordinates(V6{});
  EXPECT_EQ(zero.magnitude, 0);
  EXPECT_TRUE((zero.screw.axis == V3{0, 0, 1} && zero.screw.point == V3{}));
}

/// Axes so tiny that their length has few bits are still unit vectors.
TEST(ScrewFromCoordinates, DenormalNumbers) {
  const auto rotation = screw_from_coordinates(V6{{denormal, denormal, 0}, {0, 0, denormal}});
  expect_near(rotation.screw.axis, V3{std::sqrt(0.5), std::sqrt(0.5), 0}, 2 * eps, "axis");
  expect_near(rotation.screw.point, V3{0.5, -0.5, 0}, 2 * eps, "point");
  const auto move = screw_from_coordinates(V6{{}, {denormal, 0, -denormal}});
  expect_near(move.screw.axis, V3{std::sqrt(0.5), 0, -std::sqrt(0.5)}, 2 * eps, "direction");
  const auto alone = screw_from_coordinates(V6{{0, 3 * denormal, 0}, {}});
  EXPECT_TRUE((alone.screw.axis == V3{0, 1, 0} && alone.screw.pitch == 0));
  EXPECT_EQ(alone.magnitude, 3 * denormal);
}

/// A rotation so slow that its axis is out of range is the translation that it is.
TEST(ScrewFromCoordinates, AxisOutOfRangeIsATranslation) {
  const auto [screw, speed] = screw_from_coordinates(V6{{1e-310, 0, 0}, {0, 3, 4}});
  EXPECT_EQ(screw.pitch, infinity);
  expect_near(speed * screw.axis, V3{0, 3, 4}, 4 * eps, "velocity");
  // The largest quotients in range are finite and come back.
  for (double slow : {1e-300, 1e-306}) expect_there_and_back({{slow, 0, -slow}, {0.3, 0.4, 0.5}});
}

TEST(ScrewFromCoordinates, RefusesWhatHasNoMagnitude) {
  for (double bad : {nan, infinity, -infinity})
    for (int i = 0; i < 6; ++i) {
      V6 X{{1, 2, 3}, {4, 5, 6}};
      X[i] = bad;
      expect_says(message([&] { screw_from_coordinates(X); }), "not finite");
    }
  expect_says(message([] { screw_from_coordinates(V6{{largest, largest, 0}, {}}); }), "too large");
  expect_says(message([] { screw_from_coordinates(V6{{}, {largest, largest, 0}}); }), "too large");
}

// Bad axes, points and pitches --------------------------------------------------------------------

TEST(MakeScrew, RefusesBadInput) {
  const V3 x{1, 0, 0}, o{};
  expect_says(message([&] { make_screw(o, o); }), "make_screw: the axis is zero");
  expect_says(message([&] { make_translation_screw(o); }),
              "make_translation_screw: the axis is zero");
  expect_says(message([&] { make_screw(x, o, nan); }), "pitch is not a number");
  for (double bad : {nan, infinity, -infinity})
    for (int i = 0; i < 3; ++i) {
      V3 a = x;
      a[i] = bad;
      expect_says(message([&] { make_screw(a, o); }), "axis is not finite");
      expect_says(message([&] { make_translation_screw(a); }), "axis is not finite");
      expect_says(message([&] { make_screw(x, a); }), "point on the axis is not finite");
    }
}

TEST(MakeScrew, TakesAxesOfAnyLength) {
  for (double length : {denormal, 1e-308, 1.0, 1e154, largest}) {
    const V3 e = make_screw(V3{length, -length, 0}, V3{}).axis;
    expect_near(e, V3{std::sqrt(0.5), -std::sqrt(0.5), 0}, 2 * eps, "axis");
  }
}

TEST(Coordinates, LanesMayHoldScrewsOfAllKinds) {
  using P = Pack<double, 2>;
  Screw<P> screws{{P(0), P(0), P(1)}, {P(3), P(0), P(0)}, P(0.5)};
  screws.pitch.set(1, infinite_pitch<double>);
  const Vec6<P> X = coordinates(screws);
  const V6 helical{{0, 0, 1}, {0, -3, 0.5}}, translation{{0, 0, 0}, {0, 0, 1}};
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(X[i][0], helical[i]);
    EXPECT_EQ(X[i][1], translation[i]);
  }
}

// Pluecker lines ----------------------------------------------------------------------------------

TEST(Pluecker, LineThroughTwoPoints) {
  for_random_cases(many, [](Random& random) {
    const V3 a = random.vec3(), along = random.vec3();
    const double multiple = random.log_uniform(1e-100, 1e100);
    // Away from the origin: the moment of a line through it is all rounding, no line to compare.
    if (norm(along) < 0.1 || norm(cross(a, along)) < 0.1) return;
    const Screw<double> line = screw_from_pluecker(multiple * along, multiple * cross(a, along));
    EXPECT_EQ(line.pitch, 0);
    expect_near(line.axis, along / norm(along), 2 * eps, "direction");
    const double size = norm(a);
    expect_near(cross(a - line.point, line.axis), V3{}, 8 * eps * size, "contains the point");
    expect_near(dot(line.point, line.axis), 0.0, 4 * eps * size, "nearest point");
  });
}

TEST(Pluecker, ThroughTheOriginAndAtExtremes) {
  EXPECT_TRUE((screw_from_pluecker(V3{0, 0, 2}, V3{}).point == V3{}));
  // The length of the direction has few bits, or overflows; the line is an ordinary one.
  expect_near(screw_from_pluecker(V3{0, denormal, denormal}, V3{denormal, 0, 0}).point,
              V3{0, 0.5, -0.5}, 2 * eps, "denormal");
  expect_near(screw_from_pluecker(V3{largest, largest, 0}, V3{0, 0, largest}).point,
              V3{0.5, -0.5, 0}, 2 * eps, "huge");
}

TEST(Pluecker, LinesThroughTheOriginBearRounding) {
  for_random_cases(many, [](Random& random) {
    const V3 e = random.unit(), p = e * random.uniform(-3, 3);
    expect_near(screw_from_pluecker(e, cross(p, e)).point, V3{}, 2e-15);
  });
  EXPECT_THROW(screw_from_pluecker(V3{0, 0, 1}, V3{0, 0, 1e-13}, 1e-3), Error);
}

TEST(Pluecker, RefusesBadInput) {
  const V3 z{0, 0, 1};
  const std::string screw = message([&] { screw_from_pluecker(z, V3{1, 0, 0.25}); });
  expect_says(screw, "not perpendicular");
  expect_says(screw, "pitch 0.25");
  expect_says(screw, "screw_from_coordinates");
  expect_says(message([&] { screw_from_pluecker(V3{}, z); }), "axis is zero");
  expect_says(message([&] { screw_from_pluecker(V3{nan, 0, 1}, V3{}); }), "axis is not finite");
  expect_says(message([&] { screw_from_pluecker(z, V3{infinity, 0, 0}); }), "moment is not finite");
  expect_says(message([&] { screw_from_pluecker(1e-300 * z, V3{1e10, 0, 0}); }), "too far away");
}

// Reciprocal product ------------------------------------------------------------------------------

double size(const V6& a) { return norm(a.angular) + norm(a.linear); }

TEST(ReciprocalProduct, IsSymmetricAndInvariant) {
  for_random_cases(many, [](Random& random) {
    const V6 a = random.vec6(random.log_uniform(1e-50, 1e50)), b = random.vec6();
    const SE3<double> T = random.pose();
    const double product = reciprocal_product(a, b);
    expect_near(product, reciprocal_product(b, a), 2 * eps * size(a) * size(b), "symmetry");
    Eigen::Matrix<double, 6, 6> klein = Eigen::Matrix<double, 6, 6>::Zero();
    klein.topRightCorner<3, 3>().setIdentity();
    klein.bottomLeftCorner<3, 3>().setIdentity();
    expect_near(product, double(view(a).dot(klein * view(b))), 4 * eps * size(a) * size(b),
                "dense");
    // Terms grow to (1 + |p|)^2; R is a rotation to at most 14 round-offs.
    const double grown = (1 + norm(T.p)) * (1 + norm(T.p)) * size(a) * size(b);
    expect_near(reciprocal_product(Ad(T, a), Ad(T, b)), product, 4 * eps * grown, "invariance");
  });
}

/// Two screws at distance d and angle alpha: (h1 + h2) cos(alpha) - d sin(alpha), in any frame.
TEST(ReciprocalProduct, OfTwoScrewsInSpace) {
  for_random_cases(many, [](Random& random) {
    const double d = random.uniform(-2, 2), alpha = random.uniform(-4, 4);
    const double h1 = random.uniform(-2, 2), h2 = random.uniform(-2, 2);
    const SE3<double> T = random.pose();
    const V6 a = coordinates(make_screw(V3{0, 0, 1}, V3{}, h1));
    const V6 b = coordinates(make_screw(V3{0, -std::sin(alpha), std::cos(alpha)}, V3{d, 0, 0}, h2));
    const double expected = (h1 + h2) * std::cos(alpha) - d * std::sin(alpha);
    expect_near(reciprocal_product(a, b), expected, 8 * eps, "at the origin");
    const double reach = 4 + 2 * norm(T.p);
    expect_near(reciprocal_product(Ad(T, a), Ad(T, b)), expected, 16 * eps * reach, "anywhere");
  });
}

TEST(ReciprocalProduct, VanishesForLinesThatMeet) {
  for_random_cases(many, [](Random& random) {
    const V3 common = random.vec3();
    const V6 a = coordinates(make_screw(random.unit(), common));
    const V6 b = coordinates(make_screw(random.unit(), common));
    expect_near(reciprocal_product(a, b), 0.0, 4 * eps * (1 + norm(common)), "meeting");
    const V3 e = random.unit();
    const V6 c = coordinates(make_screw(e, random.vec3())),
             d = coordinates(make_screw(e, random.vec3()));
    expect_near(reciprocal_product(c, d), 0.0, 8 * eps, "parallel");
  });
}

TEST(ScrewScalars, Float) {
  const auto found =
      screw_from_coordinates(2.0F * coordinates(make_screw(Vec3<float>{0, 0, 3}, {1, 2, 5}, 0.5F)));
  EXPECT_EQ(found.magnitude, 2.0F);
  EXPECT_EQ(found.screw.pitch, 0.5F);
  EXPECT_TRUE((found.screw.point == Vec3<float>{1, 2, 0}));
  EXPECT_THROW(make_translation_screw(Vec3<float>{}), Error);
  EXPECT_TRUE((screw_from_pluecker(Vec3<float>{0, 0, 1}, Vec3<float>{2, 0, 0}).point ==
               Vec3<float>{0, 2, 0}));
}

}  // namespace
}  // namespace axode::test::screw_test
