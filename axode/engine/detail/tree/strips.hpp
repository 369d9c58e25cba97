/// Which rows of matrices along paths matter for a strip of columns: lists made once per tree. The
/// last strip counts as no less wide, into the one before it.
/// Tests: tests/engine/detail/tree/strips_test.cpp
#pragma once
#include <vector>

namespace axode::engine {

/// Lists one after the other: list s is numbers[first[s]] .. (first[s + 1] excluded), ascending.
struct Lists {
  std::vector<int> numbers, first;
};
/// By strip of `width` columns: the velocities that are one of them, or above or below one.
Lists velocities_touching(const std::vector<int>& parent, int width);

}  // namespace axode::engine
