/// Values from the command line.
#include <fmt/format.h>

#include <algorithm>

#include "axode/core/error.hpp"
#include "cli/arguments/states.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output/output.hpp"

namespace axode::cli {

namespace {

constexpr std::string_view separators = ", \t\n";

std::vector<std::string_view> pieces(std::string_view text) {
  std::vector<std::string_view> found;
  for (std::size_t from = text.find_first_not_of(separators); from != std::string::npos;) {
    const std::size_t end = std::min(text.find_first_of(separators, from), text.size());
    found.push_back(text.substr(from, end - from));
    from = text.find_first_not_of(separators, end);
  }
  return found;
}

/// A malformed number in an argument is a mistake in the command line.
Number argument_value(std::string_view text, const std::string& option) {
  try {
    return parse_value(text, option);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
}

}  // namespace

std::vector<double> parse_list(std::string_view text, std::size_t n, const std::string& where,
                               std::size_t first_angle) {
  std::vector<double> numbers;
  for (const std::string_view piece : pieces(text)) {
    const Number number = argument_value(piece, where);
    if (number.degrees && numbers.size() < first_angle)
      throw UsageError(fmt::format("{}: '{}' is where no angle belongs; leave out 'deg'", where,
                                   printable(piece)));
    numbers.push_back(number.value);
  }
  if (numbers.size() != n)
    throw UsageError(fmt::format("{}: {} given instead of {}; separate them by commas", where,
                                 count(numbers.size(), "number"), n));
  return numbers;
}

namespace {

/// Length of the name before "=" that the text begins with: the longest one known, which may hold
/// anything, else what is before the last "=" of the first piece. None if there is no such.
std::optional<std::size_t> name_length(const StateSpace& space, std::string_view text) {
  const auto known = [&](const std::string& name) {
    return space.tree.joint_names.contains(name) || space.q_by_label.contains(name) ||
           space.v_by_label.contains(name);
  };
  std::optional<std::size_t> found;
  for (std::size_t sign = text.find('='); sign <= space.longest_name;
       sign = text.find('=', sign + 1))
    if (known(std::string(text.substr(0, sign)))) found = sign;
  if (found) return found;
  const std::size_t last = text.substr(0, text.find_first_of(separators)).rfind('=');
  return last == std::string_view::npos ? found : last;
}

}  // namespace

Values from_arguments(const StateSpace& space, Order order, std::span<const std::string> arguments,
                      const char* option) {
  std::vector<NamedNumbers> named;
  std::vector<Number> numbers;
  for (const std::string& argument : arguments) {
    std::string_view rest = argument;
    for (;;) {
      rest.remove_prefix(std::min(rest.find_first_not_of(separators), rest.size()));
      if (rest.empty()) break;
      if (const auto name = name_length(space, rest)) {
        if (!numbers.empty())
          throw UsageError(fmt::format(
              "{}: values in order and joint=value are mixed; write all in one way", option));
        named.push_back({std::string(rest.substr(0, *name)), {}});
        rest.remove_prefix(*name + 1);
        continue;
      }
      const std::string_view number = rest.substr(0, rest.find_first_of(separators));
      (named.empty() ? numbers : named.back().numbers).push_back(argument_value(number, option));
      rest.remove_prefix(number.size());
    }
  }
  return named.empty() ? in_order(space, order, numbers, option)
                       : by_name(space, order, named, option);
}

}  // namespace axode::cli
