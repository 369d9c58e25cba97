#include "cli/arguments/states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "axode/core/error.hpp"
#include "axode/io/text/text_file.hpp"
#include "axode/lie/scalar.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output/output.hpp"

namespace axode::cli {

namespace {

constexpr std::size_t told = 5;  ///< warnings of limits in full

std::string label(const std::string& joint, int k, int number) {
  return number == 1 ? joint : fmt::format("{}[{}]", joint, k);
}

const char* noun(Order order) {
  constexpr std::array nouns{"coordinate", "velocity", "acceleration", "force"};
  return nouns[std::size_t(order)];
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

double checked(const Coordinate& coordinate, Order order, const Number& number,
               const std::string& where) {
  const bool force = order == Order::tau;
  if (number.degrees && (force || !coordinate.angle))
    throw Error(
        fmt::format("{}'{}' is not an angle", force ? "the force of " : "", coordinate.label),
        where,
        fmt::format("give it {} without 'deg'",
                    force || coordinate.quaternion ? "as a plain number," : "in metres,"));
  return number.value;
}

}  // namespace

void complete(const StateSpace& space, Order order, Values& values, const std::string& where) {
  if (order == Order::q)
    complete_configuration(space.tree, values.given, values.numbers, where.c_str());
  else if (order != Order::tau)
    complete_velocity(space.tree, values.given, values.numbers, where.c_str());
}

StateSpace::StateSpace(const Tree& t) : tree(t) {
  for (int i = 0; i < tree.size(); ++i) {
    const Link& link = tree.links[i];
    const std::string& joint = tree.bodies[i].joint_name;
    const bool quaternions = has_quaternion(link);
    const auto rotates = [&](int k) { return max_abs(tree.screws[link.v + k].angular) > 0; };
    for (int k = 0; k < link.nq; ++k)
      q.push_back(
          {label(joint, k, link.nq), i, !quaternions && rotates(k), false, quaternions && k < 4});
    for (int k = 0; k < link.nv; ++k)
      v.push_back({label(joint, k, link.nv), i, rotates(k), false, false});
  }
  for (const Coupling& c : tree.couplings) {
    q[tree.links[c.follower].q].follows = true;
    v[tree.links[c.follower].v].follows = true;
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

Values in_order(const StateSpace& space, Order order, std::span<const Number> numbers,
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
  Values x{std::vector<double>(all, 0), std::vector<char>(all, 1)};
  std::size_t next = 0;
  for (std::size_t i = 0; i < all; ++i) {
    if (reduced && coordinates[i].follows)
      x.given[i] = 0;
    else
      x.numbers[i] = checked(coordinates[i], order, numbers[next++], where);
  }
  complete(space, order, x, where);
  return x;
}

Values nothing_given(const StateSpace& space, Order order) {
  const std::size_t n = space.of(order).size();
  return {order == Order::q ? neutral(space.tree) : std::vector<double>(n, 0),
          std::vector<char>(n, 0)};
}

namespace {

const Link& link_named(const Tree& tree, const std::string& joint, const std::string& where) {
  try {
    return tree.links[joint_index(tree, joint)];
  } catch (const Error& error) {
    throw Error(error.problem(), where, error.remedy());
  }
}

}  // namespace

Values by_name(const StateSpace& space, Order order, std::span<const NamedNumbers> values,
               const std::string& where) {
  const Tree& tree = space.tree;
  const bool is_q = order == Order::q;
  const auto& coordinates = space.of(order);
  const auto& labels = is_q ? space.q_by_label : space.v_by_label;
  Values x = nothing_given(space, order);
  for (const NamedNumbers& value : values) {
    int first = 0, number = 1;
    if (const auto one = labels.find(value.name); one != labels.end()) {
      first = one->second;
    } else {
      const Link& link = link_named(tree, value.name, where);
      first = is_q ? link.q : link.v;
      number = is_q ? int{link.nq} : int{link.nv};
    }
    if (std::ssize(value.numbers) != number)
      throw Error(fmt::format("'{}' has {}, {} given", value.name, count(number, noun(order)),
                              value.numbers.size()),
                  where, "give one number for each");
    for (int k = first; k < first + number; ++k) {
      if (std::exchange(x.given[k], 1))
        throw Error(fmt::format("'{}' is given twice", coordinates[k].label), where,
                    "remove one of them");
      x.numbers[k] = checked(coordinates[k], order, value.numbers[k - first], where);
    }
  }
  complete(space, order, x, where);
  return x;
}

void GivenState::set(Order order, Values values) {
  if (order == Order::q)
    q = std::move(values);
  else
    (order == Order::v ? v : order == Order::a ? a : tau) = std::move(values);
}

Values* GivenState::find(Order order) {
  if (order == Order::q) return &q;
  std::optional<Values>& values = order == Order::v ? v : order == Order::a ? a : tau;
  return values ? &*values : nullptr;
}

std::string assignments(const StateSpace& space, Order order, const Values& values,
                        bool only_given) {
  std::string text;
  for (std::size_t i = 0; i < space.tree.links.size(); ++i) {
    const Link& link = space.tree.links[i];
    const int first = order == Order::q ? link.q : link.v,
              n = order == Order::q ? int{link.nq} : int{link.nv};
    const auto given = values.given.begin() + first;
    if (only_given && std::find(given, given + n, 1) == given + n) continue;
    for (int k = 0; k < n; ++k) {
      if (k > 0)
        text += ',';
      else
        text += fmt::format("{}{}=", text.empty() ? "" : " ",
                            printable(space.tree.bodies[i].joint_name));
      text += rounded(values.numbers[first + k]);
    }
  }
  return text;
}

void LimitWarnings::check(std::span<const double> q, const std::string& which) {
  for (const Link& link : space_.tree.links) {
    if (has_quaternion(link)) continue;
    for (int k = 0; k < link.nv; ++k) {
      const Dof& dof = space_.tree.dofs[link.v + k];
      const double value = q[link.q + k];
      if (value >= dof.lower && value <= dof.upper) continue;
      if (++found_ > told) continue;
      const Coordinate& c = space_.q[link.q + k];
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
