#include "axode/dynamics/derivatives/oscillations.hpp"

#include <algorithm>

#include "axode/linalg/eigenvalues.hpp"

namespace axode {

std::vector<Oscillation> oscillations(const DenseMatrix<double>& A) {
  std::vector<Oscillation> all;
  for (const std::complex<double>& value : general_modes(A).values) {
    const double size = std::abs(value);
    all.push_back({value, size, size > 0 ? -value.real() / size : 0});
  }
  std::ranges::stable_sort(all, {}, &Oscillation::frequency);
  return all;
}

}  // namespace axode
