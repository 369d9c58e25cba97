#include <fmt/format.h>

#include <charconv>

#include "axode/core/error.hpp"
#include "axode/simulate/forces/expression.hpp"

namespace axode {

detail::JointComponent detail::joint_component(const Tree& tree, std::string_view name,
                                               bool position) {
  std::size_t point = name.rfind('.');
  if (tree.joint_names.find(name) != tree.joint_names.end()) point = std::string_view::npos;
  const int body = joint_index(tree, name.substr(0, point));
  const Link& link = tree.links[body];
  const int count = position ? link.nq : link.nv;
  const std::string_view what = position ? "coordinates" : "degrees of freedom";
  if (point == std::string_view::npos) {
    if (count != 1)
      throw Error(fmt::format("the joint '{}' has {} {}", name, count, what), {},
                  count > 0 ? fmt::format("name one, from {0}.0 to {0}.{1}", name, count - 1)
                            : "name a joint that moves");
    return {body, 0};
  }
  int k = -1;
  const std::string_view digits = name.substr(point + 1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), k);
  if (error != std::errc{} || end != digits.data() + digits.size() || k < 0 || k >= count)
    throw Error(fmt::format("'{}' is none of the {} {} of the joint '{}'", digits, count, what,
                            name.substr(0, point)),
                {}, "count them from 0");
  return {body, k};
}

int dof_index(const Tree& tree, std::string_view name) {
  const detail::JointComponent c = detail::joint_component(tree, name, false);
  return tree.links[c.body].v + c.k;
}

}  // namespace axode
