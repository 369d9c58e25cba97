#include "axode/io/text/json.hpp"

#include <algorithm>
#include <array>

#include "axode/core/names.hpp"
#include "axode/io/text/text_file.hpp"

namespace axode {

std::string_view name(JsonKind kind) noexcept {
  constexpr std::array<std::string_view, 6> names{"null",   "true or false", "a number",
                                                  "a text", "a list",        "an object"};
  return names[std::size_t(kind)];
}

JsonKind JsonValue::kind() const noexcept { return document_->nodes_[index_].kind; }
int JsonValue::line() const noexcept { return document_->nodes_[index_].line; }
std::string JsonValue::where() const { return document_->source_ + ":" + std::to_string(line()); }
std::string_view JsonValue::key() const noexcept {
  const JsonDocument::Node& node = document_->nodes_[index_];
  return std::string_view(document_->texts_).substr(node.key, node.key_size);
}
std::string JsonValue::title() const {
  return key().empty() ? std::string(index_ == 0 ? "the document" : "the value") : in_quotes(key());
}
std::size_t JsonValue::size() const noexcept {
  const bool holds = kind() == JsonKind::list || kind() == JsonKind::object;
  return holds ? document_->nodes_[index_].first : 0;
}

void JsonValue::fail(const std::string& problem, const std::string& remedy) const {
  throw Error(problem, where(), remedy);
}
void JsonValue::expect(JsonKind expected) const {
  if (kind() == expected) return;
  std::string remedy = "write " + std::string(name(expected));
  if (expected == JsonKind::number && kind() == JsonKind::text)
    remedy = "write the number without quotes";
  fail(title() + " must be " + std::string(name(expected)) + ", not " + std::string(name(kind())),
       remedy);
}

double JsonValue::number() const {
  expect(JsonKind::number);
  return document_->nodes_[index_].number;
}
bool JsonValue::boolean() const {
  expect(JsonKind::boolean);
  return document_->nodes_[index_].number != 0;
}
std::string_view JsonValue::text() const {
  expect(JsonKind::text);
  const JsonDocument::Node& node = document_->nodes_[index_];
  return std::string_view(document_->texts_)
      .substr(node.first, static_cast<std::size_t>(node.number));
}

std::size_t JsonValue::choice(std::span<const std::string_view> names) const {
  const std::string_view given = text();
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == given) return i;
  std::string all = "write one of";
  for (const std::string_view n : names) all.append(" ").append(n);
  fail(title() + " cannot be " + in_quotes(given), did_you_mean(given, names, all));
}

void JsonValue::numbers(std::span<double> values) const {
  const std::string wanted = "a list of " + std::to_string(values.size()) + " numbers";
  if (kind() != JsonKind::list)
    fail(title() + " must be " + wanted + ", not " + std::string(name(kind())), "write " + wanted);
  if (size() != values.size())
    fail(title() + " has " + std::to_string(size()) + " numbers instead of " +
             std::to_string(values.size()),
         "write " + wanted);
  for (std::size_t i = 0; i < values.size(); ++i) {  // all are leaves, or this throws
    const JsonValue item(*document_, index_ + 1 + static_cast<std::uint32_t>(i));
    if (item.kind() != JsonKind::number)
      item.fail("number " + std::to_string(i + 1) + " of " + title() + " is " +
                    std::string(name(item.kind())),
                "write " + wanted + ", without quotes");
    values[i] = item.number();
  }
}

std::vector<JsonValue> JsonValue::children() const {
  std::vector<JsonValue> all;
  all.reserve(size());
  const std::uint32_t end = document_->nodes_[index_].next;
  for (std::uint32_t i = index_ + 1; i < end; i = document_->nodes_[i].next)
    all.emplace_back(*document_, i);
  return all;
}
std::vector<JsonValue> JsonValue::items() const {
  expect(JsonKind::list);
  return children();
}
std::vector<JsonValue> JsonValue::members() const {
  expect(JsonKind::object);
  return children();
}

std::optional<JsonValue> JsonValue::find(std::string_view wanted) const {
  expect(JsonKind::object);
  const std::uint32_t end = document_->nodes_[index_].next;
  for (std::uint32_t i = index_ + 1; i < end; i = document_->nodes_[i].next)
    if (const JsonValue member(*document_, i); member.key() == wanted) return member;
  return std::nullopt;
}
JsonValue JsonValue::at(std::string_view wanted, std::string_view remedy) const {
  const std::optional<JsonValue> member = find(wanted);
  if (!member)
    fail(title() + " has no " + in_quotes(wanted),
         remedy.empty() ? "add " + in_quotes(wanted) : std::string(remedy));
  return *member;
}

void JsonValue::check_keys(std::span<const std::string_view> known, std::string_view what) const {
  expect(JsonKind::object);
  const std::uint32_t end = document_->nodes_[index_].next;
  for (std::uint32_t i = index_ + 1; i < end; i = document_->nodes_[i].next) {
    const JsonValue member(*document_, i);
    if (std::find(known.begin(), known.end(), member.key()) != known.end()) continue;
    std::string all;
    for (const std::string_view key : known)
      all += (all.empty() ? "it may have " : ", ") + in_quotes(key);
    member.fail(std::string(what) + " has no key " + in_quotes(member.key()),
                did_you_mean(member.key(), known, all.empty() ? "remove it" : all));
  }
}

std::string json_string(std::string_view text) {
  constexpr std::string_view hexadecimal = "0123456789abcdef";
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (c == '\n') {
      result += "\\n";
    } else if (c == '\t') {
      result += "\\t";
    } else if (byte < 0x20 || byte == 0x7f) {
      result += "\\u00";
      result += hexadecimal[byte >> 4U];
      result += hexadecimal[byte & 15U];
    } else {
      result += c;
    }
  }
  return result + '"';
}

}  // namespace axode
