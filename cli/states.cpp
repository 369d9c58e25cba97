#include "cli/states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "axode/error.hpp"
#include "axode/io/text_file.hpp"
#include "axode/lie/scalar.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"

namespace axode::cli {

namespace {

constexpr double loosest = 1e-6;             ///< violation of a coupling that is rounding [rad, m]
constexpr double loosest_quaternion = 1e-2;  ///< as typed with two or three digits

constexpr std::size_t told = 5;  ///< warnings of limits in full

std::size_t at(int i) { return static_cast<std::size_t>(i); }

bool has_quaternion(const Link& link) {
  return link.map == JointMap::quaternion || link.map == JointMap::free;
}

std::string label(const std::string& joint, int k, int number) {
  return number == 1 ? joint : fmt::format("{}[{}]", joint, k);
}

const char* noun(Order order) {
  return order == Order::q ? "coordinate" : order == Order::qd ? "velocity" : "acceleration";
}

/// The labels in order, not too many.
std::string listed(const std::vector<Coordinate>& coordinates) {
  constexpr std::size_t most = 40;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, coordinates.size()); ++i)
    text += (i > 0 ? ", " : "") + coordinates[i].label;
  if (coordinates.size() > most) text += fmt::format(" and {} more", coordinates.size() - most);
  return text;
}

double checked(const Coordinate& coordinate, const Number& number, const std::string& where) {
  if (number.degrees && !coordinate.angle)
    throw Error(fmt::format("'{}' is no angle", coordinate.label), where,
                fmt::format("give it {} without 'deg'",
                            coordinate.quaternion ? "as a plain number," : "in metres,"));
  return number.value;
}

/// Followers must follow, and quaternions be nearly of unit length; those are made so.
void check_values(const StateSpace& space, Order order, std::vector<double>& x,
                  const std::string& where) {
  const Tree& tree = space.tree;
  for (const Coupling& c : tree.couplings) {
    const Link &follower = tree.links[at(c.follower)], &leader = tree.links[at(c.leader)];
    const bool is_q = order == Order::q;
    const double have = x[at(is_q ? follower.q : follower.v)];
    const double want = c.ratio * x[at(is_q ? leader.q : leader.v)] + (is_q ? c.offset : 0);
    if (!std::isfinite(want))
      throw Error(
          fmt::format("joint '{}' follows '{}' beyond all numbers",
                      tree.bodies[at(c.follower)].joint_name, tree.bodies[at(c.leader)].joint_name),
          where, "give a smaller value");
    if (!(std::abs(have - want) <= loosest * (1 + std::abs(want))))
      throw Error(fmt::format("joint '{}' follows '{}' and would be at {}, not {}",
                              tree.bodies[at(c.follower)].joint_name,
                              tree.bodies[at(c.leader)].joint_name, shortest(want), shortest(have)),
                  where, "leave it out");
  }
  if (order != Order::q) return;
  for (const Link& link : tree.links) {
    if (!has_quaternion(link)) continue;
    double* const e = x.data() + link.q;
    const double length = std::hypot(std::hypot(e[0], e[1]), std::hypot(e[2], e[3]));
    if (std::abs(length - 1) <= loosest_quaternion)
      for (int k = 0; k < 4; ++k) e[k] /= length;
  }
  check_configuration(tree, x, where.c_str());
}

}  // namespace

StateSpace::StateSpace(const Tree& t) : tree(t) {
  for (int i = 0; i < tree.size(); ++i) {
    const Link& link = tree.links[at(i)];
    const std::string& joint = tree.bodies[at(i)].joint_name;
    const bool quaternions = has_quaternion(link);
    const auto rotates = [&](int k) { return max_abs(tree.screws[at(link.v + k)].angular) > 0; };
    for (int k = 0; k < link.nq; ++k)
      q.push_back(
          {label(joint, k, link.nq), i, !quaternions && rotates(k), false, quaternions && k < 4});
    for (int k = 0; k < link.nv; ++k)
      v.push_back({label(joint, k, link.nv), i, rotates(k), false, false});
  }
  for (const Coupling& c : tree.couplings) {
    q[at(tree.links[at(c.follower)].q)].follows = true;
    v[at(tree.links[at(c.follower)].v)].follows = true;
  }
  for (const Body& body : tree.bodies)  // labels are these, or with at most ten digits in brackets
    longest_name = std::max(longest_name, body.joint_name.size() + 12);
  for (std::size_t i = 0; i < q.size(); ++i) q_by_label.emplace(q[i].label, static_cast<int>(i));
  for (std::size_t i = 0; i < v.size(); ++i) v_by_label.emplace(v[i].label, static_cast<int>(i));
}

Number parse_value(std::string_view text, const std::string& where) {
  const bool degrees = text.ends_with("deg");
  if (degrees) text.remove_suffix(3);
  const double value = parse_number(text, where);
  return {degrees ? value / 180 * pi<double> : value, degrees};
}

std::vector<double> in_order(const StateSpace& space, Order order, std::span<const Number> numbers,
                             const std::string& where) {
  const auto& coordinates = space.of(order);
  const std::size_t all = coordinates.size(), independent = all - space.tree.couplings.size();
  if (numbers.size() != all && numbers.size() != independent) {
    std::string needed = count(all, noun(order));
    if (independent != all) needed += fmt::format(" ({} of them independent)", independent);
    throw Error(fmt::format("{} given, but the model has {}{}{}", count(numbers.size(), "number"),
                            needed, all > 0 ? ": " : "", listed(coordinates)),
                where, "give one number for each, or joint=value for some");
  }
  const bool reduced = numbers.size() != all;
  std::vector<double> x;
  std::size_t next = 0;
  for (const Coordinate& c : coordinates)
    if (!reduced || !c.follows) x.push_back(checked(c, numbers[next++], where));
  if (reduced)
    x = order == Order::q ? expand_configuration(space.tree, x) : expand_velocity(space.tree, x);
  check_values(space, order, x, where);
  return x;
}

namespace {

const Link& link_named(const Tree& tree, const std::string& joint, const std::string& where) {
  try {
    return tree.links[at(joint_index(tree, joint))];
  } catch (const Error& error) {
    throw Error(error.problem(), where, error.remedy());
  }
}

}  // namespace

std::vector<double> by_name(const StateSpace& space, Order order,
                            std::span<const NamedNumbers> values, const std::string& where) {
  const Tree& tree = space.tree;
  const bool is_q = order == Order::q;
  const auto& coordinates = space.of(order);
  const auto& labels = is_q ? space.q_by_label : space.v_by_label;
  std::vector<double> x = is_q ? neutral(tree) : std::vector<double>(at(tree.nv), 0);
  std::vector<char> given(x.size(), 0);
  for (const NamedNumbers& value : values) {
    int first = 0, number = 1;
    if (const auto one = labels.find(value.name); one != labels.end()) {
      first = one->second;
    } else {
      const Link& link = link_named(tree, value.name, where);
      first = is_q ? link.q : link.v;
      number = is_q ? int{link.nq} : int{link.nv};
    }
    if (value.numbers.size() != at(number))
      throw Error(fmt::format("'{}' has {}, {} given", value.name, count(at(number), noun(order)),
                              value.numbers.size()),
                  where, "give one number for each");
    for (int k = first; k < first + number; ++k) {
      if (std::exchange(given[at(k)], 1))
        throw Error(fmt::format("'{}' is given twice", coordinates[at(k)].label), where,
                    "remove one of them");
      x[at(k)] = checked(coordinates[at(k)], value.numbers[at(k - first)], where);
    }
  }
  for (const Coupling& c : tree.couplings) {
    const Link &follower = tree.links[at(c.follower)], &leader = tree.links[at(c.leader)];
    const int f = is_q ? follower.q : follower.v, l = is_q ? leader.q : leader.v;
    if (!given[at(f)]) x[at(f)] = c.ratio * x[at(l)] + (is_q ? c.offset : 0);
  }
  check_values(space, order, x, where);
  return x;
}

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

std::vector<double> from_arguments(const StateSpace& space, Order order,
                                   std::span<const std::string> arguments, const char* option) {
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

void LimitWarnings::check(std::span<const double> q, const std::string& which) {
  for (const Link& link : space_.tree.links) {
    if (has_quaternion(link)) continue;
    for (int k = 0; k < link.nv; ++k) {
      const Dof& dof = space_.tree.dofs[at(link.v + k)];
      const double value = q[at(link.q + k)];
      if (value >= dof.lower && value <= dof.upper) continue;
      if (++found_ > told) continue;
      const Coordinate& c = space_.q[at(link.q + k)];
      const bool below = value < dof.lower;
      warn(fmt::format("{}'{}' is at {} {}, {} its limit {}", which.empty() ? "" : which + ": ",
                       c.label, rounded(value), c.unit(), below ? "below" : "above",
                       rounded(below ? dof.lower : dof.upper)));
    }
  }
}

void LimitWarnings::finish() const {
  if (found_ > told) warn(fmt::format("{} outside limits", count(found_ - told, "more value")));
}

}  // namespace axode::cli
