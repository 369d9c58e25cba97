#include "axode/dynamics/derivatives/mass_matrix_derivatives.hpp"

#include <gtest/gtest.h>

#include "axode/model/builder.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/dual_state.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/models/reference_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::mass_matrix_derivatives_test {
namespace {

using D = Dual<double>;

/// The matrices of the tensor, one for each direction.
std::vector<double> direction_first(const DenseTensor<double>& t) {
  std::vector<double> result;
  for (int m = 0; m < t.size; ++m)
    for (int i = 0; i < t.size; ++i)
      for (int j = 0; j < t.size; ++j) result.push_back(t(i, j, m));
  return result;
}

TEST(MassMatrixDerivatives, ReferenceVectors) {
  double worst = 0;
  for (const char* file :
       {"remote_centre", "chain7", "tree9", "multidof_first", "multidof_second"}) {
    const nlohmann::json data = read_json(std::string(file) + ".json");
    const Tree tree = tree_from_reference(data.at("model"));
    for (const auto& state : data.at("states")) {
      const DenseTensor<double> t = mass_matrix_derivatives(tree, flat(state.at("input").at("q")));
      const double error =
          relative_difference(direction_first(t), flat(state.at("output").at("dM_dq")));
      EXPECT_LT(error, 1e-12) << file;
      worst = std::max(worst, error);
    }
  }
  record("worst_relative_error", worst);
}

/// Mass matrix and its inverse in dual numbers, changing along velocity m.
struct DualMass {
  DualMass(const MovingTree& r, int m) : M(r.tree), factors(r.tree) {
    const DualState s(r, By::q, m);
    Composite<D> composite(r.tree);
    composite_inertias(r.tree, s.poses, composite);
    mass_matrix(r.tree, composite, M);
    factors = M;
    EXPECT_TRUE(factorize(factors).ok());
    const std::size_t n = r.tree.nv;
    inverse = {r.tree.nv, r.tree.nv, std::vector<D>(n * n)};
    axode::inverse(factors, inverse);
  }
  PathMatrix<D> M, factors;
  DenseMatrix<D> inverse;
};

TEST(MassMatrixDerivatives, DualNumbersThroughTheMassMatrix) {
  double worst = 0, worst_inverse = 0;
  for_random_cases(30, [&](Random& random) {
    MovingTree r =
        random_moving_tree(random, random.integer(1, random.integer(0, 9) == 0 ? 30 : 10));
    add_random_losses(random, r.tree);
    const DenseTensor<double> t = mass_matrix_derivatives(r.tree, r.q),
                              t_inverse = inverse_mass_matrix_derivatives(r.tree, r.q);
    std::vector<double> matrices, inverses;
    for (int m = 0; m < r.tree.nv; ++m) {
      const DualMass dual(r, m);
      for (const D& x : dense(dual.M).values) matrices.push_back(x.dual);
      for (const D& x : dual.inverse.values) inverses.push_back(x.dual);
    }
    worst = std::max(worst, relative_difference(direction_first(t), matrices));
    worst_inverse =
        std::max(worst_inverse, relative_difference(direction_first(t_inverse), inverses));
    EXPECT_LT(worst, 1e-12);
    EXPECT_LT(worst_inverse, 1e-11);
  });
  record("worst_relative_error", worst);
  record("worst_relative_error_of_inverse", worst_inverse);
}

/// One direction is that of the tensor, bit for bit, also when memory was used before; and the tensor
/// is symmetric.
TEST(MassMatrixDerivatives, OneDirectionAndAll) {
  for_random_cases(20, [&](Random& random) {
    const MovingTree r = random_moving_tree(random, 12);
    MassMatrixDerivatives<double> at(r.tree);
    prepare_mass_matrix_derivatives(r.tree, poses(r.tree, random_coordinates(random, r.tree)), at);
    DenseTensor<double> all(r.tree.nv);
    mass_matrix_derivatives(r.tree, at, all);
    prepare_mass_matrix_derivatives(r.tree, poses(r.tree, r.q), at);
    mass_matrix_derivatives(r.tree, at, all);
    PathMatrix<double> one(r.tree);
    for (double& x : one.values) x = 1e9;
    for (int m = 0; m < r.tree.nv; ++m) {
      mass_matrix_derivative(r.tree, at, m, one);
      const DenseMatrix<double> entries = dense(one);
      for (int i = 0; i < r.tree.nv; ++i)
        for (int j = 0; j < r.tree.nv; ++j) {
          EXPECT_EQ(all(i, j, m), entries(i, j));
          EXPECT_EQ(all(i, j, m), all(j, i, m));
        }
    }
  });
}

TEST(MassMatrixDerivatives, FiniteDifferences) {
  double worst = 0;
  for_random_cases(5, [&](Random& random) {
    const MovingTree r = random_moving_tree(random, 6);
    const DenseTensor<double> t = mass_matrix_derivatives(r.tree, r.q);
    std::vector<double> differences;
    for (int m = 0; m < r.tree.nv; ++m)
      for (const double x : five_point_derivative(r, By::q, m, [](const MovingTree& x) {
             return reference::mass_matrix(x.tree, x.q).values;
           }))
        differences.push_back(x);
    worst = std::max(worst, relative_difference(direction_first(t), differences));
    EXPECT_LT(worst, 1e-9);
  });
  record("worst_relative_error", worst);
}

/// M of two links in a plane depends on the second angle alone: by it M_11' = -2 m l c sin, M_12' is
/// half of it.
TEST(MassMatrixDerivatives, PlanarArmByHand) {
  const Inertia<double> I{2, {.25, 0, 0}, Sym3<double>::diagonal({.1, .1, .1})};
  const Tree tree = TreeBuilder{}
                        .body("upper", I)
                        .joint("shoulder", revolute({}))
                        .body("lower", I)
                        .on("upper")
                        .joint("elbow", revolute({.point = {.5, 0, 0}}),
                               zero_reference(SE3<double>{{}, {.5, 0, 0}}))
                        .build();
  const std::vector<double> q{.3, .7};
  const DenseTensor<double> t = mass_matrix_derivatives(tree, q);
  const double s = 2 * .5 * .25 * std::sin(.7);
  EXPECT_NEAR(t(0, 0, 1), -2 * s, 1e-15);
  EXPECT_NEAR(t(0, 1, 1), -s, 1e-15);
  EXPECT_NEAR(t(1, 1, 1), 0, 1e-15);
  for (const int e : {0, 1}) EXPECT_EQ(t(e, 0, 0), 0);
}

TEST(MassMatrixDerivatives, ChainOfThousandBodies) {
  Random random(3);
  const MovingTree r =
      random_moving_tree(random, 1000, {.chain = true, .one_screw_joints = true, .size = .05});
  MassMatrixDerivatives<double> at(r.tree);
  prepare_mass_matrix_derivatives(r.tree, poses(r.tree, r.q), at);
  PathMatrix<double> one(r.tree);
  mass_matrix_derivative(r.tree, at, 500, one);
  const DualState s(r, By::q, 500);
  Composite<D> composite(r.tree);
  composite_inertias(r.tree, s.poses, composite);
  PathMatrix<D> M(r.tree);
  mass_matrix(r.tree, composite, M);
  std::vector<double> theirs;
  for (const D& x : M.values) theirs.push_back(x.dual);
  EXPECT_LT(relative_difference(one.values, theirs), 1e-11);
}

TEST(MassMatrixDerivatives, SingularMassMatrixIsToldByName) {
  const Tree tree = TreeBuilder{}.body("feather", {}).joint("quill", revolute({})).build();
  const std::vector<double> q{0};
  expect_says(message([&] { inverse_mass_matrix_derivatives(tree, q); }), "feather");
  EXPECT_EQ(mass_matrix_derivatives(tree, q)(0, 0, 0), 0);
}

TEST(MassMatrixDerivatives, AllocatesNothingOnceMade) {
  Random random(5);
  MovingTree r = random_moving_tree(random, 20);
  add_random_losses(random, r.tree);
  const Poses<double> p = poses(r.tree, r.q);
  MassMatrixDerivatives<double> at(r.tree);
  PathMatrix<double> M(r.tree), one(r.tree);
  DenseMatrix<double> inverse = dense(M);
  DenseTensor<double> all(r.tree.nv);
  EXPECT_EQ(count_allocations([&] {
              prepare_mass_matrix_derivatives(r.tree, p, at);
              mass_matrix_derivative(r.tree, at, 0, one);
              mass_matrix_derivatives(r.tree, at, all);
              mass_matrix(r.tree, at.composite, M);
              EXPECT_TRUE(factorize(M).ok());
              inverse_mass_matrix_derivative(M, one, inverse);
            }),
            0);
}

}  // namespace
}  // namespace axode::test::mass_matrix_derivatives_test
