#include "axode/kinematics/inverse/overall_inverse.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "axode/kinematics/motion.hpp"
#include "axode/kinematics/system_jacobian.hpp"
#include "axode/lie/dual.hpp"
#include "axode/model/builder.hpp"
#include "axode/screw/convert.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/models/random_tree.hpp"
#include "tests/support/models/reference_tree.hpp"
#include "tests/support/near.hpp"
#include "tests/support/representations.hpp"

namespace axode::test::overall_inverse_test {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Weights = std::vector<Vec6<double>>;

template <Rep rep>
Matrix dense_jacobian(const Tree& tree, const Poses<double>& at) {
  const SystemJacobian<rep> J(tree, at);
  const DenseMatrix<double> A = dense_A(J), X = dense_X(J);
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const Rows>(A.values.data(), A.rows, A.columns) *
         Eigen::Map<const Rows>(X.values.data(), X.rows, X.columns);
}
template <Rep rep>
Vector stacked(const std::vector<Twist<rep>>& twists) {
  Vector v(static_cast<Eigen::Index>(6 * twists.size()));
  for (std::size_t i = 0; i < twists.size(); ++i)
    for (int k = 0; k < 6; ++k) v[static_cast<Eigen::Index>(6 * i) + k] = twists[i].six()[k];
  return v;
}
Vector map(const std::vector<double>& v) {
  return Eigen::Map<const Vector>(v.data(), static_cast<Eigen::Index>(v.size()));
}
template <Rep rep>
std::vector<Twist<rep>> exact_twists(const Tree& tree, const Poses<double>& at,
                                     const std::vector<double>& v) {
  Motion<rep> motion(tree);
  twists(tree, at, v, motion);
  return motion.twists;
}
template <Rep rep>
void disturb(Random& random, double size, std::vector<Twist<rep>>& twists) {
  for (auto& V : twists) {
    const Vec6<double> noise = random.vec6(size);
    V += Twist<rep>{noise.angular, noise.linear};
  }
}
/// How much errors of the twist of a body in its parent grow: one over the smallest singular value
/// of the screws of a joint.
double growth(const Tree& tree, const Poses<double>& at) {
  double most = 1;
  for (const Link& link : tree.links) {
    if (link.nv == 0) continue;
    Matrix S(6, link.nv);
    for (int k = 0; k < link.nv; ++k)
      for (int r = 0; r < 6; ++r) S(r, k) = at.screws[std::size_t(link.v + k)][r];
    most = std::max(most, 1 / independence(S));
  }
  return most;
}
double largest(const std::vector<double>& a, const std::vector<double>& b) {
  return a.empty() ? 0 : (map(a) - map(b)).cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
}

TEST(OverallInverse, ReferenceVectors) {
  double worst = 0;
  for (const char* file :
       {"remote_centre", "chain7", "tree9", "multidof_first", "multidof_second"}) {
    const nlohmann::json data = read_json(std::string(file) + ".json");
    const Tree tree = tree_from_reference(data.at("model"));
    for (const auto& state : data.at("states")) {
      const auto input = [&](const char* key) { return flat(state.at("input").at(key)); };
      const Poses<double> at = poses(tree, input("q"));
      for_representations([&]<Rep rep>() {
        std::vector<Twist<rep>> V;
        std::vector<Acceleration<rep>> A;
        for (std::size_t i = 0; i < tree.links.size(); ++i) {
          const Vec6<double> w = vec6(state.at("output").at("twist").at(name(rep)).at(i));
          const Vec6<double> dw = vec6(state.at("output").at("acceleration").at(name(rep)).at(i));
          V.push_back({w.angular, w.linear});
          A.push_back({dw.angular, dw.linear});
        }
        std::vector<double> v(std::size_t(tree.nv)), a(v.size()), least(v.size());
        const auto velocity = joint_velocities<rep>(tree, at, V, v);
        const auto acceleration = joint_accelerations<rep>(tree, at, V, A, v, a);
        LeastSquaresWork work(tree);
        const auto squares = least_squares_velocities<rep>(tree, at, V, {}, work, least);
        EXPECT_FALSE(velocity.rank_deficient() || squares.rank_deficient());
        for (const double error : {velocity.residual, acceleration.residual / 10, squares.residual,
                                   largest(v, input("qd")), largest(a, input("qdd")) / 10,
                                   largest(least, input("qd"))}) {
          EXPECT_LT(error, 2e-14 * 10);  // screws of the joints are far from dependent here
          worst = std::max(worst, error);
        }
      });
    }
  }
  record("worst_error", worst);
}

TEST(OverallInverse, ExactForTwistsOfAMotion) {
  for_random_cases(100, [](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 30), {.size = .3});
    const Poses<double> at = poses(tree, random_coordinates(random, tree));
    const std::vector<double> v = random_velocities(random, tree),
                              a = random_velocities(random, tree);
    const double tolerance = 1e-14 * growth(tree, at);
    for_representations([&]<Rep rep>() {
      Motion<rep> motion(tree);
      accelerations(tree, at, v, a, motion);
      double max_V = 1, max_A = 1;
      for (const auto& V : motion.twists) max_V = std::max(max_V, max_abs(V.six()));
      for (const auto& A : motion.accelerations) max_A = std::max(max_A, max_abs(A.six()));
      std::vector<double> found(v.size()), found_a(v.size());
      const auto result = joint_velocities<rep>(tree, at, motion.twists, found);
      const auto result_a =
          joint_accelerations<rep>(tree, at, motion.twists, motion.accelerations, v, found_a);
      // Differences of twists of neighbours, in spatial form with lever arms of some metres.
      EXPECT_LT(largest(found, v), 100 * max_V * tolerance) << name(rep);
      EXPECT_LT(largest(found_a, a), 100 * (max_A + max_V * max_V) * tolerance) << name(rep);
      EXPECT_LT(result.residual, 1e-12 * max_V) << name(rep);
      EXPECT_LT(result_a.residual, 1e-12 * (max_A + max_V * max_V)) << name(rep);
      EXPECT_FALSE(result.rank_deficient());
    });
  });
}

// The same linear map in each representation, also for twists of no motion.
TEST(OverallInverse, JointByJointDoesNotDependOnTheRepresentation) {
  for_random_cases(50, [](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 10));
    const Poses<double> at = poses(tree, random_coordinates(random, tree));
    std::vector<Twist<Rep::body>> body(std::size_t(tree.size()));
    disturb(random, 1, body);
    std::vector<double> expected(std::size_t(tree.nv)), found(expected.size());
    const auto result = joint_velocities<Rep::body>(tree, at, body, expected);
    for_representations([&]<Rep rep>() {
      std::vector<Twist<rep>> V;
      for (std::size_t i = 0; i < body.size(); ++i)
        V.push_back(convert_with_pose<rep>(at.T_WB[i], body[i]));
      const auto other = joint_velocities<rep>(tree, at, V, found);
      EXPECT_LT(largest(found, expected), 1e-12 * growth(tree, at)) << name(rep);
      EXPECT_NEAR(other.residual, result.residual, 1e-12) << name(rep);
    });
  });
}

/// Weights of random components, some of which are zero.
Weights random_weights(Random& random, const Tree& tree, int zero_of_ten) {
  Weights weights(std::size_t(tree.size()));
  for (auto& w : weights)
    for (int k = 0; k < 6; ++k)
      w[k] = random.integer(0, 9) < zero_of_ten ? 0 : random.log_uniform(.1, 10);
  return weights;
}
Vector roots(const Weights& weights) {
  Vector w(static_cast<Eigen::Index>(6 * weights.size()));
  for (std::size_t i = 0; i < weights.size(); ++i)
    for (int k = 0; k < 6; ++k) w[static_cast<Eigen::Index>(6 * i) + k] = std::sqrt(weights[i][k]);
  return w;
}

TEST(OverallInverse, LeastSquaresIsThatOfTheDenseFactorisation) {
  double worst = 0;
  for_random_cases(60, [&](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 15), {.size = .3});
    if (tree.nv == 0) return;
    const Poses<double> at = poses(tree, random_coordinates(random, tree));
    const std::vector<double> v = random_velocities(random, tree);
    const Weights weights = random_weights(random, tree, 0);
    LeastSquaresWork work(tree);
    for_representations([&]<Rep rep>() {
      auto V = exact_twists<rep>(tree, at, v);
      disturb(random, .1, V);
      for (const bool weighted : {false, true}) {
        const Vector w =
            weighted ? roots(weights) : Vector(Vector::Ones(6 * Eigen::Index(tree.size())));
        const Matrix J = w.asDiagonal() * dense_jacobian<rep>(tree, at);
        const Vector b = w.cwiseProduct(stacked(V));
        const LeastSquares dense = least_squares(J, b);
        std::vector<double> found(v.size());
        const auto result =
            least_squares_velocities<rep>(tree, at, V, weighted ? weights : Weights{}, work, found);
        EXPECT_EQ(result.undetermined, 0);
        const double condition = J.norm() / independence(J);
        EXPECT_LT((map(found) - dense.solution).norm(), 1e-14 * condition * condition * b.norm());
        EXPECT_NEAR(result.residual, dense.residual, 1e-13 * b.norm());
        EXPECT_NEAR((J * map(found) - b).norm(), dense.residual, 1e-13 * b.norm());
        // Optimality, whatever the condition: the gradient vanishes.
        const double gradient =
            (J.transpose() * (J * map(found) - b)).norm() / (J.norm() * b.norm());
        EXPECT_LT(gradient, 1e-14);
        worst = std::max(worst, gradient);
      }
    });
  });
  record("worst_gradient", worst);
}

// docs/errata.md: joint by joint is not the solution of least residual.
TEST(OverallInverse, LeastSquaresBeatsJointByJointOnNoise) {
  const nlohmann::json data = read_json("chain7.json");
  const Tree tree = tree_from_reference(data.at("model"));
  const auto& input = data.at("states").at(0).at("input");
  const Poses<double> at = poses(tree, flat(input.at("q")));
  Random random(20);
  LeastSquaresWork work(tree);
  for_representations([&]<Rep rep>() {
    auto V = exact_twists<rep>(tree, at, flat(input.at("qd")));
    disturb(random, .17, V);  // standard deviation 0.1
    std::vector<double> by_joint(7), least(7);
    const auto other = joint_velocities<rep>(tree, at, V, by_joint);
    const auto result = least_squares_velocities<rep>(tree, at, V, {}, work, least);
    const Matrix J = dense_jacobian<rep>(tree, at);
    const double residual = (J * map(by_joint) - stacked(V)).norm();
    EXPECT_GT(residual, 1.2 * result.residual) << name(rep);
    EXPECT_GT(largest(by_joint, least), .02) << name(rep);
    EXPECT_GT(other.residual, 0);
  });
}

// Whatever is left out: the number of open velocities is the rank that is missing, and the others
// still make the residual least.
TEST(OverallInverse, ReportsTheMissingRank) {
  int deficient = 0;
  for_random_cases(200, [&](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 8),
                                  {.one_screw_joints = random.integer(0, 1) == 0, .size = .3});
    if (tree.nv == 0) return;
    const Poses<double> at = poses(tree, random_coordinates(random, tree));
    const Weights weights = random_weights(random, tree, random.integer(5, 10));
    LeastSquaresWork work(tree);
    for_representations([&]<Rep rep>() {
      std::vector<Twist<rep>> V(std::size_t(tree.size()));
      disturb(random, 1, V);
      const Vector w = roots(weights);
      const Matrix J = w.asDiagonal() * dense_jacobian<rep>(tree, at);
      const LeastSquares dense = least_squares(J, w.cwiseProduct(stacked(V)));
      if (dense.smallest_pivot * std::min(1., J.norm()) < 1e-4 || dense.largest_no_pivot > 1e-14)
        return;  // nearly singular: the rank is a matter of taste
      for (std::size_t i = 0; i < V.size(); ++i) {  // not measured, not read
        if (weights[i].linear.x == 0) V[i].linear.x = NAN;
        if (weights[i].angular.y == 0) V[i].angular.y = INFINITY;
      }
      std::vector<double> found(std::size_t(tree.nv));
      const auto result = least_squares_velocities<rep>(tree, at, V, weights, work, found);
      EXPECT_EQ(result.undetermined, tree.nv - dense.rank) << name(rep);
      EXPECT_EQ(std::count(work.undetermined.begin(), work.undetermined.end(), 1),
                result.undetermined);
      for (std::size_t k = 0; k < found.size(); ++k) {
        EXPECT_TRUE(std::isfinite(found[k]));
        if (work.undetermined[k]) {
          EXPECT_EQ(found[k], 0);
        }
      }
      const double rounding = 1e-14 * J.norm() * std::max(map(found).norm(), dense.solution.norm());
      EXPECT_NEAR(result.residual, dense.residual, 1e-13 + rounding) << name(rep);
      deficient += result.rank_deficient();
    });
  });
  EXPECT_GT(deficient, 100);
}

TEST(OverallInverse, NamesTheJointOfAnUnmeasuredLeaf) {
  const Tree tree = TreeBuilder{}
                        .body("b0")
                        .joint("j0", revolute({.axis = {0, 0, 1}}))
                        .body("b1")
                        .on("b0")
                        .joint("j1", revolute({.axis = {0, 1, 0}, .point = {1, 0, 0}}))
                        .body("b2")
                        .on("b1")
                        .joint("j2", revolute({.axis = {0, 1, 0}, .point = {2, 0, 0}}))
                        .build();
  const Poses<double> at = poses(tree, std::vector<double>{.3, .4, .5});
  const std::vector<double> v{1, 2, 3};
  const auto V = exact_twists<Rep::hybrid>(tree, at, v);
  LeastSquaresWork work(tree);
  std::vector<double> found(3);
  const Vec6<double> one{{1, 1, 1}, {1, 1, 1}}, none{};

  auto result =
      least_squares_velocities<Rep::hybrid>(tree, at, V, Weights{one, one, none}, work, found);
  EXPECT_EQ(result.undetermined, 1);
  EXPECT_EQ(result.joint, 2);
  expect_near(found, std::vector<double>{1, 2, 0}, 1e-14);
  // The last body alone tells all three: a revolute chain with three axes in its path.
  result =
      least_squares_velocities<Rep::hybrid>(tree, at, V, Weights{none, none, one}, work, found);
  EXPECT_EQ(result.undetermined, 0);
  EXPECT_EQ(result.joint, -1);
  expect_near(found, v, 1e-14);
  // Its angular velocity alone only the sum of the last two, which are parallel.
  const Vec6<double> angular{{1, 1, 1}, {0, 0, 0}};
  result =
      least_squares_velocities<Rep::hybrid>(tree, at, V, Weights{none, none, angular}, work, found);
  EXPECT_EQ(result.undetermined, 1);
  EXPECT_EQ(result.joint, 1);
  EXPECT_NEAR(found[0], 1, 1e-14);
  EXPECT_NEAR(found[1] + found[2], 5, 1e-14);
  EXPECT_LT(result.residual, 1e-14);
  // Nothing at all.
  result =
      least_squares_velocities<Rep::hybrid>(tree, at, V, Weights{none, none, none}, work, found);
  EXPECT_EQ(result.undetermined, 3);
  EXPECT_EQ(result.joint, 0);
  EXPECT_EQ(found, std::vector<double>(3));
}

TEST(OverallInverse, NamesTheJointInASingularPosition) {
  // Three angles with the middle one at a right angle: first and last axis coincide.
  const Tree tree = TreeBuilder{}
                        .body("b0")
                        .joint("j0", revolute({.axis = {0, 0, 1}}))
                        .body("b1")
                        .on("b0")
                        .joint("ball", spherical({.coordinates = Coordinates::second_kind}))
                        .build();
  const Poses<double> at = poses(tree, std::vector<double>{.3, .4, pi<double> / 2, .5});
  const auto V = exact_twists<Rep::body>(tree, at, {1, .2, .3, .4});
  std::vector<double> found(4);
  const auto result = joint_velocities<Rep::body>(tree, at, V, found);
  EXPECT_EQ(result.undetermined, 1);
  EXPECT_EQ(result.joint, 1);
  EXPECT_LT(result.residual, 1e-15);
  const auto again = exact_twists<Rep::body>(tree, at, found);  // another v of the same twists
  expect_near(again[1], V[1], 1e-14);
  LeastSquaresWork work(tree);
  const auto squares = least_squares_velocities<Rep::body>(tree, at, V, {}, work, found);
  EXPECT_EQ(squares.undetermined, 1);
  EXPECT_EQ(squares.joint, 1);
  expect_near(exact_twists<Rep::body>(tree, at, found)[1], V[1], 1e-14);
}

/// At a full turn two of the screws of the first kind vanish: rounding is no velocity.
TEST(OverallInverse, ReportsVanishingScrews) {
  const Tree tree = TreeBuilder{}
                        .body("a")
                        .joint("j", spherical({.coordinates = Coordinates::first_kind}))
                        .build();
  const Poses<double> at = poses(tree, std::vector<double>{2 * pi<double>, 0, 0});
  const std::vector<Twist<Rep::body>> V{{{.1, 1e-12, 1e-12}, {0, 0, 0}}};
  std::vector<double> v(3);
  const auto by_joint = joint_velocities<Rep::body, double>(tree, at, V, v);
  EXPECT_EQ(by_joint.undetermined, 2);
  expect_near(v, std::vector<double>{.1, 0, 0}, 1e-11);
  LeastSquaresWork work(tree);
  const auto least = least_squares_velocities<Rep::body>(tree, at, V, {}, work, v);
  EXPECT_EQ(least.undetermined, 2);
  expect_near(v, std::vector<double>{.1, 0, 0}, 1e-11);
}

TEST(OverallInverse, DualNumbersDifferentiateIt) {  // d/dt of v is a
  Random random(8);
  const Tree tree = random_tree(random, 8);
  const std::vector<double> q = random_coordinates(random, tree),
                            v = random_velocities(random, tree),
                            a = random_velocities(random, tree);
  using D = Dual<double>;
  std::vector<double> rate(q.size());
  coordinate_rate<double>(tree, q, v, rate);
  std::vector<D> q_dual(q.size()), found(v.size());
  for (std::size_t k = 0; k < q.size(); ++k) q_dual[k] = {q[k], rate[k]};
  Poses<D> at_dual(tree);
  poses<D>(tree, q_dual, at_dual);
  const Poses<double> at = poses(tree, q);
  for_representations([&]<Rep rep>() {
    Motion<rep> motion(tree);
    accelerations(tree, at, v, a, motion);
    std::vector<Twist<rep, D>> V(motion.twists.size());
    for (std::size_t i = 0; i < V.size(); ++i)
      for (int k = 0; k < 3; ++k) {
        V[i].angular[k] = {motion.twists[i].angular[k], motion.accelerations[i].angular[k]};
        V[i].linear[k] = {motion.twists[i].linear[k], motion.accelerations[i].linear[k]};
      }
    joint_velocities<rep>(tree, at_dual, V, found);
    for (std::size_t k = 0; k < v.size(); ++k) EXPECT_NEAR(found[k].dual, a[k], 1e-10) << name(rep);
  });
}

TEST(OverallInverse, RefusesBadWeights) {
  Random random(2);
  const Tree tree = random_tree(random, 2, {.one_screw_joints = true});
  const Poses<double> at = poses(tree, random_coordinates(random, tree));
  const std::vector<Twist<Rep::body>> V(2);
  LeastSquaresWork work(tree);
  std::vector<double> v(2);
  const auto with = [&](const Weights& weights) {
    return message([&] { least_squares_velocities<Rep::body>(tree, at, V, weights, work, v); });
  };
  Weights weights(2);
  weights[1].linear.z = -1;
  expect_says(with(weights), "body 'b1': weight -1");
  expect_says(with(weights), "not negative");
  weights[1].linear.z = NAN;
  expect_says(with(weights), "finite");
  weights[1].linear.z = INFINITY;
  expect_says(with(weights), "finite");
  expect_says(with(Weights(1)), "1 weights for 2 bodies");
}

TEST(OverallInverse, DoesNotAllocate) {
  Random random(9);
  const Tree tree = random_tree(random, 30);
  const Poses<double> at = poses(tree, random_coordinates(random, tree));
  std::vector<double> v = random_velocities(random, tree), a(v.size());
  const Weights weights = random_weights(random, tree, 1);
  LeastSquaresWork work(tree);
  for_representations([&]<Rep rep>() {
    Motion<rep> motion(tree);
    accelerations(tree, at, v, v, motion);
    EXPECT_EQ(count_allocations([&] {
                joint_velocities<rep>(tree, at, motion.twists, v);
                joint_accelerations<rep>(tree, at, motion.twists, motion.accelerations, v, a);
                least_squares_velocities<rep>(tree, at, motion.twists, weights, work, v);
              }),
              0);
  });
}

}  // namespace
}  // namespace axode::test::overall_inverse_test
