#include "axode/lie/g2.hpp"

#include "axode/linalg/eigen.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::g2_test {
namespace {

using test::expect_near;
using Twist12 = DualTwist<double>;

G2<> random_element(test::Random& random) {
  return {{random.rotation(), random.vec3()}, make_dual(random.vec3(), random.vec3())};
}
Twist12 random_twist(test::Random& random) {
  return {make_dual(random.unit() * random.uniform(0, 3), random.vec3()),
          make_dual(random.vec3(), random.vec3())};
}
void expect_same(const Twist12& a, const Twist12& b, double tolerance, const char* what = "") {
  expect_near(real_part(a), real_part(b), tolerance, what);
  expect_near(dual_part(a), dual_part(b), tolerance, what);
}
template <std::size_t n>
Eigen::Matrix<double, int(n), int(n)> dense(const std::array<std::array<double, n>, n>& a) {
  Eigen::Matrix<double, int(n), int(n)> m;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) m(Eigen::Index(i), Eigen::Index(j)) = a[i][j];
  return m;
}
/// (w_r, w_d, v_r, v_d)
Eigen::Matrix<double, 12, 1> stacked(const Twist12& t) {
  const Vec3<double> parts[] = {real_part(t.angular), dual_part(t.angular), real_part(t.linear),
                                dual_part(t.linear)};
  Eigen::Matrix<double, 12, 1> x;
  for (int k = 0; k < 4; ++k) x.segment<3>(3 * k) = view(parts[k]);
  return x;
}

TEST(G2, GroupAxiomsAndMatrices) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const G2<> a = random_element(random), b = random_element(random), c = random_element(random);
    expect_near(matrix((a * b) * c), matrix(a * (b * c)), 1e-13, "associativity");
    expect_near(matrix(a * inverse(a)), matrix(G2<>{}), 4e-14, "inverse");
    EXPECT_LT((dense(matrix(a * b)) - dense(matrix(a)) * dense(matrix(b))).cwiseAbs().maxCoeff(),
              4e-14);
  });
}

TEST(G2, ExpThereAndBackAndAdjoint) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const Twist12 t = random_twist(random);
    expect_same(log(exp_g2(t)), t, 6e-14, "log exp");
    const G2<> Y = random_element(random);
    const G2<> conjugated = Y * exp_g2(t) * inverse(Y), direct = exp_g2(Ad(Y, t));
    expect_near(matrix(conjugated), matrix(direct), 6e-13, "Ad and exp");
  });
}

TEST(G2, AdjointMatrices) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const G2<> Y = random_element(random);
    const Twist12 t = random_twist(random), s = random_twist(random);
    EXPECT_LT((dense(Ad_matrix(Y)) * stacked(t) - stacked(Ad(Y, t))).cwiseAbs().maxCoeff(), 4e-14);
    EXPECT_LT((dense(ad_matrix(t)) * stacked(s) - stacked(ad(t, s))).cwiseAbs().maxCoeff(), 4e-14);
  });
}

TEST(G2, IsTheDisplacementGroupOverDualNumbers) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const G2<> a = random_element(random), b = random_element(random);
    expect_near(matrix(from_dual(to_dual(a) * to_dual(b))), matrix(a * b), 2e-14);
    const Twist12 t = random_twist(random);
    expect_near(matrix(from_dual(exp(t))), matrix(exp_g2(t)), 4e-14, "exp");
    expect_same(Ad(to_dual(a), t), Ad(a, t), 4e-14, "Ad");
  });
}

TEST(G2, ReferenceVectors) {
  const auto states = test::read_json("dual_groups.json");
  ASSERT_EQ(states.size(), 10u);
  for (const auto& s : states) {
    const Vec6<double> w = test::vec6(s.at("omega_hat")), v = test::vec6(s.at("v0_hat"));
    const Twist12 t{make_dual(w.angular, w.linear), make_dual(v.angular, v.linear)};
    const G2<> Y = exp_g2(t);
    expect_near(matrix(Y), test::flat(s.at("expG2")), 4e-15);
    expect_near(Ad_matrix(Y), test::flat(s.at("AdG2")), 1e-14);
    expect_same(log(Y), t, 1e-14);
  }
}

}  // namespace
}  // namespace axode::test::g2_test
