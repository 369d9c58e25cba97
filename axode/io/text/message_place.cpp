#include "axode/io/text/message_place.hpp"

#include <compare>
#include <exception>
#include <optional>
#include <vector>

#include "axode/io/text/json.hpp"
#include "axode/io/text/text_file.hpp"
#include "axode/io/text/xml.hpp"

namespace axode {

namespace {

/// The best place so far: the name that stands first in the message, there that of the kind that the word
/// before it says ("joint 'A'" is no body), and the longest.
class NamePlace {
 public:
  explicit NamePlace(std::string_view message) : message_(message) {}

  /// `kind`: the key of the list or member, or the element, that the name is in.
  void offer(std::string_view name, std::string_view kind, int line) {
    if (name.empty()) return;
    for (std::size_t at = message_.find(name); at != std::string_view::npos;
         at = message_.find(name, at + 1)) {
      if (!is_quoted(at, name.size())) continue;
      const Rank rank{at, !is_kind(at - 1, kind), message_.size() - name.size()};
      if (!(rank < best_)) return;
      best_ = rank;
      line_ = line;
      return;
    }
  }
  std::optional<int> line() const { return line_; }

 private:
  struct Rank {
    std::size_t at = std::string_view::npos;  // behind all others: none yet
    bool other_kind = true;
    std::size_t not_named = std::string_view::npos;
    auto operator<=>(const Rank&) const = default;  // NOLINT(modernize-use-nullptr): its own code
  };
  bool is_quoted(std::size_t at, std::size_t size) const {
    if (at == 0 || (message_[at - 1] != '\'' && message_[at - 1] != '"')) return false;
    constexpr std::string_view ends = "'\".:[ ";
    return at + size < message_.size() && ends.find(message_[at + size]) != std::string_view::npos;
  }
  /// Whether the word before the quote is the beginning of that kind: "joint '" and "joints".
  bool is_kind(std::size_t quote, std::string_view kind) const {
    std::string_view before = message_.substr(0, quote);
    if (before.ends_with(' ')) before.remove_suffix(1);
    const std::string_view word = before.substr(before.find_last_of(" :,;(") + 1);
    return word.size() > 2 && kind.substr(0, 3) == word.substr(0, 3);
  }

  std::string_view message_;
  Rank best_;
  std::optional<int> line_;
};

int line_in_json(const std::string& text, const std::string& source, std::string_view message) {
  const JsonDocument document(text, source);
  NamePlace place(message);
  struct Open {
    JsonValue value;
    std::string_view kind;
  };
  std::vector<Open> open{{document.root(), {}}};
  while (!open.empty()) {
    const auto [value, kind] = open.back();
    open.pop_back();
    const bool is_object = value.kind() == JsonKind::object;
    if (!is_object && value.kind() != JsonKind::list) continue;
    for (const char* key : {"name", "coordinate"})
      if (is_object && value.line() != document.root().line())
        if (const auto name = value.find(key); name && name->kind() == JsonKind::text)
          place.offer(name->text(), kind, value.line());
    for (const JsonValue& child : is_object ? value.members() : value.items())
      open.push_back({child, is_object ? child.key() : kind});
  }
  return place.line().value_or(document.root().line());
}

int line_in_xml(const std::string& text, const std::string& source, std::string_view message) {
  const XmlFile file(text, source);
  NamePlace place(message);
  std::vector<XmlElement> open{file.root().first_child()};
  while (!open.empty()) {
    const XmlElement element = open.back();
    open.pop_back();
    if (!element) continue;
    open.push_back(element.next());
    open.push_back(element.first_child());
    if (const auto name = element.attribute("name"))
      place.offer(*name, element.name() == "link" ? "body" : element.name(), file.line(element));
  }
  return place.line().value_or(file.line(file.root()));
}

}  // namespace

std::string place_of_message(const std::filesystem::path& file, std::string_view message) {
  std::string source = file.string();
  try {
    const std::string text = read_text_file(file);
    const auto first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    const bool is_xml = first != std::string::npos && text[first] == '<';
    const int line =
        is_xml ? line_in_xml(text, source, message) : line_in_json(text, source, message);
    return source + ":" + std::to_string(line);
  } catch (const std::exception&) {  // the message is about that, or about memory
    return source;
  }
}

}  // namespace axode
