#include "axode/integrate/dense_output.hpp"

#include <gtest/gtest.h>

#include "tests/integrate/test_systems.hpp"

namespace axode::test::dense_output {

// Cubics of real numbers come out exactly.
TEST(DenseOutput, CubicsAreExact) {
  const LieGroup line = LieGroup().real(1);
  const auto f = [](double t) { return 1 + t * (2 + t * (-3 + t * 0.5)); };
  const auto d = [](double t) { return 2 + t * (-6 + t * 1.5); };
  Reals scratch(3), x(1);
  for (const double s : {0.0, 0.25, 0.7, 1.0}) {
    hermite_state(line, Reals{f(1)}, Reals{f(3)}, Reals{d(1)}, Reals{d(3)}, 2, s, scratch, x);
    EXPECT_NEAR(x[0], f(1 + 2 * s), 1e-14);
  }
}

// A screw motion with constant twist is a straight line in the algebra of SE(3).
TEST(DenseOutput, ScrewMotionIsExact) {
  for (const LieGroup& group : {LieGroup().se3(), LieGroup().se3_left()}) {
    const Reals x0{0.8, 0, 0.6, 0, 1, 2, 3}, v{0.5, -0.3, 0.7, 1, 2, -1};
    Reals x1(7), exact(7), x(7), scratch(18), d(6);
    for (std::size_t i = 0; i < 6; ++i) d[i] = 0.9 * v[i];
    plus(group, x0, d, x1);
    for (std::size_t i = 0; i < 6; ++i) d[i] = 0.3 * 0.9 * v[i];
    plus(group, x0, d, exact);
    hermite_state(group, x0, x1, v, v, 0.9, 0.3, scratch, x);
    for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(x[i], exact[i], 1e-14);
  }
}

TEST(DenseOutput, MechanicalStatesMeetBothEnds) {
  const LieGroup turn = LieGroup().so3();
  const Reals x0{1, 0, 0, 0, 0.1, 0.2, 0.3, 5}, x1{0.8, 0.6, 0, 0, 0.4, 0.5, 0.6, 7};
  Reals x(8), scratch(9);
  mechanical_state(turn, x0, x1, 0.5, 0, scratch, x);
  EXPECT_LT(distance(turn, x, x0), 1e-15);
  mechanical_state(turn, x0, x1, 0.5, 1, scratch, x);
  EXPECT_LT(distance(turn, x, x1), 1e-15);
  mechanical_state(turn, x0, x1, 0.5, 0.5, scratch, x);
  EXPECT_NEAR(x[7], 6, 1e-15);
}

}  // namespace axode::test::dense_output
