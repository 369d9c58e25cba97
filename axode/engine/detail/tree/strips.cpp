#include "axode/engine/detail/tree/strips.hpp"

#include <algorithm>

namespace axode::engine {

Lists velocities_touching(const std::vector<int>& parent, int width) {
  const auto n = static_cast<int>(parent.size());
  Lists lists{{}, {0}};
  std::vector<int> above(parent.size(), -1), below(parent.size(), -1);  // the last strip with it
  for (int first = 0, s = 0; first < n; first += width, ++s) {
    const int begin = std::min(first, std::max(0, n - width)), end = std::min(first + width, n);
    for (int k = begin; k < end; ++k)
      for (int i = k; i >= 0 && above[i] != s; i = parent[i]) above[i] = s;
    for (int k = 0; k < n; ++k) {
      const int p = parent[k];
      if ((k >= begin && k < end) || (p >= 0 && below[p] == s)) below[k] = s;
      if (above[k] == s || below[k] == s) lists.numbers.push_back(k);
    }
    lists.first.push_back(static_cast<int>(lists.numbers.size()));
  }
  return lists;
}

}  // namespace axode::engine
