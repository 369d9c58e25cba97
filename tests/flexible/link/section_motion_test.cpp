#include "axode/flexible/link/section_motion.hpp"

#include <gtest/gtest.h>

#include "axode/lie/rotation.hpp"
#include "tests/flexible/reference_chains.hpp"

namespace axode::test::motion_of_sections {

constexpr SectionRotation orders[] = {SectionRotation::zyx, SectionRotation::xyz,
                                      SectionRotation::exp};

Mat3<> difference_quotient(SectionRotation order, const Vec3<>& theta, const Vec3<>& rate) {
  const double h = 1e-6;
  const Mat3<> plus = section_turn(order, theta + rate * h, rate).R.matrix,
               minus = section_turn(order, theta - rate * h, rate).R.matrix;
  return (plus - minus) * (0.5 / h);
}

TEST(SectionMotion, SpinIsTheAngularVelocityOfTheRotation) {
  const Vec3<> theta{.3, -.5, .4}, rate{.7, .2, -.9};
  for (const SectionRotation order : orders) {
    const SectionTurn<double> turn = section_turn(order, theta, rate);
    const Vec3<> spin = unskew(difference_quotient(order, theta, rate) * transpose(turn.R.matrix));
    EXPECT_LT(max_abs(turn.spin - spin), 1e-9) << name(order);
    EXPECT_LT(max_abs(turn.gamma * rate - turn.spin), 1e-15);
    const double h = 1e-6;
    const Vec3<> change = (section_turn(order, theta + rate * h, rate).spin -
                           section_turn(order, theta - rate * h, rate).spin) *
                          (0.5 / h);
    EXPECT_LT(max_abs(turn.spin_bias - change), 1e-9) << name(order);
  }
}
TEST(SectionMotion, OrdersAreProductsOfTurns) {
  const Vec3<> t{.3, -.5, .4};
  const SO3<> X = exp(Vec3<>{t.x, 0, 0}), Y = exp(Vec3<>{0, t.y, 0}), Z = exp(Vec3<>{0, 0, t.z});
  const auto R = [&](SectionRotation order) { return section_turn(order, t, {}).R.matrix; };
  EXPECT_LT(max_abs(R(SectionRotation::xyz) - (X * Y * Z).matrix), 1e-15);
  EXPECT_LT(max_abs(R(SectionRotation::zyx) - (Z * Y * X).matrix), 1e-15);
  EXPECT_LT(max_abs(R(SectionRotation::exp) - exp(t).matrix), 1e-15);
}
TEST(SectionMotion, FirstOrderRateIsTheDerivativeOfGamma) {
  const Vec3<> theta{.3, -.5, .4};
  for (const SectionRotation order : orders) {
    const double h = 1e-6;
    const Mat3<> slope =
        (section_turn(order, theta * h, {}).gamma - section_turn(order, theta * -h, {}).gamma) *
        (0.5 / h);
    EXPECT_LT(max_abs(slope - first_order_rate(order, theta)), 1e-9) << name(order);
  }
}
/// zyx alone keeps the section square to the tangent (1, u_y', u_z') to second order.
TEST(SectionMotion, OneOrderKeepsSectionsSquareToTheTangent) {
  const double e = 1e-3;
  const Vec3<> theta{.7 * e, -.5 * e, .4 * e};
  const Vec3<> tangent{1, theta.z, -theta.y};
  for (const SectionRotation order : orders) {
    const double off = norm(cross(section_turn(order, theta, {}).R.matrix.x, tangent));
    if (order == SectionRotation::zyx)
      EXPECT_LT(off, 2 * e * e * e);
    else
      EXPECT_GT(off, .1 * e * e);
  }
}

/// Twists by unit rates are the derivatives of place and rotation by the coordinates.
TEST(SectionMotion, TwistsAreDerivativesByCoordinates) {
  for (const bool stiffening : {false, true})
    for (const SectionRotation order : orders) {
      FlexibleTree tree = reference_chain("arm4", order);
      tree.stiffening = stiffening;
      const FlexibleLink& link = tree.links[1];
      const StationModes at = station_modes(*link.beam, link.modes, 2.7);
      const std::vector<double> e{.02, -.01, .05, .003, -.04, .002}, still(6);
      using P = Exact<double>;
      const auto there = [&](const std::vector<double>& q) {
        return axode::section_motion<P>(tree, link.invariants, at, q, still);
      };
      const SectionMotion<P> now = there(e);
      std::vector<Vec6<>> twists(6);
      section_twists<P>(tree, link.invariants, at, e, now, twists);
      for (std::size_t k = 0; k < 6; ++k) {
        const double h = 1e-6;
        std::vector<double> more = e, less = e;
        more[k] += h;
        less[k] -= h;
        const SectionMotion<P> a = there(less), b = there(more);
        const Vec3<> turn = unskew((b.R.matrix - a.R.matrix) * (0.5 / h) * transpose(now.R.matrix));
        const Vec3<> move = (b.p - a.p) * (0.5 / h);
        EXPECT_LT(max_abs(twists[k].angular - turn), 1e-8);
        EXPECT_LT(max_abs(twists[k].linear - (move + cross(now.p, turn))), 1e-8);
      }
    }
}

}  // namespace axode::test::motion_of_sections
