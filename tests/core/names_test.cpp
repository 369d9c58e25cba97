/// Names with hyphens and underscores.
#include "axode/core/names.hpp"

#include <gtest/gtest.h>

namespace axode::test::names_test {
namespace {

TEST(Names, HyphensAndUnderscoresAreTheSame) {
  static_assert(is_same_name("generalized_alpha", "generalized-alpha"));
  EXPECT_TRUE(is_same_name("a-b_c", "a_b-c"));
  EXPECT_TRUE(is_same_name("", ""));
  for (const char* other : {"", "mk", "mk55", "Mk5", "mk_", "mk 5"})
    EXPECT_FALSE(is_same_name("mk5", other)) << other;
}

}  // namespace
}  // namespace axode::test::names_test
