/// The exception of the library: its three parts, and what() put together from those given.
#include "axode/core/error.hpp"

#include <gtest/gtest.h>

#include <exception>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace axode::test::error_test {
namespace {

using axode::Error;

TEST(Error, WhatJoinsTheParts) {
  EXPECT_STREQ(Error("the axis is zero").what(), "the axis is zero");
  EXPECT_STREQ(Error("the axis is zero", "joint elbow").what(), "joint elbow: the axis is zero");
  EXPECT_STREQ(Error("the axis is zero", "", "give a direction").what(),
               "the axis is zero; give a direction");
  EXPECT_STREQ(Error("the axis is zero", "joint elbow", "give a direction").what(),
               "joint elbow: the axis is zero; give a direction");
  EXPECT_STREQ(Error("").what(), "");
}

TEST(Error, PartsStayReadable) {
  const Error error("problem", "where", "remedy");
  EXPECT_EQ(error.problem(), "problem");
  EXPECT_EQ(error.where(), "where");
  EXPECT_EQ(error.remedy(), "remedy");
  const Error only_problem("problem");
  EXPECT_EQ(only_problem.problem(), "problem");
  EXPECT_EQ(only_problem.where(), "");
  EXPECT_EQ(only_problem.remedy(), "");
}

/// Punctuation and bytes beyond ASCII in the parts are kept as they are.
TEST(Error, PartsAreNotInterpreted) {
  const Error error("100 % of \"a: b; c\"", "arm.urdf:12", "\xc3\xa4ndern");
  EXPECT_EQ(error.problem(), "100 % of \"a: b; c\"");
  EXPECT_STREQ(error.what(), "arm.urdf:12: 100 % of \"a: b; c\"; \xc3\xa4ndern");
}

TEST(Error, IsCaughtAsStandardException) {
  static_assert(std::is_base_of_v<std::runtime_error, Error>);
  static_assert(!std::is_convertible_v<std::string, Error>, "no accidental errors from strings");
  try {
    throw Error("problem", "where");
  } catch (const std::exception& e) {
    EXPECT_STREQ(e.what(), "where: problem");
  }
}

TEST(Error, CopiesWhole) {
  const auto make = [] { return Error("problem", "where", "remedy"); };
  Error error = make();
  const Error copy = error;
  error = Error("other");
  EXPECT_EQ(copy.problem() + copy.where() + copy.remedy(), "problemwhereremedy");
  EXPECT_STREQ(copy.what(), "where: problem; remedy");
  EXPECT_STREQ(error.what(), "other");
}

}  // namespace
}  // namespace axode::test::error_test
