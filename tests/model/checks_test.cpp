#include "axode/model/checks.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "axode/lie/rotation.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/near.hpp"

// What build() refuses is tested in builder_test.cpp; here is where the lines are drawn.
namespace axode::test::checks_test {
namespace {

TEST(Checks, NamesForMessagesArePrintableAndShort) {
  EXPECT_EQ(detail::printable("arm"), "arm");
  EXPECT_EQ(detail::printable(std::string("a\0b\n", 4)), "a?b?");
  EXPECT_EQ(detail::printable(std::string(61, 'x')), std::string(60, 'x') + "...");
  EXPECT_EQ(detail::number(-0.5), "-0.5");
  EXPECT_EQ(detail::number(1e300), "1e+300");
}

TEST(Checks, RotationsAreKeptMendedOrRefused) {
  SE3<double> T{rotation_about(2, .3), {1, 2, 3}};
  EXPECT_EQ(detail::checked(T, "here"), T);
  T.R.matrix.x.x += 1e-8;
  EXPECT_LT(orthogonality_error(detail::checked(T, "here").R.matrix), 1e-15);
  expect_near(detail::checked(T, "here"), T, 1e-8);
  T.R.matrix.x.x += 1e-5;
  expect_says(message([&] { detail::checked(T, "here"); }), "here: a rotation matrix is not");
  T.R.matrix = Mat3<double>::diagonal({1, 1, -1});
  expect_says(message([&] { detail::checked(T, "here"); }), "not orthonormal");
}

std::string verdict(const Inertia<double>& inertia) {
  std::vector<Warning> warnings;
  BodyDescription body;
  body.inertia = inertia;
  try {
    detail::check_inertia(body, "here", warnings);
  } catch (const std::exception&) {
    return "refused";
  }
  return warnings.empty() ? "good" : warnings[0].impossible ? "impossible" : "remark";
}

TEST(Checks, InertiasAreGoodDoubtfulOrRefused) {
  const auto of = [](double x, double y, double z, double mass = 1) {
    return verdict({mass, {}, Sym3<double>::diagonal({x, y, z})});
  };
  EXPECT_EQ(of(.1, .1, .1), "good");
  EXPECT_EQ(of(.1, .1, .2), "good");           // a flat body
  EXPECT_EQ(of(0, 0, 0), "good");              // a point
  EXPECT_EQ(of(.1, .1, .3), "impossible");     // triangle inequality
  EXPECT_EQ(of(.1, .1, -1e-5), "impossible");  // rounding
  EXPECT_EQ(of(.1, .1, -.002), "refused");
  EXPECT_EQ(of(5e-7, 5e-7, -9e-7, .01), "refused");
  EXPECT_EQ(of(5e-7, 5e-7, -4e-8), "impossible");
  EXPECT_EQ(of(9e-8, 9e-8, -4e-8, .01), "impossible");
  EXPECT_EQ(of(1e-20, -1e-20, 0), "good");  // a point and rounding
  EXPECT_EQ(of(1e200, 1e200, 1e200), "refused");
  EXPECT_EQ(of(.1, .1, .1, 0), "impossible");
  EXPECT_EQ(of(0, 0, 0, 0), "good");
  EXPECT_EQ(of(.1, .1, .1, -1), "refused");
  EXPECT_EQ(of(.1, .1, NAN), "refused");
}

TEST(Checks, FrameOfRotationsHasTheirAxesAndCentre) {
  const SE3<double> T{rotation_about(1, .7), {1, -2, 3}};
  const Joint joint = spherical({.point = T.p, .axes = T.R});
  expect_near(detail::frame_of_rotations(joint.screws.screws.data()), T, 4e-15);
}

}  // namespace
}  // namespace axode::test::checks_test
