/// Poses as matrices; compiled with full optimization.
#include "src/kinematics/kinematics.hpp"

namespace axode::python {

void write_homogeneous_all(std::span<const double> poses, double* matrices) noexcept {
  for (std::size_t i = 0; i < poses.size(); i += 12, matrices += 16) {
    const double* T = poses.data() + i;
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < 4; ++column) matrices[4 * row + column] = T[3 * column + row];
    matrices[12] = matrices[13] = matrices[14] = 0;
    matrices[15] = 1;
  }
}

}  // namespace axode::python
