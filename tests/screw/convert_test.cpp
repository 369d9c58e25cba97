/// Conversions between the representations against dense 6x6 matrices written from the definitions,
/// poses differentiated exactly by dual numbers, analytic motion and a reference computed in 50-digit
/// arithmetic.
///
/// Tolerances: a conversion is at most a rotation and a cross product (two of each for accelerations)
/// and errs by a few round-offs of the size of its terms, |linear| + |p| |angular|. Where R and R^T
/// meet, as on the way there and back, the rounding of the matrix, |R^T R - I|, comes on top.
#include "axode/screw/convert.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <array>
#include <limits>
#include <string>
#include <utility>

#include "axode/lie/adjoint.hpp"
#include "axode/lie/dual.hpp"
#include "axode/lie/rotation.hpp"
#include "axode/linalg/eigen.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::convert_test {
namespace {

using Matrix6 = Eigen::Matrix<double, 6, 6>;

constexpr double eps = epsilon<double>;
constexpr std::array<Rep, 4> reps{Rep::body, Rep::spatial, Rep::hybrid, Rep::mixed};
const std::array<std::string, 4> names{"body", "spatial", "hybrid", "mixed"};

template <class Typed>
Typed make(const Vec6<double>& a) {
  return {a.angular, a.linear};
}

/// Calls f.operator()<from, to>() for all sixteen pairs.
template <class F>
void for_all_pairs(F&& f) {
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    (f.template operator()<reps[k / 4], reps[k % 4]>(), ...);
  }
  (std::make_index_sequence<16>{});
}
template <Rep from, Rep to>
std::string pair_name() {
  return names[std::size_t(from)] + " to " + names[std::size_t(to)];
}

// Dense reference ---------------------------------------------------------------------------------

Eigen::Matrix3d skewed(const Eigen::Vector3d& a) {
  Eigen::Matrix3d m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}
Matrix6 blocks(const Eigen::Matrix3d& aa, const Eigen::Matrix3d& la, const Eigen::Matrix3d& ll) {
  Matrix6 m;
  m << aa, Eigen::Matrix3d::Zero(), la, ll;
  return m;
}
/// The matrix that takes twists of one representation to the other, as in the table of
/// [MuellerKin Table 3, (47)]: each of the twelve is written out.
Matrix6 twist_matrix(Rep from, Rep to, const SE3<double>& T) {
  const Eigen::Matrix3d I = Eigen::Matrix3d::Identity(), O = Eigen::Matrix3d::Zero();
  const Eigen::Matrix3d R = view(T.R.matrix), r = skewed(view(T.p));
  const Eigen::Matrix3d Rt = R.transpose();
  const auto is = [&](Rep a, Rep b) { return from == a && to == b; };
  if (is(Rep::body, Rep::spatial)) return blocks(R, r * R, R);      // Ad_C
  if (is(Rep::spatial, Rep::body)) return blocks(Rt, -Rt * r, Rt);  // Ad_C^-1
  if (is(Rep::hybrid, Rep::spatial)) return blocks(I, r, I);        // Ad_r
  if (is(Rep::spatial, Rep::hybrid)) return blocks(I, -r, I);       // Ad_-r
  if (is(Rep::body, Rep::hybrid)) return blocks(R, O, R);           // Ad_R
  if (is(Rep::hybrid, Rep::body)) return blocks(Rt, O, Rt);         // Ad_R^T
  if (is(Rep::body, Rep::mixed)) return blocks(I, O, R);            // diag(I, R)
  if (is(Rep::mixed, Rep::body)) return blocks(I, O, Rt);           // diag(I, R^T)
  if (is(Rep::hybrid, Rep::mixed)) return blocks(Rt, O, I);         // diag(R^T, I)
  if (is(Rep::mixed, Rep::hybrid)) return blocks(R, O, I);          // diag(R, I)
  if (is(Rep::spatial, Rep::mixed)) return blocks(Rt, -r, I);
  if (is(Rep::mixed, Rep::spatial)) return blocks(R, r * R, I);
  return Matrix6::Identity();
}
Vec6<double> times(const Matrix6& M, const Vec6<double>& a) {
  return vec6_from_eigen(Eigen::Matrix<double, 6, 1>(M * view(a)));
}

/// Relative error of a vector turned there and back: two products and the matrix itself. The latter
/// is at most 14 round-offs for matrices made by exp (near pi); more must fail, not widen a bound.
double round_trip_error(const SE3<double>& T) {
  const double matrix = orthogonality_error(T.R.matrix);
  EXPECT_LE(matrix, 16 * eps);
  return 4 * eps + 2 * matrix;
}

/// A six-vector whose parts have any magnitude, and a pose near or far.
struct Case {
  SE3<double> T;
  Vec6<double> a;
  explicit Case(Random& random)
      : T(random.pose(random.log_uniform(1e-3, 1e3))),
        a{random.vec3(random.log_uniform(1e-20, 1e20)),
          random.vec3(random.log_uniform(1e-20, 1e20))} {}
  double p() const { return norm(T.p); }
  double round_trip() const { return round_trip_error(T); }
  /// Sizes of the angular and the linear part of a twist, and of a moment, at either point.
  double angular() const { return norm(a.angular); }
  double linear() const { return norm(a.linear) + p() * norm(a.angular); }
  double moment() const { return norm(a.angular) + p() * norm(a.linear); }
};

/// The parts are compared each by its own size.
template <class A, class B>
void expect_parts_near(const A& a, const B& b, double angular, double linear, const char* what) {
  const auto within = [](const Vec3<double>& x, const Vec3<double>& y, double tolerance) {
    return std::abs(x.x - y.x) <= tolerance && std::abs(x.y - y.y) <= tolerance &&
           std::abs(x.z - y.z) <= tolerance;  // false for NaN
  };
  if (within(a.angular, b.angular, angular) && within(a.linear, b.linear, linear)) return;
  expect_near(a.angular, b.angular, angular, what);
  expect_near(a.linear, b.linear, linear, what);
}

// Twists ------------------------------------------------------------------------------------------

TEST(ConvertTwist, AgreesWithDenseMatrices) {
  for_random_cases(many, [](Random& random) {
    const Case c(random);
    for_all_pairs([&]<Rep from, Rep to>() {
      const auto V = convert_with_pose<to>(c.T, make<Twist<from>>(c.a));
      static_assert(std::is_same_v<decltype(V), const Twist<to>>);
      const Vec6<double> dense = times(twist_matrix(from, to, c.T), c.a);
      expect_parts_near(V, dense, 4 * eps * c.angular(), 8 * eps * c.linear(), "twist");
    });
  });
}

TEST(ConvertTwist, ToTheSameRepresentationChangesNothing) {
  for_random_cases(many, [](Random& random) {
    const Case c(random);
    for_all_pairs([&]<Rep rep, Rep other>() {
      if constexpr (rep == other) {
        EXPECT_TRUE(convert_with_pose<rep>(c.T, make<Twist<rep>>(c.a)).six() == c.a);
        EXPECT_TRUE(convert_with_pose<rep>(c.T, make<Wrench<rep>>(c.a)).six() == c.a);
        EXPECT_TRUE(convert_with_pose<rep>(c.T, make<Momentum<rep>>(c.a)).six() == c.a);
        EXPECT_TRUE(convert_with_pose_and_twist<rep>(c.T, make<Twist<rep>>(c.a),
                                                     make<Acceleration<rep>>(c.a))
                        .six() == c.a);
      }
    });
  });
}

TEST(ConvertTwist, ThereAndBackAndByTriangles) {
  for_random_cases(many, [](Random& random) {
    const Case c(random);
    for_all_pairs([&]<Rep from, Rep to>() {
      const auto V = make<Twist<from>>(c.a);
      const auto direct = convert_with_pose<to>(c.T, V);
      const auto back = convert_with_pose<from>(c.T, direct);
      expect_parts_near(back, V, c.round_trip() * c.angular(), c.round_trip() * c.linear(),
                        "there and back");
      const auto by = [&]<Rep third>() {
        const auto around = convert_with_pose<to>(c.T, convert_with_pose<third>(c.T, V));
        expect_parts_near(around, direct, c.round_trip() * c.angular(), c.round_trip() * c.linear(),
                          "triangle");
      };
      by.template operator()<Rep::body>();
      by.template operator()<Rep::spatial>();
      by.template operator()<Rep::hybrid>();
      by.template operator()<Rep::mixed>();
    });
  });
}

TEST(ConvertTwist, BodyToSpatialIsAd) {
  for_random_cases(many, [](Random& random) {
    const Case c(random);
    const auto V = convert_with_pose<Rep::spatial>(c.T, make<Twist<Rep::body>>(c.a));
    expect_parts_near(V, Ad(c.T, c.a), 4 * eps * c.angular(), 8 * eps * c.linear(), "Ad");
  });
}

// Wrenches and momenta ----------------------------------------------------------------------------

TEST(ConvertWrench, AgreesWithTransposedInverses) {
  for_random_cases(many, [](Random& random) {
    const Case c(random);
    for_all_pairs([&]<Rep from, Rep to>() {
      // W_to = M^-T W_from for the M with V_to = M V_from; its inverse is the other way's matrix.
      const Matrix6 dual = twist_matrix(to, from, c.T).transpose();
      const Vec6<double> dense = times(dual, c.a);
      const auto W = convert_with_pose<to>(c.T, make<Wrench<from>>(c.a));
      const auto P = convert_with_pose<to>(c.T, make<Momentum<from>>(c.a));
      static_assert(std::is_same_v<decltype(W), const Wrench<to>>);
      static_assert(std::is_same_v<decltype(P), const Momentum<to>>);
      expect_parts_near(W, dense, 8 * eps * c.moment(), 4 * eps * norm(c.a.linear), "wrench");
      EXPECT_TRUE(W.six() == P.six()) << "momenta convert like wrenches";
    });
  });
}

TEST(ConvertWrench, DenseInverseByElimination) {
  for_random_cases(many / 100, [](Random& random) {
    const SE3<double> T = random.pose();
    const Vec6<double> a = random.vec6();
    for_all_pairs([&]<Rep from, Rep to>() {
      const Matrix6 dual = twist_matrix(from, to, T).inverse().transpose();
      expect_near(convert_with_pose<to>(T, make<Wrench<from>>(a)), times(dual, a), 2e-14,
                  pair_name<from, to>());
    });
  });
}

TEST(ConvertWrench, PowerDoesNotDependOnTheRepresentation) {
  for_random_cases(many, [](Random& random) {
    const Case v(random), w(random);
    const SE3<double>& T = v.T;
    const auto V = make<Twist<Rep::body>>(v.a);
    const auto W = make<Wrench<Rep::body>>(w.a);
    const double power = pairing(W, V);
    const double size = norm(w.a.angular) * v.angular() + norm(w.a.linear) * v.linear() +
                        v.p() * norm(w.a.linear) * v.angular();
    const auto check = [&]<Rep rep>() {
      const auto converted = pairing(convert_with_pose<rep>(T, W), convert_with_pose<rep>(T, V));
      expect_near(converted, power, 16 * eps * size, "power");
      const auto P = convert_with_pose<rep>(T, make<Momentum<Rep::body>>(w.a));
      EXPECT_TRUE(pairing(P, convert_with_pose<rep>(T, V)) == converted);
    };
    check.operator()<Rep::spatial>();
    check.operator()<Rep::hybrid>();
    check.operator()<Rep::mixed>();
  });
}

TEST(ConvertWrench, ThereAndBackAndByTriangles) {
  for_random_cases(many, [](Random& random) {
    const Case c(random);
    const double force = norm(c.a.linear);
    for_all_pairs([&]<Rep from, Rep to>() {
      const auto W = make<Wrench<from>>(c.a);
      const auto direct = convert_with_pose<to>(c.T, W);
      expect_parts_near(convert_with_pose<from>(c.T, direct), W, c.round_trip() * c.moment(),
                        c.round_trip() * force, "there and back");
      const auto around = convert_with_pose<to>(c.T, convert_with_pose<Rep::spatial>(c.T, W));
      expect_parts_near(around, direct, c.round_trip() * c.moment(), c.round_trip() * force,
                        "triangle");
    });
  });
}

// Poses differentiated exactly --------------------------------------------------------------------

using D = Dual<double>;
using DD = Dual<D>;

/// T(t) and its time derivative, both as dual numbers whose dual part is one more time derivative.
struct Curve {
  Mat3<D> R, Rdot;
  Vec3<D> p, pdot;
};
Vec3<D> outer_real(const Vec3<DD>& a) { return {a.x.real, a.y.real, a.z.real}; }
Vec3<D> outer_dual(const Vec3<DD>& a) { return {a.x.dual, a.y.dual, a.z.dual}; }
/// T(t) = exp(X t + Y t^2 + Z t^3) T0 at time t.
Curve curve(const Vec6<double>& X, const Vec6<double>& Y, const Vec6<double>& Z,
            const SE3<double>& T0, double t) {
  const DD time{D(t, 1), D(1, 0)};
  Vec6<DD> x;
  for (int i = 0; i < 6; ++i)
    x[i] = time * (DD(D(X[i])) + time * (DD(D(Y[i])) + time * DD(D(Z[i]))));
  SE3<DD> start;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) start.R.matrix(i, j) = DD(D(T0.R.matrix(i, j)));
    start.p[i] = DD(D(T0.p[i]));
  }
  const SE3<DD> T = exp(x) * start;
  const Mat3<DD>& R = T.R.matrix;
  return {{outer_real(R.x), outer_real(R.y), outer_real(R.z)},
          {outer_dual(R.x), outer_dual(R.y), outer_dual(R.z)},
          outer_real(T.p),
          outer_dual(T.p)};
}
/// The twist by its definition; its dual part is the acceleration.
Vec6<D> twist_by_definition(const Curve& c, Rep rep) {
  const Vec3<D> w_body = unskew(transpose_times(c.R, c.Rdot));  // R^T R'
  const Vec3<D> w_world = unskew(c.Rdot * transpose(c.R));      // R' R^T
  switch (rep) {
    case Rep::body:
      return {w_body, transpose_times(c.R, c.pdot)};
    case Rep::spatial:
      return {w_world, c.pdot + cross(c.p, w_world)};
    case Rep::hybrid:
      return {w_world, c.pdot};
    case Rep::mixed:
      break;
  }
  return {w_body, c.pdot};
}

/// The motion has coefficients up to 1, so that angles stay below 1.5; differentiating exp twice
/// costs a few round-offs. That R' R^T and R^T R' are the same vector in other axes holds for a true
/// rotation only, so the rounding of R counts as on the way there and back.
TEST(ConvertAcceleration, AgreesWithDifferentiatedPoses) {
  double largest = 0;
  for_random_cases(many, [&](Random& random) {
    const SE3<double> T0 = random.pose();
    const Curve c =
        curve(random.vec6(1), random.vec6(1), random.vec6(1), T0, random.uniform(0, 0.5));
    const SE3<double> T{{real_part(c.R)}, real_part(c.p)};
    std::array<Vec6<double>, 4> V, A;
    for (std::size_t i = 0; i < 4; ++i) {
      const Vec6<D> twist = twist_by_definition(c, reps[i]);
      V[i] = real_part(twist);
      A[i] = dual_part(twist);
      largest = std::max(largest, max_abs(A[i]));
    }
    const double v = norm(V[0].angular) + norm(V[0].linear),
                 a = norm(A[0].angular) + norm(A[0].linear);
    const double reach = 1 + norm(T.p), rounding = round_trip_error(T);
    for_all_pairs([&]<Rep from, Rep to>() {
      constexpr auto f = std::size_t(from), t = std::size_t(to);
      const auto twist = make<Twist<from>>(V[f]);
      const auto acceleration = make<Acceleration<from>>(A[f]);
      expect_near(convert_with_pose<to>(T, twist), V[t], rounding * reach * v, "twist");
      const auto converted = convert_with_pose_and_twist<to>(T, twist, acceleration);
      static_assert(std::is_same_v<decltype(converted), const Acceleration<to>>);
      expect_near(converted, A[t], rounding * reach * (a + v * v), "acceleration");
    });
  });
  EXPECT_GT(largest, 10) << "the motion must have accelerations worth the test";
}

/// The derivative of convert_with_pose along the motion is convert_with_pose_and_twist.
TEST(ConvertAcceleration, IsTheDerivativeOfTheConvertedTwist) {
  for_random_cases(many, [](Random& random) {
    const SE3<double> T = random.pose();
    const Vec6<double> v = random.vec6(), a = random.vec6();
    const auto check = [&]<Rep from, Rep to>() {
      // The pose moves with the twist: R' = R w_body~, p' = hybrid linear part.
      const auto body = convert_with_pose<Rep::body>(T, make<Twist<from>>(v));
      const auto hybrid = convert_with_pose<Rep::hybrid>(T, make<Twist<from>>(v));
      const Mat3<double> Rdot = T.R.matrix * skew(body.angular);
      const SE3<D> moving{{{make_dual(T.R.matrix.x, Rdot.x), make_dual(T.R.matrix.y, Rdot.y),
                            make_dual(T.R.matrix.z, Rdot.z)}},
                          make_dual(T.p, hybrid.linear)};
      const Vec6<D> twist = make_dual(v, a);
      const Twist<to, D> derivative =
          convert_with_pose<to>(moving, Twist<from, D>{twist.angular, twist.linear});
      const auto converted =
          convert_with_pose_and_twist<to>(T, make<Twist<from>>(v), make<Acceleration<from>>(a));
      const double angular = norm(v.angular), reach = norm(T.p) * angular;
      const double size =
          norm(a.linear) + norm(T.p) * norm(a.angular) + angular * (norm(v.linear) + reach);
      expect_near(dual_part(derivative.six()).angular, converted.angular,
                  4 * eps * (norm(a.angular) + angular * angular), "derivative, angular");
      expect_near(dual_part(derivative.six()).linear, converted.linear, 4 * eps * size,
                  "derivative, linear");
      const auto back = convert_with_pose_and_twist<from>(
          T, convert_with_pose<to>(T, make<Twist<from>>(v)), converted);
      expect_near(back.six(), a, round_trip_error(T) * size + 8 * eps, "there and back");
    };
    for_all_pairs(check);
  });
}

TEST(ConvertAcceleration, WithoutVelocityConvertsLikeATwist) {
  for_random_cases(many, [](Random& random) {
    const Case c(random);
    for_all_pairs([&]<Rep from, Rep to>() {
      const auto A =
          convert_with_pose_and_twist<to>(c.T, Twist<from>{}, make<Acceleration<from>>(c.a));
      const auto V = convert_with_pose<to>(c.T, make<Twist<from>>(c.a));
      expect_parts_near(A, V, 4 * eps * c.angular(), 8 * eps * c.linear(), "acceleration");
    });
  });
}

/// Spatial acceleration is Ad_T of body acceleration: Ad_T ad_V V = 0.
TEST(ConvertAcceleration, BodyToSpatialIsAd) {
  for_random_cases(many, [](Random& random) {
    const SE3<double> T = random.pose();
    const Vec6<double> v = random.vec6(), a = random.vec6();
    const auto A = convert_with_pose_and_twist<Rep::spatial>(T, make<Twist<Rep::body>>(v),
                                                             make<Acceleration<Rep::body>>(a));
    const double size =
        (1 + norm(T.p)) * (norm(a.angular) + norm(a.linear)) + norm(v.angular) * norm(v.linear);
    expect_near(A.six(), Ad(T, a), round_trip_error(T) * size, "Ad");
  });
}

/// A point on a helix about z, its frame turning with it: all four forms in closed form.
TEST(ConvertAnalytic, HelicalMotion) {
  for_random_cases(many, [](Random& random) {
    const double W = random.uniform(-3, 3), radius = random.uniform(0, 2),
                 h = random.uniform(-2, 2);
    const double t = random.uniform(0, 2), c = std::cos(W * t), s = std::sin(W * t);
    const SE3<double> T{{Mat3<double>::rows({c, -s, 0}, {s, c, 0}, {0, 0, 1})},
                        {radius * c, radius * s, h * t}};
    const Vec3<double> w{0, 0, W};
    const Vec3<double> rdot{-radius * W * s, radius * W * c, h};
    const Vec3<double> rddot{-radius * W * W * c, -radius * W * W * s, 0};
    const std::array<Vec6<double>, 4> V{
        {{w, {0, radius * W, h}}, {w, {0, 0, h}}, {w, rdot}, {w, rdot}}};
    const std::array<Vec6<double>, 4> A{{{}, {}, {{}, rddot}, {{}, rddot}}};
    for_all_pairs([&]<Rep from, Rep to>() {
      constexpr auto f = std::size_t(from), g = std::size_t(to);
      const auto twist = make<Twist<from>>(V[f]);
      expect_near(convert_with_pose<to>(T, twist).six(), V[g], 2 * eps * 8, "twist");
      expect_near(convert_with_pose_and_twist<to>(T, twist, make<Acceleration<from>>(A[f])).six(),
                  A[g], 4 * eps * 20, "acceleration");
    });
  });
}

/// Twists from central differences of the pose: nothing of the library but exp of a screw motion.
TEST(ConvertAnalytic, FiniteDifferencesOfAScrewMotion) {
  for_random_cases(many / 100, [](Random& random) {
    const Vec6<double> X = random.vec6(1);
    const SE3<double> T0 = random.pose();
    const double h = 1e-5;
    const SE3<double> before = exp(X * -h) * T0, after = exp(X * h) * T0;
    const Mat3<double> Rdot = (after.R.matrix - before.R.matrix) * (0.5 / h);
    const Vec3<double> rdot = (after.p - before.p) * (0.5 / h);
    const Vec3<double> w = unskew(Rdot * transpose(T0.R.matrix));
    const Twist<Rep::spatial> V{X.angular, X.linear};  // the constant spatial twist of exp(X t) T0
    const auto hybrid = convert_with_pose<Rep::hybrid>(T0, V);
    // Truncation h^2/6 |X|^3 (1 + |p|) < 4e-10, rounding eps/h |p| < 1e-10.
    expect_near(hybrid.angular, w, 5e-10, "angular velocity");
    expect_near(hybrid.linear, rdot, 5e-10, "velocity of the origin");
    expect_near(convert_with_pose<Rep::body>(T0, V).linear, transpose_times(T0.R.matrix, rdot),
                5e-10, "in body axes");
  });
}

// Reference systems -------------------------------------------------------------------------------

/// Poses, twists and accelerations of all bodies of a chain and a tree in all four representations,
/// rounded to 17 digits from 50-digit arithmetic.
class ConvertReference : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Systems, ConvertReference, ::testing::Values("chain7.json", "tree9.json"));

TEST_P(ConvertReference, TwistsAndAccelerationsOfAllBodies) {
  const auto data = read_json(GetParam());
  for (const auto& state : data.at("states")) {
    const auto& output = state.at("output");
    const auto value = [&](const char* what, Rep rep, std::size_t body) {
      return vec6(output.at(what).at(names[std::size_t(rep)]).at(body));
    };
    ASSERT_GE(output.at("C").size(), 7U);
    for (std::size_t body = 0; body < output.at("C").size(); ++body) {
      const SE3<double> T = pose(output.at("C").at(body));
      for_all_pairs([&]<Rep from, Rep to>() {
        const auto V = make<Twist<from>>(value("twist", from, body));
        const auto A = make<Acceleration<from>>(value("acceleration", from, body));
        const double p = 1 + norm(T.p), v = max_abs(V.six()), a = max_abs(A.six());
        expect_near(convert_with_pose<to>(T, V).six(), value("twist", to, body), 4 * eps * p * v,
                    "twist");
        expect_near(convert_with_pose_and_twist<to>(T, V, A).six(), value("acceleration", to, body),
                    4 * eps * p * (a + v * v), "acceleration");
      });
    }
  }
}

/// The momentum of each body about the world's origin, against M V of the body twist.
TEST_P(ConvertReference, MomentaOfAllBodies) {
  const auto data = read_json(GetParam());
  for (const auto& state : data.at("states"))
    for (std::size_t body = 0; body < state.at("output").at("C").size(); ++body) {
      const auto& output = state.at("output");
      const SE3<double> T = pose(output.at("C").at(body));
      const Mat6<double> M =
          mat6(data.at("model").at("bodies").at(body).at("inertia").at("M_body"));
      const Vec6<double> V = vec6(output.at("twist").at("body").at(body));
      const auto P = make<Momentum<Rep::body>>(M * V);
      const Vec6<double> expected = vec6(output.at("momentum_spatial").at(body));
      const double size = (1 + norm(T.p)) * max_abs(M) * max_abs(V);
      expect_near(convert_with_pose<Rep::spatial>(T, P).six(), expected, 4 * eps * size,
                  "momentum");
      const auto h = convert_with_pose<Rep::hybrid>(T, make<Momentum<Rep::spatial>>(expected));
      expect_near(convert_with_pose<Rep::body>(T, h), P, 4 * eps * size, "momentum back");
    }
}

// Edges -------------------------------------------------------------------------------------------

TEST(ConvertEdges, AtTheIdentityAllRepresentationsAgree) {
  const Vec6<double> a{{1, -2, 3}, {0.5, 7, -4}};
  for_all_pairs([&]<Rep from, Rep to>() {
    const SE3<double> T{};
    EXPECT_TRUE(convert_with_pose<to>(T, make<Twist<from>>(a)).six() == a);
    EXPECT_TRUE(convert_with_pose<to>(T, make<Wrench<from>>(a)).six() == a);
    EXPECT_TRUE(convert_with_pose<to>(T, make<Momentum<from>>(a)).six() == a);
  });
}

/// What enters a part of the result makes it NaN; nothing throws, nothing hides it.
TEST(ConvertEdges, NaNAndInfinityPassOn) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const SE3<double> T = Random(1).pose();
  for (double bad : {nan, infinity})
    for (int i = 0; i < 6; ++i) {
      Vec6<double> a{{1, 2, 3}, {4, 5, 6}};
      a[i] = bad;
      for_all_pairs([&]<Rep from, Rep to>() {
        EXPECT_FALSE(is_finite(convert_with_pose<to>(T, make<Twist<from>>(a)).six()));
        EXPECT_FALSE(is_finite(convert_with_pose<to>(T, make<Wrench<from>>(a)).six()));
        EXPECT_FALSE(is_finite(
            convert_with_pose_and_twist<to>(T, Twist<from>{}, make<Acceleration<from>>(a)).six()));
      });
    }
}

TEST(ConvertEdges, DenormalsAndHugeNumbers) {
  const SE3<double> T{exp(Vec3<double>{0.3, -0.4, 0.5}), {1, 2, 3}};
  const double tiny = std::numeric_limits<double>::denorm_min();
  for_all_pairs([&]<Rep from, Rep to>() {
    const Vec6<double> small = Vec6<double>{{3, 1, 2}, {5, 4, 7}} * tiny;
    // Each of the few roundings is at most one denormal step.
    expect_near(convert_with_pose<to>(T, make<Twist<from>>(small)).six(),
                times(twist_matrix(from, to, T), small), 16 * tiny, "denormal");
    const Vec6<double> large = Vec6<double>{{3, 1, 2}, {5, 4, 7}} * 1e300;
    expect_near(convert_with_pose<to>(T, make<Twist<from>>(large)).six(),
                times(twist_matrix(from, to, T), large), 1e302 * 8 * eps, "huge");
  });
}

TEST(ConvertEdges, IsConstexprAndWorksInFloat) {
  constexpr SE3<double> T{{}, {0, 0, 2}};
  constexpr auto V = convert_with_pose<Rep::spatial>(T, Twist<Rep::hybrid>{{1, 0, 0}, {0, 0, 0}});
  static_assert(V == Twist<Rep::spatial>{{1, 0, 0}, {0, 2, 0}});
  const SE3<float> Tf{{}, {0, 0, 2}};
  const auto W = convert_with_pose<Rep::spatial>(Tf, Wrench<Rep::body, float>{{}, {1, 0, 0}});
  EXPECT_TRUE((W == Wrench<Rep::spatial, float>{{0, 2, 0}, {1, 0, 0}}));
}

}  // namespace
}  // namespace axode::test::convert_test
