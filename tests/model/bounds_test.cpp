#include "axode/model/bounds.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "axode/core/error.hpp"

namespace axode::test::bounds {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// What is said, empty if nothing is thrown.
template <class F>
std::string said(const F& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return {};
}

TEST(Bounds, LetPassWhatCanBeComputedWith) {
  for (const double x : {0., -1., 1e15, -1e15, 5e-324}) {
    EXPECT_EQ(said([&] { detail::check_length(x, "it", "here"); }), "") << x;
    EXPECT_EQ(said([&] { detail::check_place({0, x, 0}, "it", "here"); }), "") << x;
  }
  EXPECT_EQ(said([&] { detail::check_number(-1e100, "it", "here"); }), "");
  EXPECT_EQ(said([&] { detail::check_positive_number(1e-99, "it", "here"); }), "");
}

TEST(Bounds, RefuseTheRestInEveryPlace) {
  for (const double x : {1.1e15, -1e200, 1.7976931348623157e308, inf, -inf, nan})
    for (int k = 0; k < 3; ++k) {
      Vec3<double> p{};
      p[k] = x;
      EXPECT_TRUE(
          said([&] { detail::check_place(p, "a point", "here"); }).starts_with("here: a point "));
      EXPECT_TRUE(said([&] { detail::check_length(x, "it", "here"); }).starts_with("here: it is "));
    }
  for (const double x : {1e101, -1e308, inf, nan})
    EXPECT_NE(said([&] { detail::check_number(x, "it", "here"); }), "") << x;
  for (const double x : {0., -1., 5e-324, 1e101, inf, nan})
    EXPECT_NE(said([&] { detail::check_positive_number(x, "it", "here"); }), "") << x;
}

TEST(Bounds, SayTheNumberAndTheRemedy) {
  EXPECT_EQ(
      said([] { detail::check_length(2e20, "its length", "rod"); }),
      "rod: its length is too large to compute with: 2e+20; give SI units, numbers below 1e+15");
  EXPECT_EQ(said([] { detail::check_number(nan, "its mass", "rod"); }),
            "rod: its mass is not finite; give finite numbers");
}

}  // namespace
}  // namespace axode::test::bounds
