/// Which rows of matrices along paths matter for a strip of columns: lists made once per tree. The
/// last strip counts as at least half a strip wide, into the one before it.
/// Tests: tests/engine/strips_test.cpp
#pragma once
#include <vector>

namespace axode::engine {

/// Lists one after the other: list s is numbers[first[s]] .. (first[s + 1] excluded), ascending.
struct Lists {
  std::vector<int> numbers, first;
};
/// By strip of `width` columns: the velocities that are one of them, or above or below one.
Lists velocities_touching(const std::vector<int>& parent, int width);

/// Where the rows of factors start: row k has as many numbers as velocities are on its path, and
/// starts at a multiple of `block`. `depth` counts those before it on the path.
struct FactorRows {
  std::vector<std::size_t> first;  ///< by velocity, and one more: the size of all
  std::vector<int> depth, last;    ///< by velocity; last: the last it carries, or itself
};
FactorRows factor_rows(const std::vector<int>& parent, int block);

}  // namespace axode::engine
