/// States as JSON: a list of objects, or objects one after the other. Each is cut out of the stream by
/// its brackets and then parsed strictly.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "axode/core/error.hpp"
#include "axode/io/text/json.hpp"
#include "cli/arguments/state_files.hpp"

namespace axode::cli {

namespace {

/// Takes one byte, and adds it to the text if there is one.
int take_byte(Bytes& bytes, std::string* text) {
  const int byte = bytes.peek();
  if (text && byte != at_end)
    bytes.take(1, *text);
  else
    bytes.take();
  return byte;
}

/// Takes a comment, of which the first slash was taken.
void take_comment(Bytes& bytes, std::string* text) {
  const int kind = bytes.peek();
  if (kind != '/' && kind != '*') return;
  take_byte(bytes, text);
  for (int before = 0, byte = 0; (byte = take_byte(bytes, text)) != at_end; before = byte)
    if (kind == '/' ? byte == '\n' : before == '*' && byte == '/') return;
}

void skip_space(Bytes& bytes) {
  for (;;) {
    const int byte = bytes.peek();
    if (byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r') {
      bytes.take();
    } else if (byte == '/') {
      bytes.take();
      take_comment(bytes, nullptr);
    } else {
      return;
    }
  }
}

/// Takes the bytes before the next that matters to where a value ends.
void take_ordinary(Bytes& bytes, std::string& text) {
  const auto matters = [](char c) {
    return c == ',' || c == '"' || c == '\\' || c == '/' || c == '{' || c == '}' || c == '[' ||
           c == ']';
  };
  const std::string_view rest = bytes.at_hand();
  bytes.take(std::find_if(rest.begin(), rest.end(), matters) - rest.begin(), text);
}

/// The text of one value, brackets balanced; whether it is JSON is not seen here.
void read_value(Bytes& bytes, std::string& text) {
  text.clear();
  int depth = 0;
  bool in_string = false;
  for (int byte = 0; (byte = bytes.peek()) != at_end; take_ordinary(bytes, text)) {
    if (!in_string && depth == 0 && !text.empty() && (byte == ',' || byte == ']')) break;
    take_byte(bytes, &text);
    if (in_string) {
      if (byte == '\\' && bytes.peek() != at_end) take_byte(bytes, &text);
      if (byte == '"') in_string = false;
      continue;
    }
    if (byte == '"') in_string = true;
    if (byte == '/') take_comment(bytes, &text);
    if (byte == '{' || byte == '[') ++depth;
    if (byte == '}' || byte == ']') --depth;
    if (depth == 0 && (byte == '}' || byte == ']')) break;
  }
}

std::vector<Number> json_numbers(const JsonValue& value) {
  const auto one = [](const JsonValue& v) {
    return v.kind() == JsonKind::text ? parse_value(v.text(), v.where())
                                      : Number{v.number(), false};
  };
  if (value.kind() != JsonKind::list) return {one(value)};
  std::vector<Number> numbers;
  for (const JsonValue& item : value.items()) numbers.push_back(one(item));
  return numbers;
}

Values json_values(const StateSpace& space, Order order, const JsonValue& value) {
  const std::string where =
      value.key().empty() ? value.where() : fmt::format("{}: {}", value.where(), value.key());
  if (value.kind() == JsonKind::null || value.kind() == JsonKind::boolean)
    value.fail(fmt::format("\"{}\" holds no numbers", value.key()),
               "write a list of them, [0.1, 0.2], or those of joints, {\"elbow\": 0.1}");
  if (value.kind() != JsonKind::object) return in_order(space, order, json_numbers(value), where);
  std::vector<NamedNumbers> named;
  for (const JsonValue& member : value.members())
    named.push_back({std::string(member.key()), json_numbers(member)});
  return by_name(space, order, named, where);
}

GivenState json_state(const StateSpace& space, const JsonValue& root) {
  GivenState state;
  if (root.kind() == JsonKind::list) {
    state.q = json_values(space, Order::q, root);
    return state;
  }
  if (root.kind() != JsonKind::object)
    root.fail("a state is an object", "write {\"q\": [..]}, and v, a, tau if they matter");
  constexpr std::array<std::string_view, orders + 1> keys{"q", "v", "a", "tau", "time"};
  root.check_keys(keys, "a state");
  state.q = nothing_given(space, Order::q);
  for (std::size_t i = 0; i < orders; ++i)
    if (const auto values = root.find(keys[i])) {
      const Order order = static_cast<Order>(i);
      state.set(order, json_values(space, order, *values));
    }
  if (const auto time = root.find("time")) state.time = time->number();
  return state;
}

/// An error in a piece that began on `first` as one of the whole file.
template <class E>
E moved(const E& error, const std::string& name, int first) {
  const std::string& where = error.where();
  std::string rest;
  int line = 1;
  if (where.starts_with(name + ":")) {
    const std::size_t digits = name.size() + 1, end = where.find_first_not_of("0123456789", digits);
    line = std::stoi(where.substr(digits, end - digits));
    if (end != std::string::npos) rest = where.substr(end);
  }
  return E(error.problem(), fmt::format("{}:{}{}", name, first - 1 + line, rest), error.remedy());
}

class JsonStates : public StateFormat {
 public:
  explicit JsonStates(const StateSpace& space) : space_(space) {}

  bool next(Bytes& bytes, GivenState& state) override {
    skip_space(bytes);
    if (!begun_) begin(bytes);
    if (ended_) return end(bytes);
    if (listed_ && bytes.peek() == ']') {
      bytes.take();
      ended_ = true;
      return end(bytes);
    }
    if (listed_ && states_ > 0) {
      if (bytes.peek() != ',' && !interrupted())
        throw Error("a comma or ] is missing after a state", bytes.place(), "write it");
      bytes.take();
      skip_space(bytes);
    }
    if (bytes.peek() == at_end && (!listed_ || interrupted())) return false;
    ++states_;
    const int line = bytes.line;
    read_value(bytes, text_);
    if (interrupted()) return false;
    if (plain_json_state(space_, text_, state)) return true;
    try {
      const JsonDocument document(text_, bytes.name);
      state = json_state(space_, document.root());
    } catch (const LimitError& error) {
      throw moved(error, bytes.name, line);
    } catch (const Error& error) {
      throw moved(error, bytes.name, line);
    }
    return true;
  }
  GivenState blank() const override { return {nothing_given(space_, Order::q), {}, {}, {}, {}}; }

 private:
  void begin(Bytes& bytes) {
    begun_ = true;
    listed_ = bytes.peek() == '[';
    if (listed_) bytes.take();
    skip_space(bytes);
    if (bytes.peek() == at_end)
      throw Error("there are no states", bytes.place(), "write a list [{\"q\": [..]}, ..]");
  }
  static bool end(Bytes& bytes) {
    skip_space(bytes);
    if (bytes.peek() != at_end)
      throw Error("there is text after the list of states", bytes.place(), "remove it");
    return false;
  }
  const StateSpace& space_;
  bool begun_ = false, listed_ = false, ended_ = false;
  std::size_t states_ = 0;
  std::string text_;
};

}  // namespace

std::unique_ptr<StateFormat> json_states(const StateSpace& space) {
  return std::make_unique<JsonStates>(space);
}

}  // namespace axode::cli
