/// Whether numbers are finite: neither NaN nor infinite.
/// Tests: tests/core/finite_test.cpp
#pragma once
#include <span>

namespace axode {

/// Whether all numbers are finite; true of none. About one addition per number.
bool all_finite(std::span<const double> numbers) noexcept;

}  // namespace axode
