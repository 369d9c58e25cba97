#include "axode/linalg/compressed_lu.hpp"

#include <klu.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "axode/core/finite.hpp"

namespace axode {

struct CompressedLu::Factors {
  std::int64_t size;
  klu_l_common common;
  klu_l_symbolic* symbolic = nullptr;
  klu_l_numeric* numeric = nullptr;

  explicit Factors(std::int64_t n) : size(n) {
    klu_l_defaults(&common);
    common.ordering = 1;  // COLAMD
  }
  Factors(const Factors&) = delete;
  Factors& operator=(const Factors&) = delete;
  ~Factors() {
    klu_l_free_numeric(&numeric, &common);
    klu_l_free_symbolic(&symbolic, &common);
  }
  /// New values with the pivots in use; false if these have become bad.
  bool refactor(CompressedColumns A) {
    const double bad = std::pow(std::numeric_limits<double>::epsilon(), 2. / 3);
    return klu_l_refactor(A.start, A.row, A.value, symbolic, numeric, &common) != 0 &&
           klu_l_rcond(symbolic, numeric, &common) != 0 &&
           (common.rcond >= bad ||
            (klu_l_condest(A.start, A.value, symbolic, numeric, &common) != 0 &&
             common.condest <= 1 / bad));
  }
};

CompressedLu::CompressedLu(std::int64_t size) : factors_(std::make_unique<Factors>(size)) {}
CompressedLu::~CompressedLu() = default;
CompressedLu::CompressedLu(CompressedLu&&) noexcept = default;
CompressedLu& CompressedLu::operator=(CompressedLu&&) noexcept = default;

bool CompressedLu::factor(CompressedColumns A) {
  Factors& f = *factors_;
  if (!all_finite({A.value, std::size_t(A.start[f.size])})) return false;
  if (f.symbolic == nullptr) f.symbolic = klu_l_analyze(f.size, A.start, A.row, &f.common);
  if (f.symbolic == nullptr) return false;
  if (f.numeric != nullptr && f.refactor(A)) return true;
  klu_l_free_numeric(&f.numeric, &f.common);
  f.numeric = klu_l_factor(A.start, A.row, A.value, f.symbolic, &f.common);
  if (f.numeric != nullptr && f.common.status != KLU_OK) klu_l_free_numeric(&f.numeric, &f.common);
  return f.numeric != nullptr;
}

bool CompressedLu::solve(std::span<double> b) noexcept {
  Factors& f = *factors_;
  return f.numeric != nullptr &&
         klu_l_solve(f.symbolic, f.numeric, f.size, 1, b.data(), &f.common) != 0;
}

}  // namespace axode
