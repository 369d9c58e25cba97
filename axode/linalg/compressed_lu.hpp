/// LU factors of sparse matrices in the compressed columns of somebody else, with long indices.
///
/// KLU's factors [Davis2010], ordered by COLAMD. Pivots are kept from one matrix to the next as long
/// as the condition number, estimated cheaply and, where that is alarming, well, stays below
/// eps^(-2/3): for Newton's method, where poor pivots cost iterations, not accuracy. Matrices assembled here: linalg/sparse.hpp.
/// Tests: tests/linalg/compressed_lu_test.cpp
#pragma once
#include <cstdint>
#include <memory>
#include <span>

namespace axode {

/// The columns of a square matrix: column j has the rows row[start[j]] .. row[start[j + 1] - 1], of
/// value alike. (Not const: KLU's interface is not.)
struct CompressedColumns {
  std::int64_t* start = nullptr;
  std::int64_t* row = nullptr;
  double* value = nullptr;
};

class CompressedLu {
 public:
  explicit CompressedLu(std::int64_t size);
  ~CompressedLu();
  CompressedLu(CompressedLu&&) noexcept;
  CompressedLu& operator=(CompressedLu&&) noexcept;

  /// Factors A; its pattern must be that of the calls before. Returns whether A is regular and all
  /// its values are finite.
  bool factor(CompressedColumns A);
  /// Solves A x = b in place, with the factors found last. Returns whether it could.
  bool solve(std::span<double> b) noexcept;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

}  // namespace axode
