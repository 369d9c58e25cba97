#include "axode/model/tree.hpp"

#include <algorithm>
#include <numeric>

#include "axode/core/error.hpp"

namespace axode {

namespace {

/// Number of single-letter changes between two short names (Levenshtein).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (const char c : a) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t change = diagonal + (c == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({change, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

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
  // Names beyond this are no typing errors of one another, and trees may be huge.
  std::string_view best;
  std::size_t least = name.size() < 64 ? std::max<std::size_t>(2, name.size() / 2) : 0;
  for (const NameIndex* names : tables) {
    if (names->size() > 10'000 || least == 0) continue;
    for (const auto& [candidate, index] : *names) {
      if (candidate.size() >= 64) continue;
      const std::size_t distance = edit_distance(name, candidate);
      if (distance < least || (distance == least && (best.empty() || candidate < best))) {
        least = distance;
        best = candidate;
      }
    }
  }
  return best.empty() ? "see the names of the model with `axode info`"
                      : "did you mean '" + std::string(best) + "'?";
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
