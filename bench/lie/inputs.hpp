/// The random elements that all contenders are given, as bare numbers.
#pragma once
#include <array>
#include <cstddef>
#include <vector>

namespace axode::bench {

using Six = std::array<double, 6>;  ///< angular part first
struct PoseNumbers {
  std::array<double, 9> R;  ///< by columns
  std::array<double, 3> p;
};

/// Angles are uniform in [0, pi], axes uniform on the sphere, lengths uniform in [-1, 1].
struct Inputs {
  std::vector<PoseNumbers> a, b;
  std::vector<Six> x;
};

/// Few enough for the first-level cache; for operations without branches. A multiple of all lanes.
inline constexpr std::size_t few = 96;
/// Many, so that the order of branches is hard to learn; for operations that branch.
inline constexpr std::size_t many = 4096;

/// The same on every call.
Inputs inputs(std::size_t count);

}  // namespace axode::bench
