// The mass matrix of the independent velocities of coupled joints (engine/detail/tree/reduced_mass.hpp)
// for as many states as a pack has lanes.
#pragma once
#include "axode/engine/detail/batch/batch_kernels.hpp"
#include "axode/lie/pack.hpp"

namespace axode::batch {

/// Writes E^T M E, and the sizes of the numbers its diagonal is the sum of.
template <class P>
void reduce(const Job& j, const P* M, const P* scale, P* result, P* result_scale) noexcept {
  const auto count = static_cast<std::ptrdiff_t>(j.first[j.nv]);
  const auto size = static_cast<std::ptrdiff_t>(j.reduced.first[j.reduced.n]);
  for (std::ptrdiff_t e = 0; e < size; ++e) result[e] = P(0);
  for (std::ptrdiff_t e = 0; e < count; ++e)
    result[j.reduced_entries[e].to] += P(j.reduced_entries[e].factor) * M[e];
  for (int k = 0; k < j.reduced.n; ++k) result_scale[k] = P(0);
  for (int k = 0; k < j.nv; ++k) {
    const P r(j.reduced_ratio[k]);
    result_scale[j.reduced_column[k]] += r * r * max(scale[k], M[j.first[k]]);
  }
}

/// Writes E W E^T, nv rows of nv numbers.
template <class P>
void expand_inverse(const Job& j, const P* W, P* result) noexcept {
  for (int i = 0; i < j.nv; ++i) {
    const P* row = W + std::ptrdiff_t{j.reduced_column[i]} * j.reduced.n;
    for (int k = 0; k < j.nv; ++k)
      *result++ = row[j.reduced_column[k]] * P(j.reduced_ratio[i] * j.reduced_ratio[k]);
  }
}

}  // namespace axode::batch
