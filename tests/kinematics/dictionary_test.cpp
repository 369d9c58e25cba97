// The dictionary of docs/frames.md: what other books call our quantities [TraversaroSaccon app. A].
// Each line is a test of its name, by the definition of that book: from the pose R(t), p(t) of the
// hand B of an arm in the world A (product of exponentials; exact derivatives by dual numbers) and of
// a moving frame C, its camera on another branch. The order of six-vectors is ours everywhere.
#include "axode/engine/kinematics_calls.hpp"
#include "axode/kinematics/frames/frame_kinematics.hpp"
#include "axode/lie/adjoint.hpp"
#include "axode/lie/dual.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/near.hpp"

namespace axode::test::dictionary_test {
namespace {

using test::expect_near;

/// A pose and its time derivative.
struct Moving {
  Mat3<> R, R_rate;
  Vec3<> p, p_rate;
};

struct Arm {
  Tree tree = TreeBuilder("arm")
                  .body("shoulder")
                  .joint("q0", revolute({.axis = {0, 0, 1}, .point = {.1, 0, .2}}),
                         zero_reference({exp(Vec3<>{.3, .1, 0}), {0, .2, .4}}))
                  .body("hand")
                  .on("shoulder")
                  .joint("q1", helical({.axis = {1, 1, 0}, .point = {.3, 0, .5}, .pitch = .1}),
                         zero_reference({exp(Vec3<>{0, .5, .4}), {.7, .1, .4}}))
                  .body("camera")
                  .on("shoulder")
                  .joint("q2", revolute({.axis = {0, 1, 1}, .point = {0, .4, .1}}),
                         zero_reference({exp(Vec3<>{.2, -.5, .1}), {-.1, .3, .9}}))
                  .build();
  std::vector<double> q{.4, -.7, .9}, v{.8, .5, -.6}, a{-.3, .9, .4};
  Poses<> at = poses(tree, q);
  Motion<Rep::body> motion{tree};
  Arm() { accelerations(tree, at, v, a, motion); }

  Moving pose(const char* name) const {
    using D = Dual<double>;
    std::vector<D> q_dual;
    for (std::size_t k = 0; k < q.size(); ++k) q_dual.emplace_back(q[k], v[k]);
    const SE3<D> T = pose_by_body_screws<D>(tree, q_dual, body_index(tree, name));
    Moving m;
    for (int i = 0; i < 3; ++i) {
      m.p[i] = T.p[i].real, m.p_rate[i] = T.p[i].dual;
      for (int j = 0; j < 3; ++j)
        m.R(i, j) = T.R.matrix(i, j).real, m.R_rate(i, j) = T.R.matrix(i, j).dual;
    }
    return m;
  }
  Vec6<> twist_of_hand(const FrameName& in) const {
    return twist(tree, at, motion, {.of = "hand", .relative_to = "world", .expressed_in = in});
  }
  Vec6<> acceleration_of_hand(const FrameName& in, AccelerationKind kind) const {
    return acceleration(tree, at, motion,
                        {.of = "hand", .relative_to = "world", .expressed_in = in, .kind = kind});
  }
  /// The same arm after the time t with constant a; to be exact, q is quadratic in time.
  Arm after(double t) const {
    Arm later;
    for (std::size_t k = 0; k < q.size(); ++k) {
      later.q[k] = q[k] + v[k] * t + a[k] * t * t / 2;
      later.v[k] = v[k] + a[k] * t;
    }
    later.at = poses(later.tree, later.q);
    accelerations(later.tree, later.at, later.v, later.a, later.motion);
    return later;
  }
};
/// Products and sums of some ten numbers of order 1.
constexpr double rounding = 4e-15;
/// Central differences with this step err by h^2 / 6 times a third derivative of order 10.
constexpr double h = 1e-4, difference_error = 1e-7;

/// Angular velocity in the axes of the world, (R' R^T)^v.
Vec3<> omega(const Moving& m) { return unskew(m.R_rate * transpose(m.R)); }
/// Pluecker transform from the world to a frame: [E 0; -E r~ E], E = R^T.
Mat6<> pluecker(const Moving& m) {
  const Mat3<> E = transpose(m.R);
  return {E, {}, -(E * skew(m.p)), E};
}
/// Velocity of the hand in the world: angular velocity, velocity of its point at the world's origin.
Vec6<> velocity_at_world(const Arm& arm) {
  const Moving B = arm.pose("hand");
  return {omega(B), B.p_rate - cross(omega(B), B.p)};
}

// --- Featherstone ---------------------------------------------------------------------------------

TEST(Featherstone, CvB) {
  const Arm arm;
  expect_near(arm.twist_of_hand("camera"), pluecker(arm.pose("camera")) * velocity_at_world(arm),
              rounding);
}
TEST(Featherstone, CaB) {  // = C v' B, the dot that of the inertial frame
  const Arm arm;
  const Vec6<> rate =
      (velocity_at_world(arm.after(h)) - velocity_at_world(arm.after(-h))) / (2 * h);
  expect_near(arm.acceleration_of_hand("camera", AccelerationKind::intrinsic),
              pluecker(arm.pose("camera")) * rate, difference_error);
}
TEST(Featherstone, CvringB) {  // the ring: derivative of the components in C
  const Arm arm;
  const auto components = [](const Arm& at) {
    return pluecker(at.pose("camera")) * velocity_at_world(at);
  };
  expect_near(arm.acceleration_of_hand("camera", AccelerationKind::apparent),
              (components(arm.after(h)) - components(arm.after(-h))) / (2 * h), difference_error);
}
TEST(Featherstone, BvringBIsBaB) {
  const Arm arm;
  expect_near(arm.acceleration_of_hand("hand", AccelerationKind::apparent),
              arm.acceleration_of_hand("hand", AccelerationKind::intrinsic), rounding);
}
TEST(Featherstone, CXB) {
  const Arm arm;
  const SE3<> T_CW = transform(arm.tree, arm.at, {.of = "world", .relative_to = "camera"});
  expect_near(Ad_matrix(T_CW), pluecker(arm.pose("camera")), rounding);
}
TEST(Featherstone, CXstarB) {  // [E -E r~; 0 E]
  const Arm arm;
  const Mat6<> X = pluecker(arm.pose("camera"));
  expect_near(wrench_matrix(arm.tree, arm.at, {.from = "world", .to = "camera"}),
              Mat6<>{X.aa, X.la, {}, X.ll}, rounding);
}
TEST(Featherstone, vCross) {  // crm: [w~ 0; v~ w~]
  const Vec6<> v{{1, 2, 3}, {4, 5, 6}}, u{{-1, 3, 2}, {7, 1, 2}};
  const Mat6<> crm{skew(v.angular), {}, skew(v.linear), skew(v.angular)};
  expect_near(ad(v, u), crm * u, rounding);
}
TEST(Featherstone, vCrossStar) {  // crf: [w~ v~; 0 w~]
  const Vec6<> v{{1, 2, 3}, {4, 5, 6}}, f{{-1, 3, 2}, {7, 1, 2}};
  const Mat6<> crf{skew(v.angular), skew(v.linear), {}, skew(v.angular)};
  expect_near(-ad_transpose(v, f), crf * f, rounding);
}

// --- Siciliano, Sciavicco, Villani, Oriolo --------------------------------------------------------

/// A point of the hand, in its frame.
const Vec3<> point_of_hand{.3, -.2, .6};

TEST(Siciliano, TAB) {
  const Arm arm;
  const Moving B = arm.pose("hand");
  expect_near(transform(arm.tree, arm.at, {.of = "hand", .relative_to = "world"}) * point_of_hand,
              B.R * point_of_hand + B.p, rounding);
}
TEST(Siciliano, RAB) {
  const Arm arm;
  expect_near(transform(arm.tree, arm.at, {.of = "hand", .relative_to = "world"}).R.matrix,
              arm.pose("hand").R, rounding);
}
TEST(Siciliano, oAB) {  // p_B if A is the world
  const Arm arm;
  const Moving B = arm.pose("hand"), C = arm.pose("camera");
  expect_near(transform(arm.tree, arm.at, {.of = "hand", .relative_to = "world"}).p, B.p, rounding);
  expect_near(transform(arm.tree, arm.at, {.of = "hand", .relative_to = "camera"}).p,
              transpose(C.R) * (B.p - C.p), rounding);
}
const FrameName hand_in_world_axes = origin_of("hand").axes_of("world");

TEST(Siciliano, vB) {
  const Arm arm;
  const Moving B = arm.pose("hand");
  expect_near(arm.twist_of_hand(hand_in_world_axes), Vec6<>{omega(B), B.p_rate}, rounding);
}
TEST(Siciliano, pdotB) {
  const Arm arm;
  expect_near(arm.twist_of_hand(hand_in_world_axes).linear, arm.pose("hand").p_rate, rounding);
}
TEST(Siciliano, omegaB) {
  const Arm arm;
  expect_near(arm.twist_of_hand(hand_in_world_axes).angular, omega(arm.pose("hand")), rounding);
}

// --- Spong, Hutchinson, Vidyasagar ----------------------------------------------------------------

TEST(Spong, HAB) {
  const Arm arm;
  const Moving B = arm.pose("hand");
  expect_near(transform(arm.tree, arm.at, {.of = "hand", .relative_to = "world"}) * point_of_hand,
              B.R * point_of_hand + B.p, rounding);
}
TEST(Spong, RAB) {
  const Arm arm;
  expect_near(transform(arm.tree, arm.at, {.of = "hand", .relative_to = "world"}).R.matrix,
              arm.pose("hand").R, rounding);
}
TEST(Spong, dAB) {
  const Arm arm;
  expect_near(transform(arm.tree, arm.at, {.of = "hand", .relative_to = "world"}).p,
              arm.pose("hand").p, rounding);
}
TEST(Spong, xiAB) {
  const Arm arm;
  const Moving B = arm.pose("hand");
  expect_near(arm.twist_of_hand(hand_in_world_axes), Vec6<>{omega(B), B.p_rate}, rounding);
}
TEST(Spong, vAB) {
  const Arm arm;
  expect_near(arm.twist_of_hand(hand_in_world_axes).linear, arm.pose("hand").p_rate, rounding);
}
TEST(Spong, omegaAB) {
  const Arm arm;
  expect_near(arm.twist_of_hand(hand_in_world_axes).angular, omega(arm.pose("hand")), rounding);
}

// --- Murray, Li, Sastry ---------------------------------------------------------------------------

TEST(Murray, gab) {
  const Arm arm;
  const Moving B = arm.pose("hand");
  expect_near(transform(arm.tree, arm.at, {.of = "hand", .relative_to = "world"}) * point_of_hand,
              B.R * point_of_hand + B.p, rounding);
}
TEST(Murray, Rab) {
  const Arm arm;
  expect_near(transform(arm.tree, arm.at, {.of = "hand", .relative_to = "world"}).R.matrix,
              arm.pose("hand").R, rounding);
}
TEST(Murray, pab) {
  const Arm arm;
  expect_near(transform(arm.tree, arm.at, {.of = "hand", .relative_to = "world"}).p,
              arm.pose("hand").p, rounding);
}
/// -R' R^T p + p', (R' R^T)^v
TEST(Murray, Vsab) {
  const Arm arm;
  const Moving B = arm.pose("hand");
  const Mat3<> spin = B.R_rate * transpose(B.R);
  expect_near(arm.twist_of_hand("world"), Vec6<>{unskew(spin), B.p_rate - spin * B.p}, rounding);
}
TEST(Murray, vsab) {
  const Arm arm;
  const Moving B = arm.pose("hand");
  expect_near(arm.twist_of_hand("world").linear, B.p_rate - (B.R_rate * transpose(B.R)) * B.p,
              rounding);
}
TEST(Murray, omegasab) {
  const Arm arm;
  expect_near(arm.twist_of_hand("world").angular, omega(arm.pose("hand")), rounding);
}
/// R^T p', (R^T R')^v
TEST(Murray, Vbab) {
  const Arm arm;
  const Moving B = arm.pose("hand");
  expect_near(arm.twist_of_hand("hand"),
              Vec6<>{unskew(transpose(B.R) * B.R_rate), transpose(B.R) * B.p_rate}, rounding);
}
TEST(Murray, vbab) {
  const Arm arm;
  const Moving B = arm.pose("hand");
  expect_near(arm.twist_of_hand("hand").linear, transpose(B.R) * B.p_rate, rounding);
}
TEST(Murray, omegabab) {
  const Arm arm;
  const Moving B = arm.pose("hand");
  expect_near(arm.twist_of_hand("hand").angular, unskew(transpose(B.R) * B.R_rate), rounding);
}

// --- this library's representations, and the symbols of [TraversaroSaccon] -------------------------

template <Rep rep>
Vec6<> twist_of_rep(const Arm& arm) {
  Motion<rep> motion(arm.tree);
  twists(arm.tree, arm.at, arm.v, motion);
  return motion.twists[body_index(arm.tree, "hand")].six();
}
TEST(Glossary, BodyIsBvAB) {
  const Arm arm;
  expect_near(twist_of_rep<Rep::body>(arm), arm.twist_of_hand("hand"), rounding);
}
TEST(Glossary, SpatialIsAvAB) {
  const Arm arm;
  expect_near(twist_of_rep<Rep::spatial>(arm), arm.twist_of_hand("world"), rounding);
}
TEST(Glossary, HybridIsTheirMixed) {
  const Arm arm;
  expect_near(twist_of_rep<Rep::hybrid>(arm), arm.twist_of_hand(hand_in_world_axes), rounding);
}
TEST(Glossary, OurMixedTakesTwoFrames) {
  const Arm arm;
  expect_near(
      twist_of_rep<Rep::mixed>(arm),
      Vec6<>{arm.twist_of_hand("hand").angular, arm.twist_of_hand(hand_in_world_axes).linear},
      rounding);
}

}  // namespace
}  // namespace axode::test::dictionary_test
