#include "axode/lie/adjoint.hpp"

#include "tests/support/json_data.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::adjoint_test {
namespace {

using test::expect_near;
using V6 = Vec6<double>;

TEST(Adjoint, IsAHomomorphism) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const SE3<> a = random.pose(), b = random.pose();
    const V6 X = random.vec6(), Y = random.vec6();
    expect_near(Ad(a * b, X), Ad(a, Ad(b, X)), 1e-13);
    expect_near(Ad_inverse(a, X), Ad(inverse(a), X), 4e-14);
    expect_near(Ad_inverse(a, Ad(a, X)), X, 4e-14);
    expect_near(Ad(a, ad(X, Y)), ad(Ad(a, X), Ad(a, Y)), 4e-13, "Ad keeps the bracket");
  });
}

TEST(Adjoint, BracketIsALieAlgebra) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const V6 X = random.vec6(), Y = random.vec6(), Z = random.vec6();
    expect_near(ad(X, Y), -ad(Y, X), 0, "antisymmetry");
    expect_near(ad(X, ad(Y, Z)) + ad(Y, ad(Z, X)) + ad(Z, ad(X, Y)), V6{}, 1e-13, "Jacobi");
    const double s = random.uniform(-2, 2);
    expect_near(ad(X, Y * s + Z), ad(X, Y) * s + ad(X, Z), 2e-14, "linearity");
  });
}

TEST(Adjoint, DualityOfPairings) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const SE3<> T = random.pose();
    const V6 X = random.vec6(), Y = random.vec6(), W = random.vec6();
    expect_near(dot(Ad_transpose(T, W), X), dot(W, Ad(T, X)), 1e-13);
    expect_near(dot(Ad_inverse_transpose(T, W), Ad(T, X)), dot(W, X), 2e-13);
    expect_near(Ad_transpose(T, Ad_inverse_transpose(T, W)), W, 4e-14);
    expect_near(dot(ad_transpose(X, W), Y), dot(W, ad(X, Y)), 1e-13);
  });
}

TEST(Adjoint, MatricesAgreeWithTheMaps) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const SE3<> T = random.pose();
    const V6 X = random.vec6(), Y = random.vec6();
    expect_near(Ad_matrix(T) * X, Ad(T, X), 1e-14);
    expect_near(transpose(Ad_matrix(T)) * X, Ad_transpose(T, X), 1e-14);
    expect_near(transpose(Ad_matrix(inverse(T))) * X, Ad_inverse_transpose(T, X), 1e-14);
    expect_near(ad_matrix(X) * Y, ad(X, Y), 1e-14);
    expect_near(transpose(ad_matrix(X)) * Y, ad_transpose(X, Y), 1e-14);
  });
}

TEST(Adjoint, ReferenceVectors) {
  const auto states = test::read_json("lie_se3.json").at("states");
  ASSERT_EQ(states.size(), 14u);
  for (const auto& s : states) {
    const V6 X = test::vec6(s.at("X")), Y = test::vec6(s.at("Y"));
    expect_near(ad_matrix(X), test::mat6(s.at("ad_X")), 0);
    expect_near(ad(X, Y), test::vec6(s.at("bracket_XY")), 1e-15);
  }
  const auto example = test::read_json("modern_robotics.json").at("functions").at("ad");
  expect_near(ad_matrix(test::vec6(example.at("inputs").at("V"))),
              test::flat(example.at("documented_output")), 0);
}

}  // namespace
}  // namespace axode::test::adjoint_test
