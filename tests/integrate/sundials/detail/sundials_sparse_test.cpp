#include "axode/integrate/sundials/detail/sundials_sparse.hpp"

#include <gtest/gtest.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <cmath>

namespace axode::test::sundials_sparse {

/// A band of three diagonals and a last row and column, in compressed columns.
struct SparseSolver {
  SUNContext context = nullptr;
  SUNMatrix A = nullptr;
  N_Vector x = nullptr, b = nullptr;
  SUNLinearSolver solver = nullptr;
  explicit SparseSolver(int n) {
    SUNContext_Create(nullptr, &context);
    A = SUNSparseMatrix(n, n, sunindextype(5) * n, CSC_MAT, context);
    x = N_VNew_Serial(n, context);
    b = N_VNew_Serial(n, context);
    solver = static_cast<SUNLinearSolver>(sundials_sparse_solver(n, context));
    int entries = 0;
    for (int j = 0; j < n; ++j) {
      SUNSparseMatrix_IndexPointers(A)[j] = entries;
      for (int i = 0; i < n; ++i)
        if (std::abs(i - j) <= 1 || i == n - 1 || j == n - 1)
          SUNSparseMatrix_IndexValues(A)[entries++] = i;
    }
    SUNSparseMatrix_IndexPointers(A)[n] = entries;
  }
  SparseSolver(const SparseSolver&) = delete;
  SparseSolver& operator=(const SparseSolver&) = delete;
  ~SparseSolver() {
    SUNLinSolFree(solver);
    N_VDestroy(x);
    N_VDestroy(b);
    SUNMatDestroy(A);
    SUNContext_Free(&context);
  }
  int size() const { return static_cast<int>(SUNSparseMatrix_Columns(A)); }
  /// Gives every entry a value, and b = A x for the x that is expected.
  template <class Value, class X>
  void fill(Value&& value, X&& expected) {
    N_VConst(0, b);
    for (int j = 0; j < size(); ++j)
      for (auto k = SUNSparseMatrix_IndexPointers(A)[j];
           k < SUNSparseMatrix_IndexPointers(A)[j + 1]; ++k) {
        const auto i = SUNSparseMatrix_IndexValues(A)[k];
        SUNSparseMatrix_Data(A)[k] = value(static_cast<int>(i), j);
        N_VGetArrayPointer(b)[i] += SUNSparseMatrix_Data(A)[k] * expected(j);
      }
  }
};

TEST(SundialsSparse, SolvesWhatWasMultipliedAlsoWithNewValues) {
  const auto expected = [](int i) { return std::sin(1. + i); };
  for (const int n : {1, 2, 7, 33}) {
    SparseSolver s(n);
    for (const double shift : {0.0, 2.0, 0.5}) {  // the second time with the pivots of the first
      s.fill([&](int i,
                 int j) { return std::cos(3. * i + 5. * j * i + j + shift) + (i == j ? 4 : 0); },
             expected);
      ASSERT_EQ(SUNLinSolSetup(s.solver, s.A), SUNLS_SUCCESS);
      ASSERT_EQ(SUNLinSolSolve(s.solver, s.A, s.x, s.b, 0), SUNLS_SUCCESS);
      for (int i = 0; i < n; ++i) EXPECT_NEAR(N_VGetArrayPointer(s.x)[i], expected(i), 1e-11) << n;
      // in place, as SUNDIALS does it
      ASSERT_EQ(SUNLinSolSolve(s.solver, s.A, s.b, s.b, 0), SUNLS_SUCCESS);
      for (int i = 0; i < n; ++i) EXPECT_NEAR(N_VGetArrayPointer(s.b)[i], expected(i), 1e-11) << n;
    }
  }
}
TEST(SundialsSparse, ReportsASingularMatrixAsRecoverable) {
  SparseSolver s(3);
  const auto one = [](int) { return 1.0; };
  for (const double value : {0.0, double(NAN)}) {
    s.fill([&](int, int) { return value; }, one);
    EXPECT_GT(SUNLinSolSetup(s.solver, s.A), 0) << value;  // positive: a smaller step may help
  }
  s.fill([](int i, int j) { return i == j ? 2.0 : 0.5; }, one);
  EXPECT_EQ(SUNLinSolSetup(s.solver, s.A),
            SUNLS_SUCCESS);  // and regular ones are factored after it
}

}  // namespace axode::test::sundials_sparse
