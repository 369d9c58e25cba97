#include "axode/lie/g1.hpp"

#include "tests/support/json_data.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::g1_test {
namespace {

using test::expect_near;

DualVector<double> random_dual(test::Random& random) {
  return make_dual(random.rotation_vector(), random.vec3());
}
G1<> random_element(test::Random& random) { return {random.rotation(), random.vec3()}; }

void expect_same(const G1<>& a, const G1<>& b, double tolerance, const std::string& what = "") {
  expect_near(a.A, b.A, tolerance, what);
  expect_near(a.theta, b.theta, tolerance, what);
}

TEST(G1, GroupAxiomsAndMatrices) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const G1<> a = random_element(random), b = random_element(random), c = random_element(random);
    expect_same((a * b) * c, a * (b * c), 1e-14, "associativity");
    expect_same(a * inverse(a), {}, 1e-14, "inverse");
    expect_near(matrix(a * b), matrix(a) * matrix(b), 2e-14, "homomorphism");
    const DualVector<double> v = random_dual(random);
    const Vec6<double> acted = matrix(a) * Vec6<double>{real_part(v), dual_part(v)};
    expect_near(real_part(a * v), acted.angular, 1e-14);
    expect_near(dual_part(a * v), acted.linear, 1e-14);
  });
}

TEST(G1, ExpThereAndBackAndAdjoint) {
  test::for_random_cases(test::many, [](test::Random& random) {
    DualVector<double> w = random_dual(random);
    if (norm(real_part(w)) > 3.1) w = w * Dual<double>(0.9);
    const DualVector<double> back = log(exp_g1(w));
    expect_near(real_part(back), real_part(w), 1e-14);
    expect_near(dual_part(back), dual_part(w), 1e-14);
    // Ad_X w = X w: X exp(w) X^-1 = exp(X w)
    const G1<> X = random_element(random);
    expect_same(X * exp_g1(w) * inverse(X), exp_g1(X * w), 4e-14, "Ad and exp");
  });
}

TEST(G1, HatIsTheBracket) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const DualVector<double> a = random_dual(random), b = random_dual(random);
    const Vec6<double> ab = hat(a) * Vec6<double>{real_part(b), dual_part(b)};
    const DualVector<double> product = cross(a, b);
    expect_near(ab.angular, real_part(product), 1e-14);
    expect_near(ab.linear, dual_part(product), 1e-14);
    expect_near(hat(a) * hat(b) - hat(b) * hat(a), hat(product), 4e-14, "commutator");
  });
}

TEST(G1, IsTheRotationGroupOverDualNumbers) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const G1<> a = random_element(random), b = random_element(random);
    expect_same(from_dual(to_dual(a)), a, 1e-14, "there and back");
    expect_same(from_dual(to_dual(a) * to_dual(b)), a * b, 1e-14, "product");
    const DualVector<double> w = random_dual(random);
    expect_same(from_dual(exp(w)), exp_g1(w), 1e-14, "exp");
  });
}

TEST(G1, ReferenceVectors) {
  const auto states = test::read_json("dual_groups.json");
  ASSERT_EQ(states.size(), 10u);
  for (const auto& s : states) {
    const Vec6<double> w = test::vec6(s.at("omega_hat"));
    const G1<> X = exp_g1(make_dual(w.angular, w.linear));
    expect_near(matrix(X), test::mat6(s.at("expG1")), 2e-15);
    expect_near(left_jacobian(w), test::mat6(s.at("left_jacobian_G1")), 2e-15);
    const DualVector<double> back = log(X);
    expect_near(real_part(back), w.angular, 2e-15);
    expect_near(dual_part(back), w.linear, 4e-15);
  }
}

}  // namespace
}  // namespace axode::test::g1_test
