#include "axode/dynamics/inverse/newton_euler.hpp"

#include <gtest/gtest.h>

#include "axode/kinematics/frames/frame_kinematics.hpp"
#include "axode/lie/dual.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/models/random_tree.hpp"
#include "tests/support/models/reference_tree.hpp"
#include "tests/support/near.hpp"
#include "tests/support/representations.hpp"

namespace axode::test::newton_euler_test {
namespace {

using nlohmann::json;

/// A body in motion, in body form.
struct MovingBody {
  SE3<double> T;
  Inertia<double> I;
  Twist<Rep::body> V;
  Acceleration<Rep::body> A;
};
MovingBody random_body(Random& random) {
  const Vec3<double> e{random.uniform(.1, 1), random.uniform(.1, 1), random.uniform(.1, 1)};
  const Sym3<double> box = Sym3<double>::diagonal({e.y + e.z, e.x + e.z, e.x + e.y});
  return {random.pose(),
          {random.uniform(.1, 5), random.vec3(.5), congruence(random.rotation().matrix, box)},
          {random.vec3(), random.vec3()},
          {random.vec3(), random.vec3()}};
}
template <Rep rep>
Wrench<rep> wrench(const MovingBody& b) {
  return net_wrench_with_pose(b.T, b.I, convert_with_pose<rep>(b.T, b.V),
                              convert_with_pose_and_twist<rep>(b.T, b.V, b.A));
}

/// M V' - ad_V^T M V with 6x6 matrices, the way it is written.
Vec6<double> by_matrices(const Mat6<double>& M, const Vec6<double>& V, const Vec6<double>& A) {
  return M * A - transpose(ad_matrix(V)) * (M * V);
}

TEST(NewtonEuler, FormsAgreeWithMatricesAndEachOther) {
  double worst = 0;
  for_random_cases(10'000, [&](Random& random) {
    const MovingBody b = random_body(random);
    const Vec6<double> W = by_matrices(matrix(b.I), b.V.six(), b.A.six());
    const double size = 1 + max_abs(W);
    worst = max(worst, largest_difference(net_wrench(b.I, b.V, b.A).six(), W) / size);
    const Wrench<Rep::body> expected{W.angular, W.linear};
    for_representations([&]<Rep rep>() {
      const Wrench<Rep::body> found = convert_with_pose<Rep::body>(b.T, wrench<rep>(b));
      worst = max(worst, largest_difference(found, expected) / size);
    });
    const Twist<Rep::spatial> V = convert_with_pose<Rep::spatial>(b.T, b.V);
    const auto A = convert_with_pose_and_twist<Rep::spatial>(b.T, b.V, b.A);
    const Vec6<double> W_s = by_matrices(matrix(transform(b.T, b.I)), V.six(), A.six());
    worst = max(worst, largest_difference(wrench<Rep::spatial>(b).six(), W_s) / (1 + max_abs(W_s)));
  });
  EXPECT_LT(worst, 1e-13);
  record("worst_relative_difference", worst);
}

/// The equations in components, with the tensor about the origin.
TEST(NewtonEuler, Components) {
  for_random_cases(1000, [](Random& random) {
    const MovingBody b = random_body(random);
    const double m = b.I.mass;
    const Vec3<double> w = b.V.angular, w_rate = b.A.angular, c = b.I.com;
    const Sym3<double> theta = about_origin(b.I);
    const Vec3<double> turn = b.A.linear + cross(w, b.V.linear);  // R^T r''
    const Vec3<double> rddot = b.T.R * turn;
    const Vec3<double> t = theta * w_rate + cross(w, theta * w) + m * cross(c, turn);  // (42)
    const Vec3<double> f = m * (turn + cross(w_rate, c) + cross(w, cross(w, c)));      // (43)
    const double tolerance = 1e-13 * (1 + max_abs(Vec6<double>{t, f}));
    expect_near(wrench<Rep::body>(b), Vec6<double>{t, f}, tolerance);

    const Vec3<double> w_W = b.T.R * w, d = b.T.R * c, w_rate_W = b.T.R * w_rate;
    const Sym3<double> theta_W = congruence(b.T.R.matrix, theta);
    const Vec3<double> t_h = theta_W * w_rate_W + cross(w_W, theta_W * w_W) + m * cross(d, rddot);
    const Vec3<double> f_h = m * (rddot + cross(w_rate_W, d) + cross(w_W, cross(w_W, d)));
    expect_near(wrench<Rep::hybrid>(b), Vec6<double>{t_h, f_h}, tolerance);  // (54), (55)

    const Vec3<double> t_m =
        theta * w_rate + cross(w, theta * w) + m * cross(c, inverse_times(b.T.R, rddot));  // (56)
    const Vec3<double> f_m = m * (rddot + b.T.R * (cross(w_rate, c) + cross(w, cross(w, c))));
    expect_near(wrench<Rep::mixed>(b), Vec6<double>{t_m, f_m}, tolerance);  // (57)
  });
}

/// The wrench is the rate of the momentum, by dual numbers along the motion.
template <Rep rep>
double momentum_error(const MovingBody& b) {
  using D = Dual<double>;
  const Mat3<double> R_rate = b.T.R.matrix * skew(b.V.angular);
  const auto both = [](const Mat3<double>& a, const Mat3<double>& rate) {
    return Mat3<D>{make_dual(a.x, rate.x), make_dual(a.y, rate.y), make_dual(a.z, rate.z)};
  };
  const SE3<D> T{{both(b.T.R.matrix, R_rate)}, make_dual(b.T.p, b.T.R * b.V.linear)};
  const Twist<Rep::body, D> V{make_dual(b.V.angular, b.A.angular),
                              make_dual(b.V.linear, b.A.linear)};
  const Momentum<rep, D> P = convert_with_pose<rep>(T, momentum(detail::cast<D>(b.I), V));
  const Momentum<rep> now{real_part(P.angular), real_part(P.linear)};
  const Momentum<rep> rate{dual_part(P.angular), dual_part(P.linear)};
  const Wrench<rep> W = wrench<rep>(b);
  return largest_difference(net_wrench_of_momentum(convert_with_pose<rep>(b.T, b.V), now, rate),
                            W) /
         (1 + max_abs(W.six()));
}
TEST(NewtonEuler, WrenchIsTheRateOfTheMomentum) {
  for_random_cases(1000, [](Random& random) {
    const MovingBody b = random_body(random);
    EXPECT_LT(momentum_error<Rep::body>(b), 1e-13);
    EXPECT_LT(momentum_error<Rep::spatial>(b), 1e-13);
    EXPECT_LT(momentum_error<Rep::hybrid>(b), 1e-13);
  });
}

/// A frame of the reference vectors: a body's, or the world's.
struct ReferenceState {
  ReferenceState(const Tree& tree, const json& input)
      : at(poses(tree, flat(input.at("q")))), m(tree) {
    accelerations<Rep::body, double>(tree, at, flat(input.at("qd")), flat(input.at("qdd")), m);
  }
  Vec6<double> twist(int body) const {
    return body < 0 ? Vec6<double>{} : m.twists[std::size_t(body)].six();
  }
  SE3<double> pose(int body) const { return body < 0 ? SE3<double>{} : at.T_WB[std::size_t(body)]; }
  Poses<double> at;
  Motion<Rep::body> m;
};

double frame_error(const Tree& tree, const ReferenceState& state, const json& entry) {
  const int i = entry.at("i").get<int>(), j = entry.at("j").get<int>(),
            k = entry.at("k").get<int>();
  const FrameChoice F{Frame{j, {}}, Frame{k, {}}}, body{Frame{i, {}}, Frame{i, {}}};
  const Inertia<double> I =
      transform(transform(state.at, body, F), tree.bodies[std::size_t(i)].inertia);
  const SO3<double> R_kj = inverse_times(state.pose(k).R, state.pose(j).R);
  const Vec6<double> W = net_wrench_in_frame(I, vec6(entry.at("V")), vec6(entry.at("Vdot")),
                                             state.twist(j), R_kj, state.twist(k).angular);
  double error = largest_difference(W, vec6(entry.at("W")));
  // The same with our own kinematics of that frame.
  const FrameRoles roles{body, {}, F, {}};
  const Vec6<double> V = twist(state.at, state.m, roles),
                     A = acceleration(state.at, state.m, roles);
  const Vec6<double> V_F = twist(state.at, state.m, FrameRoles{F, {}, F, {}});
  error = max(error, largest_difference(V, vec6(entry.at("V"))));
  error = max(error, largest_difference(A, vec6(entry.at("Vdot"))));
  error = max(error, largest_difference(net_wrench_in_frame(I, V, A, V_F), vec6(entry.at("W"))));
  return error / std::max(1., max_abs(vec6(entry.at("W"))));
}

TEST(NewtonEuler, ReferenceVectorsInArbitraryFrames) {
  double worst = 0, worst_rate = 0;
  int frames = 0;
  for (const char* file :
       {"remote_centre", "chain7", "tree9", "multidof_first", "multidof_second"}) {
    const json data = read_json(std::string(file) + ".json");
    const Tree tree = tree_from_reference(data.at("model"));
    for (const auto& entry : data.at("states")) {
      const ReferenceState state(tree, entry.at("input"));
      for (const auto& frame : entry.at("output").at("newton_euler_frames")) {
        worst = max(worst, frame_error(tree, state, frame));
        ++frames;
      }
      for (std::size_t i = 0; i < tree.links.size(); ++i) {
        const MovingBody b{state.at.T_WB[i], tree.bodies[i].inertia, state.m.twists[i],
                           state.m.accelerations[i]};
        const Vec6<double> rate = vec6(entry.at("output").at("momentum_rate_spatial").at(i));
        worst_rate = max(worst_rate, largest_difference(wrench<Rep::spatial>(b).six(), rate) /
                                         std::max(1., max_abs(rate)));
      }
    }
  }
  EXPECT_GE(frames, 70);
  EXPECT_LT(worst, 1e-13);
  EXPECT_LT(worst_rate, 1e-13);
  record("worst_frame_error", worst);
  record("worst_momentum_rate_error", worst_rate);
}

/// Two spheres of 1 kg at (+-1, 0, 0), spinning about z: no wrench; about y accelerating: torque.
TEST(NewtonEuler, AtCompileTime) {
  constexpr Inertia<double> I{2, {0, 0, 0}, {0, 2, 2, 0, 0, 0}};
  constexpr Wrench<Rep::body> spinning =
      net_wrench(I, Twist<Rep::body>{{0, 0, 3}, {}}, Acceleration<Rep::body>{});
  static_assert(spinning == Wrench<Rep::body>{});
  constexpr Wrench<Rep::spatial> pushed =
      net_wrench_with_pose(SE3<double>{{}, {0, 0, 1}}, I, Twist<Rep::spatial>{},
                           Acceleration<Rep::spatial>{{0, 4, 0}, {-4, 0, 0}});
  static_assert(pushed == Wrench<Rep::spatial>{{0, 8, 0}, {}});
  constexpr Vec6<double> W = net_wrench_in_frame(I, {{}, {1, 0, 0}}, {}, {{0, 0, 1}, {}});
  static_assert(W == Vec6<double>{{}, {0, 2, 0}});  // straight motion seen from a turntable
}

TEST(NewtonEuler, DerivativeByDualNumbers) {
  for_random_cases(100, [](Random& random) {
    using D = Dual<double>;
    const MovingBody b = random_body(random);
    const Vec6<double> dV = random.vec6();
    const Twist<Rep::body, D> V{make_dual(b.V.angular, dV.angular),
                                make_dual(b.V.linear, dV.linear)};
    const Acceleration<Rep::body, D> A{make_dual(b.A.angular, {}), make_dual(b.A.linear, {})};
    const Wrench<Rep::body, D> W = net_wrench(detail::cast<D>(b.I), V, A);
    // -ad_dV^T M V - ad_V^T M dV
    const Vec6<double> P = detail::times(b.I, b.V.six()), dP = detail::times(b.I, dV);
    const Vec6<double> expected = -ad_transpose(dV, P) - ad_transpose(b.V.six(), dP);
    expect_near(dual_part(W.six()), expected, 1e-13 * (1 + max_abs(expected)));
  });
}

}  // namespace
}  // namespace axode::test::newton_euler_test
