// Parsing: nlohmann's event interface fills the array of nodes; an iterator that counts lines tells
// where each event happens.
#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "axode/io/text/json.hpp"
#include "axode/io/text/text_file.hpp"

namespace axode {
namespace {

/// How far the parser has read. A newline belongs to the line it ends: a number is complete only
/// when the character after it has been read, and that may be one.
struct Position {
  int line = 1;
  bool line_ended = false;
};

/// Reads characters and keeps the position up to date.
struct CountingIterator {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char* at;
  Position* position;

  reference operator*() const { return *at; }
  CountingIterator& operator++() {
    position->line += position->line_ended;
    position->line_ended = *at++ == '\n';
    return *this;
  }
  friend bool operator==(const CountingIterator& a, const CountingIterator& b) {
    return a.at == b.at;
  }
  friend bool operator!=(const CountingIterator& a, const CountingIterator& b) {
    return a.at != b.at;
  }
};

using Node = JsonDocument::Node;

/// Receives the events.
class Filler {
 public:
  Filler(std::vector<Node>& nodes, std::string& texts, const std::string& source,
         const Position& position)
      : nodes_(nodes), texts_(texts), source_(source), position_(position) {}

  bool null() { return add({}); }
  bool boolean(bool value) { return add({.kind = JsonKind::boolean, .number = value ? 1.0 : 0.0}); }
  bool number_integer(std::int64_t value) { return number(static_cast<double>(value)); }
  bool number_unsigned(std::uint64_t value) { return number(static_cast<double>(value)); }
  bool number_float(double value, const std::string& /*token*/) { return number(value); }
  bool string(const std::string& value) {
    const std::uint32_t first = keep(value);
    return add(
        {.kind = JsonKind::text, .first = first, .number = static_cast<double>(value.size())});
  }
  static bool binary(const std::vector<std::uint8_t>& /*value*/) { return false; }  // none in text
  bool start_object(std::size_t /*size*/) { return open(JsonKind::object); }
  bool start_array(std::size_t /*size*/) { return open(JsonKind::list); }
  bool end_object() {
    check_duplicates(open_.back());
    return close();
  }
  bool end_array() { return close(); }
  bool key(const std::string& value) {
    key_ = keep(value);
    key_size_ = static_cast<std::uint32_t>(value.size());
    return true;
  }
  [[noreturn]] bool parse_error(std::size_t /*position*/, const std::string& last_token,
                                const nlohmann::json::exception& error) {
    fail_on(error.what(), last_token);
  }

 private:
  std::string where(int line) const { return source_ + ":" + std::to_string(line); }

  std::uint32_t keep(const std::string& text) {
    if (text.find('\0') != std::string::npos)
      throw Error("a text holds the character U+0000", where(position_.line), "remove \\u0000");
    const auto first = static_cast<std::uint32_t>(texts_.size());
    texts_ += text;
    return first;
  }
  bool number(double value) { return add({.kind = JsonKind::number, .number = value}); }
  bool add(Node node) {
    if (nodes_.size() >= max_file_nodes)
      throw LimitError("more than " + std::to_string(max_file_nodes) + " values",
                       where(position_.line), "split the model into several files");
    node.line = position_.line;
    node.key = key_;
    node.key_size = key_size_;
    key_ = key_size_ = 0;
    node.next = static_cast<std::uint32_t>(nodes_.size() + 1);
    if (!open_.empty()) ++nodes_[open_.back()].first;
    nodes_.push_back(node);
    return true;
  }
  bool open(JsonKind kind) {
    if (open_.size() >= static_cast<std::size_t>(max_file_depth))
      throw LimitError(
          "lists and objects are nested more than " + std::to_string(max_file_depth) + " deep",
          where(position_.line), "flatten the document; a model needs 6 levels");
    add({.kind = kind});
    open_.push_back(static_cast<std::uint32_t>(nodes_.size() - 1));
    return true;
  }
  bool close() {
    nodes_[open_.back()].next = static_cast<std::uint32_t>(nodes_.size());
    open_.pop_back();
    return true;
  }

  /// Throws if two members of the object have the same key, naming the first such pair.
  void check_duplicates(std::uint32_t object) {
    members_.clear();
    for (std::uint32_t i = object + 1; i < nodes_.size(); i = nodes_[i].next) members_.push_back(i);
    const auto key_of = [&](std::uint32_t i) {
      return std::string_view(texts_).substr(nodes_[i].key, nodes_[i].key_size);
    };
    std::stable_sort(members_.begin(), members_.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return key_of(a) < key_of(b); });
    const auto same = [&](std::uint32_t a, std::uint32_t b) { return key_of(a) == key_of(b); };
    const auto twice = std::adjacent_find(members_.begin(), members_.end(), same);
    if (twice == members_.end()) return;
    const int first = nodes_[twice[0]].line, second = nodes_[twice[1]].line;
    throw Error("the key " + in_quotes(key_of(*twice)) +
                    " stands twice in one object, first on line " + std::to_string(first),
                where(second), "remove or rename one of them");
  }

  /// The parser's message made ours: without its numbers and positions, and with a remedy.
  [[noreturn]] void fail_on(std::string_view message, const std::string& token) {
    const auto says = [&](std::string_view words) {
      return message.find(words) != std::string_view::npos;
    };
    const std::string here = where(position_.line);
    if (says("number overflow"))
      throw Error("the number " + in_quotes(token) + " is too large", here,
                  "give a number below 1.8e308; leave limits out where there are none");
    if (says("unexpected end of input"))
      throw Error("the text ends too early", here,
                  "close all lists and objects; perhaps the file is cut off");
    if (says("expected end of input"))
      throw Error("something follows the end of the document: " + in_quotes(token), here,
                  "remove what is after the last bracket");
    if (says("unexpected ']'") || says("unexpected '}'"))
      throw Error("a closing bracket " + in_quotes(token) + " where a value or key must stand",
                  here, "remove the comma before it, or add what is missing");
    if (says("invalid literal") && token.find_first_of("NnIi") != std::string::npos)
      throw Error("not a value: " + in_quotes(token), here,
                  "write null, true or false; NaN and Infinity are not numbers: leave limits out "
                  "where there are none");
    std::string_view detail = message;
    if (const auto begin = detail.find(" - "); begin != std::string_view::npos)
      detail.remove_prefix(begin + 3);
    detail = detail.substr(0, std::min(detail.find(';'), std::size_t{100}));
    throw Error("not JSON near " + in_quotes(token) + ": " + std::string(detail), here,
                "check quotes, commas, colons and brackets here and on the line before");
  }

  std::vector<Node>& nodes_;
  std::string& texts_;
  const std::string& source_;
  const Position& position_;
  std::vector<std::uint32_t> open_;     // lists and objects around the position
  std::vector<std::uint32_t> members_;  // scratch
  std::uint32_t key_ = 0, key_size_ = 0;
};

}  // namespace

JsonDocument::JsonDocument(std::string_view text, std::string source) : source_(std::move(source)) {
  if (source_.empty()) source_ = "JSON text";
  if (text.size() > max_file_size)
    throw LimitError("the text has " + std::to_string(text.size()) + " bytes", source_,
                     "a model file may have " + std::to_string(max_file_size));
  check_utf8(text, source_);
  Position position;
  Filler filler(nodes_, texts_, source_, position);
  constexpr bool nothing_after = true, comments = true;
  nlohmann::json::sax_parse(CountingIterator{text.data(), &position},
                            CountingIterator{text.data() + text.size(), &position}, &filler,
                            nlohmann::json::input_format_t::json, nothing_after, comments);
}

}  // namespace axode
