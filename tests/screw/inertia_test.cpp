/// Inertia of rigid bodies against sums over point masses, dense 6x6 transforms and a reference
/// system; conversions there and back; the physical check; massless and impossible bodies.
///
/// Tolerances are round-offs of m (|x| + ...)^2, the size of the terms summed. About the centre of
/// mass, m |c|^2 is subtracted from them: the error remains, the result may be smaller.
#include "axode/screw/inertia.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "axode/core/error.hpp"
#include "axode/linalg/eigen.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::inertia_test {
namespace {

using V3 = Vec3<double>;
using V6 = Vec6<double>;
using Body = Inertia<double>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

constexpr double eps = epsilon<double>;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// A body as a handful of point masses: everything about it is a sum.
struct Points {
  std::vector<double> masses;
  std::vector<V3> places;
  explicit Points(Random& random) {
    for (int i = random.integer(1, 4); i > 0; --i) {
      masses.push_back(random.uniform(0.1, 2));
      places.push_back(random.vec3());
    }
  }
  template <class F>
  void each(F&& f) const {
    for (std::size_t i = 0; i < masses.size(); ++i) f(masses[i], places[i]);
  }
  double mass() const {
    double m = 0;
    each([&](double mi, const V3&) { m += mi; });
    return m;
  }
  V3 com() const {
    V3 h{};
    each([&](double mi, const V3& x) { h += x * mi; });
    return h / mass();
  }
  /// The 6x6 matrix: sum of m [ -x~x~, x~; -x~, I ].
  Matrix6 matrix() const {
    Matrix6 M = Matrix6::Zero();
    each([&](double m, const V3& x) {
      Eigen::Matrix3d s;
      s << 0, -x.z, x.y, x.z, 0, -x.x, -x.y, x.x, 0;
      Matrix6 one;
      one << -s * s, s, -s, Eigen::Matrix3d::Identity();
      M += m * one;
    });
    return M;
  }
  /// Sum of m (x - o)(x - o)^T.
  Eigen::Matrix3d second_moment(const V3& o) const {
    Eigen::Matrix3d S = Eigen::Matrix3d::Zero();
    each([&](double m, const V3& x) {
      const V3 d = x - o;
      S += m * view(d) * view(d).transpose();
    });
    return S;
  }
  Body inertia() const {
    const V3 c = com();
    const Eigen::Matrix3d S = second_moment(c);
    const Eigen::Matrix3d A = S.trace() * Eigen::Matrix3d::Identity() - S;
    return {mass(), c, Sym3<double>::of(mat3_from_eigen(A))};
  }
  /// Size of the terms: sum of m (1 + |x|)^2.
  double size() const {
    double s = 0;
    each([&](double m, const V3& x) { s += m * (1 + norm(x)) * (1 + norm(x)); });
    return s;
  }
};
Mat6<double> mat6_of(const Matrix6& m) { return mat6_from_eigen(m); }

// The matrix --------------------------------------------------------------------------------------

TEST(InertiaMatrix, IsTheSumOverPointMasses) {
  for_random_cases(many, [](Random& random) {
    const Points points(random);
    const Body I = points.inertia();
    expect_near(matrix(I), mat6_of(points.matrix()), 4 * eps * points.size(), "matrix");
    expect_near(about_origin(I).matrix(), matrix(I).aa, 0, "upper left block");
  });
}

TEST(InertiaMatrix, ThereAndBack) {
  for_random_cases(many, [](Random& random) {
    const Points points(random);
    const Body I = points.inertia(), back = inertia_from_matrix(matrix(I));
    expect_near(back.mass, I.mass, 2 * eps * I.mass, "mass");
    expect_near(back.com, I.com, 4 * eps * norm(I.com), "centre of mass");
    expect_near(back.about_com, I.about_com, 4 * eps * points.size(), "about the centre of mass");
  });
}

TEST(InertiaMatrix, RefusesOtherMatricesSayingByHowMuch) {
  const Body I{2, {0.1, 0.2, 0.3}, {1, 2, 2.5, 0.1, 0.2, 0.3}};
  const Mat6<double> M = matrix(I);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      Mat6<double> wrong = M;
      wrong(i, j) += 0.5;
      if (i < 3 && i == j) {
        EXPECT_NO_THROW(inertia_from_matrix(wrong)) << "a principal entry is free";
        continue;
      }
      const std::string text = message([&] { inertia_from_matrix(wrong); });
      expect_says(text, "not the inertia of a rigid body");
      expect_says(text, "differs");
      expect_says(text, "by 0.");
      EXPECT_NO_THROW(inertia_from_matrix(wrong, 1.0)) << "within the tolerance given";
    }
  Mat6<double> swapped{M.ll, M.la, M.al, M.aa};
  expect_says(message([&] { inertia_from_matrix(swapped); }), "angular part first");
}

/// A matrix with one entry that is no number passed once, its NaN lost in a maximum.
TEST(InertiaMatrix, RefusesEntriesThatAreNotFinite) {
  const Mat6<double> M = matrix(Body{2, {0.1, 0.2, 0.3}, {1, 2, 2.5, 0.1, 0.2, 0.3}});
  for (double bad : {nan, infinity, -infinity})
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) {
        Mat6<double> wrong = M;
        wrong(i, j) = bad;
        expect_says(message([&] { inertia_from_matrix(wrong); }), "not finite");
      }
}

// Parameters, pseudo-inertia, Binet ---------------------------------------------------------------

TEST(InertiaParameters, AreTheTenSumsAndComeBack) {
  for_random_cases(many, [](Random& random) {
    const Points points(random);
    const Body I = points.inertia();
    const InertiaParameters<double> p = parameters(I);
    const Matrix6 M = points.matrix();
    EXPECT_EQ(p.mass, I.mass);
    expect_near(p.first_moment, V3{M(2, 4), M(0, 5), M(1, 3)}, eps * points.size(), "m c");
    expect_near(p.about_origin.matrix(), mat3_from_eigen(Eigen::Matrix3d(M.topLeftCorner<3, 3>())),
                4 * eps * points.size(), "about the origin");
    const Body back = inertia_from_parameters(p);
    expect_near(back.com, I.com, 2 * eps * norm(I.com), "com");
    expect_near(back.about_com, I.about_com, 2 * eps * points.size(), "about com");
  });
}

TEST(PseudoInertia, IsTheSumOfHomogeneousSquaresAndComesBack) {
  for_random_cases(many, [](Random& random) {
    const Points points(random);
    const Body I = points.inertia();
    std::array<std::array<double, 4>, 4> sum{};
    points.each([&](double m, const V3& x) {
      const std::array<double, 4> h{x.x, x.y, x.z, 1};
      for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j) sum[i][j] += m * h[i] * h[j];
    });
    const auto J = pseudo_inertia(I);
    expect_near(J, sum, 4 * eps * points.size(), "pseudo-inertia");
    const Body back = inertia_from_pseudo_inertia(J);
    expect_near(back.com, I.com, 2 * eps * norm(I.com), "com");
    expect_near(back.about_com, I.about_com, 4 * eps * points.size(), "about com");
  });
}

TEST(PseudoInertia, RefusesAsymmetry) {
  auto J = pseudo_inertia(Body{2, {0.1, 0.2, 0.3}, {1, 2, 2.5, 0.1, 0.2, 0.3}});
  J[2][1] += 1e-9;
  const std::string text = message([&] { inertia_from_pseudo_inertia(J); });
  expect_says(text, "not symmetric");
  expect_says(text, "differ by 1e-09");
  J[2][1] = J[1][2] * (1 + eps);
  EXPECT_NO_THROW(inertia_from_pseudo_inertia(J)) << "rounding";
  J[2][1] = nan;
  EXPECT_THROW(inertia_from_pseudo_inertia(J), Error);
}

TEST(Binet, IsTheSecondMomentAndComesBack) {
  for_random_cases(many, [](Random& random) {
    const Points points(random);
    const Body I = points.inertia();
    const Sym3<double> B = binet_tensor(I);
    expect_near(B.matrix(), mat3_from_eigen(points.second_moment(points.com())),
                2 * eps * points.size(), "Binet");
    expect_near(rotational_inertia_of_binet(B), I.about_com, 4 * eps * points.size(), "back");
    expect_near(binet_of(about_origin(I)).matrix(), mat3_from_eigen(points.second_moment({})),
                4 * eps * points.size(), "about the origin");
  });
}

// Frames and sums ---------------------------------------------------------------------------------

TEST(InertiaTransform, IsTheDenseCongruence) {
  for_random_cases(many, [](Random& random) {
    const Points points(random);
    const Body I = points.inertia();
    const SE3<double> T = random.pose();
    const Eigen::Matrix3d R = view(T.R.matrix), Rt = R.transpose();
    Eigen::Matrix3d p;
    p << 0, -T.p.z, T.p.y, T.p.z, 0, -T.p.x, -T.p.y, T.p.x, 0;
    Matrix6 Ad_inverse;  // Ad_T^-1 = [R^T 0; -R^T p~ R^T]
    Ad_inverse << Rt, Eigen::Matrix3d::Zero(), -Rt * p, Rt;
    const Matrix6 dense = Ad_inverse.transpose() * points.matrix() * Ad_inverse;
    const Body moved = transform(T, I);
    // R is a rotation to at most 14 round-offs, and enters twice.
    const double size = points.size() * (1 + norm(T.p)) * (1 + norm(T.p));
    expect_near(matrix(moved), mat6_of(dense), 8 * eps * size, "congruence");
    const Body back = transform(inverse(T), moved);
    expect_near(back.com, I.com, 16 * eps * (norm(I.com) + norm(T.p)), "com back");
    expect_near(back.about_com, I.about_com, 16 * eps * points.size(), "about com back");
    EXPECT_EQ(back.mass, I.mass);
  });
}

TEST(InertiaSum, IsTheBodyOfAllPoints) {
  for_random_cases(many, [](Random& random) {
    const Points a(random), b(random);
    const Body whole = a.inertia(), part = b.inertia(), sum = whole + part;
    const Matrix6 of_a = a.matrix(), all = of_a + b.matrix();
    const double size = a.size() + b.size();
    expect_near(matrix(sum), mat6_of(all), 4 * eps * size, "sum");
    const Body swapped = part + whole;
    expect_near(matrix(swapped), matrix(sum), 4 * eps * size, "either order");
    // Taking a part away again, with negative mass.
    const Body rest = sum + Body{-part.mass, part.com, part.about_com * -1.0};
    expect_near(matrix(rest), mat6_of(of_a), 2 * eps * size * size / a.size(), "difference");
  });
}

// Motion ------------------------------------------------------------------------------------------

template <Rep rep>
void expect_motion(const SE3<double>& T, const Body& I, const Matrix6& M, const Twist<Rep::body>& V,
                   double energy, double size) {
  const auto in_rep = convert_with_pose<rep>(T, V);
  const auto P = momentum_with_pose(T, I, in_rep);
  static_assert(std::is_same_v<decltype(P), const Momentum<rep>>);
  expect_near(pairing(P, in_rep), 2 * energy, 4 * eps * size, "pairing is twice the energy");
  expect_near(kinetic_energy_with_pose(T, I, in_rep), energy, 2 * eps * size, "energy");
  const V6 v = V.six();
  const V6 dense = vec6_from_eigen(Eigen::Matrix<double, 6, 1>(M * view(v)));
  const Momentum<Rep::body> expected{dense.angular, dense.linear};
  expect_near(P, convert_with_pose<rep>(T, expected), eps * size, "momentum");
}

TEST(InertiaMotion, MomentumAndEnergyInEveryRepresentation) {
  for_random_cases(many, [](Random& random) {
    const Points points(random);
    const Body I = points.inertia();
    const Matrix6 M = points.matrix();
    const SE3<double> T = random.pose();
    const V6 v = random.vec6();
    const Twist<Rep::body> V{v.angular, v.linear};
    double energy = 0, speed = 1;
    points.each([&](double m, const V3& x) {
      energy += 0.5 * m * squared_norm(v.linear + cross(v.angular, x));
    });
    speed += norm(v.angular) + norm(v.linear);
    const double size = points.size() * speed * speed;
    expect_near(kinetic_energy(I, V), energy, eps * size, "energy of the points");
    const V6 dense = vec6_from_eigen(Eigen::Matrix<double, 6, 1>(M * view(v)));
    expect_near(momentum(I, V).six(), dense, 2 * eps * points.size() * speed, "M V");
    const double grown = size * (1 + norm(T.p));
    expect_motion<Rep::body>(T, I, M, V, energy, grown);
    expect_motion<Rep::spatial>(T, I, M, V, energy, grown);
    expect_motion<Rep::hybrid>(T, I, M, V, energy, grown);
    expect_motion<Rep::mixed>(T, I, M, V, energy, grown);
  });
}

/// Bodies of a chain and a tree, computed in 50-digit arithmetic.
class InertiaReference : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Systems, InertiaReference, ::testing::Values("chain7.json", "tree9.json"));

TEST_P(InertiaReference, MatricesMomentaAndEnergy) {
  const auto data = read_json(GetParam());
  std::vector<Body> bodies;
  for (const auto& body : data.at("model").at("bodies")) {
    const auto& in = body.at("inertia");
    const Body I{in.at("mass").get<double>(), vec3(in.at("com")),
                 Sym3<double>::of(mat3(in.at("Theta_com")))};
    const Mat6<double> M = mat6(in.at("M_body"));
    expect_near(matrix(I), M, 2 * eps * max_abs(M), "M_body");
    expect_near(about_origin(I).matrix(), mat3(in.at("Theta_origin")), 2 * eps * max_abs(M),
                "Theta");
    expect_near(inertia_from_matrix(M).about_com, I.about_com, 4 * eps * max_abs(M), "back");
    EXPECT_EQ(physical_violation(I), "");
    bodies.push_back(I);
  }
  const auto check = [&]<Rep rep>(const nlohmann::json& output, const char* name) {
    double energy = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const SE3<double> T = pose(output.at("C").at(i));
      const V6 v = vec6(output.at("twist").at(name).at(i));
      const Twist<rep> V{v.angular, v.linear};
      const auto P = convert_with_pose<Rep::spatial>(T, momentum_with_pose(T, bodies[i], V));
      const V6 expected = vec6(output.at("momentum_spatial").at(i));
      const double size = max_abs(matrix(bodies[i])) * max_abs(v) * (1 + norm(T.p));
      expect_near(P.six(), expected, 4 * eps * size, "momentum");
      energy += kinetic_energy_with_pose(T, bodies[i], V);
    }
    const double expected = output.at("kinetic_energy").get<double>();
    expect_near(energy, expected, 4 * eps * expected, "kinetic energy");
  };
  for (const auto& state : data.at("states")) {
    check.operator()<Rep::body>(state.at("output"), "body");
    check.operator()<Rep::spatial>(state.at("output"), "spatial");
    check.operator()<Rep::hybrid>(state.at("output"), "hybrid");
    check.operator()<Rep::mixed>(state.at("output"), "mixed");
  }
}

// What bodies can have ----------------------------------------------------------------------------

TEST(PhysicalCheck, AcceptsEveryBodyOfPointMasses) {
  for_random_cases(many, [](Random& random) {
    const Points points(random);  // one point, two on a line, three in a plane among them
    const Body I = transform(random.pose(), points.inertia());
    EXPECT_EQ(physical_violation(I), "");
    EXPECT_EQ(physical_violation(inertia_from_matrix(matrix(I))), "") << "after rounding";
  });
}

TEST(PhysicalCheck, HoldsAtTheEndOfTheRange) {
  const Body wrong{1, {}, {1e308, 1e308, 1e308, 1.2e308, 0, 0}};
  EXPECT_NE(physical_violation(wrong), "") << "indefinite";
  EXPECT_NE(physical_violation(Body{1, {}, {1, 1, 1, 0, 0, 0}}, nan), "") << "no tolerance";
}

TEST(InertiaSum, OfMassesThatCancelHasNoCentre) {
  const Body sum = Body{1, {1, 0, 0}, {}} + Body{-1, {0, 0, 0}, {}};
  EXPECT_EQ(sum.mass, 0);
  EXPECT_TRUE((sum.com == V3{}));
}

TEST(InertiaParameters, TooSmallAMassIsRefused) {
  expect_says(message([] {
                inertia_from_parameters<double>({1e-320, {1, 0, 0}, {}});
              }),
              "mass is too small");
}

TEST(PhysicalCheck, NamesWhatIsViolated) {
  const auto violation = [](double mass, const V3& principal) {
    return physical_violation(Body{mass, {0.1, 0, 0}, Sym3<double>::diagonal(principal)});
  };
  EXPECT_EQ(violation(1, {1, 1, 1}), "");
  EXPECT_EQ(violation(1, {1, 1, 2}), "") << "flat";
  EXPECT_EQ(violation(1, {0, 1, 1}), "") << "straight";
  EXPECT_EQ(violation(1, {0, 0, 0}), "") << "a point";
  expect_says(violation(0, {1, 1, 1}), "mass must be positive but is 0 kg");
  expect_says(violation(-2.5, {1, 1, 1}), "mass must be positive but is -2.5 kg");
  expect_says(violation(1, {-0.5, 1, 1}), "must not be negative but the smallest is -0.5");
  expect_says(violation(1, {1, 1, 2.5}), "triangle inequality");
  expect_says(violation(1, {1, 1, 2.5}), "2.5 kg m^2 exceeds the sum of the others, 1 + 1 = 2");
  expect_says(violation(nan, {1, 1, 1}), "not finite");
  expect_says(violation(1, {1, infinity, 1}), "not finite");
  expect_says(physical_violation(Body{1, {0, nan, 0}, {1, 1, 1, 0, 0, 0}}), "not finite");
  expect_says(physical_violation(Body{1, {}, {1, 1, 1, 0, nan, 0}}), "not finite");
}

/// The conditions are on principal moments: they do not depend on the axes.
TEST(PhysicalCheck, SeesThroughRotations) {
  for_random_cases(many / 4, [](Random& random) {
    const SE3<double> T = random.pose();
    const double a = random.uniform(0.1, 2), b = random.uniform(0.1, 2);
    const double excess = random.log_uniform(1e-9, 1);
    const auto turned = [&](const V3& principal) {
      return physical_violation(transform(T, Body{1, {}, Sym3<double>::diagonal(principal)}));
    };
    EXPECT_EQ(turned({a, b, a + b - excess * std::min(a, b)}), "") << "just below the limit";
    expect_says(turned({a, b, (a + b) * (1 + excess)}), "triangle inequality");
    expect_says(turned({a, a, -excess}), "must not be negative");
  });
}

TEST(PhysicalCheck, ThrowsWithTheName) {
  const Body bad{-1, {}, {1, 1, 1, 0, 0, 0}};
  const std::string text = message([&] { check_physical(bad, "link elbow"); });
  expect_says(text, "link elbow: the mass must be positive");
  expect_says(text, "mend the data");
  EXPECT_NO_THROW(check_physical(Body{1, {}, {1, 1, 1, 0, 0, 0}}, "link elbow"));
}

// Massless and impossible bodies ------------------------------------------------------------------

TEST(UnphysicalInertia, IsUsableUnchecked) {
  const Body odd{-1, {1, 2, 3}, {1, -5, 9, 0.1, 0.2, 0.3}};
  const Body back = inertia_from_matrix(matrix(odd));
  expect_near(matrix(back), matrix(odd), 64 * eps, "there and back");
  const Twist<Rep::body> V{{1, 2, 3}, {4, 5, 6}};
  expect_near(pairing(momentum(odd, V), V), 2 * kinetic_energy(odd, V), 1000 * eps, "energy");
}

TEST(UnphysicalInertia, Massless) {
  const Body nothing{}, rotor{0, {1, 2, 3}, {1, 2, 3, 0, 0, 0}},
      body{2, {1, 0, 0}, {1, 1, 1, 0, 0, 0}};
  EXPECT_TRUE(matrix(nothing) == Mat6<double>{});
  EXPECT_TRUE(matrix(body + nothing) == matrix(body) && matrix(nothing + body) == matrix(body));
  EXPECT_TRUE(matrix(rotor + body) == matrix(rotor) + matrix(body));
  EXPECT_TRUE(matrix(rotor + rotor) == matrix(rotor) * 2.0);
  const Body back = inertia_from_matrix(matrix(rotor));
  EXPECT_EQ(back.mass, 0);
  EXPECT_TRUE(back.com == V3{} && back.about_com == rotor.about_com);
  const Twist<Rep::body> V{{1, 1, 1}, {5, 5, 5}};
  EXPECT_TRUE((momentum(rotor, V) == Momentum<Rep::body>{{1, 2, 3}, {}}));
  EXPECT_EQ(kinetic_energy(rotor, V), 3);
  const std::string text = message([] {
    inertia_from_parameters(InertiaParameters<double>{0, {1, 0, 0}, {1, 1, 1, 0, 0, 0}});
  });
  expect_says(text, "mass is zero but the first moment is not");
}

TEST(UnphysicalInertia, Float) {
  const Inertia<float> I{2, {0.5F, 0, 0}, {1, 1, 1, 0, 0, 0}};
  EXPECT_TRUE(matrix(inertia_from_matrix(matrix(I))) == matrix(I));
  EXPECT_EQ(physical_violation(I), "");
}

}  // namespace
}  // namespace axode::test::inertia_test
