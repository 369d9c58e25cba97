#include "axode/linalg/sparse.hpp"

#include <klu.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "axode/core/finite.hpp"

namespace axode {
namespace {
/// Pivots are sought anew when their growth is worse than it was by this.
constexpr double worse_growth = 1e-2;

/// Moves numbers to where their keys 0 .. keys - 1 rise; those of the same key keep their order.
template <class Key>
void sort_by(const std::vector<int>& from, std::vector<int>& to, int keys, Key&& key) {
  std::vector<int> next(keys + 1, 0);
  for (const int k : from) ++next[key(k) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (const int k : from) to[next[key(k)]++] = k;
}
}  // namespace

void multiply(const SparseMatrix& A, std::span<const double> x, std::span<double> result) noexcept {
  std::fill(result.begin(), result.end(), 0.0);
  for (int j = 0; j < A.size; ++j)
    for (int k = A.start[j]; k < A.start[j + 1]; ++k) result[A.row[k]] += A.value[k] * x[j];
}

void SparseAssembly::begin(int size) {
  matrix.size = size;
  next = 0;
  entries.clear();
  std::fill(matrix.value.begin(), matrix.value.end(), 0.0);
}

void SparseAssembly::end() {
  if (ready) return;
  // By rows, then by columns: in linear time, and the order of addition stays among equals.
  std::vector<int> by_row(entries.size()), order(entries.size());
  std::iota(order.begin(), order.end(), 0);
  sort_by(order, by_row, matrix.size, [&](int k) { return entries[k].row; });
  sort_by(by_row, order, matrix.size, [&](int k) { return entries[k].column; });
  slots.assign(entries.size(), 0);
  matrix.start.assign(matrix.size + 1, 0);
  matrix.row.reserve(entries.size());
  int row = -1, column = -1;
  for (const int k : order) {
    const Entry& e = entries[k];
    if (e.row != row || e.column != column) {
      matrix.row.push_back(e.row);
      ++matrix.start[e.column + 1];
      row = e.row;
      column = e.column;
    }
    slots[k] = matrix.nonzeros() - 1;
  }
  std::partial_sum(matrix.start.begin(), matrix.start.end(), matrix.start.begin());
  matrix.value.assign(matrix.row.size(), 0.0);
  for (std::size_t n = 0; n < entries.size(); ++n) matrix.value[slots[n]] += entries[n].value;
  entries = {};
  ready = true;
}

struct SparseLu::Factors {
  klu_common common;
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
  std::vector<double> values;  ///< that the pivots were chosen for
  double growth = 0;           ///< then

  Factors() { klu_defaults(&common); }
  Factors(const Factors&) = delete;
  Factors& operator=(const Factors&) = delete;
  ~Factors() {
    klu_free_numeric(&numeric, &common);
    klu_free_symbolic(&symbolic, &common);
  }
  double pivot_growth(int* start, int* row, double* value) {
    return klu_rgrowth(start, row, value, symbolic, numeric, &common) != 0 ? common.rgrowth : 0;
  }
};

SparseLu::SparseLu() : factors_(std::make_unique<Factors>()) {}
SparseLu::~SparseLu() = default;
SparseLu::SparseLu(SparseLu&&) noexcept = default;
SparseLu& SparseLu::operator=(SparseLu&&) noexcept = default;

bool SparseLu::factor(const SparseMatrix& A) {
  Factors& f = *factors_;
  if (A.size == 0) return true;  // which KLU refuses
  if (!all_finite(A.value)) return false;
  // KLU takes pointers to what it does not change.
  int* start = const_cast<int*>(A.start.data());
  int* row = const_cast<int*>(A.row.data());
  double* value = const_cast<double*>(A.value.data());
  if (f.symbolic == nullptr) f.symbolic = klu_analyze(A.size, start, row, &f.common);
  if (f.symbolic == nullptr) return false;
  if (f.numeric != nullptr) {
    if (klu_refactor(start, row, value, f.symbolic, f.numeric, &f.common) != 0 &&
        f.common.status == KLU_OK && f.pivot_growth(start, row, value) >= worse_growth * f.growth)
      return true;
    klu_free_numeric(&f.numeric, &f.common);
  }
  f.numeric = klu_factor(start, row, value, f.symbolic, &f.common);
  if (f.numeric == nullptr || f.common.status != KLU_OK) {
    klu_free_numeric(&f.numeric, &f.common);
    f.values.clear();
    return false;
  }
  f.growth = f.pivot_growth(start, row, value);
  f.values = A.value;
  return true;
}

void SparseLu::solve(std::span<double> b) noexcept {
  Factors& f = *factors_;
  klu_solve(f.symbolic, f.numeric, static_cast<int>(b.size()), 1, b.data(), &f.common);
}

int SparseLu::factor_nonzeros() const noexcept {
  const klu_numeric* n = factors_->numeric;
  return n == nullptr ? 0 : n->lnz + n->unz;
}

std::span<const double> SparseLu::pivot_values() const noexcept { return factors_->values; }

}  // namespace axode
