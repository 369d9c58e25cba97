#include "axode/kinematics/motion.hpp"

#include <gtest/gtest.h>

#include "axode/lie/dual.hpp"
#include "axode/lie/homogeneous.hpp"
#include "axode/screw/convert.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/models/random_tree.hpp"
#include "tests/support/models/reference_tree.hpp"
#include "tests/support/near.hpp"
#include "tests/support/representations.hpp"

namespace axode::test::motion_test {
namespace {

double relative(const Vec6<double>& a, const Vec6<double>& b) {
  return largest_difference(a, b) / std::max(1.0, max_abs(b));
}

template <Rep rep>
double worst_error(const Tree& tree, const nlohmann::json& state) {
  const auto& input = state.at("input");
  const auto& output = state.at("output");
  Poses<double> p(tree);
  poses<double>(tree, flat(input.at("q")), p);
  Motion<rep> m(tree), velocity_only(tree);
  accelerations<rep, double>(tree, p, flat(input.at("qd")), flat(input.at("qdd")), m);
  twists<rep, double>(tree, p, flat(input.at("qd")), velocity_only);
  double worst = 0;
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    worst = std::max(worst, relative(m.twists[i].six(), vec6(output.at("twist").at(name(rep))[i])));
    worst = std::max(worst, relative(m.accelerations[i].six(),
                                     vec6(output.at("acceleration").at(name(rep))[i])));
    EXPECT_EQ(m.twists[i], velocity_only.twists[i]);
  }
  return worst;
}

TEST(Motion, ReferenceVectorsInAllRepresentations) {
  double worst = 0;
  for (const char* file :
       {"remote_centre", "chain7", "tree9", "multidof_first", "multidof_second"}) {
    const nlohmann::json data = read_json(std::string(file) + ".json");
    const Tree tree = tree_from_reference(data.at("model"));
    for (const auto& state : data.at("states")) {
      const double error =
          std::max({worst_error<Rep::body>(tree, state), worst_error<Rep::spatial>(tree, state),
                    worst_error<Rep::hybrid>(tree, state), worst_error<Rep::mixed>(tree, state)});
      EXPECT_LT(error, 1e-12) << file;
      worst = std::max(worst, error);
    }
  }
  record("worst_relative_error", worst);
}

struct RandomMotion {
  Tree tree;
  std::vector<double> q, v, a;
};
RandomMotion random_motion(Random& random) {
  RandomMotion r{random_tree(random, random.integer(1, 60)), {}, {}, {}};
  r.q = random_coordinates(random, r.tree);
  r.v = random_velocities(random, r.tree);
  r.a = random_velocities(random, r.tree);
  return r;
}

template <Rep rep>
void expect_same(const RandomMotion& r, const Poses<double>& p, const Motion<Rep::body>& body) {
  Motion<rep> m(r.tree);
  accelerations<rep, double>(r.tree, p, r.v, r.a, m);
  for (std::size_t i = 0; i < r.tree.links.size(); ++i) {
    const Twist<rep> V = convert_with_pose<rep>(p.T_WB[i], body.twists[i]);
    const Acceleration<rep> A =
        convert_with_pose_and_twist<rep>(p.T_WB[i], body.twists[i], body.accelerations[i]);
    const double size = 1 + max_abs(A.six()) + max_abs(V.six());
    expect_near(m.twists[i], V, 1e-12 * size);
    expect_near(m.accelerations[i], A, 1e-12 * size);
  }
}

/// Four recursions that share nothing but the poses.
TEST(Motion, RepresentationsConvertIntoEachOther) {
  for_random_cases(300, [](Random& random) {
    const RandomMotion r = random_motion(random);
    const Poses<double> p = poses(r.tree, r.q);
    Motion<Rep::body> body(r.tree);
    accelerations<Rep::body, double>(r.tree, p, r.v, r.a, body);
    expect_same<Rep::spatial>(r, p, body);
    expect_same<Rep::hybrid>(r, p, body);
    expect_same<Rep::mixed>(r, p, body);
  });
}

/// Twists and accelerations against derivatives of the poses alone: T' = T hat(V), by dual numbers
/// along q(t), whose own rate is coordinate_rate.
TEST(Motion, TwistsAreTheDerivativeOfThePoses) {
  for_random_cases(300, [](Random& random) {
    const RandomMotion r = random_motion(random);
    const Poses<double> p = poses(r.tree, r.q);
    Motion<Rep::body> m(r.tree);
    twists<Rep::body, double>(r.tree, p, r.v, m);

    std::vector<double> rate(r.q.size());
    coordinate_rate(r.tree, r.q, r.v, rate);
    std::vector<Dual<double>> q;
    for (std::size_t k = 0; k < r.q.size(); ++k) q.emplace_back(r.q[k], rate[k]);
    Poses<Dual<double>> moving(r.tree);
    poses<Dual<double>>(r.tree, q, moving);
    for (std::size_t i = 0; i < r.tree.links.size(); ++i) {
      const SE3<Dual<double>>& T = moving.T_WB[i];
      const Mat3<double> R = real_part(T.R.matrix), R_rate = dual_part(T.R.matrix);
      const Twist<Rep::body>& V = m.twists[i];
      const double size = 1 + max_abs(V.six());
      expect_near(transpose_times(R, R_rate), skew(V.angular), 1e-12 * size);
      expect_near(dual_part(T.p), R * V.linear, 1e-12 * size);
    }
  });
}

TEST(Motion, AccelerationsAreTheDerivativeOfTheTwists) {
  for_random_cases(300, [](Random& random) {
    const RandomMotion r = random_motion(random);
    const Poses<double> p = poses(r.tree, r.q);
    Motion<Rep::spatial> m(r.tree);
    accelerations<Rep::spatial, double>(r.tree, p, r.v, r.a, m);

    std::vector<double> rate(r.q.size());
    coordinate_rate(r.tree, r.q, r.v, rate);
    std::vector<Dual<double>> q, v;
    for (std::size_t k = 0; k < r.q.size(); ++k) q.emplace_back(r.q[k], rate[k]);
    for (std::size_t k = 0; k < r.v.size(); ++k) v.emplace_back(r.v[k], r.a[k]);
    Poses<Dual<double>> moving(r.tree);
    poses<Dual<double>>(r.tree, q, moving);
    Motion<Rep::spatial, Dual<double>> dual(r.tree);
    twists<Rep::spatial, Dual<double>>(r.tree, moving, v, dual);
    for (std::size_t i = 0; i < r.tree.links.size(); ++i)
      expect_near(m.accelerations[i], dual_part(dual.twists[i].six()),
                  1e-11 * (1 + max_abs(m.accelerations[i].six())));
  });
}

TEST(Motion, AllocatesNothingOnceMade) {
  Random random(7);
  const Tree tree = random_tree(random, 60);
  const std::vector<double> q = neutral(tree), v = random_velocities(random, tree);
  Poses<double> p(tree);
  for_representations([&]<Rep rep>() {
    Motion<rep> motion(tree);
    EXPECT_EQ(count_allocations([&] {
                poses<double>(tree, q, p);
                twists<rep, double>(tree, p, v, motion);
                accelerations<rep, double>(tree, p, v, v, motion);
              }),
              0)
        << name(rep);
  });
}

}  // namespace
}  // namespace axode::test::motion_test
