/// States as JSON that hold nothing but numbers in order: read without a document.
#include <algorithm>
#include <array>
#include <charconv>

#include "axode/core/error.hpp"
#include "cli/arguments/state_files.hpp"

namespace axode::cli {

namespace {

bool is_digit(const char* at, const char* end) { return at != end && *at >= '0' && *at <= '9'; }

/// Reads JSON from front to back; false if something else is there.
struct PlainText {
  const char *at, *end;

  void skip_space() {
    while (at != end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')) ++at;
  }
  bool take(char c) {
    skip_space();
    if (at == end || *at != c) return false;
    ++at;
    return true;
  }
  bool key(std::string_view& name) {
    if (!take('"')) return false;
    const char* const begin = at;
    at = std::find(at, end, '"');
    name = {begin, std::size_t(at - begin)};
    return take('"') && take(':');
  }
  bool number(double& value) {
    skip_space();
    const char* const digits = at != end && *at == '-' ? at + 1 : at;
    if (!is_digit(digits, end) || (*digits == '0' && is_digit(digits + 1, end))) return false;
    const auto [next, error] = std::from_chars(at, end, value);
    const char* const point = std::find(digits, next, '.');
    at = next;
    return error == std::errc{} && (point == next || is_digit(point + 1, next));
  }
  bool list(std::vector<double>& numbers) {
    numbers.clear();
    if (!take('[')) return false;
    do {
      if (!number(numbers.emplace_back())) return false;
    } while (take(','));
    return take(']');
  }
  bool is_done() {
    skip_space();
    return at == end;
  }
};

/// All numbers of one order.
bool read_order(const StateSpace& space, Order order, PlainText& text, GivenState& state) {
  if (!state.find(order)) state.set(order, {});
  Values& values = *state.find(order);
  if (!text.list(values.numbers)) return false;
  values.given.assign(values.numbers.size(), 1);
  return values.numbers.size() == space.of(order).size();
}

/// The members of an object; `read` says of which orders there are some.
bool read_members(const StateSpace& space, PlainText& text, GivenState& state,
                  std::array<bool, orders>& read) {
  constexpr std::array<std::string_view, orders> keys{"q", "v", "a", "tau"};
  do {
    std::string_view name;
    if (!text.key(name)) return false;
    if (name == "time") {
      if (state.time || !text.number(state.time.emplace())) return false;
      continue;
    }
    const std::size_t i = std::find(keys.begin(), keys.end(), name) - keys.begin();
    if (i == orders || read[i]) return false;
    read[i] = true;
    if (!read_order(space, static_cast<Order>(i), text, state)) return false;
  } while (text.take(','));
  return text.take('}');
}

}  // namespace

bool plain_json_state(const StateSpace& space, std::string_view from, GivenState& state) {
  PlainText text{from.data(), from.data() + from.size()};
  std::array<bool, orders> read{};
  state.time.reset();
  if (text.take('{')) {
    if (!read_members(space, text, state, read)) return false;
  } else {
    read[0] = true;
    if (!read_order(space, Order::q, text, state)) return false;
  }
  if (!text.is_done()) return false;
  if (!read[0]) state.q = nothing_given(space, Order::q);
  if (!read[1]) state.v.reset();
  if (!read[2]) state.a.reset();
  if (!read[3]) state.tau.reset();
  try {
    for (std::size_t i = 0; i < orders; ++i)
      if (const auto order = static_cast<Order>(i); read[i])
        complete(space, order, *state.find(order), "");
  } catch (const Error&) {
    return false;
  }
  return true;
}

}  // namespace axode::cli
