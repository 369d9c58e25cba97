/// Motion subgroups: dimension, independence and closure of their screws, closure of the group itself,
/// identification from bases, generic elements and joints, and bad input.
#include "axode/screw/subgroup.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "axode/core/error.hpp"
#include "axode/linalg/eigen.hpp"
#include "axode/screw/screw.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::subgroup_test {
namespace {

using G = MotionSubgroup;
using V3 = Vec3<double>;
using V6 = Vec6<double>;
using Screws = std::vector<V6>;

constexpr double eps = epsilon<double>;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::array<G, 12> all{G::identity,      G::translation_1,  G::rotation,      G::helical,
                                G::translation_2, G::cylindrical,    G::translation_3, G::spherical,
                                G::planar,        G::helical_planar, G::schoenflies,   G::full};

bool has_pitch(G group) { return group == G::helical || group == G::helical_planar; }
/// A pitch clearly not zero, either hand.
double random_pitch(Random& random, G group) {
  if (!has_pitch(group)) return 0;
  return (random.integer(0, 1) == 0 ? -1 : 1) * random.uniform(0.1, 2);
}
Eigen::MatrixXd columns(const ScrewSystem<double>& system) {
  Eigen::MatrixXd m(6, system.size);
  for (int i = 0; i < system.size; ++i) m.col(i) = view(system.screws[i]);
  return m;
}
/// The linear span of independent screws, by Eigen's QR.
struct Span {
  Eigen::Matrix<double, 6, 6> projector = Eigen::Matrix<double, 6, 6>::Zero();
  explicit Span(const ScrewSystem<double>& system) {
    if (system.size == 0) return;
    projector = axode::test::projector(columns(system));
  }
  double distance(const V6& x) const { return (projector * view(x) - view(x)).norm(); }
};
GeneratedSubgroup<double> generated(const Screws& screws) {
  return generated_subgroup<double>(screws);
}

// The table ---------------------------------------------------------------------------------------

TEST(MotionSubgroups, AreTenProperOnesNothingAndAll) {
  constexpr std::array<int, 12> dimensions{0, 1, 1, 1, 2, 2, 3, 3, 3, 3, 4, 6};
  int proper = 0;
  std::set<std::string> symbols;
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(dimension(all[i]), dimensions[i]);
    symbols.insert(std::string(symbol(all[i])));
    proper += dimension(all[i]) > 0 && dimension(all[i]) < 6;
  }
  EXPECT_EQ(proper, 10);
  EXPECT_EQ(symbols.size(), all.size());
  EXPECT_EQ(symbol(G::full), "SE(3)");
  EXPECT_EQ(symbol(G::spherical), "SO(3)");
  EXPECT_EQ(symbol(G::planar), "SE(2)");
  EXPECT_EQ(symbol(G::cylindrical), "SO(2) x R");
  EXPECT_EQ(symbol(G::helical_planar), "H_p |x R^2");
}

// Their screws ------------------------------------------------------------------------------------

/// Entries of the screws are up to 1 + |p| + |h| < 7, those of products and their distance up to 50.
TEST(SubgroupScrews, AreIndependentAndClosedUnderTheScrewProduct) {
  for_random_cases(many / int(all.size()) + 1, [](Random& random) {
    for (G group : all) {
      const auto system = subgroup_screws(group, random.pose(), random_pitch(random, group));
      ASSERT_EQ(system.size, dimension(group));
      const Span span(system);
      if (system.size > 0) {
        EXPECT_GT(independence(columns(system)), 0.05) << symbol(group);
      }
      for (const V6& a : system)
        for (const V6& b : system) expect_near(span.distance(ad(a, b)), 0.0, 20 * eps, "closed");
    }
  });
}

/// exp(a) exp(b) stays in the group: its log is in the span. Coordinates below 0.3 keep log regular.
TEST(SubgroupScrews, GenerateAGroup) {
  for_random_cases(many / int(all.size()) + 1, [](Random& random) {
    for (G group : all) {
      const auto system = subgroup_screws(group, random.pose(), random_pitch(random, group));
      V6 a{}, b{};
      for (const V6& X : system) {
        a += X * random.uniform(-0.3, 0.3);
        b += X * random.uniform(-0.3, 0.3);
      }
      expect_near(Span(system).distance(log(exp(a) * exp(b))), 0.0, 16 * eps, "log");
    }
  });
}

TEST(SubgroupScrews, StandInTheFrameGiven) {
  const SE3<double> T{exp(V3{0.3, -0.4, 0.5}), {1, 2, 3}};
  const V3 x = T.R.matrix.x, y = T.R.matrix.y, z = T.R.matrix.z;
  const auto planar = subgroup_screws(G::planar, T);
  EXPECT_TRUE((planar.screws[0] == V6{{}, x} && planar.screws[1] == V6{{}, y}));
  expect_near(planar.screws[2], coordinates(make_screw(z, T.p)), 4 * eps, "rotation last");
  const auto helical = subgroup_screws(G::helical, T, 0.25);
  expect_near(helical.screws[0], coordinates(make_screw(z, T.p, 0.25)), 4 * eps, "screw");
  const auto spherical = subgroup_screws(G::spherical, T);
  for (const V6& X : spherical) expect_near(ad(X, V6{{}, T.p}).angular, V3{}, 0, "no translation");
  for (const V6& X : spherical) expect_near(X.linear, cross(T.p, X.angular), 4 * eps, "centre");
}

TEST(SubgroupScrews, RefusePitchesThatMakeNoSense) {
  for (G group : all) {
    for (double bad : {nan, infinity, -infinity}) {
      try {
        subgroup_screws(group, SE3<double>{}, bad);
        ADD_FAILURE() << symbol(group);
      } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find("the pitch is not finite"), std::string::npos)
            << e.what();
      }
    }
    if (has_pitch(group)) {
      EXPECT_NO_THROW(subgroup_screws(group, SE3<double>{}, 0.5));
      continue;
    }
    try {
      subgroup_screws(group, SE3<double>{}, 0.5);
      ADD_FAILURE() << symbol(group);
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find("not " + std::string(symbol(group))), std::string::npos);
    }
  }
}

// Identification ----------------------------------------------------------------------------------

void expect_identified(G group, double pitch, const ScrewSystem<double>& system,
                       const Screws& given, double tolerance) {
  const auto found = generated(given);
  ASSERT_EQ(found.group, group) << symbol(found.group) << " for " << symbol(group);
  ASSERT_EQ(found.basis.size, dimension(group));
  expect_near(found.pitch, pitch, tolerance, "pitch");
  const Span span(system);
  for (const V6& X : found.basis) expect_near(span.distance(X), 0.0, tolerance, "same algebra");
}

TEST(GeneratedSubgroup, IsKnownByItsBasis) {
  for_random_cases(many / int(all.size()) + 1, [](Random& random) {
    for (G group : all) {
      const double pitch = random_pitch(random, group);
      const auto system = subgroup_screws(group, random.pose(), pitch);
      expect_identified(group, pitch, system, {system.begin(), system.end()}, 32 * eps);
    }
  });
}

/// As many generic elements as the dimension, then some more, each of its own magnitude. The first
/// ones are at least 0.1 independent, so that errors stay below the tolerance of 1e4 round-offs.
TEST(GeneratedSubgroup, IsKnownByGenericElements) {
  int used = 0;
  for_random_cases(many / int(all.size()) + 1, [&](Random& random) {
    for (G group : all) {
      const double pitch = random_pitch(random, group);
      const auto system = subgroup_screws(group, random.pose(), pitch);
      const int count = system.size + random.integer(0, 3);
      Eigen::MatrixXd coefficients = Eigen::MatrixXd::Zero(system.size, count);
      for (int i = 0; i < system.size; ++i)
        for (int j = 0; j < count; ++j) coefficients(i, j) = random.uniform(-1, 1);
      if (system.size > 0 && independence(coefficients.leftCols(system.size)) < 0.1) continue;
      const Eigen::MatrixXd elements = columns(system) * coefficients;
      Screws given;
      for (int j = 0; j < count; ++j)
        given.push_back(vec6_from_eigen(Eigen::Matrix<double, 6, 1>(elements.col(j))) *
                        random.log_uniform(1e-100, 1e100));
      expect_identified(group, pitch, system, given, 300 * eps);
      ++used;
    }
  });
  EXPECT_GT(used, many / 4);
}

/// A nearly parallel pair that comes first must not bring in a direction that is mostly rounding.
TEST(GeneratedSubgroup, DoesNotDependOnTheOrder) {
  int wrong = 0;
  for_random_cases(many, [&](Random& random) {
    const V3 p = random.vec3(), a = random.unit(), b = random.unit(), c = random.unit();
    if (std::abs(dot(a, cross(b, c))) < 0.1) return;
    const Screws given{coordinates(make_screw(a, p)), coordinates(make_screw(a + 1e-5 * b, p)),
                       coordinates(make_screw(b, p)), coordinates(make_screw(c, p))};
    EXPECT_EQ(generated({given[0], given[2], given[3], given[1]}).group, G::spherical);
    wrong += generated(given).group != G::spherical;
  });
  EXPECT_EQ(wrong, 0);
}

/// The length only scales: metres or millimetres give the same subgroup and pitch.
TEST(GeneratedSubgroup, DoesNotDependOnTheUnitOfLength) {
  for_random_cases(many / int(all.size()) + 1, [](Random& random) {
    const double unit = random.log_uniform(1e-6, 1e6);
    for (G group : all) {
      const double pitch = random_pitch(random, group);
      auto system = subgroup_screws(group, random.pose(), pitch);
      for (V6& X : system.screws) X.linear *= unit;
      const auto found = generated_subgroup<double>(std::span(system.begin(), system.end()), unit);
      ASSERT_EQ(found.group, group) << symbol(found.group) << " for " << symbol(group);
      expect_near(found.pitch / unit, pitch, 32 * eps, "pitch");
      ASSERT_EQ(found.basis.size, dimension(group));
      const Span span(system);
      for (const V6& X : found.basis) {
        const bool moves = X.angular == V3{};
        expect_near(norm(moves ? X.linear : X.angular), 1.0, 8 * eps, "unit");
        const double size = norm(X.linear) / unit + 1;
        EXPECT_LT(span.distance(V6{X.angular, X.linear}), 1e-13 * size * std::max(unit, 1.0))
            << symbol(group) << ": the basis is not in the algebra";
      }
    }
  });
}

// Joints ------------------------------------------------------------------------------------------

V6 revolute(const V3& axis, const V3& point) { return coordinates(make_screw(axis, point)); }
V6 prismatic(const V3& axis) { return coordinates(make_translation_screw(axis)); }
V6 helical(const V3& axis, const V3& point, double h) {
  return coordinates(make_screw(axis, point, h));
}

TEST(GeneratedSubgroup, OfTwoRevoluteJoints) {
  for_random_cases(many, [](Random& random) {
    const V3 a = random.unit(), p = random.vec3(), side = random.unit();
    V3 b = random.unit();
    if (norm(cross(a, b)) < 0.1 || norm(cross(a, side)) < 0.1) return;
    EXPECT_EQ(generated({revolute(a, p), revolute(b, p)}).group, G::spherical) << "intersecting";
    EXPECT_EQ(generated({revolute(a, p), revolute(a, p + side)}).group, G::planar) << "parallel";
    EXPECT_EQ(generated({revolute(a, p), revolute(a, p + 2.0 * a)}).group, G::rotation)
        << "the same";
    const V3 q = p + random.uniform(0.2, 2) / norm(cross(a, b)) * cross(a, b);
    EXPECT_EQ(generated({revolute(a, p), revolute(b, q)}).group, G::full) << "skew";
  });
}

/// The printed table's generators of H_p |x R^2, "planar joint + screw joint", give Schoenflies.
TEST(GeneratedSubgroup, OfPlanarJointAndScrew) {
  for_random_cases(many, [](Random& random) {
    const SE3<double> T = random.pose();
    const V3 x = T.R.matrix.x, y = T.R.matrix.y, z = T.R.matrix.z, q = random.vec3();
    const double h = random_pitch(random, G::helical);
    const V6 screw = helical(z, q, h);
    EXPECT_EQ(generated({prismatic(x), prismatic(y), revolute(z, T.p), screw}).group,
              G::schoenflies);
    const auto found = generated({prismatic(x), prismatic(y), screw});
    EXPECT_EQ(found.group, G::helical_planar);
    expect_near(found.pitch, h, 32 * eps, "pitch");
    EXPECT_EQ(generated({screw, helical(z, q + x, h)}).group, G::helical_planar)
        << "parallel screws";
    EXPECT_EQ(generated({screw, helical(z, q + x, -h)}).group, G::schoenflies) << "other hand";
  });
}

TEST(GeneratedSubgroup, OfOtherJoints) {
  const V3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1}, o{}, p{0.3, 0.2, 0.1};
  EXPECT_EQ(generated({}).group, G::identity);
  EXPECT_EQ(generated({V6{}}).group, G::identity);
  EXPECT_EQ(generated({prismatic(x)}).group, G::translation_1);
  EXPECT_EQ(generated({prismatic(x), prismatic(x + y), prismatic(y)}).group, G::translation_2);
  EXPECT_EQ(generated({prismatic(x), prismatic(y), prismatic(x + z)}).group, G::translation_3);
  EXPECT_EQ(generated({revolute(z, p), prismatic(z)}).group, G::cylindrical);
  EXPECT_EQ(generated({revolute(z, p), helical(z, p, 0.1)}).group, G::cylindrical);
  EXPECT_EQ(generated({revolute(z, p), prismatic(x)}).group, G::planar) << "x turned gives y";
  EXPECT_EQ(generated({revolute(z, p), prismatic(x + z)}).group, G::schoenflies);
  EXPECT_EQ(generated({revolute(x, o), revolute(y, o), prismatic(z)}).group, G::full);
  EXPECT_EQ(generated({helical(x, o, 0.1), helical(y, o, 0.1)}).group, G::full);
}

// Edges -------------------------------------------------------------------------------------------

TEST(GeneratedSubgroup, TakesAnyNumberOfScrewsAtAnyTolerance) {
  Random random(3);
  Screws given;
  for (int i = 0; i < 50; ++i) given.push_back(random.vec6());
  for (double tolerance : {0.0, 1e-300, 1e-12, 1e-3}) {
    const auto found = generated_subgroup<double>(given, 1.0, tolerance);
    EXPECT_EQ(found.group, G::full);
    EXPECT_EQ(found.basis.size, 6) << tolerance;
  }
}

TEST(GeneratedSubgroup, RefusesBadInput) {
  const auto refused = [](const Screws& screws, double length, double tolerance,
                          const char* words) {
    try {
      generated_subgroup<double>(screws, length, tolerance);
    } catch (const Error& e) {
      return std::string(e.what()).find(words) != std::string::npos;
    }
    return false;
  };
  const Screws good{{{0, 0, 1}, {}}};
  for (double length : {0.0, -1.0, nan, infinity})
    EXPECT_TRUE(refused(good, length, 1e-12, "length must be positive")) << length;
  for (double tolerance : {-1.0, nan})
    EXPECT_TRUE(refused(good, 1, tolerance, "tolerance must not be negative")) << tolerance;
  for (double bad : {nan, infinity, -infinity})
    for (int i = 0; i < 6; ++i) {
      Screws screws = good;
      screws[0][i] = bad;
      EXPECT_TRUE(refused(screws, 1, 1e-12, " is not finite"));
    }
  EXPECT_TRUE(refused({{{0, 0, 1}, {1e300, 0, 0}}}, 1e-300, 1e-12, "not finite"))
      << "by its length";
}

TEST(GeneratedSubgroup, DenormalScrews) {
  const double tiny = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(generated({{{0, 0, tiny}, {}}, {{}, {tiny, 0, 0}}}).group, G::planar);
}

TEST(GeneratedSubgroup, Float) {
  const auto system =
      subgroup_screws(G::schoenflies, SE3<float>{exp(Vec3<float>{0.1F, 0.2F, 0.3F}), {1, 2, 3}});
  const auto found = generated_subgroup<float>(std::span(system.begin(), system.end()));
  EXPECT_EQ(found.group, G::schoenflies);
}

}  // namespace
}  // namespace axode::test::subgroup_test
