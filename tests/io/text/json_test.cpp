/// The JSON document: values, lines and strictness; hostile depth on a small stack.
#include "axode/io/text/json.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include <array>
#include <limits>
#include <string>

#include "axode/io/text/text_file.hpp"
#include "tests/support/errors.hpp"

namespace axode::test::json_test {
namespace {

using test::expect_says;
using test::message;

std::string refusal(const std::string& text) {
  return message([&] { JsonDocument(text, "file.json"); });
}
void expect_refused(const std::string& text, const std::string& where, const std::string& words) {
  const std::string said = refusal(text);
  EXPECT_TRUE(said.starts_with(where)) << said;
  expect_says(said, words);
  expect_says(said, "; ");  // a remedy
}

TEST(Json, KnowsValuesAndLines) {
  const JsonDocument document(
      "// a comment\n"
      "{\"a\": 1.5, /* another\n"
      "one */ \"b\": [true, null,\n"
      "  -2e-3, \"t\\u00e4xt\"\n"
      "],\n"
      "\n"
      "\"c\": {}, \"d\": [], \"e\": 7\n"
      "}\n",
      "file.json");
  const JsonValue root = document.root();
  EXPECT_EQ(root.kind(), JsonKind::object);
  EXPECT_EQ(root.line(), 2);
  EXPECT_EQ(root.size(), 5U);
  EXPECT_EQ(root.find("a")->number(), 1.5);
  EXPECT_EQ(root.find("a")->line(), 2);
  EXPECT_EQ(root.find("a")->where(), "file.json:2");
  const JsonValue list = *root.find("b");
  EXPECT_EQ(list.line(), 3);
  ASSERT_EQ(list.items().size(), 4U);
  EXPECT_TRUE(list.items()[0].boolean());
  EXPECT_EQ(list.items()[1].kind(), JsonKind::null);
  EXPECT_EQ(list.items()[2].number(), -2e-3);
  EXPECT_EQ(list.items()[2].line(), 4);
  EXPECT_EQ(list.items()[3].text(), "täxt");
  EXPECT_EQ(root.find("c")->members().size(), 0U);
  EXPECT_EQ(root.find("d")->items().size(), 0U);
  EXPECT_EQ(root.find("e")->line(), 7);
  EXPECT_FALSE(root.find("f"));
  EXPECT_EQ(root.members()[2].key(), "c");
}

/// A number is complete only when the next character is read; its line is its own all the same.
TEST(Json, LinesOfNumbersBeforeNewlines) {
  const JsonDocument document("[1\n,2\r\n,3\n\n\n,\n4\n]", "f");
  const auto items = document.root().items();
  EXPECT_EQ(items[0].line(), 1);
  EXPECT_EQ(items[1].line(), 2);
  EXPECT_EQ(items[2].line(), 3);
  EXPECT_EQ(items[3].line(), 7);
}

TEST(Json, NumbersToTheLastBit) {
  const JsonDocument document(
      "[0.1, 1e308, 5e-324, 18446744073709551615, -9223372036854775808, 123456789012345678901234]",
      "f");
  const auto items = document.root().items();
  EXPECT_EQ(items[0].number(), 0.1);
  EXPECT_EQ(items[1].number(), 1e308);
  EXPECT_EQ(items[2].number(), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(items[3].number(), 18446744073709551615.0);
  EXPECT_EQ(items[4].number(), -9223372036854775808.0);
  EXPECT_EQ(items[5].number(), 123456789012345678901234.0);
}

TEST(Json, AcceptsAByteOrderMark) {
  EXPECT_EQ(JsonDocument("\xef\xbb\xbf[1]", "f").root().size(), 1U);
}

TEST(Json, RefusesWhatIsNotJson) {
  expect_refused("", "file.json:1", "ends too early");
  expect_refused("{\n\"a\": [1, 2", "file.json:2", "ends too early");
  expect_refused("[1, 2,\n]", "file.json:2", "comma");
  expect_refused("{\"a\": 1,\n\n}", "file.json:3", "comma");
  expect_refused("[1]\n[2]", "file.json:2", "follows the end");
  expect_refused("[NaN]", "file.json:1", "NaN");
  expect_refused("[\nInfinity]", "file.json:2", "Infinity");
  expect_refused("[-Infinity]", "file.json:1", "not JSON");
  expect_refused("[\n\n1e400]", "file.json:3", "too large");
  expect_refused("[-1e400]", "file.json:1", "too large");
  expect_refused("[01]", "file.json:1", "not JSON");
  expect_refused("[1.]", "file.json:1", "not JSON");
  expect_refused("['a']", "file.json:1", "not JSON");
  expect_refused("{a: 1}", "file.json:1", "not JSON");
  expect_refused("[\"a\nb\"]", "file.json:1", "not JSON");
  expect_refused("[\"\\ud800\"]", "file.json:1", "not JSON");
  expect_refused("[\"\\u0000\"]", "file.json:1", "U+0000");
  expect_refused("{\"a\\u0000\": 1}", "file.json:1", "U+0000");
  expect_refused("/* no end", "file.json:1", "comment");
  expect_refused(std::string("[1, 2, 3, 4, 5,\n\"\0\"]", 20), "file.json:2", "zero byte");
  expect_refused("[\"\xff\"]", "file.json:1", "UTF-8");
  expect_refused(std::string("\xff\xfe[\0", 4), "file.json", "UTF-16");
}

TEST(Json, RefusesDuplicateKeysNamingBothLines) {
  expect_refused("{\"a\": 1,\n \"b\": {\"a\": 2},\n \"a\": 3}", "file.json:3", "first on line 1");
  expect_refused("{\"x\": {\n\"k\": 1,\n\"l\": 1,\n\"k\": [\n1]}}", "file.json:4",
                 "first on line 2");
  EXPECT_NO_THROW(JsonDocument("[{\"a\": 1}, {\"a\": 1}]", "f"));
}

TEST(Json, SaysWhatWasExpectedAndFound) {
  const JsonDocument document("{\"a\": 1,\n\"b\": \"1.0\",\n\"c\": [1, \"2\", 3]}", "f");
  const JsonValue root = document.root(), a = *root.find("a"), b = *root.find("b"),
                  c = *root.find("c");
  const auto expect_error = [](const std::function<void()>& f, const char* where,
                               const char* words) {
    const std::string said = message(f);
    expect_says(said, where);
    expect_says(said, words);
  };
  expect_error([&] { a.text(); }, "f:1: ", "must be a text, not a number");
  expect_error([&] { a.items(); }, "f:1: ", "must be a list, not a number");
  expect_error([&] { a.members(); }, "f:1: ", "must be an object");
  expect_error([&] { a.boolean(); }, "f:1: ", "must be true or false");
  expect_error([&] { b.number(); }, "f:2: ", "without quotes");
  std::array<double, 3> three{};
  std::array<double, 2> two{};
  expect_error([&] { c.numbers(three); }, "f:3: ", "number 2 of \"c\" is a text");
  expect_error([&] { c.numbers(two); }, "f:3: ", "3 numbers instead of 2");
  expect_error([&] { a.numbers(two); }, "f:1: ", "a list of 2 numbers");
  expect_error([&] { root.at("d", "add it"); }, "f:1: ", "add it");
  constexpr std::array<std::string_view, 3> known{"alpha", "a", "c"};
  expect_error([&] { root.check_keys(known, "a thing"); }, "f:2: ", "a thing has no key \"b\"");
  constexpr std::array<std::string_view, 2> names{"revolute", "prismatic"};
  const JsonDocument word("{\"t\": \"revolut\", \"u\": \"prismatic\"}", "f");
  expect_error([&] { (void)word.root().find("t")->choice(names); }, "f:1: ", "'revolute'?");
  EXPECT_EQ(word.root().find("u")->choice(names), 1U);
}

TEST(Json, StringsReadBack) {
  const std::string odd = "a\"b\\c/\n\t\x01\x7f ä€😀";
  const JsonDocument document("[" + json_string(odd) + "]", "f");
  EXPECT_EQ(document.root().items()[0].text(), odd);
}

TEST(Json, LimitsActWhileParsing) {
  EXPECT_THROW(JsonDocument(std::string(1'000'000, '['), "f"), LimitError);
  std::string objects;
  for (int i = 0; i < 1'000'000; ++i) objects += "{\"a\":";
  EXPECT_THROW(JsonDocument(objects, "f"), LimitError);
  expect_says(refusal(std::string(1'000'000, '[')), "256 deep");
  const std::size_t depth = max_file_depth;
  EXPECT_NO_THROW(JsonDocument(std::string(depth, '[') + std::string(depth, ']'), "f"));
}

/// Runs f on a thread with a stack of 256 kB: recursion into the depths would crash it.
void on_small_stack(void (*f)()) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, std::size_t{256} << 10U), 0);
  pthread_t thread{};
  const auto run = [](void* g) -> void* {
    reinterpret_cast<void (*)()>(g)();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, reinterpret_cast<void*>(f)), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}
TEST(Json, NeedsLittleStack) {
  on_small_stack([] {
    EXPECT_THROW(JsonDocument(std::string(1'000'000, '['), "f"), LimitError);
    EXPECT_THROW(JsonDocument(std::string(255, '[') + std::string(1'000'000, '/'), "f"), Error);
    std::string wide = "[";
    for (int i = 0; i < 300'000; ++i) wide += "[],";
    const JsonDocument document(wide + "1]", "f");
    EXPECT_EQ(document.root().items().size(), 300'001U);
  });
}

TEST(Json, ManyKeysTakeNotLong) {
  std::string text = "{";
  for (int i = 0; i < 200'000; ++i) text += "\"k" + std::to_string(i) + "\":1,";
  EXPECT_EQ(JsonDocument(text + "\"last\":2}", "f").root().find("last")->number(), 2);
  expect_says(refusal(text + "\"k77\":2}"), "k77");
}

}  // namespace
}  // namespace axode::test::json_test
