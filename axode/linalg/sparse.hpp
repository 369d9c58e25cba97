/// Sparse linear systems of constant pattern: assembled entry by entry, solved by KLU.
///
/// Compressed columns. The pattern is that of the first assembly; later ones add the same entries
/// in the same order, so that each costs one addition. KLU orders by approximate minimum degree and
/// factors with partial pivoting [Davis2010]; new values of the same pattern are refactored with
/// the pivots found before, and only if these have become bad new ones are sought. Allocates at the
/// first factorisation and when pivots change. Cost: that of the fill, O(n) for chains and trees.
/// Tests: tests/linalg/sparse_test.cpp
#pragma once
#include <memory>
#include <span>
#include <vector>

namespace axode {

/// A square matrix in compressed columns: column j has rows row[start[j]] .. of value alike.
struct SparseMatrix {
  int size = 0;
  std::vector<int> start, row;
  std::vector<double> value;

  int nonzeros() const noexcept { return static_cast<int>(row.size()); }
};
/// result = A x.
void multiply(const SparseMatrix& A, std::span<const double> x, std::span<double> result) noexcept;

/// Assembles a matrix: begin, add all entries, end. What is added twice is summed.
struct SparseAssembly {
  SparseMatrix matrix;

  void begin(int size);
  void add(int row, int column, double value) {
    if (ready)
      matrix.value[slots[next++]] += value;
    else
      entries.push_back({row, column, value});
  }
  /// After the first assembly this makes the pattern.
  void end();

  struct Entry {
    int row, column;
    double value;
  };
  bool ready = false;
  std::size_t next = 0;
  std::vector<int> slots;      ///< by entry, in the order of their addition
  std::vector<Entry> entries;  ///< of the first assembly
};

/// LU factors of a sparse matrix.
class SparseLu {
 public:
  SparseLu();
  ~SparseLu();
  SparseLu(SparseLu&&) noexcept;
  SparseLu& operator=(SparseLu&&) noexcept;

  /// Factors A; its pattern must be that of the calls before. Returns whether A is regular.
  bool factor(const SparseMatrix& A);
  /// Solves A x = b in place, with the factors found last.
  void solve(std::span<double> b) noexcept;
  /// Entries of both factors; 0 before the first factorisation.
  int factor_nonzeros() const noexcept;
  /// The values of the matrix whose pivots are in use: factoring it anew gives the same bits later.
  std::span<const double> pivot_values() const noexcept;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

}  // namespace axode
