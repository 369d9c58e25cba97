#include "axode/kinematics/higher_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "axode/kinematics/motion.hpp"
#include "axode/lie/dual.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/models/random_tree.hpp"
#include "tests/support/models/reference_tree.hpp"
#include "tests/support/near.hpp"
#include "tests/support/representations.hpp"

namespace axode::test::higher_order_test {
namespace {

/// v and its derivatives, as numbers and as the pointers the functions take.
struct Rates {
  std::vector<std::vector<double>> values;
  std::vector<const double*> pointers() const {
    std::vector<const double*> p;
    for (const auto& v : values) p.push_back(v.data());
    return p;
  }
};
Rates random_rates(Random& random, const Tree& tree, int order) {
  Rates rates;
  for (int k = 0; k <= order; ++k) rates.values.push_back(random_velocities(random, tree));
  return rates;
}

double largest(const std::vector<double>& a) {
  double most = 1;
  for (const double x : a) most = std::max(most, std::abs(x));
  return most;
}

/// The largest error of all bodies and representations, relative to the largest number.
double reference_error(const nlohmann::json& file, GeometryForm form) {
  const std::array<const char*, 4> quantities{"twist", "acceleration", "jerk", "snap"};
  const Tree tree = tree_from_reference(file.at("model"), form);
  double worst = 0;
  for (const auto& state : file.at("states")) {
    const auto input = [&](const char* key) { return flat(state.at("input").at(key)); };
    const Poses<double> at = poses(tree, input("q"));
    for_representations([&]<Rep rep>() {
      HigherOrder<rep> result(tree, 3);
      snaps(tree, at, input("qd"), input("qdd"), input("qddd"), input("qdddd"), result);
      for (int k = 0; k < 4; ++k) {
        const auto& expected = state.at("output").at(quantities[k]);
        const double size = largest(flat(expected.at(name(rep))));
        for (int i = 0; i < tree.size(); ++i) {
          const Vec6<double> e = vec6(expected.at(name(rep)).at(std::size_t(i)));
          worst = std::max(worst, largest_difference(result.derivative(i, k), e) / size);
        }
      }
    });
  }
  return worst;
}

TEST(HigherOrder, ReferenceVectors) {
  double worst = 0;
  for (const char* name :
       {"remote_centre", "chain7", "tree9", "multidof_first", "multidof_second"}) {
    const nlohmann::json file = read_json(std::string(name) + ".json");
    for (const GeometryForm form : {GeometryForm::zero_reference, GeometryForm::body_screws,
                                    GeometryForm::parent_screws, GeometryForm::joint_frames}) {
      const double error = reference_error(file, form);
      // Sums of some tens of terms along the path, each with a few roundings.
      EXPECT_LT(error, 1e-13) << name;
      worst = std::max(worst, error);
    }
  }
  record("worst_relative_error", worst);
}

TEST(HigherOrder, FirstOrderIsThatOfMotion) {
  for_random_cases(100, [](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 20));
    const Poses<double> at = poses(tree, random_coordinates(random, tree));
    const Rates rates = random_rates(random, tree, 1);
    for_representations([&]<Rep rep>() {
      HigherOrder<rep> result(tree, 1);
      twist_derivatives(tree, at, rates.pointers(), result);
      Motion<rep> motion(tree);
      accelerations(tree, at, rates.values[0], rates.values[1], motion);
      double size = 1;
      for (const auto& A : motion.accelerations) size = std::max(size, max_abs(A.six()));
      for (int i = 0; i < tree.size(); ++i) {
        expect_near(result.twist(i), motion.twists[std::size_t(i)], 1e-14 * size, "twist");
        expect_near(result.acceleration(i), motion.accelerations[std::size_t(i)], 1e-13 * size,
                    "acceleration");
      }
    });
  });
}

// The derivatives of the poses are the same matrices whatever the representation of the twists.
TEST(HigherOrder, RepresentationsGiveTheSamePoseDerivatives) {
  for_random_cases(100, [](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 12));
    const Poses<double> at = poses(tree, random_coordinates(random, tree));
    constexpr int order = 6;
    const Rates rates = random_rates(random, tree, order);
    PoseDerivatives<double> expected(tree, order + 1), found(tree, order + 1);
    HigherOrder<Rep::spatial> spatial(tree, order);
    twist_derivatives(tree, at, rates.pointers(), spatial);
    pose_derivatives(tree, at, spatial, expected);
    for_representations([&]<Rep rep>() {
      HigherOrder<rep> result(tree, order);
      twist_derivatives(tree, at, rates.pointers(), result);
      pose_derivatives(tree, at, result, found);
      for (int k = 0; k <= order + 1; ++k) {
        double size = 1, error = 0;
        for (int i = 0; i < tree.size(); ++i) {
          const auto &e = expected.derivative(i, k), &f = found.derivative(i, k);
          size = std::max({size, max_abs(e.R), max_abs(e.p)});
          error = std::max({error, largest_difference(e.R, f.R), largest_difference(e.p, f.p)});
        }
        // Spatial velocities refer to a point some metres away: terms larger than their sum.
        EXPECT_LT(error, 1e-12 * std::pow(4., k) * size) << name(rep) << " order " << k;
      }
    });
  });
}

/// q(t) = q + v t + a t^2 / 2 + ..., for trees without quaternions.
std::vector<double> along(const std::vector<double>& q, const Rates& rates, double t) {
  std::vector<double> result = q;
  double factor = t;
  for (std::size_t k = 0; k < rates.values.size(); ++k) {
    for (std::size_t j = 0; j < q.size(); ++j) result[j] += factor * rates.values[k][j];
    factor *= t / static_cast<double>(k + 2);
  }
  return result;
}
/// v and its derivatives at the time t of that motion.
Rates rates_at(const Rates& rates, double t) {
  Rates result = rates;
  for (std::size_t k = 0; k < rates.values.size(); ++k) {
    double factor = t;
    for (std::size_t l = k + 1; l < rates.values.size(); ++l) {
      for (std::size_t j = 0; j < rates.values[k].size(); ++j)
        result.values[k][j] += factor * rates.values[l][j];
      factor *= t / static_cast<double>(l + 1 - k);
    }
  }
  return result;
}

TEST(HigherOrder, PoseDerivativesAgainstFiniteDifferencesOfExactPoses) {
  for_random_cases(20, [](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 8), {.quaternions = false});
    const std::vector<double> q = random_coordinates(random, tree);
    constexpr int order = 4;
    const Rates rates = random_rates(random, tree, order);
    const double h = 1e-3;
    for_representations([&]<Rep rep>() {
      HigherOrder<rep> twists(tree, order);
      std::vector<PoseDerivatives<double>> C;
      for (const double t : {-2 * h, -h, h, 2 * h, 0.}) {
        const Poses<double> at = poses(tree, along(q, rates, t));
        twist_derivatives(tree, at, rates_at(rates, t).pointers(), twists);
        C.emplace_back(tree, order + 1);
        pose_derivatives(tree, at, twists, C.back());
      }
      for (int k = 0; k <= order; ++k) {
        double size = 1, error = 0;
        for (int i = 0; i < tree.size(); ++i) {
          const auto d = [&](std::size_t c) { return C[c].derivative(i, k).R; };
          const auto e = [&](std::size_t c) { return C[c].derivative(i, k).p; };
          const PoseDerivative<double>&found = C[4].derivative(i, k + 1), &rate = found;
          const Mat3<double> R = (d(0) - d(3) + (d(2) - d(1)) * 8.) * (1 / (12 * h));
          const Vec3<double> p = (e(0) - e(3) + (e(2) - e(1)) * 8.) / (12 * h);
          error = std::max({error, largest_difference(R, rate.R), largest_difference(p, rate.p)});
          size = std::max({size, max_abs(found.R), max_abs(found.p)});
        }
        // The formula errs by h^4 / 30 of the fifth derivative, which grows with the velocities
        // that add up along the path, to about the fourth power of ten of what is differentiated.
        EXPECT_LT(error, 1e4 * h * h * h * h * size) << name(rep) << " order " << k;
      }
    });
  });
}

// Halving the step divides the error of the polynomial of order m by 2^(m+1).
TEST(HigherOrder, TaylorPolynomialConvergesWithItsOrder) {
  for_random_cases(20, [](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 8), {.quaternions = false});
    const std::vector<double> q = random_coordinates(random, tree);
    const Rates rates = random_rates(random, tree, 9);
    const Poses<double> at = poses(tree, q);
    for_representations([&]<Rep rep>() {
      HigherOrder<rep> twists(tree, 9);
      twist_derivatives(tree, at, rates.pointers(), twists);
      const auto error = [&](int order, double t) {
        PoseDerivatives<double> C(tree, order);
        pose_derivatives(tree, at, twists, C);
        const Poses<double> exact = poses(tree, along(q, rates, t));
        double worst = 0;
        for (int i = 0; i < tree.size(); ++i) {
          const auto found = taylor_pose(C, i, t);
          const SE3<double>& T = exact.T_WB[std::size_t(i)];
          worst = std::max(
              {worst, largest_difference(found.R, T.R.matrix), largest_difference(found.p, T.p)});
        }
        return worst;
      };
      for (const int order : {1, 2, 3, 5, 7}) {
        const double coarse = error(order, .02), fine = error(order, .01);
        if (coarse < 1e-11) continue;  // rounding
        EXPECT_NEAR(std::log2(coarse / fine), order + 1, .5) << name(rep) << " " << order;
      }
      EXPECT_LT(error(10, .01), 1e-12) << name(rep);
    });
  });
}

// All joint types: with constant v the state moves by plus().
TEST(HigherOrder, ConstantVelocitiesOfAllJoints) {
  for_random_cases(50, [](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 8));
    const std::vector<double> q = random_coordinates(random, tree);
    Rates rates;
    rates.values.assign(9, std::vector<double>(std::size_t(tree.nv), 0.));
    rates.values[0] = random_velocities(random, tree);
    const double t = .02;
    std::vector<double> step = rates.values[0], moved(q.size());
    for (double& x : step) x *= t;
    plus<double>(tree, q, step, moved);
    const Poses<double> at = poses(tree, q), exact = poses(tree, moved);
    for_representations([&]<Rep rep>() {
      HigherOrder<rep> twists(tree, 8);
      twist_derivatives(tree, at, rates.pointers(), twists);
      PoseDerivatives<double> C(tree, 9);
      pose_derivatives(tree, at, twists, C);
      for (int i = 0; i < tree.size(); ++i) {
        const auto found = taylor_pose(C, i, t);
        expect_near(found.R, exact.T_WB[std::size_t(i)].R.matrix, 1e-11, "R");
        expect_near(found.p, exact.T_WB[std::size_t(i)].p, 1e-11, "p");
      }
    });
  });
}

TEST(HigherOrder, PointOnACircle) {
  const Tree tree = TreeBuilder{}
                        .body("disc")
                        .joint("axle", revolute({.axis = {0, 0, 1}}),
                               zero_reference(translation(Vec3<double>{2, 0, 0})))
                        .build();
  const Poses<double> at = poses(tree, std::vector<double>{0.});
  std::vector<std::vector<double>> v(57, {0.});
  v[0] = {3.};
  std::vector<const double*> pointers;
  pointers.reserve(v.size());
  for (const auto& x : v) pointers.push_back(x.data());
  HigherOrder<Rep::hybrid> twists(tree, 56);
  twist_derivatives(tree, at, pointers, twists);
  for (int k = 0; k <= 56; ++k) {  // r = 2 (cos 3t, sin 3t)
    const double size = 2 * std::pow(3., k + 1);
    const Vec3<double> r = k % 4 == 0   ? Vec3<double>{0, size, 0}
                           : k % 4 == 1 ? Vec3<double>{-size, 0, 0}
                           : k % 4 == 2 ? Vec3<double>{0, -size, 0}
                                        : Vec3<double>{size, 0, 0};
    expect_near(twists.derivative(0, k).linear, r, 1e-13 * size);
    expect_near(twists.derivative(0, k).angular, Vec3<double>{0, 0, k == 0 ? 3. : 0.}, 0);
  }
}

// docs/errata.md: the printed relation of mixed and hybrid jerk lacks a term.
TEST(HigherOrder, MixedJerkFromHybridJerk) {
  const nlohmann::json file = read_json("chain7.json");
  const auto& output = file.at("states").at(0).at("output");
  const auto six = [&](const char* quantity, const char* rep) {
    return vec6(output.at(quantity).at(rep).at(6));
  };
  const SO3<double> R = pose(output.at("C").at(6)).R;
  const Vec6<double> hybrid = six("jerk", "hybrid"), mixed = six("jerk", "mixed");
  const Vec3<double> w = six("twist", "hybrid").angular, dw = six("acceleration", "hybrid").angular;
  expect_near(mixed.linear, hybrid.linear, 1e-13);
  expect_near(mixed.angular, inverse_times(R, hybrid.angular - cross(w, dw)), 1e-13);
  EXPECT_GT(largest_difference(mixed.angular, inverse_times(R, hybrid.angular)), .1);
}

TEST(HigherOrder, DerivativesOfTheDerivatives) {  // d/dt of the jerk is the snap, by Dual numbers
  for_random_cases(20, [](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 10));
    const std::vector<double> q = random_coordinates(random, tree);
    const Rates rates = random_rates(random, tree, 3);
    std::vector<double> rate(q.size());
    coordinate_rate<double>(tree, q, rates.values[0], rate);
    using D = Dual<double>;
    std::vector<D> q_dual(q.size());
    for (std::size_t j = 0; j < q.size(); ++j) q_dual[j] = {q[j], rate[j]};
    std::vector<std::vector<D>> v(3, std::vector<D>(std::size_t(tree.nv)));
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t j = 0; j < v[k].size(); ++j)
        v[k][j] = {rates.values[k][j], rates.values[k + 1][j]};
    Poses<D> at_dual(tree);
    poses<D>(tree, q_dual, at_dual);
    const Poses<double> at = poses(tree, q);
    for_representations([&]<Rep rep>() {
      HigherOrder<rep> snap(tree, 3);
      twist_derivatives(tree, at, rates.pointers(), snap);
      HigherOrder<rep, D> jerk(tree, 2);
      jerks(tree, at_dual, v[0], v[1], v[2], jerk);
      double size = 1;
      for (const auto& V : snap.derivatives) size = std::max(size, max_abs(V));
      for (int i = 0; i < tree.size(); ++i)
        for (int c = 0; c < 6; ++c) {
          EXPECT_NEAR(jerk.jerk(i)[c].real, snap.jerk(i)[c], 1e-12 * size);
          EXPECT_NEAR(jerk.jerk(i)[c].dual, snap.snap(i)[c], 1e-12 * size);
        }
    });
  });
}

TEST(HigherOrder, FewerVelocitiesThanOrder) {
  Random random(7);
  const Tree tree = random_tree(random, 5);
  const Poses<double> at = poses(tree, random_coordinates(random, tree));
  const Rates rates = random_rates(random, tree, 3);
  HigherOrder<Rep::body> large(tree, 8), small(tree, 3);
  twist_derivatives(tree, at, rates.pointers(), large);
  twist_derivatives(tree, at, rates.pointers(), small);
  EXPECT_EQ(large.computed, 3);
  for (int i = 0; i < tree.size(); ++i)
    for (int k = 0; k <= 3; ++k) EXPECT_EQ(large.derivative(i, k), small.derivative(i, k));
  PoseDerivatives<double> C(tree, 7);
  pose_derivatives(tree, at, large, C);
  EXPECT_EQ(max_abs(C.derivative(0, 5).R), 0);
}

TEST(HigherOrder, DoesNotAllocate) {
  Random random(11);
  const Tree tree = random_tree(random, 30);
  const Poses<double> at = poses(tree, random_coordinates(random, tree));
  const Rates rates = random_rates(random, tree, 4);
  const std::vector<const double*> velocities = rates.pointers();
  for_representations([&]<Rep rep>() {
    HigherOrder<rep> twists(tree, 4);
    PoseDerivatives<double> C(tree, 5);
    EXPECT_EQ(count_allocations([&] {
                twist_derivatives(tree, at, velocities, twists);
                pose_derivatives(tree, at, twists, C);
              }),
              0);
  });
}

TEST(HigherOrder, SaysWhichOrdersThereAre) {
  Random random(3);
  const Tree tree = random_tree(random, 2);
  expect_says(message([&] { HigherOrder<Rep::body>(tree, -1); }), "ask for 0 to 56");
  expect_says(message([&] { HigherOrder<Rep::mixed>(tree, 57); }), "ask for 0 to 56");
  expect_says(message([&] { PoseDerivatives<double>(tree, 58); }), "ask for 0 to 57");
}

}  // namespace
}  // namespace axode::test::higher_order_test
