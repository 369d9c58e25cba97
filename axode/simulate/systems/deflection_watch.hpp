/// Tells once for each elastic link when its deflections are no longer small.
///
/// Small: displacements below a fraction of the link's length, rotations of sections below as many
/// rad. The linear equations leave out what is of second order in these, and the exact ones of
/// beams without shortening the second order of displacements. Looked at in quarters of the length;
/// cost O(modes).
/// Tests: tests/simulate/systems/deflection_watch_test.cpp
#pragma once
#include <array>
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
  /// Looks at all links not told of; allocates only for a new warning.
  void look(double t, std::span<const double> q);
  const std::vector<std::string>& warnings() const noexcept { return warnings_; }

 private:
  struct Stations {
    int link = 0;
    bool told = false;
    std::array<StationModes, 4> at;
  };
  const FlexibleTree* tree_;
  double small_;
  std::vector<Stations> links_;
  std::vector<std::string> warnings_;
};

}  // namespace axode
