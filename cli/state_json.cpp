/// States as JSON: a list of objects, or objects one after the other. Each is cut out of the stream by
/// its brackets and then parsed strictly.
#include <fmt/format.h>

#include <array>
#include <functional>

#include "axode/error.hpp"
#include "axode/io/json.hpp"
#include "cli/state_files.hpp"

namespace axode::cli {

namespace {

/// Skips a comment, of which the first slash was taken, and gives its text to `keep`.
void skip_comment(Bytes& bytes, const std::function<void(int)>& keep) {
  const int kind = bytes.peek();
  if (kind != '/' && kind != '*') return;
  keep(bytes.take());
  for (int before = 0, byte = 0; (byte = bytes.take()) != at_end; before = byte) {
    keep(byte);
    if (kind == '/' ? byte == '\n' : before == '*' && byte == '/') return;
  }
}

void skip_space(Bytes& bytes) {
  for (;;) {
    const int byte = bytes.peek();
    if (byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r') {
      bytes.take();
    } else if (byte == '/') {
      bytes.take();
      skip_comment(bytes, [](int) {});
    } else {
      return;
    }
  }
}

/// The text of one value, brackets balanced; whether it is JSON is not seen here.
std::string one_value(Bytes& bytes) {
  std::string text;
  const auto keep = [&](int byte) { append(text, byte, bytes); };
  int depth = 0;
  bool in_string = false;
  for (int byte = 0; (byte = bytes.peek()) != at_end;) {
    if (!in_string && depth == 0 && !text.empty() && (byte == ',' || byte == ']')) break;
    keep(bytes.take());
    if (in_string) {
      if (byte == '\\' && bytes.peek() != at_end) keep(bytes.take());
      if (byte == '"') in_string = false;
      continue;
    }
    if (byte == '"') in_string = true;
    if (byte == '/') skip_comment(bytes, keep);
    if (byte == '{' || byte == '[') ++depth;
    if (byte == '}' || byte == ']') --depth;
    if (depth == 0 && (byte == '}' || byte == ']')) break;
  }
  return text;
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
    root.fail("a state is an object", "write {\"q\": [..]}, and qd, qdd, tau if they matter");
  constexpr std::array<std::string_view, orders + 1> keys{"q", "qd", "qdd", "tau", "time"};
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
    const std::string text = one_value(bytes);
    if (interrupted()) return false;
    try {
      const JsonDocument document(text, bytes.name);
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
};

}  // namespace

std::unique_ptr<StateFormat> json_states(const StateSpace& space) {
  return std::make_unique<JsonStates>(space);
}

}  // namespace axode::cli
