/// Whether arrays hold the numbers of so many states, told by their lengths.
/// Tests: tests/engine/detail/batch/lengths_test.cpp
#pragma once
#include <cstddef>
#include <initializer_list>

namespace axode::batch {

/// An argument or a result: its name, length, and numbers for each state.
struct Length {
  const char* name;
  std::size_t found, each;
};

/// The number of states, by the first array that has any numbers for a state. Throws Error if another
/// does not fit; `where` names the function.
std::ptrdiff_t count_states(const char* where, std::initializer_list<Length> lengths);

}  // namespace axode::batch
