/// A JSON document, strictly: every value knows its line, so that a message can say where it stands.
///
/// Beyond the standard, comments (// and /* */) are allowed; keys must differ, numbers be finite,
/// and size, depth and number of values stay within the limits of text_file.hpp, checked while
/// parsing. Nothing here is recursive: values lie in one array, in the order of the text. The access
/// functions throw Error, naming file:line, what was expected and what was found. O(n), objects of
/// n members O(n log n).
/// Tests: tests/io/text/json_test.cpp
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "axode/core/error.hpp"

namespace axode {

enum class JsonKind : std::uint8_t { null, boolean, number, text, list, object };
/// In words: "a number", "a list", ...
std::string_view name(JsonKind kind) noexcept;

class JsonDocument;

/// A value of a document: a handle, cheap to copy, good as long as the document stays in place.
class JsonValue {
 public:
  JsonValue(const JsonDocument& document, std::uint32_t index)
      : document_(&document), index_(index) {}

  JsonKind kind() const noexcept;
  /// The line it begins on (texts over several tokens: a list or object, its opening bracket).
  int line() const noexcept;
  /// "file:line", for messages.
  std::string where() const;
  /// The key it is the value of; empty in lists and at the top.
  std::string_view key() const noexcept;
  /// What to call it in messages: its key in quotes, or "the value".
  std::string title() const;
  /// Number of items of a list or members of an object, else 0.
  std::size_t size() const noexcept;

  // Strict access: throws Error if the value is of another kind.
  double number() const;
  bool boolean() const;
  std::string_view text() const;
  /// Which of the names the text is.
  std::size_t choice(std::span<const std::string_view> names) const;
  /// Exactly n numbers, written to the front of `values`.
  void numbers(std::span<double> values) const;
  /// The items of a list, or the values of an object's members.
  std::vector<JsonValue> items() const;
  std::vector<JsonValue> members() const;
  /// The member of that key, if there is one.
  std::optional<JsonValue> find(std::string_view wanted) const;
  /// The member of that key; throws Error if there is none, with the remedy given.
  JsonValue at(std::string_view wanted, std::string_view remedy) const;
  /// Throws Error on a member whose key is not in `known`, naming the most similar one; `what` says
  /// what the object is, such as "a joint".
  void check_keys(std::span<const std::string_view> known, std::string_view what) const;

  /// An Error at this value.
  [[noreturn]] void fail(const std::string& problem, const std::string& remedy) const;

 private:
  void expect(JsonKind expected) const;
  std::vector<JsonValue> children() const;
  const JsonDocument* document_;
  std::uint32_t index_;
};

/// The whole text. Neither copied nor moved, as values point to it.
class JsonDocument {
 public:
  /// Parses the text; `source` names it in messages. Throws Error, LimitError beyond a limit.
  JsonDocument(std::string_view text, std::string source);
  JsonDocument(const JsonDocument&) = delete;
  JsonDocument& operator=(const JsonDocument&) = delete;

  JsonValue root() const { return {*this, 0}; }
  const std::string& source() const noexcept { return source_; }

  /// A value as stored: its subtree ends before `next`, so its first child, if any, is the one
  /// after it. Texts lie in one string.
  struct Node {
    JsonKind kind = JsonKind::null;
    int line = 0;
    std::uint32_t next = 0;
    std::uint32_t key = 0, key_size = 0;
    std::uint32_t first = 0;  ///< text: its beginning; list or object: number of children
    double number = 0;        ///< boolean: 0 or 1; text: its length
  };

 private:
  friend class JsonValue;
  std::string source_;
  std::vector<Node> nodes_;
  std::string texts_;
};

/// The text as a JSON string, quotes and escapes included.
std::string json_string(std::string_view text);

}  // namespace axode
