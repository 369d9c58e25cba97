// Walks along two paths of a tree.
#pragma once
#include <algorithm>
#include <vector>

namespace axode::detail {

/// Calls take(k) for the velocities on the paths that end at a and b, towards the root; `parent` is
/// that of a PathMatrix.
template <class Take>
void for_paths(const std::vector<int>& parent, int a, int b, Take&& take) noexcept {
  while (a >= 0 || b >= 0) {
    const int k = std::max(a, b);
    take(k);
    if (a == k) a = parent[k];
    if (b == k) b = parent[k];
  }
}

}  // namespace axode::detail
