// Of constrained_solve.hpp: null spaces of sparse matrices.
#include <algorithm>
#include <cmath>

#include "axode/linalg/constrained_solve.hpp"
#include "axode/linalg/dense.hpp"

namespace axode {
namespace {

/// Numbers in [-1, 1] that are the same in every run.
struct Numbers {
  std::uint64_t state = 0x9E3779B97F4A7C15u;
  double operator()() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return static_cast<double>(state >> 11) / 4503599627370496.0 - 1;
  }
};
/// Takes from x what the basis has of it, twice for rounding.
void orthogonalize(const NullBasis& basis, std::span<double> x) {
  const std::size_t n = basis.columns;
  for (int pass = 0; pass < 2; ++pass)
    for (int k = 0; k < basis.count; ++k) {
      const std::span<const double> b(basis.vectors.data() + std::size_t(k) * n, n);
      const double along = dot(b, x);
      for (std::size_t i = 0; i < n; ++i) x[i] -= along * b[i];
    }
}
}  // namespace

NullBasis null_basis(const SparseRows& A) {
  constexpr double gone = 1e-6;  // of a random vector of unit length
  NullBasis basis{A.columns, 0, {}};
  const std::size_t n = A.columns, m = A.rows;
  SparseRows identity;
  identity.begin(A.columns, A.columns);
  for (int i = 0; i < A.columns; ++i) identity.add(i, i, 1);
  identity.end();
  ConstrainedSolve solve;
  if (!solve.factor(identity, A)) return basis;
  std::vector<double> x(n), y(n), zero(m, 0.0), multiplier(m);
  Numbers random;
  while (basis.count < basis.columns) {
    for (double& e : x) e = random();
    const double size = norm(x);
    for (double& e : x) e /= size;
    orthogonalize(basis, x);
    // Min |y - x| with A y = 0, once more for what rounding left.
    solve.solve(x, zero, y, multiplier);
    solve.solve(y, zero, x, multiplier);
    orthogonalize(basis, x);
    const double left = norm(x);
    if (!(left * std::sqrt(static_cast<double>(basis.columns)) > gone)) return basis;
    for (double& e : x) e /= left;
    basis.vectors.insert(basis.vectors.end(), x.begin(), x.end());
    ++basis.count;
  }
  return basis;
}

std::vector<int> independent_components(const NullBasis& basis, double* worst) {
  std::vector<double> work = basis.vectors;
  const std::size_t n = basis.columns, f = basis.count;
  std::vector<int> chosen;
  double least = 1;
  for (std::size_t k = 0; k < f; ++k) {
    // Of the rows left, the largest entry; its column is the next component.
    std::size_t row = k, column = 0;
    double most = -1;
    for (std::size_t i = k; i < f; ++i)
      for (std::size_t j = 0; j < n; ++j)
        if (std::abs(work[i * n + j]) > most) {
          most = std::abs(work[i * n + j]);
          row = i;
          column = j;
        }
    least = std::min(least, most);
    if (!(most > 0)) break;
    if (row != k)
      std::swap_ranges(work.begin() + static_cast<std::ptrdiff_t>(k * n),
                       work.begin() + static_cast<std::ptrdiff_t>((k + 1) * n),
                       work.begin() + static_cast<std::ptrdiff_t>(row * n));
    for (std::size_t i = k + 1; i < f; ++i) {
      const double factor = work[i * n + column] / work[k * n + column];
      for (std::size_t j = 0; j < n; ++j) work[i * n + j] -= factor * work[k * n + j];
      work[i * n + column] = 0;
    }
    chosen.push_back(static_cast<int>(column));
  }
  std::ranges::sort(chosen);
  if (worst != nullptr) *worst = least;
  return chosen;
}

}  // namespace axode
