// Which bodies stand on which.
#pragma once
#include "axode/model/tree.hpp"

namespace axode::detail {

/// Whether body h carries body i; also if they are the same.
inline bool carries(const Tree& tree, int h, int i) noexcept {
  while (i > h) i = tree.links[i].parent;
  return i == h;
}

}  // namespace axode::detail
