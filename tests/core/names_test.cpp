/// Names with hyphens and underscores, and similar ones.
#include "axode/core/names.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace axode::test::names_test {
namespace {

TEST(Names, HyphensAndUnderscoresAreTheSame) {
  static_assert(is_same_name("generalized_alpha", "generalized-alpha"));
  EXPECT_TRUE(is_same_name("a-b_c", "a_b-c"));
  EXPECT_TRUE(is_same_name("", ""));
  for (const char* other : {"", "mk", "mk55", "Mk5", "mk_", "mk 5"})
    EXPECT_FALSE(is_same_name("mk5", other)) << other;
}

template <class Words>
std::string_view most_similar(std::string_view text, const Words& known) {
  SimilarName similar(text);
  for (const std::string_view word : known) similar.consider(word);
  return similar.best();
}

TEST(Names, AsksForTheMostSimilarOne) {
  const std::vector<std::string> known{"damping", "friction"};
  EXPECT_EQ(did_you_mean("dampnig", known), "did you mean 'damping'?");
  EXPECT_EQ(did_you_mean("something else", known), "");
  EXPECT_EQ(did_you_mean("something else", known, "see --help"), "see --help");
}
TEST(Names, FindsTheMostSimilarOne) {
  constexpr std::array<std::string_view, 4> known{"damping", "friction", "armature", "axis"};
  EXPECT_EQ(most_similar("dampnig", known), "damping");
  EXPECT_EQ(most_similar("axes", known), "axis");
  EXPECT_EQ(most_similar("axis", known), "axis");
  EXPECT_EQ(most_similar("something else", known), "");
  EXPECT_EQ(most_similar("", known), "");
  EXPECT_EQ(most_similar(std::string(1000, 'a'), known), "");
  EXPECT_EQ(most_similar("damping", std::array<std::string_view, 0>{}), "");
}
TEST(Names, OfEquallySimilarOnesTheFirstInTheAlphabetWhateverTheOrder) {
  constexpr std::array<std::string_view, 3> known{"link3", "link1", "link2"};
  EXPECT_EQ(most_similar("link", known), "link1");
  constexpr std::array<std::string_view, 3> turned{"link2", "link1", "link3"};
  EXPECT_EQ(most_similar("link", turned), "link1");
}
TEST(Names, ShortNamesAreNotTakenForWhollyDifferentOnes) {
  constexpr std::array<std::string_view, 2> known{"a", "bc"};
  EXPECT_EQ(most_similar("x", known), "");
  EXPECT_EQ(most_similar("bd", known), "bc");
}
TEST(Names, LongWordsAreNoneOfOurs) {
  const std::string longest(64, 'a'), longer(65, 'a');
  EXPECT_EQ(most_similar(longest.substr(1), std::array<std::string_view, 1>{longest}), longest);
  EXPECT_EQ(most_similar(longest, std::array<std::string_view, 1>{longer}), "");
  EXPECT_EQ(most_similar(longer, std::array<std::string_view, 1>{longest}), "");
}

}  // namespace
}  // namespace axode::test::names_test
