#include "axode/kinematics/system_jacobian.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <functional>

#include "axode/kinematics/jacobian.hpp"
#include "axode/kinematics/motion.hpp"
#include "axode/lie/dual.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/models/random_tree.hpp"
#include "tests/support/models/reference_tree.hpp"
#include "tests/support/near.hpp"
#include "tests/support/representations.hpp"

namespace axode::test::system_jacobian_test {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Stack = std::vector<Vec6<double>>;

Matrix matrix(const DenseMatrix<double>& M) {
  return Eigen::Map<const Matrix>(M.values.data(), M.rows, M.columns);
}
Eigen::VectorXd vector(const Stack& a) {
  Eigen::VectorXd v(static_cast<Eigen::Index>(6 * a.size()));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (int k = 0; k < 6; ++k) v[static_cast<Eigen::Index>(6 * i) + k] = a[i][k];
  return v;
}
Stack random_stack(Random& random, const Tree& tree) {
  Stack x(tree.size());
  for (auto& a : x) a = random.vec6();
  return x;
}
/// The largest magnitude; NaN if any is.
double largest(const Matrix& M) { return M.cwiseAbs().maxCoeff<Eigen::PropagateNaN>(); }
double size(const Matrix& M) { return M.size() == 0 ? 1 : std::max(1., largest(M)); }

/// Calls f with the system Jacobian in each representation, the spatial one in each of its factors.
template <class F>
void for_jacobians(const Tree& tree, const Poses<double>& at, F&& f) {
  for_representations([&]<Rep rep>() { f(SystemJacobian<rep>(tree, at)); });
  f(SystemJacobian<Rep::spatial>(tree, at, SpatialFactors::hybrid_screws));
  f(SystemJacobian<Rep::spatial>(tree, at, SpatialFactors::zero_reference));
}

TEST(SystemJacobian, DenseFactorsMultiplyToTheReferenceJacobians) {
  double worst = 0;
  for (const char* file :
       {"remote_centre", "chain7", "tree9", "multidof_first", "multidof_second"}) {
    const nlohmann::json data = read_json(std::string(file) + ".json");
    const Tree tree = tree_from_reference(data.at("model"));
    for (const auto& state : data.at("states")) {
      const Poses<double> at = poses(tree, flat(state.at("input").at("q")));
      for_jacobians(tree, at, [&]<Rep rep>(const SystemJacobian<rep>& J) {
        const std::vector<double> numbers =
            flat(state.at("output").at("jacobian").at(name(rep)));  // bodies, rows, columns
        const Matrix expected =
            Eigen::Map<const Matrix>(numbers.data(), Eigen::Index{6} * tree.size(), tree.nv);
        const Matrix found = matrix(dense_A(J)) * matrix(dense_X(J));
        const double error = largest(found - expected) / size(expected);
        EXPECT_LT(error, 1e-14);
        worst = std::max(worst, error);
      });
    }
  }
  record("worst_relative_error", worst);
}

TEST(SystemJacobian, DenseInverse) {
  for_random_cases(30, [](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 15));
    const Poses<double> at = poses(tree, random_coordinates(random, tree));
    for_jacobians(tree, at, [&](const auto& J) {
      const Matrix A = matrix(dense_A(J)), inverse = matrix(dense_A_inverse(J));
      const double error = largest(A * inverse - Matrix::Identity(A.rows(), A.cols()));
      EXPECT_LT(error, 1e-13 * size(A) * size(inverse));
    });
  });
}

TEST(SystemJacobian, SweepsAreTheDenseProducts) {
  for_random_cases(30, [](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 15));
    const Poses<double> at = poses(tree, random_coordinates(random, tree));
    const std::vector<double> v = random_velocities(random, tree);
    const Eigen::VectorXd v_dense = Eigen::Map<const Eigen::VectorXd>(v.data(), tree.nv);
    for_jacobians(tree, at, [&]<Rep rep>(const SystemJacobian<rep>& J) {
      const Matrix A = matrix(dense_A(J)), inverse = matrix(dense_A_inverse(J)),
                   X = matrix(dense_X(J));
      const Stack x = random_stack(random, tree);
      const auto check = [&](const char* what,
                             void (*sweep)(const SystemJacobian<rep>&, Out<Vec6<double>>),
                             const Matrix& dense) {
        Stack y = x;
        sweep(J, y);
        const double error = largest(vector(y) - dense * vector(x));
        EXPECT_LT(error, 2e-14 * size(dense) * tree.size()) << what << " " << name(rep);
      };
      check(
          "A", [](const SystemJacobian<rep>& j, Out<Vec6<double>> y) { apply_A(j, y); }, A);
      check(
          "A^-1", [](const SystemJacobian<rep>& j, Out<Vec6<double>> y) { solve_A(j, y); },
          inverse);
      check(
          "A^T", [](const SystemJacobian<rep>& j, Out<Vec6<double>> y) { apply_A_transpose(j, y); },
          A.transpose());
      check(
          "A^-T",
          [](const SystemJacobian<rep>& j, Out<Vec6<double>> y) { solve_A_transpose(j, y); },
          inverse.transpose());
      Stack y(x.size());
      apply_X(J, v, y);
      EXPECT_LT(largest(vector(y) - X * v_dense), 1e-14 * size(X));
      std::vector<double> f(v.size());
      apply_X_transpose(J, x, f);
      for (int k = 0; k < tree.nv; ++k)
        EXPECT_NEAR(f[std::size_t(k)], X.col(k).dot(vector(x)), 1e-14 * size(X) * 12);
    });
  });
}

TEST(SystemJacobian, GivesTheTwistsOfTheRecursionsAndTheirWork) {
  for_random_cases(30, [](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 60), {.size = .2});
    const Poses<double> at = poses(tree, random_coordinates(random, tree));
    const std::vector<double> v = random_velocities(random, tree);
    for_jacobians(tree, at, [&]<Rep rep>(const SystemJacobian<rep>& J) {
      Motion<rep> motion(tree);
      twists(tree, at, v, motion);
      Stack V(tree.size());
      apply(J, v, V);
      double most = 1;
      for (const auto& a : V) most = std::max(most, max_abs(a));
      for (std::size_t i = 0; i < V.size(); ++i)
        expect_near(V[i], motion.twists[i], 1e-14 * most * 20, name(rep));
      // Power of wrenches on the twists = power of the joint forces.
      const Stack W = random_stack(random, tree);
      double power = 0, joint_power = 0, terms = 0;
      for (std::size_t i = 0; i < V.size(); ++i) power += dot(W[i], V[i]);
      Stack transmitted = W;
      std::vector<double> forces(v.size());
      apply_transpose(J, transmitted, forces);
      for (std::size_t k = 0; k < v.size(); ++k) {
        joint_power += forces[k] * v[k];
        terms += std::abs(forces[k] * v[k]);
      }
      EXPECT_NEAR(power, joint_power, 1e-13 * (terms + 6 * most * tree.size())) << name(rep);
    });
  });
}

TEST(SystemJacobian, SolvingUndoesApplying) {
  for_random_cases(30, [](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 60), {.size = .2});
    const Poses<double> at = poses(tree, random_coordinates(random, tree));
    for_jacobians(tree, at, [&](const auto& J) {
      const Stack x = random_stack(random, tree);
      Stack y = x, z = x;
      apply_A(J, y);
      apply_A_transpose(J, z);
      double most = 1;
      for (std::size_t i = 0; i < x.size(); ++i)
        most = std::max({most, max_abs(y[i]), max_abs(z[i])});
      solve_A(J, y);
      solve_A_transpose(J, z);
      for (std::size_t i = 0; i < x.size(); ++i) {
        expect_near(y[i], x[i], 1e-13 * most * 10);  // lever arms of a few metres at most
        expect_near(z[i], x[i], 1e-13 * most * 10);
      }
    });
  });
}

// Joints of one screw: all configurations are in A alone.
TEST(SystemJacobian, ScrewsAtTheZeroReferenceAreConstant) {
  Random random(4);
  const Tree tree = random_tree(random, 8, {.one_screw_joints = true});
  Poses<double> at = poses(tree, random_coordinates(random, tree));
  const SystemJacobian<Rep::spatial> J(tree, at, SpatialFactors::zero_reference);
  const Matrix before = matrix(dense_X(J));
  for (int i = 0; i < tree.size(); ++i) {
    const Vec6<double> Y = zero_reference(tree, i).Y.screws[0];
    for (int r = 0; r < 6; ++r) EXPECT_NEAR(before(6 * i + r, i), Y[r], 1e-14);
  }
  poses<double>(tree, random_coordinates(random, tree), at);
  EXPECT_EQ(largest(matrix(dense_X(J)) - before), 0);
}

TEST(SystemJacobian, DualNumbersDifferentiateIt) {
  Random random(6);
  const Tree tree = random_tree(random, 6, {.one_screw_joints = true});
  const std::vector<double> q = random_coordinates(random, tree),
                            v = random_velocities(random, tree);
  using D = Dual<double>;
  std::vector<D> q_dual(q.size()), v_dual(q.size());
  for (std::size_t k = 0; k < q.size(); ++k) q_dual[k] = {q[k], v[k]}, v_dual[k] = v[k];
  Poses<D> at_dual(tree);
  poses<D>(tree, q_dual, at_dual);
  const Poses<double> at = poses(tree, q);
  const std::vector<double> no_acceleration(v.size());
  for_representations([&]<Rep rep>() {
    Motion<rep> motion(tree);
    accelerations(tree, at, v, no_acceleration, motion);
    std::vector<Vec6<D>> V(tree.size());
    apply(SystemJacobian<rep, D>(tree, at_dual), v_dual, V);
    for (std::size_t i = 0; i < V.size(); ++i)
      for (int k = 0; k < 6; ++k)
        EXPECT_NEAR(V[i][k].dual, motion.accelerations[i].six()[k], 1e-12) << name(rep);
  });
}

TEST(SystemJacobian, DoesNotAllocate) {
  Random random(9);
  const Tree tree = random_tree(random, 30);
  const Poses<double> at = poses(tree, random_coordinates(random, tree));
  const std::vector<double> v = random_velocities(random, tree);
  Stack V(tree.size());
  std::vector<double> forces(v.size());
  for_jacobians(tree, at, [&](const auto& J) {
    EXPECT_EQ(count_allocations([&] {
                apply(J, v, V);
                solve_A(J, V);
                apply_transpose(J, V, forces);
                solve_A_transpose(J, V);
              }),
              0);
  });
}

}  // namespace
}  // namespace axode::test::system_jacobian_test
