#include "axode/integrate/lie_group.hpp"

#include <gtest/gtest.h>

#include <random>

#include "axode/lie/adjoint.hpp"
#include "axode/lie/rotation.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/near.hpp"

namespace axode::test::lie_group {

using Numbers = std::vector<double>;

LieGroup all_kinds() {
  return LieGroup().real(2).so3().so3_left().real(1).real(2).se3().se3_left();
}
Numbers random_numbers(std::mt19937_64& random, int n, double size = 1) {
  std::uniform_real_distribution<double> uniform(-size, size);
  Numbers a(n);
  for (double& b : a) b = uniform(random);
  return a;
}
Numbers random_state(std::mt19937_64& random, const LieGroup& group) {
  Numbers x(group.nx, 0.0);
  for (const LieGroup::Factor& f : group.factors)
    if (f.kind != LieGroup::Kind::real) x[f.x] = 1;
  plus(group, x, random_numbers(random, group.nv), x);
  return x;
}
SE3<double> pose_at(const Numbers& x, int i) {
  const double* a = x.data() + i;
  return {{rotation_matrix(Quaternion<double>{a[0], {a[1], a[2], a[3]}})}, {a[4], a[5], a[6]}};
}
Vec6<double> twist_at(const Numbers& v, int i) {
  const double* a = v.data() + i;
  return {{a[0], a[1], a[2]}, {a[3], a[4], a[5]}};
}
double pairing(const Numbers& a, const Numbers& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

TEST(LieGroup, LayoutOfFactors) {
  const LieGroup group = all_kinds();
  ASSERT_EQ(group.factors.size(), 6u);
  EXPECT_EQ(group.nx, 2 + 4 + 4 + 3 + 7 + 7);
  EXPECT_EQ(group.nv, 2 + 3 + 3 + 3 + 6 + 6);
  EXPECT_EQ(group.factors[3].count, 3);
  EXPECT_EQ(group.factors[4].x, 13);
  EXPECT_EQ(group.factors[4].v, 11);
  LieGroup twice = group;
  twice.times(twice);
  EXPECT_EQ(twice.nx, 2 * group.nx);
  EXPECT_EQ(twice.factors.size(), 12u);
  EXPECT_FALSE(is_real(group));
  EXPECT_TRUE(is_real(LieGroup().real(3)));
}

TEST(LieGroup, PlusIsTheExponentialOfSE3) {
  std::mt19937_64 random(1);
  const LieGroup group = all_kinds();
  for (int i = 0; i < 100; ++i) {
    const Numbers x = random_state(random, group), d = random_numbers(random, group.nv, 1.5);
    Numbers y(x.size());
    plus(group, x, d, y);
    const SE3<double> right = pose_at(x, 13) * exp(twist_at(d, 11));
    const SE3<double> left = exp(twist_at(d, 17)) * pose_at(x, 20);
    expect_near(pose_at(y, 13), right, 1e-14);
    expect_near(pose_at(y, 20), left, 1e-14);
  }
}

TEST(LieGroup, DifferenceUndoesPlus) {
  std::mt19937_64 random(2);
  const LieGroup group = all_kinds();
  for (int i = 0; i < 100; ++i) {
    const Numbers x = random_state(random, group), d = random_numbers(random, group.nv, 1.5);
    Numbers y(x.size()), back(d.size());
    plus(group, x, d, y);
    difference(group, x, y, back);
    expect_near(back, d, 1e-13);
    Numbers alias = x;
    plus(group, alias, d, alias);
    EXPECT_EQ(alias, y);
  }
}

// x(theta + e rate) moves with velocity v: compared with the difference of nearby states.
TEST(LieGroup, InverseDexpIsTheRateOfTheCoordinates) {
  std::mt19937_64 random(3);
  const LieGroup group = all_kinds();
  for (int i = 0; i < 50; ++i) {
    const Numbers x = random_state(random, group), theta = random_numbers(random, group.nv, 1.2);
    const Numbers v = random_numbers(random, group.nv);
    Numbers rate(v.size()), before(theta), after(theta), velocity(v.size());
    inverse_dexp(group, theta, v, rate);
    const double e = 1e-5;
    for (std::size_t k = 0; k < v.size(); ++k) before[k] -= e * rate[k], after[k] += e * rate[k];
    Numbers a(x.size()), b(x.size());
    plus(group, x, before, a);
    plus(group, x, after, b);
    difference(group, a, b, velocity);
    for (double& number : velocity) number /= 2 * e;
    expect_near(velocity, v, 1e-9);
    Numbers alias = v;
    inverse_dexp(group, theta, alias, alias);
    EXPECT_EQ(alias, rate);
  }
}

TEST(LieGroup, DexpTransposeKeepsThePower) {
  std::mt19937_64 random(4);
  const LieGroup group = all_kinds();
  for (int i = 0; i < 50; ++i) {
    const Numbers theta = random_numbers(random, group.nv, 1.2),
                  v = random_numbers(random, group.nv);
    const Numbers p = random_numbers(random, group.nv);
    Numbers rate(v.size()), pulled(v.size());
    inverse_dexp(group, theta, v, rate);
    dexp_transpose(group, theta, p, pulled);
    EXPECT_NEAR(pairing(pulled, rate), pairing(p, v), 1e-13);
  }
}

// The momentum in the resting frame, Ad_{x^-1}^T p or Ad_x^T p, is not changed by coadjoint.
TEST(LieGroup, CoadjointKeepsTheMomentumInTheOtherFrame) {
  std::mt19937_64 random(5);
  const LieGroup group = all_kinds();
  const Numbers x = random_state(random, group), d = random_numbers(random, group.nv);
  const Numbers p = random_numbers(random, group.nv);
  Numbers y(x.size()), moved(p.size());
  plus(group, x, d, y);
  coadjoint(group, d, p, moved);
  expect_near(Ad_inverse_transpose(pose_at(x, 13), twist_at(p, 11)),
              Ad_inverse_transpose(pose_at(y, 13), twist_at(moved, 11)), 1e-14);
  expect_near(Ad_transpose(pose_at(x, 20), twist_at(p, 17)),
              Ad_transpose(pose_at(y, 20), twist_at(moved, 17)), 1e-14);
  EXPECT_EQ(moved[0], p[0]);
  const auto turn = [](const Numbers& a, std::size_t i) {
    return rotation_matrix(Quaternion<double>{a[i], {a[i + 1], a[i + 2], a[i + 3]}});
  };
  const auto part = [](const Numbers& a, std::size_t i) {
    return Vec3<double>{a[i], a[i + 1], a[i + 2]};
  };
  expect_near(turn(x, 2) * part(p, 2), turn(y, 2) * part(moved, 2), 1e-14);
  expect_near(transpose_times(turn(x, 6), part(p, 5)), transpose_times(turn(y, 6), part(moved, 5)),
              1e-14);
}

TEST(LieGroup, ChecksNameTheQuaternion) {
  std::mt19937_64 random(6);
  const LieGroup group = all_kinds();
  Numbers x = random_state(random, group);
  EXPECT_NO_THROW(check_state(group, x, "x0"));
  expect_says(message([&] { check_state(group, Numbers(3), "x0"); }), "x0: there are 3 numbers");
  for (const double length : {1 - 1.1e-6, 1 + 1.1e-6, 0.}) {
    Numbers other = x;
    for (int k = 6; k < 10; ++k) other[k] *= length;
    expect_says(message([&] { check_state(group, other, "x0"); }),
                "x0: the quaternion at number 6 has length");
  }
  x[0] = NAN;
  expect_says(message([&] { check_state(group, x, "x0"); }), "not finite");
}

}  // namespace axode::test::lie_group
