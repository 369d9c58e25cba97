#include "axode/model/tree.hpp"

#include <algorithm>
#include <numeric>

#include "axode/core/error.hpp"
#include "axode/core/names.hpp"

namespace axode {

namespace {

int find(const detail::NameIndex& names, std::string_view name, const char* kind,
         const std::string& tree_name) {
  if (const auto found = names.find(name); found != names.end()) return found->second;
  throw Error("there is no " + std::string(kind) + " '" + std::string(name.substr(0, 60)) + "'",
              tree_name.empty() ? "tree" : "tree '" + tree_name + "'",
              detail::remedy_for_name(name, {&names}));
}

}  // namespace

std::string detail::remedy_for_name(std::string_view name,
                                    std::initializer_list<const NameIndex*> tables) {
  SimilarName similar(name);
  for (const NameIndex* names : tables)
    if (names->size() <= 10'000)  // trees may be huge
      for (const auto& [candidate, index] : *names) similar.consider(candidate);
  return similar.question("see the names of the model with `axode info`");
}

int body_index(const Tree& tree, std::string_view name) {
  return find(tree.body_names, name, "body", tree.name);
}
int joint_index(const Tree& tree, std::string_view name) {
  return find(tree.joint_names, name, "joint", tree.name);
}
int frame_index(const Tree& tree, std::string_view name) {
  return find(tree.frame_names, name, "frame", tree.name);
}

Children children(const Tree& tree) {
  Children c;
  const auto n = tree.links.size();
  c.first.assign(n + 2, 0);
  c.children.resize(n);
  for (const Link& link : tree.links) ++c.first[link.parent + 2];
  std::partial_sum(c.first.begin(), c.first.end(), c.first.begin());
  std::vector<int> next(c.first.begin(), c.first.end() - 1);
  for (std::size_t i = 0; i < n; ++i)
    c.children[next[tree.links[i].parent + 1]++] = static_cast<int>(i);
  return c;
}

}  // namespace axode
