/// Warns once for each elastic link whose deflections are no longer small.
///
/// Small: displacements below a fraction of the link's length, rotations of sections below as many
/// rad. The linear equations leave out what is of second order in these, and the exact ones of
/// beams without shortening the second order of displacements. Looked at in quarters of the length;
/// cost O(modes).
/// Tests: tests/simulate/systems/deflection_watch_test.cpp
#pragma once
#include <array>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "axode/flexible/tree/flexible_tree.hpp"

namespace axode {

class DeflectionWatch {
 public:
  /// The tree must outlive this; `small` is the fraction, and the angle [rad].
  DeflectionWatch(const FlexibleTree& tree, double small);

  /// Largest displacement [lengths of the link] and rotation [rad] of a link's sections at q.
  struct Largest {
    double displacement = 0, rotation = 0;
  };
  Largest largest(int link, std::span<const double> q) const noexcept;
  /// Looks at all links without a warning. Does not allocate.
  void look(double t, std::span<const double> q) noexcept;
  /// One for each link whose deflections were not small, in the order of time.
  std::vector<std::string> warnings() const;
  /// What look has found, and back. load throws Error on numbers of another tree.
  std::vector<double> saved() const;
  void load(std::span<const double> numbers);

 private:
  struct Stations {
    int link = 0;
    double beyond_at = std::numeric_limits<double>::infinity();  ///< when it was seen first [s]
    Largest beyond{};                                            ///< and how large
    std::array<StationModes, 4> at;
  };
  const FlexibleTree* tree_;
  double small_;
  std::vector<Stations> links_;
};

}  // namespace axode
