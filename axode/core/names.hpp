/// Names of choices: methods, coordinates, forms.
///
/// Commands write them with hyphens, C++ and Python with underscores; whoever reads one takes both.
/// Tests: tests/core/names_test.cpp
#pragma once
#include <algorithm>
#include <string_view>

namespace axode {

/// Whether the names are equal when '-' and '_' are taken for the same.
constexpr bool is_same_name(std::string_view a, std::string_view b) noexcept {
  const auto plain = [](char c) { return c == '_' ? '-' : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return plain(x) == plain(y); });
}

}  // namespace axode
