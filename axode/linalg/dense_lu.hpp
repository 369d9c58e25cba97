/// LU factors of dense matrices of one size, in memory that is kept, for solvers that factor often.
///
/// Row pivots, vectorised by Eigen: three times as quick as column by column for 30 unknowns. To
/// solve one system use solve_linear. Cost n^3 / 3 multiplications for the factors, n^2 to solve.
/// Tests: tests/linalg/dense_lu_test.cpp
#pragma once
#include <memory>
#include <span>

namespace axode {

class DenseLu {
 public:
  explicit DenseLu(int size);
  ~DenseLu();
  DenseLu(DenseLu&&) noexcept;
  DenseLu& operator=(DenseLu&&) noexcept;

  /// Factors the matrix with these numbers, column by column. Returns whether it is regular and all
  /// pivots are finite.
  bool factor(std::span<const double> columns) noexcept;
  /// Writes the x with A x = b, with the factors found last; x may be b.
  void solve(std::span<const double> b, std::span<double> x) noexcept;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

}  // namespace axode
